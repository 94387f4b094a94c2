package acp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

var spoken = &parley.Options{Dialect: &acp.Dialect}

// A far is the other end of a peer's pipe, on which a test plays the other side.
type far struct {
	t     *testing.T
	end   *frame.PipeEnd
	lines *bufio.Scanner
}

// connect returns a peer and the far end of its pipe.
func connect(t *testing.T, handler parley.Handler) (*parley.Conn, *far) {
	t.Helper()
	near, end := frame.Pipe()
	conn := parley.Connect(frame.Lines.Stream(near, near), handler, spoken)
	t.Cleanup(func() {
		end.Close()
		conn.Close()
	})
	return conn, &far{t, end, bufio.NewScanner(end)}
}

// send writes lines to the peer.
func (f *far) send(lines ...string) {
	f.t.Helper()
	if _, err := io.WriteString(f.end, strings.Join(lines, "\n")+"\n"); err != nil {
		f.t.Fatal(err)
	}
}

// next returns the next line that the peer writes.
func (f *far) next() string {
	f.t.Helper()
	if !f.lines.Scan() {
		f.t.Fatalf("the peer wrote nothing more: %v", f.lines.Err())
	}
	return f.lines.Text()
}

// The client asks for the version of the types and takes no other. After an answer that does
// not fit, the connection is the caller's to close.
func TestHandshake(t *testing.T) {
	tests := []struct {
		name, answer string
		want         error
		contains     string
	}{
		{"the agent agrees", `"result":{"protocolVersion":1,"agentCapabilities":{"loadSession":true}}`, nil, ""},
		{"the agent knows a later version only", `"result":{"protocolVersion":2}`, acp.ErrVersion, "2, and not 1"},
		{"the agent answers null", `"result":null`, acp.ErrVersion, "0, and not 1"},
		{"the agent refuses", `"error":{"code":-32000,"message":"no"}`, acp.ErrAuthRequired, "handshake"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, agent := connect(t, nil)
				var result *acp.InitializeResult
				var err error
				var over sync.WaitGroup
				over.Go(func() { result, err = acp.Handshake(t.Context(), conn, acp.InitializeParams{}) })
				want := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`
				if diff := cmp.Diff(want, agent.next()); diff != "" {
					t.Errorf("the first line (-want +got)\n%s", diff)
				}
				agent.send(`{"jsonrpc":"2.0","id":1,` + test.answer + `}`)
				over.Wait()
				if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
					t.Errorf("the error is %v", err)
				}
				if err != nil && !strings.Contains(err.Error(), test.contains) {
					t.Errorf("the error does not say %q: %v", test.contains, err)
				}
				if err == nil && !result.AgentCapabilities.LoadSession {
					t.Errorf("the result is %+v", result)
				}
			})
		})
	}
}

// Case 073: a call that the client takes back by $/cancel_request is answered exactly once, with
// -32800, and the next call is none the worse. LSP's spelling of the note means nothing.
func TestCancelledCallIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan struct{}, 2)
		mux := parley.NewMux(acp.Prompt.Handle(func(ctx context.Context, p acp.PromptParams) (*acp.PromptResult, error) {
			if p.SessionID == "quick" {
				return &acp.PromptResult{StopReason: acp.EndTurn}, nil
			}
			begun <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		_, client := connect(t, mux.Handle)
		prompt := `{"jsonrpc":"2.0","id":%s,"method":"session/prompt","params":{"sessionId":%q,"prompt":[]}}`
		client.send(
			fmt.Sprintf(prompt, "1", "slow"),
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`,
			fmt.Sprintf(prompt, "2", "quick"))
		got := client.next()
		if want := `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}`; got != want {
			t.Errorf("the peer wrote %s before the cancellation", got)
		}
		<-begun
		client.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":1}}`)
		if got = client.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"error":{"code":-32800,`) {
			t.Errorf("the cancelled call was answered %s", got)
		}
		client.send(fmt.Sprintf(prompt, "3", "quick"))
		if got = client.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":3,"result":`) {
			t.Errorf("after the one answer to the cancelled call came %s", got)
		}
	})
}

// A client whose ctx ends takes its call back in the words of ACP and returns at once; the
// answer that the agent still owes is no orphan.
func TestCallIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		agent := parley.NewMux(acp.Prompt.Handle(func(ctx context.Context, _ acp.PromptParams) (*acp.PromptResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		client, _ := parleytest.Pair(t, nil, agent.Handle, spoken)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := acp.Prompt.Call(ctx, client, acp.PromptParams{SessionID: "s"}); !errors.Is(err, context.Canceled) {
			t.Errorf("the call failed with %v", err)
		}
		synctest.Wait()
		if s := client.Stats(); s.Late != 1 || s.Orphans != 0 {
			t.Errorf("the late answer was counted otherwise: %+v", s)
		}
	})
}

// An agent asks for a permission in the middle of a turn and goes by the answer; the client is
// told about the tool before it is asked and before the turn is over.
func TestPermission(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		editor := parley.NewMux(
			acp.SessionUpdate.Handle(func(_ context.Context, p acp.SessionUpdateParams) error {
				seen = append(seen, string(p.Update.SessionUpdate)+" "+string(p.Update.Status))
				return nil
			}),
			acp.RequestPermission.Handle(func(_ context.Context, p acp.RequestPermissionParams) (*acp.RequestPermissionResult, error) {
				seen = append(seen, "asked about "+p.ToolCall.Title)
				return acp.Select(p.Options[0].OptionID), nil
			}),
		)
		client, _ := parleytest.Pair(t, editor.Handle, agentHandler(), spoken)
		result, err := acp.Prompt.Call(t.Context(), client, acp.PromptParams{SessionID: "s", Prompt: []acp.ContentBlock{acp.Text("hi")}})
		if err != nil || result.StopReason != acp.EndTurn {
			t.Errorf("the turn ended with %+v, %v", result, err)
		}
		want := []string{"tool_call pending", "asked about edit", "tool_call_update completed"}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("what the client saw (-want +got)\n%s", diff)
		}
	})
}

// After session/cancel the client dismisses its open permission, and the prompt ends with a
// result whose stop reason is cancelled, not with an error.
func TestSessionCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dismissed := make(chan struct{})
		editor := parley.NewMux(
			acp.SessionUpdate.Handle(func(context.Context, acp.SessionUpdateParams) error { return nil }),
			acp.RequestPermission.Handle(func(context.Context, acp.RequestPermissionParams) (*acp.RequestPermissionResult, error) {
				<-dismissed
				return acp.Dismiss(), nil
			}),
		)
		client, _ := parleytest.Pair(t, editor.Handle, agentHandler(), spoken)
		turn := acp.Prompt.Start(t.Context(), client, acp.PromptParams{SessionID: "s"})
		synctest.Wait() // the permission is open now
		if err := acp.Cancel.Send(t.Context(), client, acp.CancelParams{SessionID: "s"}); err != nil {
			t.Fatal(err)
		}
		close(dismissed)
		var result acp.PromptResult
		if err := turn.Wait(t.Context(), &result); err != nil || result.StopReason != acp.Cancelled {
			t.Errorf("the turn ended with %+v, %v", result, err)
		}
	})
}

// agentHandler is an agent whose turns ask for one permission and do what it allows.
func agentHandler() parley.Handler {
	turn := func(ctx context.Context, p acp.PromptParams) (*acp.PromptResult, error) {
		client := parley.Caller(ctx)
		update := func(u acp.Update) error {
			u.ToolCallID = "call_1"
			return acp.SessionUpdate.Send(ctx, client, acp.SessionUpdateParams{SessionID: p.SessionID, Update: u})
		}
		if err := update(acp.Update{SessionUpdate: acp.ToolCall, Title: "edit", Status: acp.ToolPending}); err != nil {
			return nil, err
		}
		answer, err := acp.RequestPermission.Call(ctx, client, acp.RequestPermissionParams{
			SessionID: p.SessionID,
			ToolCall:  acp.ToolCallUpdate{ToolCallID: "call_1", Title: "edit"},
			Options:   []acp.PermissionOption{{OptionID: "allow", Name: "Allow", Kind: acp.AllowOnce}},
		})
		if err != nil {
			return nil, err
		}
		if answer.Outcome.Outcome == acp.OutcomeCancelled {
			return &acp.PromptResult{StopReason: acp.Cancelled}, nil
		}
		err = update(acp.Update{SessionUpdate: acp.ToolCallChanged, Status: acp.ToolCompleted})
		return &acp.PromptResult{StopReason: acp.EndTurn}, err
	}
	return parley.NewMux(
		acp.Prompt.Handle(turn),
		acp.Cancel.Handle(func(context.Context, acp.CancelParams) error { return nil }),
	).Handle
}

// An array is one bad record, as the agent of the SDK has it, and is answered as one.
func TestNoBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := connect(t, nil)
		client.send(`[{"jsonrpc":"2.0","id":2,"method":"session/new"},{"jsonrpc":"2.0","id":3,"method":"session/new"}]`)
		if got := client.next(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`) {
			t.Errorf("a batch was answered %s", got)
		}
	})
}

// What the protocol wants even when it is empty is written, and what is absent stays away.
func TestEmptyIsWritten(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"a text block without text", acp.Text(""), `{"type":"text","text":""}`},
		{"a text block", acp.Text("a"), `{"type":"text","text":"a"}`},
		{"an image has no text", acp.ContentBlock{Type: acp.ContentImage, Data: "AA=="}, `{"type":"image","data":"AA=="}`},
		{"an MCP server on stdio", acp.MCPServer{Name: "a", Command: "/a"}, `{"name":"a","command":"/a","args":[],"env":[]}`},
		{"an MCP server on HTTP", acp.MCPServer{Type: "http", Name: "a", URL: "u"}, `{"type":"http","name":"a","url":"u","headers":[]}`},
		{"an MCP server of another kind", acp.MCPServer{Type: "acp", Name: "a"}, `{"type":"acp","name":"a"}`},
		{"a new session without MCP servers", acp.SessionNewParams{CWD: "/"}, `{"cwd":"/","mcpServers":[]}`},
		{"a tool call whose content is cleared", acp.Update{SessionUpdate: acp.ToolCallChanged, ToolCallID: "1", Content: acp.UpdateContent{Tool: []acp.ToolContent{}}}, `{"sessionUpdate":"tool_call_update","content":[],"toolCallId":"1"}`},
		{"a tool call whose content stays", acp.Update{SessionUpdate: acp.ToolCallChanged, ToolCallID: "1"}, `{"sessionUpdate":"tool_call_update","toolCallId":"1"}`},
		{"an update without content", acp.UpdateContent{}, `null`},
	}
	for _, test := range tests {
		got, err := message.Encode(test.value)
		if err != nil || string(got) != test.want {
			t.Errorf("%s is written\n%s, not\n%s (%v)", test.name, got, test.want, err)
		}
	}
}

// The content of an update is a block or a list, and nothing else.
func FuzzUpdateContent(f *testing.F) {
	for _, seed := range []string{`null`, `[]`, `{"type":"text","text":""}`, ` [{"type":"diff","path":"/a","newText":""}]`, `"a"`, `7`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second acp.UpdateContent
		if message.Raw(text).Decode(&first) != nil {
			return
		}
		once, err := message.Encode(first)
		if err != nil {
			t.Fatalf("%q is read and cannot be written: %v", text, err)
		}
		if err := once.Decode(&second); err != nil {
			t.Fatalf("%q is written as %s and cannot be read: %v", text, once, err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%q becomes another value (-first +second)\n%s", text, diff)
		}
	})
}

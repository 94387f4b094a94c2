package acp_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

var spoken = &parley.Options{Dialect: &acp.Dialect}

// connect returns a peer and its other end.
func connect(t *testing.T, handler parley.Handler) (*parley.Conn, *dialecttest.Far) {
	t.Helper()
	return dialecttest.Peer(t, &acp.Dialect, handler)
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
				agent.Hears(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`)
				agent.Say(`{"jsonrpc":"2.0","id":1,` + test.answer + `}`)
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

// Case 073: a call that was taken back is answered all the same.
func TestCancelled(t *testing.T) {
	dialecttest.Cancelled(t, &acp.Dialect, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%s}}`, true)
}

// LSP's spelling of the cancellation means nothing.
func TestCancelRequestOfLSP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		_, client := connect(t, func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			<-done
			return "in peace", ctx.Err()
		})
		client.Say(
			`{"jsonrpc":"2.0","id":1,"method":"m"}`,
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
		synctest.Wait()
		close(done)
		client.Hears(`{"jsonrpc":"2.0","id":1,"result":"in peace"}`)
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

// There are no batches.
func TestNoBatch(t *testing.T) { dialecttest.NoBatch(t, &acp.Dialect) }

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
	f.Fuzz(func(t *testing.T, text string) { dialecttest.Stable[acp.UpdateContent](t, text) })
}

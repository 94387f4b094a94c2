package mcp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// asker is a server with the tools ask and pay, which ask their user, and says who asks.
func asker(secret string, who *string, runs *int) *mcp.Server {
	ask := func(ctx context.Context, args map[string]any) (string, error) {
		*runs++
		answer, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: "Sure?"})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s %v", answer.Action, args["n"]), nil
	}
	mux := parley.NewMux(
		parley.Method[map[string]any, string]("ask").Handle(ask),
		parley.Method[map[string]any, string]("pay").Handle(ask),
	)
	return mcp.NewServer(mux, mcp.Info{
		Name: "asker", Version: "1", Secret: []byte(secret), StateTTL: time.Minute,
		Principal: func(context.Context) string { return *who },
	})
}

// modernMeta is the _meta of a client that can ask its user.
const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`

// dialServer connects to a server, without a word of MCP.
func dialServer(t *testing.T, server *mcp.Server, handler parley.Handler) *parley.Conn {
	t.Helper()
	near, far := frame.Pipe()
	theirs := server.Connect(frame.Lines.Stream(far, far), nil)
	ours := parley.Connect(frame.Lines.Stream(near, near), handler, &parley.Options{Dialect: &mcp.Dialect})
	t.Cleanup(func() {
		ours.Close()
		theirs.Close()
	})
	return ours
}

// asked calls a tool, with what came of asking if there is any.
func asked(t *testing.T, c *parley.Conn, tool, args string, state *string, answer string) (*mcp.CallToolResult, error) {
	t.Helper()
	p := mcp.CallToolParams{Name: tool, Arguments: message.Raw(args), RequestState: state, Meta: message.Raw(modernMeta)}
	if answer != "" {
		p.InputResponses = map[string]message.Raw{"q1": message.Raw(answer)}
	}
	return mcp.CallTool.Call(t.Context(), c, p)
}

// TestRequestState checks that a state is good for the request that it was given out for,
// and for no other.
func TestRequestState(t *testing.T) {
	const args, yes = `{"n":1,"m":"x"}`, `{"action":"accept"}`
	tests := []struct {
		name       string
		tool, args string
		secret     string // of the server that is asked again
		who        string
		after      time.Duration
		tamper     func(string) string
		good       bool
	}{
		{name: "the same request", good: true},
		{name: "the arguments in another order, as from a map", args: `{"m":"x", "n":1}`, good: true},
		{name: "a server with the same secret", secret: "s", good: true},
		{name: "just in time", after: 59 * time.Second, good: true},
		{name: "too late", after: 61 * time.Second},
		{name: "another tool", tool: "pay"},
		{name: "another argument", args: `{"n":2,"m":"x"}`},
		{name: "a number that a double cannot tell from ours", args: `{"n":1.0,"m":"x"}`},
		{name: "one argument more", args: `{"n":1,"m":"x","o":null}`},
		{name: "members that only look like ours when joined", args: `{"n":1,"m\",\"x":""}`},
		{name: "somebody else", who: "eve"},
		{name: "a server with another secret", secret: "t"},
		{name: "one character changed", tamper: func(s string) string { return "f" + s[1:] }},
		{name: "its end cut off", tamper: func(s string) string { return s[:len(s)-1] }},
		{name: "no MAC", tamper: func(s string) string { head, _, _ := strings.Cut(s, "."); return head }},
		{name: "an empty MAC", tamper: func(s string) string { head, _, _ := strings.Cut(s, "."); return head + "." }},
		{name: "empty", tamper: func(string) string { return "" }},
		{name: "not base64", tamper: func(s string) string { return "%" + s }},
		{name: "a megabyte", tamper: func(s string) string { return s + strings.Repeat("A", 1<<20) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				who, runs := "ann", 0
				first, err := asked(t, dialServer(t, asker("s", &who, &runs), nil), "ask", args, nil, "")
				if err != nil || first.ResultType != mcp.ResultInputRequired || first.InputRequests["q1"].Method != string(mcp.Elicit) {
					t.Fatalf("it did not ask: %+v, %v", first, err)
				}
				time.Sleep(test.after)
				state := *first.RequestState
				if test.tamper != nil {
					state = test.tamper(state)
				}
				if test.who != "" {
					who = test.who
				}
				again := dialServer(t, asker(or(test.secret, "s"), &who, &runs), nil)
				second, err := asked(t, again, or(test.tool, "ask"), or(test.args, args), &state, yes)
				if !test.good {
					if code := codeOf(err); code != message.CodeInvalidParams || runs != 1 {
						t.Errorf("it was taken: %+v, %v, %d runs", second, err, runs)
					}
					return
				}
				if err != nil || second.IsError || len(second.Content) != 1 || second.Content[0].Text != "accept 1" {
					t.Errorf("it was refused: %+v, %v", second, err)
				}
			})
		})
	}
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// codeOf is the code of an error reply, or 0.
func codeOf(err error) message.Code {
	if e, ok := err.(*message.Error); ok {
		return e.Code
	}
	return 0
}

// TestRequestStateIsReplayed holds the documented policy: the server keeps nothing, so
// the same state may be used again within its time.
func TestRequestStateIsReplayed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		who, runs := "ann", 0
		c := dialServer(t, asker("s", &who, &runs), nil)
		first, err := asked(t, c, "ask", `{}`, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			again, err := asked(t, c, "ask", `{}`, first.RequestState, `{"action":"decline"}`)
			if err != nil || again.Content[0].Text != "decline <nil>" {
				t.Errorf("got %+v, %v", again, err)
			}
		}
		if runs != 3 {
			t.Errorf("the tool ran %d times, want 3", runs)
		}
	})
}

// TestAnswersKeepToTheirQuestions asks another question in the place of the first: the
// answer to that one must not count.
func TestAnswersKeepToTheirQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := "Delete a file?"
		server := mcp.NewServer(parley.NewMux(parley.Method[struct{}, string]("ask").Handle(func(ctx context.Context, _ struct{}) (string, error) {
			answer, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: text})
			if err != nil {
				return "", err
			}
			return answer.Action, nil
		})), mcp.Info{})
		c := dialServer(t, server, nil)
		first, err := asked(t, c, "ask", `{}`, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		text = "Delete all files?"
		second, err := asked(t, c, "ask", `{}`, first.RequestState, `{"action":"accept"}`)
		if err != nil || second.ResultType != mcp.ResultInputRequired {
			t.Errorf("got %+v, %v", second, err)
		}
	})
}

// TestAskBounds asks too much: the tool fails, and nothing of it travels.
func TestAskBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mux := parley.NewMux(
			parley.Method[struct{}, string]("many").Handle(func(ctx context.Context, _ struct{}) (string, error) {
				var err error
				for range 100 {
					_, err = mcp.AskUser(ctx, mcp.ElicitParams{Message: "?"})
				}
				return "", err
			}),
			parley.Method[struct{}, string]("long").Handle(func(ctx context.Context, _ struct{}) (string, error) {
				for range 2 {
					if _, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: "?"}); err != nil {
						return "", err
					}
				}
				return "", nil
			}),
		)
		c := dialServer(t, mcp.NewServer(mux, mcp.Info{}), nil)
		many, err := asked(t, c, "many", `{}`, nil, "")
		if err != nil || !many.IsError {
			t.Errorf("got %+v, %v", many, err)
		}
		first, err := asked(t, c, "long", `{}`, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		answer := `{"action":"accept","content":{"text":"` + strings.Repeat("x", 300<<10) + `"}}`
		if _, err = asked(t, c, "long", `{}`, first.RequestState, answer); codeOf(err) != message.CodeInternalError {
			t.Errorf("got %v", err)
		}
	})
}

// TestAskTogether asks two things at once, and has both answers in the next run.
func TestAskTogether(t *testing.T) {
	for _, version := range []string{mcp.Version20251125, mcp.Version20260728} {
		t.Run(version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := mcp.NewServer(parley.NewMux(parley.Method[struct{}, string]("both").Handle(func(ctx context.Context, _ struct{}) (string, error) {
					answer, err := mcp.AskUser(ctx, mcp.ElicitParams{Mode: mcp.ElicitForm, Message: "Sure?"})
					roots, err2 := mcp.AskRoots(ctx)
					if err != nil || err2 != nil {
						return "", fmt.Errorf("%w, %w", err, err2)
					}
					return answer.Action + " " + roots[0].Name, nil
				})), mcp.Info{Name: "both", Version: "1"})
				c := dialClient(t, server, &mcp.ClientOptions{
					Version: version,
					Elicit: func(context.Context, mcp.ElicitParams) (*mcp.ElicitResult, error) {
						return &mcp.ElicitResult{Action: mcp.ElicitAccept}, nil
					},
					Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a", Name: "a"}}, nil },
				})
				result, err := c.CallTool(t.Context(), "both", nil)
				if err != nil || result.IsError || result.Content[0].Text != "accept a" {
					t.Errorf("got %+v, %v", result, err)
				}
			})
		})
	}
}

// dialClient connects the client of this package to a server.
func dialClient(t *testing.T, server *mcp.Server, opts *mcp.ClientOptions) *mcp.Client {
	t.Helper()
	near, far := frame.Pipe()
	theirs := server.Connect(frame.Lines.Stream(far, far), nil)
	c, err := mcp.Connect(t.Context(), frame.Lines.Stream(near, near), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		theirs.Close()
	})
	return c
}

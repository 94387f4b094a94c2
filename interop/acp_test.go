package interop

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/message"
)

// notes is the one file that there is in the editors here.
const notes, held = "/project/notes.txt", "two\nlines \u2028 列出 😀"

// TestACPClient drives an agent that is written with parley, ours/acp.go, with the client of the TypeScript SDK.
func TestACPClient(t *testing.T) {
	served(t, &acp.Dialect, script(t, "acp-client.mjs", "@agentclientprotocol/sdk"), "acp", `{
		"initialize": {
			"protocolVersion": 1,
			"agentInfo": {"name": "ours", "version": "1"},
			"agentCapabilities": {"loadSession": false}
		},
		"relative": {"code": -32602, "data": "cwd is not an absolute path: project"},
		"allowed": {
			"stopReason": "end_turn",
			"updates": ["tool_call pending", "tool_call_update completed", "two\nlines \u2028 列出 😀"]
		},
		"rejected":      {"stopReason": "end_turn", "updates": ["tool_call pending", "I may not read it."]},
		"missing":       {"code": -32002, "data": {"uri": "/project/nosuch.txt"}},
		"dismissed":     {"stopReason": "cancelled", "updates": ["tool_call pending", "I wait."]},
		"cancelled":     {"stopReason": "cancelled", "updates": ["I wait."]},
		"takenBack":     {"code": -32800},
		"noSession":     {"code": -32002, "data": "there is no session nosuch"},
		"unknownMethod": {"code": -32601},
		"refused":       {"stopReason": "refusal", "updates": []},
		"exit":          0
	}`, outcome{
		Failed: []string{
			"session/new",                         // in a relative folder
			"session/prompt", "fs/read_text_file", // a file that is missing, of which the agent tells
			"session/prompt", // in no session
			"_nosuch",
		},
		Cancelled: []string{"session/prompt", "session/prompt", "session/prompt"},
	})
}

// An editor is an ACP client whose user says the same thing each time, until a test says otherwise.
type editor struct {
	*peer
	session string
	answer  func(ctx context.Context) string // an option, or "" for a turn that was cancelled
	updates []string
	heard   func(ctx context.Context) // is called with each update
}

// TestACPAgent drives an agent that is made with the TypeScript SDK, js/acp-agent.mjs, which does what ours does.
func TestACPAgent(t *testing.T) {
	ctx := bounded(t)
	e := &editor{}
	e.peer = start(t, &acp.Dialect, e.mux().Handle, script(t, "acp-agent.mjs", "@agentclientprotocol/sdk"))
	defer e.end(t, parley.Stats{Late: 1}, outcome{
		Failed:    []string{"session/new", "session/prompt", "fs/read_text_file", "session/prompt", "_nosuch"},
		Cancelled: []string{"session/prompt", "session/prompt", "session/prompt"},
	})

	met, err := acp.Handshake(ctx, e.Conn, acp.InitializeParams{
		ClientCapabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: true}},
	})
	if err != nil || met.AgentInfo == nil || met.AgentInfo.Name != "theirs" {
		t.Fatalf("the handshake returned %+v, %v", met, err)
	}
	if _, err := acp.SessionNew.Call(ctx, e.Conn, acp.SessionNewParams{CWD: "project", MCPServers: []acp.MCPServer{}}); !errors.Is(err, message.InvalidParams) {
		t.Errorf("a session in a relative folder: %v", err)
	}
	begun, err := acp.SessionNew.Call(ctx, e.Conn, acp.SessionNewParams{CWD: "/project", MCPServers: []acp.MCPServer{}})
	if err != nil {
		t.Fatal(err)
	}
	e.session = begun.SessionID

	yes := func(context.Context) string { return "yes" }
	e.turn(ctx, t, "read "+notes, yes, acp.EndTurn, "tool_call pending", "tool_call_update completed", held)
	no := func(context.Context) string { return "no" }
	e.turn(ctx, t, "read "+notes, no, acp.EndTurn, "tool_call pending", "I may not read it.")
	e.answer = yes
	if _, err := e.prompt(ctx, "read /project/nosuch.txt"); !errors.Is(err, acp.ErrResourceNotFound) {
		t.Errorf("a turn that reads a file that is missing: %v", err)
	}

	// A turn that is cancelled while it waits for a person, and one that is while it works.
	cancel := func(ctx context.Context) string {
		if err := acp.Cancel.Send(ctx, e.Conn, acp.CancelParams{SessionID: e.session}); err != nil {
			t.Error(err)
		}
		return ""
	}
	e.turn(ctx, t, "read "+notes, cancel, acp.Cancelled, "tool_call pending", "I wait.")
	e.heard = func(ctx context.Context) { cancel(ctx) }
	e.turn(ctx, t, "wait", nil, acp.Cancelled, "I wait.")

	// The call itself is taken back, with $/cancel_request. The agent answers all the same; that answer is late to us.
	callCtx, takeBack := context.WithCancel(ctx)
	defer takeBack()
	e.heard = func(context.Context) { takeBack() }
	if _, err := e.prompt(callCtx, "wait"); !errors.Is(err, context.Canceled) {
		t.Errorf("a turn that we take back: %v", err)
	}
	e.heard = nil

	e.session = "nosuch"
	if _, err := e.prompt(ctx, "wait"); !errors.Is(err, acp.ErrResourceNotFound) {
		t.Errorf("a turn in no session: %v", err)
	}
	if err := e.Call(ctx, "_nosuch", struct{}{}, nil); !errors.Is(err, message.MethodNotFound) {
		t.Errorf("_nosuch returned %v", err)
	}
}

func (e *editor) mux() *parley.Mux {
	return parley.NewMux(
		acp.RequestPermission.Handle(func(ctx context.Context, _ acp.RequestPermissionParams) (*acp.RequestPermissionResult, error) {
			if option := e.answer(ctx); option != "" {
				return acp.Select(option), nil
			}
			return acp.Dismiss(), nil
		}),
		acp.ReadTextFile.Handle(func(_ context.Context, p acp.ReadTextFileParams) (*acp.ReadTextFileResult, error) {
			if p.Path != notes {
				return nil, acp.ErrResourceNotFound.With(p.Path)
			}
			return &acp.ReadTextFileResult{Content: held}, nil
		}),
		acp.SessionUpdate.Handle(func(ctx context.Context, p acp.SessionUpdateParams) error {
			seen := fmt.Sprint(p.Update.SessionUpdate, " ", p.Update.Status)
			if block := p.Update.Content.Block; block != nil {
				seen = block.Text
			}
			e.updates = append(e.updates, seen)
			if e.heard != nil {
				e.heard(ctx)
			}
			return nil
		}),
	)
}

// prompt is a turn that says text. Its updates have been handled when it returns.
func (e *editor) prompt(ctx context.Context, text string) (*acp.PromptResult, error) {
	e.updates = nil
	return acp.Prompt.Call(ctx, e.Conn, acp.PromptParams{SessionID: e.session, Prompt: []acp.ContentBlock{acp.Text(text)}})
}

// turn has a turn in which the user answers so, and compares how it ends and what is seen of it.
func (e *editor) turn(ctx context.Context, t *testing.T, text string, answer func(context.Context) string, reason acp.StopReason, updates ...string) {
	t.Helper()
	e.answer = answer
	result, err := e.prompt(ctx, text)
	if err != nil || result.StopReason != reason {
		t.Errorf("%q ended with %+v, %v, want %s", text, result, err, reason)
	}
	if diff := cmp.Diff(updates, e.updates); diff != "" {
		t.Errorf("what was seen of %q (-want +got):\n%s", text, diff)
	}
}

// Package examples_test runs the examples as a reader would, and holds their output.
package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// bin holds the examples and parley.
var bin string

func TestMain(m *testing.M) { os.Exit(build(m)) }

// build builds what the tests run, once: go run would link each example anew.
func build(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "parley-examples"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	if out, err := exec.Command("go", "build", "-o", bin+"/", "../cmd/parley", "./...").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// runProgram runs a program that was built, feeds it stdin, and returns what it prints.
// It fails the test if the program fails or does not end by itself.
func runProgram(t *testing.T, stdin, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, &errs)
	}
	return out.String(), errs.String()
}

func TestExamples(t *testing.T) {
	tests := []struct{ name, stdout, stderr string }{
		{name: "agent"},      // nobody says a word to it; TestAgent does
		{name: "everything"}, // the same; TestEverything does, and programs of other people in interop/
		{
			name: "memory",
			stdout: `→ {"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}
→ {"jsonrpc":"2.0","method":"note","params":["nobody answers this"]}
→ {"jsonrpc":"2.0","id":"two","method":"multiply","params":[6,7]}
→ {"jsonrpc":"2.0","id":3,"method":"subtract","params":[8,5]}
← {"jsonrpc":"2.0","id":1,"result":8}
← nothing, for the note has no id
← {"jsonrpc":"2.0","id":"two","result":42}
← {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}
`,
		},
		{
			name: "progress",
			stdout: `progress: "boil water"
progress: "warm the pot"
progress: "wait four minutes"
result: tea
`,
		},
		{
			name: "calculator",
			stdout: `3 + 5 = 8
3 / 0: division by zero (code 1)
`,
			stderr: "the calculator is ready\n",
		},
		{
			name: "callback",
			stdout: `the server asks: delete a.tmp? true
the server asks: delete notes.txt? false
the server asks: delete b.tmp? true
the server has deleted: a.tmp, b.tmp
`,
		},
		{
			name: "events",
			stdout: `← {"type":"progress","text":"reading"}
← {"type":"output","text":"README.md"}
← {"type":"output","text":"main.go"}
← {"type":"done"}
the child ended its output: EOF
`,
		},
	}
	var tested []string
	for _, test := range tests {
		tested = append(tested, test.name)
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr := runProgram(t, "", test.name)
			if diff := cmp.Diff(test.stdout, stdout); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stderr, stderr); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
	slices.Sort(tested)
	if diff := cmp.Diff(exampleNames(t), tested); diff != "" {
		t.Errorf("the tests are not those of the examples (-there +tested):\n%s", diff)
	}
}

// exampleNames are the folders with an example, sorted.
func exampleNames(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// An example is a main.go that fits on a screen or two, and says first how to run it. The
// files beside it, if one idea takes more than that, are no longer.
func TestExamplesAreShort(t *testing.T) {
	for _, name := range exampleNames(t) {
		files, err := fs.Glob(os.DirFS(name), "*")
		if err != nil || !slices.Contains(files, "main.go") {
			t.Errorf("%s: has the files %v (%v), want a main.go", name, files, err)
			continue
		}
		for _, file := range files {
			text, err := os.ReadFile(filepath.Join(name, file))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n >= 60 {
				t.Errorf("%s/%s: %d lines, want fewer than 60", name, file, n)
			}
		}
		text, err := os.ReadFile(filepath.Join(name, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		doc, _, _ := strings.Cut(string(text), "\npackage main")
		title := "// " + strings.ToUpper(name[:1]) + name[1:] + " "
		if how := "//\tgo run ./examples/" + name; !strings.HasPrefix(doc, title) || !strings.Contains(doc+"\n", how+"\n") {
			t.Errorf("%s: its comment must begin with %q and say %q:\n%s", name, title, how, doc)
		}
	}
}

// The calculator answers on stdio too, and what it prints does not get between.
func TestCalculatorServes(t *testing.T) {
	stdout, stderr := runProgram(t, `{"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}`+"\n", "calculator", "serve")
	if want := `{"jsonrpc":"2.0","id":1,"result":8}` + "\n"; stdout != want {
		t.Errorf("stdout is %q, want %q", stdout, want)
	}
	if want := "the calculator is ready\n"; stderr != want {
		t.Errorf("stderr is %q, want %q", stderr, want)
	}
}

// The same lines get the same answers from two buffers in memory and from a child
// process, up to their order.
func TestMemoryIsAsAChild(t *testing.T) {
	shown, _ := runProgram(t, "", "memory")
	var sent, memory []string
	for line := range strings.Lines(shown) {
		switch text := strings.TrimSpace(line[len("→ "):]); {
		case strings.HasPrefix(line, "→ "):
			sent = append(sent, text)
		case json.Valid([]byte(text)):
			memory = append(memory, text)
		}
	}
	if len(sent) != 4 || len(memory) != 3 {
		t.Fatalf("memory has sent %d lines and got %d, want 4 and 3:\n%s", len(sent), len(memory), shown)
	}
	stdout, _ := runProgram(t, strings.Join(sent, "\n")+"\n", "parley", "serve", "--reference")
	child := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	slices.Sort(memory)
	slices.Sort(child)
	if diff := cmp.Diff(memory, child); diff != "" {
		t.Errorf("memory and child differ (-memory +child):\n%s", diff)
	}
}

// What the conformance suite of MCP holds against a server's questions in the modern era is raw: a client of the SDKs
// would not send it. Interop goes through the rest of the example.
func TestEverything(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	child, err := spawn.Start(spawn.Command{Path: filepath.Join(bin, "everything"), Stderr: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcp.Connect(ctx, child, &mcp.ClientOptions{Version: mcp.Version20260728})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := c.Close(); err != nil {
			t.Errorf("the server did not end well when its input ended: %v", err)
		}
	}()
	// ask calls a tool for a client that can be asked what is in can, with more members in the params.
	ask := func(tool, can, more string) (*mcp.CallToolResult, error) {
		var result *mcp.CallToolResult
		err := c.Conn().Call(ctx, "tools/call", message.Raw(`{"name":"`+tool+`"`+more+`,"_meta":{
			"`+mcp.MetaProtocolVersion+`":"2026-07-28","`+mcp.MetaClientCapabilities+`":`+can+`}}`), &result)
		return result, err
	}

	t.Run("a state that the client has changed", func(t *testing.T) {
		const tool = "test_input_required_result_tampered_state"
		first, err := ask(tool, `{"elicitation":{}}`, "")
		if err != nil || first.RequestState == nil || len(first.InputRequests) != 1 {
			t.Fatalf("the question is %+v, %v", first, err)
		}
		for key := range first.InputRequests {
			answer := `,"inputResponses":{"` + key + `":{"action":"accept","content":{"ok":true}},"more":{}},"requestState":"`
			if _, err := ask(tool, `{"elicitation":{}}`, answer+*first.RequestState+`A"`); !errors.Is(err, message.InvalidParams) {
				t.Errorf("the state with a letter more: %v", err)
			}
			if _, err := ask("test_input_required_result_request_state", `{"elicitation":{}}`, answer+*first.RequestState+`"`); !errors.Is(err, message.InvalidParams) {
				t.Errorf("the state of another tool: %v", err)
			}
			done, err := ask(tool, `{"elicitation":{}}`, answer+*first.RequestState+`"`)
			if err != nil || len(done.Content) != 1 || done.Content[0].Text != "state-ok: true" {
				t.Errorf("the state as it was, and an answer too many: %+v, %v", done, err)
			}
		}
	})
	t.Run("an answer that is missing", func(t *testing.T) {
		const tool = "test_input_required_result_elicitation"
		first, err := ask(tool, `{"elicitation":{}}`, "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := ask(tool, `{"elicitation":{}}`, `,"inputResponses":{"wrong":{}},"requestState":"`+*first.RequestState+`"`)
		if err != nil || again.ResultType != mcp.ResultInputRequired || len(again.InputRequests) != 1 {
			t.Errorf("the question does not come again: %+v, %v", again, err)
		}
	})
	t.Run("only what the client can be asked", func(t *testing.T) {
		result, err := ask("test_input_required_result_capabilities", `{"sampling":{}}`, "")
		if err != nil || len(result.InputRequests) != 1 {
			t.Fatalf("the questions are %+v, %v", result, err)
		}
		for _, question := range result.InputRequests {
			if question.Method != "sampling/createMessage" {
				t.Errorf("it asks %s", question.Method)
			}
		}
		_, err = ask("test_missing_capability", `{}`, "")
		if failed, ok := errors.AsType[*message.Error](err); !ok || failed.Code != mcp.CodeMissingCapability ||
			failed.Data.String() != `{"requiredCapabilities":{"sampling":{}}}` {
			t.Errorf("who cannot be asked at all is told %v", err)
		}
	})
}

// A host starts the agent, has it use tools, and interrupts it. Each turn is told in one
// line: what the agent asked in it, and how it ended.
func TestAgent(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	child, err := spawn.Start(spawn.Command{Path: filepath.Join(bin, "agent"), Stderr: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	h := &agentHost{ended: make(chan string, 1), interrupted: make(chan error, 1)}
	conn := parley.Connect(child, parley.NewMux(
		claude.CanUseTool.Handle(h.canUseTool),
		claude.HookCallback.Handle(h.hook),
		claude.MCPMessage.Handle(h.mcp),
		claude.Assistant.Handle(h.assistant),
		claude.Result.Handle(h.result),
	).Handle, &parley.Options{Dialect: &claude.Dialect})
	defer conn.Close()

	if _, err := claude.Interrupt.Call(ctx, conn, claude.InterruptParams{}); err != nil {
		t.Errorf("an interrupt with nothing to interrupt: %v", err)
	}
	// The agent waits for initialize before it needs the hooks, not the host for the answer.
	first := claude.Initialize.Start(ctx, conn, claude.InitializeParams{Hooks: map[string][]claude.HookMatcher{
		"PreToolUse": {{Matcher: "Bash", HookCallbackIDs: []string{"h1", "h2"}}, {HookCallbackIDs: []string{"all"}}},
	}})
	for _, test := range []struct{ said, want string }{
		{`Bash {"command":"ls"}`, `hook h1, hook h2, hook all, may Bash {"command":"ls"}? said, success: Bash got {"command":"ls","safe":true}`},
		{"hello {}", `hook all, may hello {}? said, success: hello got {}`},
		{"hello", "said, success: hello"},
		{"Deny {}", "hook all, may Deny {}? said, success: not that"},
		{`mcp__calc__add {"a":2}`, `hook all, may mcp__calc__add {"a":2}? calc initialize, calc notifications/initialized, calc tools/list, ` +
			`calc tools/call {"name":"add","arguments":{"a":2}}, said, success: {"jsonrpc":"2.0","id":3,"result":"tools/call"}`},
		{"mcp__nosuch__add {}", "hook all, may mcp__nosuch__add {}? error_during_execution: [no such server (code -32000)]"},
		{"Wait {}", `hook all, may Wait {}? error_during_execution: [parley: call "can_use_tool" (id "19"): context canceled]`},
		{"still there?", "said, success: still there?"},
	} {
		if err := claude.User.Send(ctx, conn, claude.Say(test.said)); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-h.ended:
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.said, diff)
			}
		case <-ctx.Done():
			t.Fatalf("%s: the turn does not end", test.said)
		}
	}
	if err := first.Wait(ctx, nil); err != nil {
		t.Errorf("initialize: %v", err)
	}
	if err := <-h.interrupted; err != nil {
		t.Errorf("interrupt: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Errorf("the agent did not end well when its input ended: %v", err)
	}
}

// An agentHost answers the agent and writes down what it was asked.
type agentHost struct {
	mu          sync.Mutex
	asked       string      // in this turn
	ended       chan string // what was asked in a turn, and its result
	interrupted chan error  // the answer to interrupt, once the question is taken back
}

func (h *agentHost) note(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked += fmt.Sprintf(format, args...)
}

func (h *agentHost) canUseTool(ctx context.Context, p claude.CanUseToolParams) (claude.PermissionResult, error) {
	h.note("may %s %s? ", p.ToolName, p.Input)
	switch p.ToolName {
	case "Bash":
		input, err := p.Input.Set(message.Raw("true"), "safe")
		return claude.Allow(input), err
	case "Deny":
		return claude.Deny("not that"), nil
	case "Wait":
		_, err := claude.Interrupt.Call(context.WithoutCancel(ctx), parley.Caller(ctx), claude.InterruptParams{})
		<-ctx.Done() // the agent takes its question back
		h.interrupted <- err
		return claude.PermissionResult{}, ctx.Err()
	}
	return claude.PermissionResult{Behavior: "allow"}, nil
}

func (h *agentHost) hook(_ context.Context, p claude.HookCallbackParams) (message.Raw, error) {
	h.note("hook %s, ", p.CallbackID)
	return message.Raw(`{}`), nil
}

// mcp is a server whose every result is the name of the method.
func (h *agentHost) mcp(_ context.Context, p claude.MCPMessageParams) (r claude.MCPMessageResult, _ error) {
	if p.ServerName != "calc" {
		return r, message.NewError(message.CodeServerError, "no such server")
	}
	m, err := message.Strict.Parse(p.Message)
	if err != nil {
		return r, err
	}
	req := m.(*message.Request)
	h.note("calc %s, ", strings.TrimSpace(req.Method+" "+callOnly(req)))
	result, err := message.Encode(req.Method)
	if err != nil {
		return r, err
	}
	reply := &message.Response{ID: req.ID, Result: result}
	if req.IsNote() {
		reply.ID = message.IntID(0) // as the Claude Agent SDK acknowledges a note
	}
	r.MCPResponse, err = message.Strict.Append(nil, reply)
	return r, err
}

// callOnly are the params of tools/call.
func callOnly(req *message.Request) string {
	if req.Method != "tools/call" {
		return ""
	}
	return req.Params.String()
}

func (h *agentHost) assistant(context.Context, claude.AssistantParams) error {
	h.note("said, ")
	return nil
}

func (h *agentHost) result(_ context.Context, p claude.ResultParams) error {
	end := p.Result
	if p.IsError {
		end = fmt.Sprint(p.Errors)
	}
	h.note("%s: %s", p.Subtype, end)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended <- h.asked
	h.asked = ""
	return nil
}

package interop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// everything is where npm puts server-everything, the reference server of MCP.
const everything = "@modelcontextprotocol/server-everything/dist/index.js"

// A host is an MCP client with a model, a folder and a person that say the same thing each time.
type host struct {
	*peer
	late chan mcp.ProgressParams // progress on calls that are over
	logs chan mcp.LogParams
}

// answer is what the model says to a prompt. It asks the server for a sum first: a call from inside a handler, while
// the server waits for that handler and we for the server.
func (h *host) answer(ctx context.Context, p mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
	sum, err := mcp.CallTool.Call(ctx, parley.Caller(ctx), toolCall("get-sum", map[string]int{"a": 20, "b": 22}))
	if err != nil {
		return nil, err
	}
	said := fmt.Sprintf("%q within %d tokens: %s", p.Messages[0].Content[0].Text, p.MaxTokens, only(sum))
	return &mcp.CreateMessageResult{
		Role: mcp.RoleAssistant, Content: mcp.Contents{mcp.Text(said)}, Model: "a test", StopReason: "endTurn",
	}, nil
}

func (h *host) mux() *parley.Mux {
	return parley.NewMux(
		mcp.CreateMessage.Handle(h.answer),
		mcp.Ping.Handle(func(context.Context, mcp.EmptyParams) (mcp.EmptyResult, error) { return mcp.EmptyResult{}, nil }),
		mcp.ListRoots.Handle(func(context.Context, mcp.EmptyParams) (*mcp.ListRootsResult, error) {
			return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///project", Name: "the only root"}}}, nil
		}),
		mcp.Elicit.Handle(func(context.Context, mcp.ElicitParams) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
		}),
		mcp.Progress.Handle(func(_ context.Context, p mcp.ProgressParams) error {
			h.late <- p
			return nil
		}),
		mcp.LogMessage.Handle(func(_ context.Context, p mcp.LogParams) error {
			h.logs <- p
			return nil
		}),
		mcp.ToolsChanged.Handle(func(context.Context, mcp.EmptyParams) error { return nil }),
	)
}

// startHost starts an MCP server and shakes hands with it. We can do whatever the server may ask for.
func startHost(ctx context.Context, t *testing.T, args ...string) (*host, *mcp.InitializeResult) {
	t.Helper()
	h := &host{late: make(chan mcp.ProgressParams, 100), logs: make(chan mcp.LogParams, 100)}
	mux := h.mux()
	h.peer = start(t, &mcp.Dialect, mux.Handle, args...)
	met, err := mcp.Handshake(ctx, h.Conn, mcp.InitializeParams{
		Capabilities: mcp.ClientCapabilities{
			Sampling: &mcp.SamplingCapability{}, Roots: &mcp.ListCapability{}, Elicitation: &mcp.ElicitationCapability{},
		},
		ClientInfo: mcp.Implementation{Name: "parley-interop", Version: "1"},
	})
	if err != nil {
		h.Close()
		t.Fatal(err)
	}
	return h, met
}

// toolCall are the params of a call of a tool with arguments that encode as an object.
func toolCall(name string, arguments any) mcp.CallToolParams {
	text, err := message.Encode(arguments)
	if err != nil {
		panic(err) // the tests have only maps of strings and numbers
	}
	return mcp.CallToolParams{Name: name, Arguments: text}
}

// nothing are the arguments of a tool that needs none.
var nothing = map[string]any{}

// tool calls a tool whose result is one text.
func (h *host) tool(ctx context.Context, t *testing.T, name string, arguments any) string {
	t.Helper()
	result, err := mcp.CallTool.Call(ctx, h.Conn, toolCall(name, arguments))
	if err != nil || result.IsError {
		t.Fatalf("tool %s: %+v, %v", name, result, err)
	}
	return only(result)
}

// only is the text of a result that is one text.
func only(result *mcp.CallToolResult) string {
	if result == nil || len(result.Content) != 1 || result.Content[0].Type != mcp.ContentText {
		return fmt.Sprintf("not one text: %+v", result)
	}
	return result.Content[0].Text
}

// operation are the arguments of the tool that takes a while: seconds, and reports of progress in between.
func operation(seconds float64, steps int) mcp.CallToolParams {
	return toolCall("trigger-long-running-operation", map[string]any{"duration": seconds, "steps": steps})
}

// finished is what the tool says when it is done.
func finished(seconds float64, steps int) string {
	return fmt.Sprintf("Long running operation completed. Duration: %v seconds, Steps: %d.", seconds, steps)
}

// reports returns a ctx under which a call reports progress, and where its reports are once it is over.
func reports(ctx context.Context) (context.Context, *[]float64) {
	var seen []float64
	return parley.OnProgress(ctx, func(value message.Raw) {
		var p mcp.ProgressParams
		if err := value.Decode(&p); err != nil {
			p.Progress = -1 // no step has this number
		}
		seen = append(seen, p.Progress)
	}), &seen
}

// TestServerEverything is one conversation with the reference server of MCP.
func TestServerEverything(t *testing.T) {
	ctx := bounded(t)
	h, met := startHost(ctx, t, installed(t, everything), "stdio")
	defer h.end(t, parley.Stats{}, outcome{
		Failed:    []string{"nosuch", "tools/call"},
		Cancelled: []string{"tools/call"},
	})

	t.Run("initialize", func(t *testing.T) {
		if met.ProtocolVersion != mcp.LatestLegacy || met.ServerInfo.Name != "mcp-servers/everything" || met.Capabilities.Tools == nil {
			t.Errorf("the server introduced itself as %+v", met)
		}
	})

	t.Run("ping", func(t *testing.T) {
		if _, err := mcp.Ping.Call(ctx, h.Conn, mcp.EmptyParams{}); err != nil {
			t.Error(err)
		}
	})

	t.Run("tools/list", func(t *testing.T) {
		list, err := mcp.ListTools.Call(ctx, h.Conn, mcp.ListParams{})
		if err != nil {
			t.Fatal(err)
		}
		needs := map[string][]string{}
		for _, tool := range list.Tools {
			var schema struct {
				Type     string   `json:"type"`
				Required []string `json:"required"`
			}
			if err := tool.InputSchema.Decode(&schema); err != nil || schema.Type != "object" {
				t.Errorf("the arguments of tool %q are of type %q, %v", tool.Name, schema.Type, err)
			}
			needs[tool.Name] = schema.Required
		}
		for name, want := range map[string][]string{
			"echo":                           {"message"},
			"get-sum":                        {"a", "b"},
			"trigger-long-running-operation": nil,
			"trigger-sampling-request":       {"prompt"}, // is there because we said that we can
		} {
			if got, ok := needs[name]; !ok || !slices.Equal(got, want) {
				t.Errorf("tool %s: listed: %v, requires %q, want %q", name, ok, got, want)
			}
		}
	})

	t.Run("tools/call", func(t *testing.T) {
		for _, message := range []string{"hi", "", "two\nlines\r\n", "a\u2028b\u0085c", "列出当前目录 😀", "\x00\x1b[31m", `"\`} {
			if got := h.tool(ctx, t, "echo", map[string]string{"message": message}); got != "Echo: "+message {
				t.Errorf("echo of %q returned %q", message, got)
			}
		}
		if got := h.tool(ctx, t, "get-sum", map[string]any{"a": 2.5, "b": 40}); got != "The sum of 2.5 and 40 is 42.5." {
			t.Errorf("get-sum returned %q", got)
		}
	})

	t.Run("many calls at once", func(t *testing.T) {
		var calls []*parley.Pending
		for i := range 100 {
			calls = append(calls, mcp.CallTool.Start(ctx, h.Conn, toolCall("echo", map[string]string{"message": fmt.Sprint(i)})))
		}
		for i, call := range calls {
			var result *mcp.CallToolResult
			if err := call.Wait(ctx, &result); err != nil || only(result) != fmt.Sprintf("Echo: %d", i) {
				t.Errorf("call %d returned %v, %v", i, result, err)
			}
		}
	})

	t.Run("roots and elicitation", func(t *testing.T) {
		if got := h.tool(ctx, t, "get-roots-list", nothing); !strings.Contains(got, "the only root") {
			t.Errorf("get-roots-list returned %q", got)
		}
		result, err := mcp.CallTool.Call(ctx, h.Conn, toolCall("trigger-elicitation-request", nothing))
		if err != nil || len(result.Content) == 0 || !strings.Contains(result.Content[0].Text, "declined") {
			t.Errorf("trigger-elicitation-request returned %v, %v", result, err)
		}
	})

	t.Run("the server samples our model, which calls the server", func(t *testing.T) {
		got := h.tool(ctx, t, "trigger-sampling-request", map[string]any{"prompt": "How much?", "maxTokens": 7})
		label, said, _ := strings.Cut(got, "\n")
		var sampled mcp.CreateMessageResult
		if err := json.Unmarshal([]byte(said), &sampled); err != nil || label != "LLM sampling result: " {
			t.Fatalf("trigger-sampling-request returned %q: %v", got, err)
		}
		want := mcp.CreateMessageResult{
			Role: mcp.RoleAssistant, Model: "a test", StopReason: "endTurn",
			Content: mcp.Contents{mcp.Text(`"Resource trigger-sampling-request context: How much?" within 7 tokens: The sum of 20 and 22 is 42.`)},
		}
		if diff := cmp.Diff(want, sampled); diff != "" {
			t.Errorf("what the server heard from our model (-want +got):\n%s", diff)
		}
	})

	t.Run("progress", func(t *testing.T) { testProgress(ctx, t, h) })
	t.Run("notifications/cancelled", func(t *testing.T) { testCancel(ctx, t, h) })

	t.Run("an unknown tool", func(t *testing.T) {
		// MCP asks for -32602 here. The SDK makes a result out of it, as of a tool that failed.
		result, err := mcp.CallTool.Call(ctx, h.Conn, toolCall("nosuch", nothing))
		if err != nil || !result.IsError || !strings.Contains(only(result), "Tool nosuch not found") {
			t.Errorf("tool nosuch returned %v, %v", result, err)
		}
	})

	t.Run("an unknown method", func(t *testing.T) {
		if err := h.Call(ctx, "nosuch", nil, nil); !errors.Is(err, message.MethodNotFound) {
			t.Errorf("nosuch returned %v", err)
		}
	})

	t.Run("params that do not fit", func(t *testing.T) {
		// The SDK says -32603 where -32602 would do, in a message of many lines.
		err := h.Call(ctx, "tools/call", nothing, nil)
		var refused *message.Error
		if !errors.As(err, &refused) || refused.Code != message.CodeInternalError || !strings.Contains(refused.Message, "\n") {
			t.Errorf("tools/call without a name returned %v", err)
		}
	})
}

// testProgress has two calls at once report, so that the reports are not only in order and in time but also with the
// right call.
func testProgress(ctx context.Context, t *testing.T, h *host) {
	slowCtx, slow := reports(ctx)
	quickCtx, quick := reports(ctx)
	slowCall := mcp.CallTool.Start(slowCtx, h.Conn, operation(0.5, 5))
	quickCall := mcp.CallTool.Start(quickCtx, h.Conn, operation(0.3, 3))
	for _, test := range []struct {
		call    *parley.Pending
		text    string
		reports *[]float64
		want    []float64
	}{
		{quickCall, finished(0.3, 3), quick, []float64{1, 2, 3}},
		{slowCall, finished(0.5, 5), slow, []float64{1, 2, 3, 4, 5}},
	} {
		var result *mcp.CallToolResult
		if err := test.call.Wait(ctx, &result); err != nil || only(result) != test.text {
			t.Errorf("the operation returned %v, %v", result, err)
		}
		if diff := cmp.Diff(test.want, *test.reports); diff != "" {
			t.Errorf("progress before the result (-want +got):\n%s", diff)
		}
	}
}

// testCancel takes a call back when its first report shows that it runs. The tool of server-everything does not
// look whether it was cancelled: it runs and reports to its end, and the server drops its result. The audit at the end
// of the conversation sees to it that no answer came.
func testCancel(ctx context.Context, t *testing.T, h *host) {
	const steps = 4
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err := mcp.CallTool.Call(parley.OnProgress(callCtx, func(message.Raw) { cancel() }), h.Conn, operation(1, steps))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the call returned %v", err)
	}
	for last := 0.0; last < steps; {
		select {
		case p := <-h.late:
			last = p.Progress
		case <-ctx.Done():
			t.Fatalf("after step %v: %v", last, ctx.Err())
		}
	}
	// The result would come right after the last report, and so before this.
	if got := h.tool(ctx, t, "echo", map[string]string{"message": "still here"}); got != "Echo: still here" {
		t.Errorf("echo returned %q", got)
	}
}

// TestCallServerEverything runs the example of parley's README, and what may go wrong with it.
func TestCallServerEverything(t *testing.T) {
	node := []string{"node", installed(t, everything)}
	// As one types it. In this folder npx finds what is installed here and asks no registry.
	npx := []string{"npx", "-y", "@modelcontextprotocol/server-everything"}
	echo := []string{"tools/call", "name=echo", `arguments:={"message":"hi"}`}
	for _, test := range []struct {
		name         string
		call, server []string
		exit         int
		text, stderr string
	}{
		{name: "a tool", call: echo, server: node, text: "Echo: hi"},
		{name: "a tool of a server behind a launcher", call: echo, server: npx, text: "Echo: hi"},
		{name: "an unknown method", call: []string{"nosuch"}, server: node, exit: 1, stderr: "-32601"},
	} {
		t.Run(test.name, func(t *testing.T) {
			args := slices.Concat([]string{"call", "--init", "mcp"}, test.call, []string{"--"}, test.server)
			cmd := exec.CommandContext(bounded(t), parleyBinary, args...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if code := cmd.ProcessState.ExitCode(); code != test.exit || !strings.Contains(stderr.String(), test.stderr) {
				t.Fatalf("%s: %v, want exit status %d and %q on stderr, which was\n%s", cmd, err, test.exit, test.stderr, &stderr)
			}
			if test.text == "" && len(out) == 0 {
				return
			}
			var result mcp.CallToolResult
			if err := json.Unmarshal(out, &result); err != nil || only(&result) != test.text {
				t.Errorf("%s printed %q (%v)", cmd, out, err)
			}
		})
	}
}

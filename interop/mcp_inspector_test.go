package interop

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// inspectorPath is where npm puts the MCP Inspector.
const inspectorPath = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"

// An inspection is one run of the MCP Inspector in its mode for scripts, which starts a server, calls one method and
// prints the result.
type inspection struct {
	name string
	era  mcp.Era // 0: both
	args []string
	exit int
	want string // what is printed, as JSON; see printed. "": the exit status says enough
	outcome
}

// inspect runs an inspection of a server in an era, and looks back at what was said.
func (i inspection) inspect(t *testing.T, era mcp.Era, server ...string) {
	t.Helper()
	r := recordIn(t)
	args := slices.Concat([]string{installed(t, inspectorPath), "--cli", "--connect-timeout", "60000", "--protocol-era", era.String()}, i.args, []string{"--"}, r.command(server...))
	cmd := exec.CommandContext(bounded(t), "node", args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir()) // it keeps its settings there
	cmd.WaitDelay = time.Second                         // for the server, which ends when the Inspector does
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit status tells
	if code := cmd.ProcessState.ExitCode(); code != i.exit {
		t.Fatalf("%s: exit status %d, want %d\n%s%s", cmd, code, i.exit, &stdout, &stderr)
	}
	if i.want != "" {
		compare(t, printed(t, stdout.Bytes(), stderr.Bytes()), i.want)
	}
	r.audit(t, i.expected(era))
}

// printed is what the Inspector printed: the names of the things in a list, another result without what a modern
// server adds, or else the message of the error.
func printed(t *testing.T, stdout, stderr []byte) any {
	t.Helper()
	if len(stdout) == 0 {
		var failed struct{ Error struct{ Message string } }
		if err := json.Unmarshal(stderr, &failed); err != nil {
			t.Fatalf("the Inspector printed nothing but %q: %v", stderr, err)
		}
		return failed.Error.Message
	}
	var result map[string]any
	if err := json.Unmarshal(stdout, &result); err != nil {
		t.Fatalf("the Inspector printed %q: %v", stdout, err)
	}
	for _, list := range []string{"tools", "resources", "resourceTemplates", "prompts"} {
		things, _ := result[list].([]any)
		var names []any
		for _, thing := range things {
			about, _ := thing.(map[string]any)
			names = append(names, about["name"])
		}
		if len(names) > 0 {
			return names
		}
	}
	for _, modern := range []string{"_meta", "ttlMs", "cacheScope"} {
		delete(result, modern)
	}
	return result
}

// expected is the outcome in an era. In the modern one the Inspector listens to changes from the start, until its input
// ends. The server then takes the stream back, and answers it as well, since two pages of the specification differ.
func (i inspection) expected(era mcp.Era) outcome {
	want := i.outcome
	if era == mcp.EraModern {
		want.Cancelled = append(slices.Clone(want.Cancelled), string(mcp.Listen))
		want.Late = []string{string(mcp.Listen)}
	}
	return want
}

// inspectBoth runs inspections of a server in both eras.
func inspectBoth(t *testing.T, inspections []inspection, server ...string) {
	t.Helper()
	for _, i := range inspections {
		for _, era := range []mcp.Era{mcp.EraLegacy, mcp.EraModern} {
			if i.era != 0 && i.era != era {
				continue
			}
			t.Run(i.name+", "+era.String(), func(t *testing.T) {
				t.Parallel()
				i.inspect(t, era, server...)
			})
		}
	}
}

// toolArgs are the arguments that call a tool.
func toolArgs(name string, args ...string) []string {
	all := []string{"--method", "tools/call", "--tool-name", name}
	for _, arg := range args {
		all = append(all, "--tool-arg", arg)
	}
	return all
}

// texts is a result that says something.
func texts(said string) string { return `{"content": [{"type": "text", "text": "` + said + `"}]}` }

// TestInspectorOfEverything has the MCP Inspector look at examples/everything. The Inspector has no model and no user
// to ask, and one root list, which is empty.
func TestInspectorOfEverything(t *testing.T) {
	inspectBoth(t, []inspection{
		{name: "a tool", args: toolArgs("test_simple_text"), want: texts("This is a simple text response for testing.")},
		{name: "a tool that reports progress", args: toolArgs("test_tool_with_progress"), want: texts("Tool with progress executed successfully")},
		{name: "a tool that logs", args: toolArgs("test_tool_with_logging"), want: texts("Tool with logging executed successfully")},
		{name: "a tool that asks for roots", args: toolArgs("test_input_required_result_list_roots"), want: texts("Roots: []")},
		{
			name: "a tool that fails", args: toolArgs("test_error_handling"), exit: 5,
			want: `{"content": [{"type": "text", "text": "This tool intentionally returns an error for testing"}], "isError": true}`,
		},
		{
			name: "a tool that asks who cannot be asked", era: mcp.EraLegacy, args: toolArgs("test_sampling", "prompt=hi"), exit: 5,
			want: `{"content": [{"type": "text", "text": "mcp: the client cannot be asked this: sampling/createMessage"}], "isError": true}`,
		},
		{
			name: "a tool that asks who cannot be asked", era: mcp.EraModern, args: toolArgs("test_sampling", "prompt=hi"), exit: 1,
			want: `"Missing required client capability"`, outcome: outcome{Failed: []string{"tools/call"}},
		},
		{name: "tools", args: []string{"--method", "tools/list"}, want: everythingTools},
		{name: "resources", args: []string{"--method", "resources/list"}, want: `["Static picture", "Static text", "Watched text"]`},
		{name: "templates", args: []string{"--method", "resources/templates/list"}, want: `["Data"]`},
		{
			name: "a resource of a template", args: []string{"--method", "resources/read", "--uri", "test://template/a%20b/data"},
			want: `{"contents": [{"uri": "test://template/a%20b/data", "mimeType": "application/json",
				"text": "{\"id\":\"a b\",\"templateTest\":true,\"data\":\"Data for ID: a b\"}"}]}`,
		},
		{name: "prompts", args: []string{"--method", "prompts/list"}, want: `["test_input_required_result_prompt", "test_prompt_with_arguments",
			"test_prompt_with_embedded_resource", "test_prompt_with_image", "test_simple_prompt"]`},
		{
			name: "a prompt", args: []string{"--method", "prompts/get", "--prompt-name", "test_prompt_with_arguments", "--prompt-args", "arg1=x", "arg2=y"},
			want: `{"messages": [{"role": "user", "content": {"type": "text", "text": "Prompt with arguments: arg1='x', arg2='y'"}}]}`,
		},
	}, everythingBinary(t))
}

package interop

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/recording"
)

// buildEverything builds examples/everything once, beside the command parley, with which it is removed.
var buildEverything = sync.OnceValues(func() (string, error) {
	folder := filepath.Dir(parleyBinary)
	return filepath.Join(folder, "everything"), build("..", folder, "./examples/everything")
})

// everythingBinary returns the path of examples/everything.
func everythingBinary(t *testing.T) string {
	t.Helper()
	binary, err := buildEverything()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

// A recorded conversation is one in which neither end is in this process: js/record.mjs stands between them.
type recorded string

// recordIn returns a conversation that has a place to be written down.
func recordIn(t *testing.T) recorded {
	return recorded(filepath.Join(t.TempDir(), "transcript.jsonl"))
}

// command is the server's, with the recorder before it.
func (r recorded) command(server ...string) []string {
	return append([]string{"node", filepath.Join("js", "record.mjs"), string(r)}, server...)
}

// audit looks back at the conversation with both auditors.
func (r recorded) audit(t *testing.T, want outcome) {
	t.Helper()
	r.auditPast(t, func(recording.Record) bool { return false }, want)
}

// auditPast is audit without the records that skip names.
func (r recorded) auditPast(t *testing.T, skip func(recording.Record) bool, want outcome) {
	t.Helper()
	text, err := os.ReadFile(string(r))
	if err != nil {
		t.Fatal(err)
	}
	records := slices.DeleteFunc(taped(t, bytes.NewReader(text)), skip)
	audit(t, &mcp.Dialect, records, want)
	w := &wire{cancel: mcp.Dialect.Cancel}
	for _, rec := range records {
		// The one call that its own callee takes back is a stream of changes, which is answered as well.
		if rec.From == parley.SideClient || !bytes.Contains(rec.Raw, []byte(mcp.Cancelled)) {
			w.add(direction(rec), rec.Raw)
		}
	}
	for _, fault := range w.faults() {
		t.Error(fault)
	}
}

// direction is that of a record as the client sees it.
func direction(rec recording.Record) parley.Direction {
	if rec.From == parley.SideClient {
		return parley.Outbound
	}
	return parley.Inbound
}

// TestClientsOfEverything has the TypeScript SDKs of MCP go through examples/everything, in both eras. The client answers
// what the server asks; what it reads there and what it answers is in js/mcp-everything.mjs.
func TestClientsOfEverything(t *testing.T) {
	script(t, "mcp-everything.mjs", "@modelcontextprotocol/sdk")
	installed(t, "@modelcontextprotocol/client/package.json")
	for _, test := range []struct {
		which, more string
		cancelled   []string
	}{
		{"v1", `"noResource": -32002`, []string{"tools/call"}},
		// The second SDK tells its user of the code of the modern era.
		{"v2", `"noResource": -32602`, []string{"tools/call"}},
		{mcp.Version20260728, `"noResource": -32602, "logsUnasked": 0, "honoured": {
			"toolsListChanged": true, "promptsListChanged": true, "resourceSubscriptions": ["test://watched-resource"]
		}`, []string{"tools/call", "subscriptions/listen"}},
	} {
		t.Run(test.which, func(t *testing.T) {
			t.Parallel()
			r := recordIn(t)
			saw := summary(t, filepath.Join("js", "mcp-everything.mjs"), append([]string{test.which}, r.command(everythingBinary(t))...)...)
			compare(t, saw, everythingSaid+test.more+"}")
			r.audit(t, outcome{Failed: []string{"tools/call", "resources/read", "prompts/get"}, Cancelled: test.cancelled})
		})
	}
}

// everythingSaid is what every client sees of examples/everything, up to the last member.
const everythingSaid = `{
	"server": "everything",
	"capabilities": ["completions", "logging", "prompts", "resources", "tools"],
	"tools": ` + everythingTools + `,
	"described": true,
	"resources": [
		"test://static-binary Static picture image/png", "test://static-text Static text text/plain",
		"test://watched-resource Watched text text/plain"
	],
	"templates": ["test://template/{id}/data"],
	"prompts": [
		"test_input_required_result_prompt", "test_prompt_with_arguments arg1 arg2",
		"test_prompt_with_embedded_resource resourceUri", "test_prompt_with_image", "test_simple_prompt"
	],
	"said": {
		"test_audio_content": {"text": "audio"},
		"test_embedded_resource": {"text": "resource"},
		"test_error_handling": {"text": "This tool intentionally returns an error for testing", "isError": true},
		"test_image_content": {"text": "image"},
		"test_multiple_content_types": {"text": "Multiple content types test:|image|resource"},
		"test_simple_text": {"text": "This is a simple text response for testing."}
	},
	"unknownTool": -32602,
	"missingArgument": true,
	"text": ["test://static-text text/plain This is the content of the static text resource."],
	"binary": ["test://static-binary image/png iVBORw0K"],
	"template": [
		"test://template/123/data application/json {\"id\":\"123\",\"templateTest\":true,\"data\":\"Data for ID: 123\"}"
	],
	"simplePrompt": "This is a simple prompt for testing.",
	"promptWithArguments": "Prompt with arguments: arg1='hello', arg2='world'",
	"promptWithResource": "resource|Please process the embedded resource above.",
	"promptWithImage": "image|Please analyze the image above.",
	"noPrompt": -32602,
	"completion": ["paris", "park", "party"],
	"progress": [{"progress": 0, "total": 100}, {"progress": 50, "total": 100}, {"progress": 100, "total": 100}],
	"logs": [["info", "Tool execution started"], ["info", "Tool processing data"], ["info", "Tool execution completed"]],
	"sampling": {"text": "LLM response: Said to How much? (100)"},
	"elicitation": {
		"text": "User response: action=accept, content={\"username\":\"my username \u2028 列出\",\"email\":\"my email \u2028 列出\"}"
	},
	"defaults": {
		"text": "Elicitation completed: action=accept, content={\"name\":\"John Doe\",\"age\":30,\"score\":95.5,\"status\":\"active\",\"verified\":true}"
	},
	"choices": {
		"text": "Elicitation completed: action=accept, content={\"untitledSingle\":\"option1\",\"titledSingle\":\"value1\",\"legacyEnum\":\"opt1\",\"untitledMulti\":[\"option1\"],\"titledMulti\":[\"value1\"]}"
	},
	"asking": {
		"test_input_required_result_capabilities": {"text": "Said to Generate a greeting (50) my name \u2028 列出"},
		"test_input_required_result_elicitation": {"text": "Hello, my name \u2028 列出!"},
		"test_input_required_result_list_roots": {"text": "Roots: [file:///project]"},
		"test_input_required_result_multi_round": {"text": "my name \u2028 列出 likes my color \u2028 列出."},
		"test_input_required_result_multiple_inputs": {"text": "Said to Generate a greeting (50), my name \u2028 列出! Roots: [file:///project]"},
		"test_input_required_result_request_state": {"text": "state-ok: true"},
		"test_input_required_result_sampling": {"text": "LLM response: Said to What is the capital of France? (100)"},
		"test_input_required_result_tampered_state": {"text": "state-ok: true"},
		"test_missing_capability": {"text": "LLM response: Said to What is the capital of France? (100)"},
		"test_streaming_elicitation": {"text": "Elicitation completed: action=accept, content={\"username\":\"my username \u2028 列出\",\"email\":\"my email \u2028 列出\"}"}
	},
	"askingPrompt": "Use this context: my context \u2028 列出",
	"asked": [
		"Who are you?", "Please fill in this form.", "Please fill in this form.", "What is your name?",
		"What is your name?", "Step 1: What is your name?", "Step 2: What is your favorite color?",
		"What is your name?", "Please confirm", "Please confirm", "Please fill in this form.",
		"What context should the prompt use?"
	],
	"cancelled": "cancelled",
	"updated": "test://watched-resource",
	"extraTool": true,
	"after": {"text": "This is a simple text response for testing."},
	"odd": [],
	`

// everythingTools are the tools of examples/everything, in their order.
const everythingTools = `[
	"json_schema_2020_12_tool", "test_audio_content", "test_elicitation",
	"test_elicitation_sep1034_defaults", "test_elicitation_sep1330_enums", "test_embedded_resource",
	"test_error_handling", "test_image_content", "test_input_required_result_capabilities",
	"test_input_required_result_elicitation", "test_input_required_result_list_roots",
	"test_input_required_result_multi_round", "test_input_required_result_multiple_inputs",
	"test_input_required_result_request_state", "test_input_required_result_sampling",
	"test_input_required_result_tampered_state", "test_logging_tool", "test_missing_capability",
	"test_multiple_content_types", "test_sampling", "test_simple_text", "test_streaming_elicitation",
	"test_tool_with_logging", "test_tool_with_progress", "test_trigger_prompt_change",
	"test_trigger_tool_change", "touch_watched_resource", "wait"
]`

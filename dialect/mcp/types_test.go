package mcp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
)

// What goes in comes out: no member of the protocol is lost, and none appears.
func TestTypesKeepTheirMembers(t *testing.T) {
	dialecttest.Keep[mcp.InitializeParams](t, "Codex says hello", `{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"codex-mcp-client","title":"Codex","version":"0.171.0"}}`)
	dialecttest.Keep[mcp.InitializeResult](t, "a server with tasks", `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true,"listChanged":true},"logging":{},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}},"completions":{}},"serverInfo":{"name":"everything","title":"Everything","version":"2.0.0","icons":[{"src":"https://x/i.svg","mimeType":"image/svg+xml","sizes":["any"],"theme":"dark"}]},"instructions":"– read me"}`)
	dialecttest.Keep[mcp.DiscoverResult](t, "server/discover", `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}},"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`)
	dialecttest.Keep[mcp.RequestMeta](t, "the _meta of a modern request", `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/logLevel":"notice","progressToken":"a","traceparent":"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}`)
	dialecttest.Keep[mcp.ListParams](t, "an empty cursor is a cursor", `{"cursor":""}`)
	dialecttest.Keep[mcp.ListParams](t, "the first page", `{"_meta":{"progressToken":0}}`)
	dialecttest.Keep[mcp.ListToolsResult](t, "tools", `{"tools":[{"name":"echo","title":"Echo","description":"says it again","inputSchema":{"type":"object","properties":{"message":{"type":"string","x-mcp-header":"Msg"}},"required":["message"]},"outputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"},"annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":true},"execution":{"taskSupport":"optional"},"_meta":{"com.example/x":1.50}}],"nextCursor":"2"}`)
	dialecttest.Keep[mcp.ListToolsResult](t, "no tools", `{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"private"}`)
	dialecttest.Keep[mcp.CallToolParams](t, "Codex calls a tool", `{"_meta":{"threadId":"01a22c93","progressToken":1},"name":"echo","arguments":{"message":"hi codex"}}`)
	dialecttest.Keep[mcp.CallToolParams](t, "a retry", `{"name":"t","arguments":{},"inputResponses":{"a":{"action":"accept","content":{"n":1}}},"requestState":"s=="}`)
	dialecttest.Keep[mcp.CallToolParams](t, "a task is wanted", `{"name":"t","task":{"ttl":60000}}`)
	dialecttest.Keep[mcp.CallToolResult](t, "content of every kind", `{"content":[{"type":"text","text":""},{"type":"image","data":"iVBORw==","mimeType":"image/png","annotations":{"audience":["user"],"priority":0}},{"type":"audio","data":"","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"file:///a","mimeType":"text/plain","text":""}},{"type":"resource","resource":{"uri":"file:///b","blob":"AAE="}},{"type":"resource_link","uri":"file:///c","name":"c","size":0}],"structuredContent":{"a":[1.0,null]},"isError":true}`)
	dialecttest.Keep[mcp.CallToolResult](t, "nothing to say", `{"content":[]}`)
	dialecttest.Keep[mcp.CallToolResult](t, "a question", `{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"?"}},"where":{"method":"roots/list"}},"requestState":""}`)
	dialecttest.Keep[mcp.CallToolResult](t, "a task of the extension", `{"resultType":"task","taskId":"7","status":"working","createdAt":"2026-08-01T00:00:00Z","lastUpdatedAt":"2026-08-01T00:00:00Z","ttlMs":null,"pollIntervalMs":500}`)
	dialecttest.Keep[mcp.CallToolResult](t, "a task of 2025-11-25", `{"task":{"taskId":"7","status":"working","createdAt":"2025-12-01T00:00:00Z","lastUpdatedAt":"2025-12-01T00:00:00Z","ttl":60000,"pollInterval":0}}`)
	dialecttest.Keep[mcp.ReadResourceResult](t, "a resource", `{"contents":[{"uri":"file:///a","text":"x","_meta":{"k":1}}]}`)
	dialecttest.Keep[mcp.ReadResourceResult](t, "an empty folder", `{"resultType":"complete","contents":[],"ttlMs":1,"cacheScope":"public"}`)
	dialecttest.Keep[mcp.ReadResourceResult](t, "a question", `{"resultType":"input_required","requestState":"s"}`)
	dialecttest.Keep[mcp.ListResourcesResult](t, "resources", `{"resources":[{"uri":"file:///a","name":"a","size":0,"annotations":{"lastModified":"2025-01-12T15:00:58Z"}}]}`)
	dialecttest.Keep[mcp.ListResourceTemplatesResult](t, "templates", `{"resourceTemplates":[{"name":"Dynamic","uriTemplate":"demo://resource/{id}","mimeType":"text/plain","description":"d"}]}`)
	dialecttest.Keep[mcp.ListPromptsResult](t, "prompts", `{"prompts":[{"name":"review","arguments":[{"name":"code","required":true},{"name":"style"}]}]}`)
	dialecttest.Keep[mcp.GetPromptResult](t, "a prompt", `{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"x"}},{"role":"assistant","content":{"type":"resource","resource":{"uri":"u","text":""}}}]}`)
	dialecttest.Keep[mcp.CompleteParams](t, "completion", `{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"lang","value":""},"context":{"arguments":{"a":"b"}}}`)
	dialecttest.Keep[mcp.CompleteResult](t, "proposals", `{"completion":{"values":[],"total":0}}`)
	dialecttest.Keep[mcp.CreateMessageParams](t, "sampling", `{"messages":[{"role":"user","content":{"type":"text","text":"x"}},{"role":"assistant","content":[{"type":"text","text":"y"},{"type":"tool_use","id":"1","name":"t","input":{"a":1}}]},{"role":"user","content":{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":""}]}}],"maxTokens":0,"modelPreferences":{"hints":[{"name":"claude"}],"costPriority":0},"temperature":0,"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"auto"}}`)
	dialecttest.Keep[mcp.CreateMessageResult](t, "what a model said", `{"role":"assistant","content":{"type":"text","text":""},"model":"m","stopReason":"endTurn"}`)
	dialecttest.Keep[mcp.CreateMessageResult](t, "it will be said later", `{"task":{"taskId":"1","status":"working","createdAt":"a","lastUpdatedAt":"b","ttl":null}}`)
	dialecttest.Keep[mcp.ListRootsResult](t, "roots", `{"roots":[{"uri":"file:///w","name":"w"}]}`)
	dialecttest.Keep[mcp.ElicitParams](t, "a form", `{"message":"who?","requestedSchema":{"type":"object","properties":{"n":{"type":"string"}}}}`)
	dialecttest.Keep[mcp.ElicitParams](t, "a page", `{"mode":"url","message":"sign in","url":"https://x/","elicitationId":"1"}`)
	dialecttest.Keep[mcp.ElicitResult](t, "an answer", `{"action":"accept","content":{"n":"","k":1.0}}`)
	dialecttest.Keep[mcp.TaskDetail](t, "a task that failed", `{"resultType":"complete","taskId":"1","status":"failed","createdAt":"a","lastUpdatedAt":"b","ttlMs":5,"error":{"code":-32603,"message":"no"}}`)
	dialecttest.Keep[mcp.TaskDetail](t, "a task that asks", `{"taskId":"1","status":"input_required","createdAt":"a","lastUpdatedAt":"b","ttlMs":5,"inputRequests":{"k":{"method":"roots/list"}}}`)
	dialecttest.Keep[mcp.CancelTaskResult](t, "a receipt", `{"resultType":"complete"}`)
	dialecttest.Keep[mcp.ListTasksResult](t, "tasks", `{"tasks":[{"taskId":"1","status":"completed","createdAt":"a","lastUpdatedAt":"b","ttl":1}]}`)
	dialecttest.Keep[mcp.CancelledParams](t, "an id that is no int64", `{"requestId":"x"}`)
	dialecttest.Keep[mcp.ProgressParams](t, "no progress yet", `{"progressToken":"t","progress":0}`)
	dialecttest.Keep[mcp.LogParams](t, "a log", `{"level":"emergency","data":null}`)
	dialecttest.Keep[mcp.AcknowledgedParams](t, "a subscription", `{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["a"],"taskIds":["1"]},"_meta":{"io.modelcontextprotocol/subscriptionId":7}}`)
	dialecttest.Keep[mcp.UnsupportedVersion](t, "the data of -32022", `{"supported":["2026-07-28"],"requested":"1900-01-01"}`)
	dialecttest.Keep[mcp.MissingCapability](t, "the data of -32021", `{"requiredCapabilities":{"elicitation":{}}}`)
	dialecttest.Keep[mcp.URLElicitationRequired](t, "the data of -32042", `{"elicitations":[{"mode":"url","message":"m","url":"u","elicitationId":"1"}]}`)
}

// Zero values of what a program fills in are written as the protocol requires.
func TestRequiredMembersAreWritten(t *testing.T) {
	tests := []struct {
		rule string
		v    any
		want string
	}{
		{"params that say nothing", mcp.EmptyParams{}, `{}`},
		{"a result that says nothing", mcp.EmptyResult{}, `{}`},
		{"a tool without a schema takes any object", mcp.Tool{Name: "t"}, `{"name":"t","inputSchema":{"type":"object"}}`},
		{"a tool that said nothing", mcp.CallToolResult{}, `{"content":[]}`},
		{"the same in the modern era", &mcp.CallToolResult{ResultType: mcp.ResultComplete}, `{"resultType":"complete","content":[]}`},
		{"a question needs no type", mcp.CallToolResult{InputRequired: mcp.InputRequired{RequestState: new("s")}}, `{"resultType":"input_required","requestState":"s"}`},
		{"nor one about a resource", mcp.ReadResourceResult{InputRequired: mcp.InputRequired{RequestState: new("s")}}, `{"resultType":"input_required","requestState":"s"}`},
		{"a promise has no content", mcp.CallToolResult{Task: &mcp.Task{}}, `{"task":{"taskId":"","status":"","createdAt":"","lastUpdatedAt":""}}`},
		{"nothing was read", mcp.ReadResourceResult{}, `{"contents":[]}`},
		{"a prompt without messages", mcp.GetPromptResult{}, `{"messages":[]}`},
		{"no tools", mcp.ListToolsResult{}, `{"tools":[]}`},
		{"an empty text", mcp.Text(""), `{"type":"text","text":""}`},
		{"an empty picture", mcp.Content{Type: mcp.ContentImage}, `{"type":"image","data":"","mimeType":""}`},
		{"an empty file", mcp.ResourceContents{URI: "u"}, `{"uri":"u","text":""}`},
		{"an empty file of bytes", mcp.ResourceContents{URI: "u", Blob: []byte{}}, `{"uri":"u","blob":""}`},
		{"one block alone", mcp.Contents{mcp.Text("a")}, `{"type":"text","text":"a"}`},
		{"two blocks", mcp.Contents{mcp.Text("a"), mcp.Text("b")}, `[{"type":"text","text":"a"},{"type":"text","text":"b"}]`},
		{"no block", mcp.Contents{}, `[]`},
	}
	for _, test := range tests {
		got, err := message.Encode(test.v)
		if err != nil || got.String() != test.want {
			t.Errorf("%s: %s, %v; want %s", test.rule, got, err, test.want)
		}
	}
}

// A server may put members of its own beside the content, and some have the names that
// the members of a task have.
func TestForeignMembersAreNoTask(t *testing.T) {
	var result mcp.CallToolResult
	if err := message.Raw(`{"content":[],"status":200,"taskId":{"x":1}}`).Decode(&result); err != nil || result.Task != nil {
		t.Errorf("decoded as %+v, %v", result, err)
	}
	if err := message.Raw(`{"content":5}`).Decode(&result); err == nil {
		t.Errorf("content that is no array was read as %+v", result)
	}
}

func TestFinal(t *testing.T) {
	for status, want := range map[mcp.TaskStatus]bool{
		mcp.TaskWorking: false, mcp.TaskInputRequired: false,
		mcp.TaskCompleted: true, mcp.TaskFailed: true, mcp.TaskCancelled: true,
	} {
		if status.Final() != want {
			t.Errorf("%s is final: %v, want %v", status, !want, want)
		}
	}
}

// What can be read is written so that it reads the same.
func FuzzShapes(f *testing.F) {
	for _, text := range []string{
		`{"content":[{"type":"text","text":""},{"type":"image","data":"AA==","mimeType":"a/b"}]}`,
		`{"resultType":"task","taskId":"7","status":"working","ttlMs":null}`,
		`{"task":{"taskId":"7"}}`, `{"requestState":""}`, `{"content":null}`, `null`, `{}`,
		`{"type":"text","text":"a"}`, ` [{"type":"text"},{}]`, `[]`,
		`{"content":[{"type":"tool_result","content":[{"type":"resource","resource":{}}]}]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dialecttest.Stable[mcp.Contents](t, text)
		// A question gets its type when it is written.
		dialecttest.Stable[mcp.CallToolResult](t, text, cmpopts.IgnoreFields(mcp.CallToolResult{}, "ResultType"))
	})
}

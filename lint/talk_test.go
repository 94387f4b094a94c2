package lint_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// transcript writes records as a transcript: each is a dir, a space and its text.
func transcript(records ...string) string {
	var out strings.Builder
	for i, r := range records {
		dir, raw, _ := strings.Cut(r, " ")
		text, _ := json.Marshal(raw) // a string always has a JSON form
		fmt.Fprintf(&out, `{"t":%d,"dir":%q,"raw":%s}`+"\n", i, dir, text)
	}
	return out.String()
}

// greeting is how MCP begins, in a version.
func greeting(version string) string {
	return `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}
{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"` + version + `","capabilities":{},"serverInfo":{"name":"s","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
}

// A side that keeps silent is at fault where the recording says that it was there.
func TestSilence(t *testing.T) {
	const hello = `c2s {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`
	const silent = "error: call 1 (initialize) is never answered by the server, who says nothing at all (never-answered)"
	blamed(t, []fault{
		{"a server that dies at once", transcript(`argv ["server"]`, hello, "err Traceback", `exit {"code":1}`), "", []string{"2+42: " + silent}},
		{"directions alone say who was there", transcript(hello), "", []string{silent}},
		{"and so does what a process did", transcript(`argv ["server"]`) + `{"t":1,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"}` + "\n", "", []string{silent}},
		{"a raw stream may be one direction of two", strings.TrimPrefix(hello, "c2s ") + "\n", "", []string{"info: call 1 (initialize) is never answered by the server, who is not in this recording"}},
		{"who writes nonsense is there", transcript(hello, "s2c oops"), "", []string{"(stray-text)", "is never answered by the server (never-answered)"}},
		{"also what is over the limit", transcript(hello, "s2c "+strings.Repeat("x", 300)), "limit=200", []string{"(over-limit)", "is never answered by the server (never-answered)"}},
		{"an answer over the limit is one", transcript(hello, `s2c {"jsonrpc":"2.0","id":1,"result":"`+strings.Repeat("x", 300)+`"}`), "limit=200", []string{"(over-limit)"}},
	})
}

// Batches are fine where the version has them that both sides agreed on.
func TestBatchesByVersion(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]` + "\n"
	const answers = `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]` + "\n"
	blamed(t, []fault{
		{"2025-03-26 has them", greeting("2025-03-26") + batch + answers, "", nil},
		{"by its name too", greeting("2025-03-26") + batch + answers, "dialect=mcp-legacy", nil},
		{"faults in them are faults", greeting("2025-03-26") + `[{"jsonrpc":"2.0","id":1,"result":{}}]` + "\n", "", []string{"id 1 answers no request (answer-to-nothing) /0/id"}},
		{"no version after it has", greeting("2025-06-18") + batch, "", []string{"4+327: error: the mcp-legacy dialect has no batches (no-batch)"}},
		{"nor is it agreed on before the answer", strings.Join(strings.SplitAfter(greeting("2025-03-26"), "\n")[:1], "") + batch, "dialect=mcp",
			[]string{"the mcp dialect has no batches unless 2025-03-26 was agreed on", "never answered"}},
		{"what the server says is enough", strings.SplitAfter(greeting("2025-03-26"), "\n")[1] + answers, "dialect=mcp", nil},
		{"no other dialect has versions", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\n" + `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-03-26"}}` + "\n" + batch, "dialect=acp",
			[]string{"the acp dialect has no batches (no-batch)", "(unknown-method)"}},
	})
}

// Methods are what the dialect says that they are, and cancellations name what they take
// back.
func TestKinds(t *testing.T) {
	note := func(method, params string) string {
		return `{"jsonrpc":"2.0","method":"` + method + `","params":` + params + "}\n"
	}
	blamed(t, []fault{
		{"a notification with an id, which nobody need answer", greeting("2025-06-18") + `{"jsonrpc":"2.0","id":1,"method":"notifications/roots/list_changed"}` + "\n", "",
			[]string{`4+349: warning: "notifications/roots/list_changed" is a notification, and has an id: no answer is due (method-kind) /id`}},
		{"a request without one", greeting("2025-06-18") + note("tools/list", "{}"), "", []string{`"tools/list" is a request, and has no id: nobody will answer it (method-kind) /method`}},
		{"in LSP too", headed(note("textDocument/hover", "{}")), "dialect=lsp framing=header", []string{"(method-kind)", "(before-handshake)"}},
		{"where there are no words, anything goes", note("tools/list", "{}"), "dialect=jsonrpc", nil},
		{"a cancellation without an id", greeting("2025-06-18") + note("notifications/cancelled", "{}"), "", []string{`warning: "notifications/cancelled" has no requestId, and takes nothing back (cancel-without-id)`}},
		{"with null for one", greeting("2025-06-18") + note("notifications/cancelled", `{"requestId":null}`), "", []string{"requestId is no id of a request, and nothing is taken back (cancel-without-id) /params/requestId"}},
		{"that of LSP has another name", note("$/cancelRequest", `{"requestId":1}`), "dialect=lsp", []string{`"$/cancelRequest" has no id, and takes nothing back`, "(before-handshake)"}},
		{"and Claude's is no message without it", `{"type":"control_cancel_request"}` + "\n", "dialect=claude", []string{"request_id is missing (not-a-message)"}},
	})
}

// Who reports may not have read yet that the request was cancelled. After an answer there
// is no excuse.
func TestProgressAfterCancel(t *testing.T) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"t"}}}` + "\n"
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n"
	const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}` + "\n"
	const answer = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
	begin := greeting("2025-06-18") + call
	blamed(t, []fault{
		{"after the cancellation", begin + cancel + progress, "", []string{"info: progress on the request of line 4, which was cancelled on line 5 (late-progress)"}},
		{"after the answer", begin + answer + progress, "", []string{"error: progress on the request of line 4, which was answered on line 5 (late-progress)"}},
		{"after both", begin + cancel + answer + progress, "", []string{"(answer-after-cancel)", "error: progress on the request of line 4, which was cancelled on line 5"}},
	})
}

// Messages inside Claude's control messages are messages, with places of their own.
func TestInside(t *testing.T) {
	ask := func(id, message string) string {
		return `{"type":"control_request","request_id":"` + id + `","request":{"subtype":"mcp_message","server_name":"calc","message":` + message + "}}\n"
	}
	answer := func(id, message string) string {
		return `{"type":"control_response","response":{"subtype":"success","request_id":"` + id + `","response":{"mcp_response":` + message + "}}}\n"
	}
	call := ask("a", `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`)
	blamed(t, []fault{
		{"one in order", call + answer("a", `{"jsonrpc":"2.0","id":7,"result":{}}`), "", nil},
		{"another version, at its place in the record", ask("a", `{"jsonrpc":"1.0","id":7,"method":"ping"}`) + answer("a", `{"jsonrpc":"2.0","id":7,"result":{}}`), "",
			[]string{`1+120: error: jsonrpc is "1.0", want "2.0" (jsonrpc-wrong) /request/message/jsonrpc`}},
		{"no version is no codex there", ask("a", `{"method":"notifications/initialized"}`) + answer("a", `{"jsonrpc":"2.0","id":0,"result":{}}`), "", []string{`1+109: error: jsonrpc is missing, want "2.0" (jsonrpc-missing) /request/message fix: write`}},
		{"result and error", call + answer("a", `{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"no"}}`), "", []string{"(result-and-error) /response/response/mcp_response/error"}},
		{"an answer without an id to a request", call + answer("a", `{"jsonrpc":"2.0","result":{}}`), "", []string{"(answer-without-id) /response/response/mcp_response"}},
		{"to a note it is how the Agent SDK for Python says that it got it", ask("a", `{"jsonrpc":"2.0","method":"notifications/initialized"}`) + answer("a", `{"jsonrpc":"2.0","result":{}}`), "", nil},
		{"an answer to another id", call + answer("a", `{"jsonrpc":"2.0","id":99,"result":{}}`), "", []string{
			"id 99 answers no request (answer-to-nothing) /response/response/mcp_response/id", "1+0: error: call 7 (tools/list) is never answered by the client"}},
		{"an id of another type", call + answer("a", `{"jsonrpc":"2.0","id":"7","result":{}}`), "", []string{`error: id "7" is not written as in the request of line 1 (answer-id-type) /response/response/mcp_response/id`}},
		{"the words are MCP's", ask("a", `{"jsonrpc":"2.0","id":7,"method":"Tools/List"}`) + answer("a", `{"jsonrpc":"2.0","id":7,"result":{}}`), "", []string{`warning: "Tools/List" is not "tools/list": names match exactly (method-case) /request/message/method`}},
		{"and one of Claude's is none of them", ask("a", `{"jsonrpc":"2.0","id":7,"method":"can_use_tool"}`) + answer("a", `{"jsonrpc":"2.0","id":7,"result":{}}`), "", []string{`the mcp dialect has no "can_use_tool" (unknown-method)`}},
		{"a request without an id", ask("a", `{"jsonrpc":"2.0","method":"tools/list"}`) + answer("a", `{"jsonrpc":"2.0","id":0,"result":{}}`), "", []string{`(method-kind) /request/message/method`}},
		{"what is null", ask("a", `{"jsonrpc":"2.0","id":7,"method":"ping","params":null}`) + answer("a", `{"jsonrpc":"2.0","id":7,"result":{}}`), "", []string{"1+158: warning: params is null"}},
		{"a name that stands twice is told once", ask("a", `{"jsonrpc":"2.0","id":7,"id":7,"method":"ping"}`), "", []string{"(duplicate-member) /request/message/id", "never answered"}},
		{"no message at all", ask("a", `5`), "", []string{"(not-a-message) /request/message", "never answered"}},
	})
}

package claude_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/message"
)

func TestInner(t *testing.T) {
	for _, test := range []struct{ rule, rec, want, scope string }{
		{
			"an mcp_message carries a call, among those of its server",
			`{"type":"control_request","request_id":"a","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","id":0,"method":"ping"}}}`,
			"call 0 ping", "calc",
		},
		{
			"or a note",
			`{"type":"control_request","request_id":"a","request":{"subtype":"mcp_message","server_name":"calc","message":{"jsonrpc":"2.0","method":"notifications/initialized"}}}`,
			"note notifications/initialized", "calc",
		},
		{
			"its answer carries the reply",
			`{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"mcp_response":{"jsonrpc":"2.0","id":0,"result":{}}}}}`,
			"reply 0 {}", "",
		},
		{
			"the reply to a note has no id in the Python SDK, and is no message",
			`{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"mcp_response":{"jsonrpc":"2.0","result":{}}}}}`,
			"a *message.ParseError", "",
		},
		{
			"what the server is not asked carries nothing",
			`{"type":"control_request","request_id":"a","request":{"subtype":"mcp_call","server_name":"calc","message":{"jsonrpc":"2.0","id":0,"method":"ping"}}}`,
			"", "",
		},
		{"nor does a note", `{"type":"mcp_message","message":{"jsonrpc":"2.0","id":0,"method":"ping"}}`, "", ""},
		{"nor an error", `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no"}}`, "", ""},
		{"nor a message that is none", `{"type":"control_request","request_id":"a","request":{"subtype":"mcp_message","server_name":1,"message":5}}`, "a *message.ParseError", ""},
	} {
		m, err := claude.Codec.Parse([]byte(test.rec))
		if err != nil {
			t.Fatal(err)
		}
		inner, ok := claude.Dialect.Inner(m)
		got := ""
		if ok {
			got = outcome(inner.Message, nil)
		}
		if got != test.want || inner.Scope != test.scope {
			t.Errorf("%s: got %q in %q, want %q in %q", test.rule, got, inner.Scope, test.want, test.scope)
		}
	}
}

// Every inner call of the transcripts has its answer in the answer to the outer one; the
// call to a server that does not exist has only that.
func TestInnerCallsPair(t *testing.T) {
	calls, replies := 0, 0
	for name, lines := range transcripts(t) {
		carried := map[message.ID]message.ID{} // by the id of the outer call
		for _, l := range lines {
			m, _ := claude.Codec.Parse([]byte(l.Raw))
			inner, ok := claude.Dialect.Inner(m)
			if !ok {
				continue
			}
			switch outer := m.(type) {
			case *message.Request:
				carried[outer.ID] = inner.Message.(*message.Request).ID
				calls++
			case *message.Response:
				got, want := inner.Message.(*message.Response).ID, carried[outer.ID]
				if !want.IsZero() && !cmp.Equal(got, want, same) {
					t.Errorf("%s: the answer to inner %v is for %v", name, want, got)
				}
				replies++
			}
		}
	}
	if calls != 6 || replies != 5 {
		t.Errorf("%d inner messages and %d answers, want 6 and 5", calls, replies)
	}
}

package claude_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/message"
)

func TestAppend(t *testing.T) {
	call := func(params string) *message.Request {
		return &message.Request{ID: message.IntID(3), Method: "set_model", Params: message.Raw(params)}
	}
	note := func(method, params string) *message.Request {
		return &message.Request{Method: method, Params: message.Raw(params)}
	}
	id := message.StringID("a")
	member := func(name, value string) []message.Member {
		return []message.Member{{Name: name, Value: message.Raw(value)}}
	}
	failure := &message.Error{Code: claude.CodeControlError, Message: "no", Extra: member("error_code", `"c"`)}
	for _, test := range []struct {
		rule string
		m    message.Message
		want string // "" if it is refused
	}{
		{"the subtype goes in front of the params", call(` { "model":null}`), `{"type":"control_request","request_id":"3","request":{"subtype":"set_model","model":null}}`},
		{"params may be absent", call(``), `{"type":"control_request","request_id":"3","request":{"subtype":"set_model"}}`},
		{"or null", call(`null`), `{"type":"control_request","request_id":"3","request":{"subtype":"set_model"}}`},
		{"or empty", call(`{ }`), `{"type":"control_request","request_id":"3","request":{"subtype":"set_model"}}`},
		{"params that have their subtype are written as they are", call(`{"model":1.0,"subtype":"set_model"}`), `{"type":"control_request","request_id":"3","request":{"model":1.0,"subtype":"set_model"}}`},
		{"params with the subtype of another call", call(`{"subtype":"interrupt"}`), ``},
		{"params with a subtype that is no string", call(`{"subtype":1}`), ``},
		{"params that are an array", call(`[1]`), ``},
		{"extra members follow", &message.Request{ID: id, Method: "x", Extra: member("uuid", `"u"`)}, `{"type":"control_request","request_id":"a","request":{"subtype":"x"},"uuid":"u"}`},
		{"an extra member of the envelope", &message.Request{ID: id, Method: "x", Extra: member("type", `1`)}, ``},
		{"an extra member without a value", &message.Request{ID: id, Method: "x", Extra: member("y", ``)}, ``},
		{"an id of null", &message.Request{ID: message.NullID, Method: "x"}, ``},

		{"a result is nested", &message.Response{ID: id, Result: message.Raw(`{"a":1}`)}, `{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"a":1}}}`},
		{"null is left out", &message.Response{ID: id, Result: message.Raw(`null`)}, `{"type":"control_response","response":{"subtype":"success","request_id":"a"}}`},
		{"as is no result at all", &message.Response{ID: id}, `{"type":"control_response","response":{"subtype":"success","request_id":"a"}}`},
		{"an error is its text", &message.Response{ID: id, Error: failure}, `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no","error_code":"c"}}`},
		{"or that of its code", &message.Response{ID: id, Error: message.NewError(message.CodeMethodNotFound, "")}, `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"Method not found"}}`},
		{"a reply to nothing", &message.Response{Error: failure}, ``},
		{"a result and an error", &message.Response{ID: id, Result: message.Raw(`1`), Error: failure}, ``},
		{"what a success has beside its result goes beside it", &message.Response{ID: id, Extra: member("response", `{"n":1}`)}, `{"type":"control_response","response":{"subtype":"success","request_id":"a","n":1}}`},
		{"and has to be an object", &message.Response{ID: id, Extra: member("response", `1`)}, ``},
		{"without the members of a response", &message.Response{ID: id, Extra: member("response", `{"subtype":1}`)}, ``},

		{"a note is its params", note("user", `{"type":"user","n":1.0}`), `{"type":"user","n":1.0}`},
		{"with its type in front if they have none", note("user", `{"n":1.0}`), `{"type":"user","n":1.0}`},
		{"a note without params", note("user", ``), `{"type":"user"}`},
		{"a note with the type of another", note("user", `{"type":"system"}`), ``},
		{"a note whose params are no object", note("user", `[]`), ``},
		{"a note with extra members", &message.Request{Method: "user", Extra: member("x", `1`)}, ``},
		{"a note that would be a call", note("control_request", `{"request_id":"a","request":{"subtype":"x"}}`), ``},
		{"a note that nobody would see", note("keep_alive", ``), ``},
		{"a cancellation whose id is an integer", note("control_cancel_request", `{"request_id":3}`), `{"type":"control_cancel_request","request_id":"3"}`},
		{"a cancellation of any other", note("control_cancel_request", `{"request_id":"a"}`), `{"type":"control_cancel_request","request_id":"a"}`},
		{"a cancellation of nothing", note("control_cancel_request", `{}`), ``},
		{"a cancellation of half a call", note("control_cancel_request", `{"request_id":1.5}`), ``},

		{"a batch", message.Batch{note("user", `{}`)}, ``},
		{"a refusal", &message.ParseError{Err: message.ParseFailed}, ``},
		{"nothing", (*message.Request)(nil), ``},
		{"nothing at all", nil, ``},
	} {
		got, err := claude.Codec.Append([]byte("x"), test.m)
		if (err == nil) != (test.want != "") || string(got) != "x"+test.want {
			t.Errorf("%s: %s, %v\nwant %s", test.rule, got, err, test.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "claude: cannot write ") {
			t.Errorf("%s: %v does not say what failed", test.rule, err)
		}
	}
}

// checkRelay checks that a message comes out of Append and Parse as it went in.
func checkRelay(t *testing.T, rec string, m message.Message) {
	t.Helper()
	if m == nil {
		return
	}
	text, err := claude.Codec.Append(nil, m)
	if err != nil {
		t.Fatalf("%s: Append: %v", rec, err)
	}
	again, err := claude.Codec.Parse(text)
	if diff := cmp.Diff(m, again, same); err != nil || diff != "" {
		t.Fatalf("%s came back from %s as another: %v\n%s", rec, text, err, diff)
	}
}

// Parse never panics and never writes to its record, it refuses with a reason and a
// place, and what it accepts survives a relay.
func FuzzParse(f *testing.F) {
	for _, test := range parseTests {
		f.Add([]byte(test.rec))
	}
	for _, lines := range transcripts(f) {
		for _, l := range lines {
			if len(l.Raw) < 500 {
				f.Add([]byte(l.Raw))
			}
		}
	}
	f.Fuzz(func(t *testing.T, rec []byte) {
		before := bytes.Clone(rec)
		m, err := claude.Codec.Parse(rec)
		if !bytes.Equal(rec, before) {
			t.Fatal("Parse wrote to its record")
		}
		if err == nil {
			checkRelay(t, string(rec), m)
			return
		}
		bad, ok := err.(*message.ParseError)
		if !ok || bad.Reason == "" || bad.Offset < 0 || bad.Offset > int64(len(rec)) {
			t.Fatalf("%q: %v", rec, err)
		}
	})
}

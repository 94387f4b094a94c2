package query

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// These stand for the records of a stream.
var (
	call     = Fields{Kind: "request", Method: "tools/call", ID: "7", From: "client", OwedBy: "server", Status: "answered", Took: 1500 * time.Millisecond}
	openCall = Fields{Kind: "request", Method: "ping", ID: `"7"`, From: "server", OwedBy: "client", Status: "open", Took: Unknown}
	asks     = Fields{Kind: "control_request", Method: "can_use_tool", ID: `"c-1"`, From: "server", OwedBy: "client", Status: "failed", Took: 2 * time.Millisecond, Approval: true, Error: true}
	note     = Fields{Kind: "notification", Method: "$/progress", From: "unknown", Took: Unknown}
	broken   = Fields{Kind: "invalid", From: "client", Took: Unknown}
	odd      = Fields{Kind: "request", Method: "a, b*", ID: "10000000000000000000000", From: "client", OwedBy: "server", Status: "cancelled", Took: Unknown, Input: true}
	all      = []Fields{call, openCall, asks, note, broken, odd}
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		why, text string
		shown     []Fields
	}{
		{"no term shows all", "", all},
		{"white space is no term", " \t ", all},
		{"a method is compared as a whole", "method:tools", nil},
		{"a star also goes over a slash", "method:to*all", []Fields{call}},
		{"a star may stand for nothing", "method:*ping*", []Fields{openCall}},
		{"two stars take what they need", "method:*t*l*", []Fields{call, asks}},
		{"a question mark is one character", "method:p?ng,?/progress", []Fields{openCall, note}},
		{"an unquoted id matches number and string", "id:7", []Fields{call, openCall}},
		{"a quoted id is a string", `id:"7"`, []Fields{openCall}},
		{"an id is a text and has no value", "id:7.0", nil},
		{"an id of any length is exact", "id:10000000000000000000000", []Fields{odd}},
		{"what has no id is not shown by any", "id:*", []Fields{call, openCall, asks, odd}},
		{"a comma means or", "kind:invalid,notification", []Fields{note, broken}},
		{"a pattern over known values", "kind:control_*", []Fields{asks}},
		{"terms are joined by and", "kind:request from:client", []Fields{call, odd}},
		{"who owes", "owed-by:client", []Fields{openCall, asks}},
		{"a minus negates", "-from:client", []Fields{openCall, asks, note}},
		{"an exclamation mark negates, the whole list of values", "!kind:request,invalid", []Fields{asks, note}},
		{"a status by its field", "status:open,failed", []Fields{openCall, asks}},
		{"a status by its word", "open", []Fields{openCall}},
		{"a negated word", "-open kind:request", []Fields{call, odd}},
		{"invalid is a kind", "invalid", []Fields{broken}},
		{"errors of all kinds", "error", []Fields{asks}},
		{"what waits for a yes or no", "approval", []Fields{asks}},
		{"what waits for words", "input", []Fields{odd}},
		{"longer than", "dur:>1s", []Fields{call}},
		{"at most", "dur:<=1.5s", []Fields{call, asks}},
		{"less than", "dur:<1.5s", []Fields{asks}},
		{"exactly", "dur:=2ms", []Fields{asks}},
		{"at least", "dur:>=2ms", []Fields{call, asks}},
		{"either of two durations", "dur:<1ms,>1s", []Fields{call}},
		{"no known duration is none", "-dur:>=0s", []Fields{openCall, note, broken, odd}},
		{"quotes keep a comma, a space and a star", `method:"a, b*"`, []Fields{odd}},
		{"quotes know the escapes of JSON", `method:"\u0070ing",x`, []Fields{openCall}},
	} {
		q, err := Parse(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.why, err)
			continue
		}
		if q.String() != test.text || q.IsZero() != (strings.TrimSpace(test.text) == "") {
			t.Errorf("%s: %q, zero %v", test.why, q, q.IsZero())
		}
		for _, f := range all {
			if got := q.Match(&f); got != slices.Contains(test.shown, f) {
				t.Errorf("%s: %q shows %q %s: %v", test.why, test.text, f.Method, f.ID, got)
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		text   string
		column int
		msg    string
		known  string // one of those
	}{
		{"opne", 1, `"opne" is no word of a query`, "open"},
		{"open tools/call", 6, `"tools/call" is no word of a query`, "method:"},
		{"-", 2, `"" is no word of a query`, "open"},
		{"kind:request metod:x", 14, `no field is called "metod"`, "method:"},
		{"kind:requst", 6, `kind is never "requst"`, "request"},
		{"kind:request,blnk", 14, `kind is never "blnk"`, "blank"},
		{"kind:control-*", 6, `kind is never "control-*"`, "control_request"},
		{"owed-by:unknown", 9, `owed-by is never "unknown"`, "server"},
		{"ü status:", 1, `"ü" is no word of a query`, "open"},
		{"method:ü status:", 17, "status: needs a value", "open"},
		{"id:", 4, "id: needs a value", ""},
		{"id:7,", 6, "id: needs a value", ""},
		{"dur:1s", 5, "dur: needs a comparison, as in dur:>1s", ">="},
		{"dur:>=1", 7, `"1" is no duration; write it as 500ms, 1.5s or 2m`, ""},
		{"dur:>-1s", 6, `"-1s" is no duration; write it as 500ms, 1.5s or 2m`, ""},
		{`method:"a`, 8, "the quote has no end", ""},
		{`method:"a\"`, 8, "the quote has no end", ""},
		{`method:"\x"`, 8, `"\x" is no JSON string`, ""},
		{`method:"a"b`, 11, "a comma or a space must follow the quote", ""},
	} {
		_, err := Parse(test.text)
		bad, ok := errors.AsType[*SyntaxError](err)
		if !ok {
			t.Errorf("Parse(%q) = %v, want a *SyntaxError", test.text, err)
			continue
		}
		if bad.Column != test.column || bad.Msg != test.msg || bad.Text != test.text {
			t.Errorf("Parse(%q) = column %d, %q; want column %d, %q", test.text, bad.Column, bad.Msg, test.column, test.msg)
		}
		if test.known == "" && bad.Known != nil || test.known != "" && !slices.Contains(bad.Known, test.known) {
			t.Errorf("Parse(%q) lists %q", test.text, bad.Known)
		}
	}
}

// A query comes from whoever types it: nothing of it may panic, and what is accepted
// means the same if it is read again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "open -method:tools/*", `id:"7",8 !kind:request`, "dur:>1s,<=2ms", `method:"a\u0062`, "method:*?*", "-", ":", "a:", `id:"\ud800"`, "\xff:\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			if bad, ok := errors.AsType[*SyntaxError](err); !ok || bad.Column < 1 || bad.Msg == "" {
				t.Fatalf("Parse(%q): %#v", text, err)
			}
			return
		}
		again, err := Parse(q.String())
		if err != nil {
			t.Fatalf("Parse(%q) fails the second time: %v", text, err)
		}
		for _, fields := range append(all, Fields{Method: text, ID: text, Took: time.Second}) {
			if q.Match(&fields) != again.Match(&fields) {
				t.Fatalf("%q is not the same twice", text)
			}
		}
	})
}

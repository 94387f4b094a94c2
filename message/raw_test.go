package message

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/internal/jsonx"
)

func TestEncode(t *testing.T) {
	raw := Raw("[ 1.00,\n\"\u2028\" ]")
	tests := []struct {
		rule string
		v    any
		want string
	}{
		{"nil is null", nil, `null`},
		{"Raw is verbatim", raw, string(raw)},
		{"so is *Raw", &raw, string(raw)},
		{"a nil *Raw is null", (*Raw)(nil), `null`},
		{"an absent Raw is null", Raw{}, `null`},
		{"no HTML escaping", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"three line breaks are escaped, and no others", "\u0085\u2028\u2029\u200b\u00a0é😀", "\"\\u0085\\u2028\\u2029\u200b\u00a0é😀\""},
		{"control characters", "\x00\b\t\n\f\r\x1f\x7f\"\\", "\"\\u0000\\b\\t\\n\\f\\r\\u001f\x7f\\\"\\\\\""},
		{"bytes that are not UTF-8", "a\xffb\xed\xa0\x80", "\"a\ufffdb\ufffd\ufffd\ufffd\""},
		{"a Raw inside keeps digits, escapes and order", map[string]any{"b": Raw(`{"z":1.00,"a":"\u0061\/"}`), "a": Raw(`"\ud83d"`)}, `{"a":"\ud83d","b":{"z":1.00,"a":"\u0061\/"}}`},
		{"a Raw inside may have a name twice", []any{Raw(`{"a":1,"a":2}`)}, `[{"a":1,"a":2}]`},
		{"a Raw inside goes on one line", []any{Raw("{\n\"a\" : 1\r\n}")}, `[{"a":1}]`},
		{"a Raw inside keeps its line breaks, a string beside it does not", []any{Raw("\"\u2028\u0085\""), "\u2028\u0085"}, "[\"\u2028\u0085\",\"\\u2028\\u0085\"]"},
		{"an absent Raw inside is null", struct{ R Raw }{}, `{"R":null}`},
		{"or left out", struct {
			R Raw `json:",omitzero"`
		}{}, `{}`},
		{"an id", []ID{IntID(1), StringID("1"), {}}, `[1,"1",null]`},
		{"an error", InvalidParams.With(1), `{"code":-32602,"message":"Invalid params","data":1}`},
	}
	for _, test := range tests {
		got, err := Encode(test.v)
		if err != nil {
			t.Errorf("%s: %v", test.rule, err)
			continue
		}
		if diff := cmp.Diff(test.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.rule, diff)
		}
		if !jsonx.Valid(got) {
			t.Errorf("%s: %s is not JSON", test.rule, got)
		}
	}
}

func TestEncodeFails(t *testing.T) {
	for _, v := range []any{make(chan int), func() {}, []any{Raw("{")}, map[string]any{"k": Raw(`{"a":}`)}} {
		if text, err := Encode(v); err == nil || text != nil {
			t.Errorf("Encode(%T) = %s, %v; want an error alone", v, text, err)
		}
	}
}

// Encode(nil) hands out text that its owner may change.
func TestEncodeNilIsFresh(t *testing.T) {
	first, _ := Encode(nil)
	copy(first, "xxxx")
	if second, _ := Encode(nil); second.String() != "null" {
		t.Errorf("Encode(nil) = %s after a change to an earlier one", second)
	}
}

func TestDecode(t *testing.T) {
	text := Raw(`{"a":1.00,"b":"\ud83d!","raw":{"z" : 1e2, "z2":"\u0061"},"unknown":true}`)
	var v struct {
		A   float64 `json:"a"`
		B   string  `json:"b"`
		Raw Raw     `json:"raw"`
	}
	if err := text.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if v.A != 1 || v.B != "\ufffd!" || v.Raw.String() != `{"z" : 1e2, "z2":"\u0061"}` {
		t.Errorf("Decode gave %+v", v)
	}

	var raw Raw
	if err := text.Decode(&raw); err != nil || raw.String() != text.String() {
		t.Errorf("Decode into a Raw: %s, %v", raw, err)
	}
	raw[0] = 'x'
	if text[0] != '{' {
		t.Error("Decode into a Raw did not copy the text")
	}

	n := 7
	if err := (Raw(nil)).Decode(&n); err != nil || n != 7 {
		t.Errorf("Decode of an absent value: %d, %v; want no change", n, err)
	}
}

func TestDecodeSaysWhere(t *testing.T) {
	tests := []struct {
		text string
		v    any
		want string
	}{
		{`{"a":"x"}`, &struct {
			A float64 `json:"a"`
		}{}, `/a: want a number, got a string`},
		{`[1,"x"]`, &[]int{}, `/1: want an integer, got a string`},
		{`{"a":1,"a":2}`, &map[string]int{}, `/a: this member is given twice`},
		{`{}`, &[]int{}, `want an array, got an object`},
	}
	for _, test := range tests {
		err := Raw(test.text).Decode(test.v)
		if err == nil || err.Error() != test.want {
			t.Errorf("Decode(%s): %v, want %s", test.text, err, test.want)
		}
		if _, ok := errors.AsType[*DecodeError](err); !ok {
			t.Errorf("Decode(%s): a %T, want a *DecodeError", test.text, err)
		}
	}
}

// Raw works with encoding/json as well as json.RawMessage does.
func TestRawWithStandardLibrary(t *testing.T) {
	var v struct{ A, B Raw }
	if err := json.Unmarshal([]byte(`{"A":1.00,"B":null}`), &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil || string(text) != `{"A":1.00,"B":null}` {
		t.Errorf("json.Marshal: %s, %v", text, err)
	}
	if text, err = json.Marshal(Raw(nil)); err != nil || string(text) != "null" {
		t.Errorf("json.Marshal of an absent Raw: %s, %v; want null", text, err)
	}
}

func TestOneLine(t *testing.T) {
	tests := []struct{ rule, record, want string }{
		{"white space", "{\n\t\"a\":\r\n1\n}\n", "{ \t\"a\":  1 } "},
		{"a record on one line", `{"a":"\n"}`, `{"a":"\n"}`},
		{"an escaped quote does not end a string", "[\"\\\"\",\n\"\\\\\"\n]", `["\"", "\\" ]`},
		{"a raw LF in a string stays, for Lines to refuse", "[\"a\nb\"\n]", "[\"a\nb\" ]"},
		{"a backslash at the end", "\n\"\\", " \"\\"},
		{"nothing", "", ""},
	}
	for _, test := range tests {
		got := string(OneLine([]byte("dst\n"), []byte(test.record)))
		if diff := cmp.Diff("dst\n"+test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.rule, diff)
		}
	}
	// The record is only read.
	record := []byte("{\n}")
	OneLine(nil, record)
	if string(record) != "{\n}" {
		t.Error("OneLine wrote to its record")
	}
	if got := OneLine(nil, []byte(strings.Repeat("[\n]", 3))); strings.ContainsAny(string(got), "\r\n") {
		t.Errorf("OneLine left a line break in %q", got)
	}
}

package message

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each case is a rule in a sentence, and what both codecs make of the record. An empty
// bare outcome is the same as the strict one.
var parseTests = []struct {
	rule, rec, strict, bare string
}{
	// What is a message.
	{"a method and an id are a call", `{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}`, `call 1 m [1]`, ``},
	{"the order of members is free", `{"params":{"a":1},"method":"m","id":"x","jsonrpc":"2.0"}`, `call "x" m {"a":1}`, ``},
	{"no id is a note", `{"jsonrpc":"2.0","method":"m"}`, `note m`, ``},
	{"id null wants an answer", `{"jsonrpc":"2.0","id":null,"method":"m"}`, `call null m`, ``},
	{"the empty method is a string", `{"jsonrpc":"2.0","id":1,"method":""}`, `call 1`, ``},
	{"result null is a success", `{"jsonrpc":"2.0","id":1,"result":null}`, `reply 1 null`, ``},
	{"an error settles a call", `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"no"}}`, `reply 1 error 5 no`, ``},
	{"a response may have id null", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`, `reply null error -32700 Parse error`, ``},
	{"white space of JSON is free", " \t\r\n{ \"jsonrpc\" :\n\"2.0\" , \"method\" : \"m\" } \n", `note m`, ``},
	{"a batch holds any of them", `[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":1,"result":2}]`, `[note n, reply 1 2]`, ``},

	// Names.
	{"names are read past escapes", `{"jsonrpc":"2.0","m\u0065thod":"m","\u0069d":7}`, `call 7 m`, ``},
	{"names match exactly", `{"jsonrpc":"2.0","id":1,"Method":"m"}`, `-32600 unknown 1`, ``},
	{"other names do no harm", `{"jsonrpc":"2.0","id":1,"method":"m","ID":9,"Params":[1]}`, `call 1 m`, ``},
	{"a method is read past escapes", `{"jsonrpc":"2.0","method":"a\n\u00e9"}`, "note a\né", ``},

	// The version.
	{"no version is for Bare", `{"id":1,"method":"m"}`, `-32600 call 1`, `call 1 m`},
	{"no version in a note", `{"method":"m"}`, `-32600 note`, `note m`},
	{"no version in a response", `{"id":1,"result":1}`, `-32600 reply 1`, `reply 1 1`},
	{"another version is for nobody", `{"jsonrpc":"1.0","id":2,"method":"m"}`, `-32600 call 2`, ``},
	{"a number is no version", `{"jsonrpc":2.0,"id":3,"method":"m"}`, `-32600 call 3`, ``},
	{"a version may have escapes", `{"jsonrpc":"2\u002e0","id":4,"method":"m"}`, `call 4 m`, ``},

	// Requests that are refused.
	{"an empty object", `{}`, `-32600 unknown`, ``},
	{"an id alone", `{"jsonrpc":"2.0","id":5}`, `-32600 unknown 5`, ``},
	{"a method that is no string", `{"jsonrpc":"2.0","method":1,"params":"bar"}`, `-32600 unknown`, ``},
	{"a method that is no string, with an id", `{"jsonrpc":"2.0","id":6,"method":null}`, `-32600 call 6`, ``},
	{"params null is absent", `{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, `call 1 m`, ``},
	{"params that are a string", `{"jsonrpc":"2.0","id":1,"method":"m","params":"x"}`, `-32600 call 1`, ``},
	{"params of a note that are a number", `{"jsonrpc":"2.0","method":"m","params":1}`, `-32600 note`, ``},
	{"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"m"}`, `-32600 call`, ``},
	{"an id that is an array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, `-32600 call`, ``},
	{"an id that is a boolean", `{"jsonrpc":"2.0","id":true,"method":"m"}`, `-32600 call`, ``},

	// Members that are given twice.
	{"two methods", `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, `-32600 call 1`, ``},
	{"two methods, one behind an escape", `{"jsonrpc":"2.0","id":1,"method":"a","\u006dethod":"b"}`, `-32600 call 1`, ``},
	{"two methods and no id", `{"jsonrpc":"2.0","method":"a","method":"b"}`, `-32600 note`, ``},
	{"of two ids neither is trusted", `{"jsonrpc":"2.0","id":1,"id":2,"method":"a"}`, `-32600 call`, ``},
	{"two versions", `{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"a"}`, `-32600 call 1`, ``},
	{"two params", `{"jsonrpc":"2.0","id":1,"method":"a","params":[],"params":[]}`, `-32600 call 1`, ``},
	{"two results", `{"jsonrpc":"2.0","id":1,"result":1,"result":1}`, `-32600 reply 1`, ``},
	{"two errors", `{"jsonrpc":"2.0","id":1,"error":{"code":1},"error":{"code":1}}`, `-32600 reply 1`, ``},
	{"two of an unknown name are nobody's business", `{"jsonrpc":"2.0","id":1,"method":"a","x":1,"x":2}`, `call 1 a`, ``},

	// Responses that are refused.
	{"a method and a result", `{"jsonrpc":"2.0","id":1,"method":"x","result":"forged"}`, `-32600 hybrid 1`, ``},
	{"a method and an error", `{"jsonrpc":"2.0","method":"x","error":null}`, `-32600 hybrid`, ``},
	{"a method that is no string, and a result", `{"id":1,"method":1,"result":2}`, `-32600 hybrid 1`, ``},
	{"a result and an error", `{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`, `-32600 reply 1`, ``},
	{"a result and an error that is null", `{"jsonrpc":"2.0","id":1,"result":1,"error":null}`, `-32600 reply 1`, `reply 1 1`},
	{"an error and a result that is null", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`, `-32600 reply 1`, `reply 1 error 1 m`},
	{"an error that is null", `{"jsonrpc":"2.0","id":1,"error":null}`, `-32600 reply 1`, ``},
	{"no id", `{"jsonrpc":"2.0","result":{}}`, `-32600 reply`, ``},
	{"an id of the wrong type", `{"jsonrpc":"2.0","id":[],"result":{}}`, `-32600 reply`, ``},
	{"an error that is a boolean", `{"jsonrpc":"2.0","id":1,"error":true}`, `-32600 reply 1`, ``},
	{"an error without a code", `{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}`, `-32600 reply 1`, ``},
	{"a code with a fraction", `{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`, `-32600 reply 1`, ``},
	{"a code that is a string", `{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":"m"}}`, `-32600 reply 1`, ``},
	{"a code beyond 64 bits", `{"jsonrpc":"2.0","id":1,"error":{"code":9223372036854775808,"message":"m"}}`, `-32600 reply 1`, ``},
	{"a code that is an integer by value", `{"jsonrpc":"2.0","id":1,"error":{"code":-3.2601e4,"message":"m"}}`, `reply 1 error -32601 m`, ``},
	{"two codes", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"c\u006fde":2}}`, `-32600 reply 1`, ``},
	{"an error with a code alone", `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, `reply 1 error 1`, ``},
	{"an error whose message is null", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":null}}`, `reply 1 error 1`, ``},
	{"an error whose message is no string", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":2}}`, `-32600 reply 1`, ``},

	// Batches.
	{"an empty batch", ` [ ] `, `-32600 batch`, ``},
	{"junk in a batch is refused by itself", `[1,"a",null,{"jsonrpc":"2.0","method":"n"},{}]`, `[-32600 unknown, -32600 unknown, -32600 unknown, note n, -32600 unknown]`, ``},
	{"a batch in a batch is junk", `[[{"jsonrpc":"2.0","id":1,"method":"m"}],[]]`, `[-32600 unknown, -32600 unknown]`, ``},
	{"members are refused with their ids", `[{"jsonrpc":"2.0","id":1,"method":2},{"jsonrpc":"2.0","id":3,"result":1,"error":1}]`, `[-32600 call 1, -32600 reply 3]`, ``},
	{"a faulty member spoils the batch", `[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":]`, `-32700 unknown`, ``},
	{"two batches", `[{"jsonrpc":"2.0","method":"n"}][]`, `-32700 unknown`, ``},
	{"two empty batches", `[][]`, `-32700 unknown`, ``},
	{"a batch without a comma", `[{} {}]`, `-32700 unknown`, ``},

	// Other JSON.
	{"a string", `"just a string"`, `-32600 unknown`, ``},
	{"a number", `12`, `-32600 unknown`, ``},
	{"null", ` null `, `-32600 unknown`, ``},

	// What is not JSON.
	{"nothing", ``, `-32700 unknown`, ``},
	{"white space", " \t", `-32700 unknown`, ``},
	{"two values", `{"jsonrpc":"2.0","id":1,"method":"nil"}{"jsonrpc":"2.0","id":2,"method":"nil"}`, `-32700 unknown`, ``},
	{"a value behind a refused one", `{} 1`, `-32700 unknown`, ``},
	{"the text is checked to its end, though a refusal is certain", `{"id":1,"id":2,"x":tru}`, `-32700 unknown`, ``},
	{"a response that is faulty at its end", `{"jsonrpc":"2.0","id":1,"result":1,}`, `-32700 unknown`, ``},
	{"NaN", `{"jsonrpc":"2.0","id":1,"method":"echo","params":[NaN]}`, `-32700 unknown`, ``},
	{"a BOM belongs to the stream, not to a record", "\ufeff{}", `-32700 unknown`, ``},
}

func TestParse(t *testing.T) {
	for _, test := range parseTests {
		if test.bare == "" {
			test.bare = test.strict
		}
		if got := outcome(Strict.Parse([]byte(test.rec))); got != test.strict {
			t.Errorf("%s: Strict.Parse(%s)\n got %s\nwant %s", test.rule, test.rec, got, test.strict)
		}
		if got := outcome(Bare.Parse([]byte(test.rec))); got != test.bare {
			t.Errorf("%s: Bare.Parse(%s)\n got %s\nwant %s", test.rule, test.rec, got, test.bare)
		}
	}
}

// A response is never answered, whatever is wrong with it; nor is a note.
func TestAnswerable(t *testing.T) {
	tests := []struct {
		rec  string
		want bool
	}{
		{`{"jsonrpc":"2.0","method":"m","params":1}`, false},
		{`{"method":"m"}`, false},
		{`{"jsonrpc":"2.0","id":1,"result":1,"error":2}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":"m","result":1}`, false},
		{`{"result":1,"error":2,"id":[]}`, false},
		{`{"jsonrpc":"2.0","id":1,"method":1}`, true},
		{`{"jsonrpc":"2.0","method":1}`, true},
		{`{`, true},
		{`[]`, true},
		{`1`, true},
	}
	for _, test := range tests {
		_, err := Strict.Parse([]byte(test.rec))
		var p *ParseError
		if !errors.As(err, &p) {
			t.Fatalf("Parse(%s): error %v, want a ParseError", test.rec, err)
		}
		if got := p.Answerable(); got != test.want {
			t.Errorf("Parse(%s): Answerable() = %v, want %v", test.rec, got, test.want)
		}
	}
}

// What a peer is told is exactly what the specification says, and the id or null.
func TestReplyOfRefusal(t *testing.T) {
	tests := []struct{ rec, want string }{
		{`{`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{`{"jsonrpc":"2.0","id":"a","method":1}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32600,"message":"Invalid Request"}}`},
		{`{"jsonrpc":"2.0","id":{},"method":"m"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}`},
		{
			`{"jsonrpc":"2.0","id":1,"method":"m","params":` + nested(10_000) + `}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Invalid Request","data":{"limit":10000,"what":"depth"}}}`,
		},
	}
	for _, test := range tests {
		_, err := Strict.Parse([]byte(test.rec))
		var p *ParseError
		if !errors.As(err, &p) {
			t.Fatalf("Parse: error %v, want a ParseError", err)
		}
		got, err := Strict.Append(nil, p.Reply())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("the answer to %.40s differs (-want +got):\n%s", test.rec, diff)
		}
	}
}

// A refusal says for the log where the fault is and what was there.
func TestReason(t *testing.T) {
	tests := []struct{ rec, at, reason string }{
		{`{"jsonrpc":"2.0","id":2,"error":"just text"}`, `"just`, `error is a string, want an object: "just text"`},
		{`{"jsonrpc":"2.0","id":4,"error":{"message":"no code"}}`, `{"mes`, `the error has no code: {"message":"no code"}`},
		{`{"jsonrpc":"2.0","error":{"code":1}}`, `{"jso`, `the response has no id: {"jsonrpc":"2.0","error":{"code":1}}`},
		{`{"jsonrpc":"1.0","method":"m"}`, `"1.0"`, `jsonrpc is "1.0", want "2.0"`},
		{`{"jsonrpc":"2.0","method":"m","params":7}`, `7`, `params is a number, want an array or an object`},
		{`{"jsonrpc":"2.0","method":"m","method":"m"}`, `"method":"m"}`, `a member of the envelope is given twice`},
		{`{"jsonrpc":"2.0","id":false,"method":"m"}`, `false`, `id is a boolean, want a string, a number or null`},
		{`{"id":1} x`, `x`, `text after the end of the value`},
		{`{"id":01}`, `1}`, `this number is not JSON`},
		{`{"id":-}`, `}`, `this number is not JSON`},
		{`{"a":"` + "\x01" + `"}`, "\x01", `a control character in a string must be escaped`},
		{`{"a":"é` + "\xff" + `"}`, "\xff", `this byte is not UTF-8`},
		{`{"a":"\x"}`, `\x`, `this escape is not JSON`},
		{`{"a":nul}`, `nul`, `this word is not JSON`},
		{`{"a":[1`, ``, `the text ends too early`},
	}
	for _, test := range tests {
		_, err := Strict.Parse([]byte(test.rec))
		var p *ParseError
		if !errors.As(err, &p) {
			t.Errorf("Parse(%s): error %v, want a ParseError", test.rec, err)
			continue
		}
		at := strings.LastIndex(test.rec, test.at)
		if test.at == `{"jso` {
			at = 0
		}
		if p.Reason != test.reason || p.Offset != int64(at) {
			t.Errorf("Parse(%s)\n got %d: %s\nwant %d: %s", test.rec, p.Offset, p.Reason, at, test.reason)
		}
		if want := fmt.Sprintf("at byte %d: %s", at, test.reason); !strings.HasSuffix(p.Error(), want) {
			t.Errorf("Error() = %q, want it to end in %q", p.Error(), want)
		}
	}
}

// A reason shows a long error only in part, cut between two characters.
func TestReasonIsShort(t *testing.T) {
	rec := `{"jsonrpc":"2.0","id":1,"error":"` + strings.Repeat("é", 1000) + "\"}"
	_, err := Strict.Parse([]byte(rec))
	if err == nil || len(err.Error()) > 250 || strings.ContainsRune(err.Error(), '\uFFFD') {
		t.Errorf("Parse: error %q, want a short one", err)
	}
}

// nested returns that many arrays inside each other.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// The bound on depth counts the envelope and the batch, and is exact.
func TestDepth(t *testing.T) {
	object := func(x string) string { return `{"jsonrpc":"2.0","method":"m","x":` + x + `,"id":1}` }
	tests := []struct{ rule, rec, want string }{
		{"10,000 levels with the object", object(nested(9_999)), `call 1 m`},
		{"one more; the id behind it is found", object(nested(10_000)), `-32600 call 1`},
		{"far more", object(nested(100_000)), `-32600 call 1`},
		{"objects count as arrays do", object(strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)), `-32600 call 1`},
		{"a string full of brackets", object(strings.Repeat("[", 10_000) + `"]]]]\"]"` + strings.Repeat("]", 10_000)), `-32600 call 1`},
		{"a response stays one", `{"jsonrpc":"2.0","id":1,"result":` + nested(10_000) + `}`, `-32600 reply 1`},
		{"a note stays one", `{"jsonrpc":"2.0","method":"m","params":` + nested(10_000) + `}`, `-32600 note`},
		{"a fault behind it counts for more", object(nested(10_000)) + "x", `-32700 unknown`},
		{"a batch is a level", `[` + object(nested(9_998)) + `]`, `[call 1 m]`},
		{"in a batch only the member is refused", `[` + object(nested(9_999)) + `,` + object("1") + `]`, `[-32600 call 1, call 1 m]`},
		{"junk in a batch", `[` + nested(20_000) + `]`, `[-32600 unknown]`},
		{"arrays that never close", strings.Repeat("[", 20_000), `-32700 unknown`},
		{"levels that do not match, at 64 and past it", object(strings.Repeat("[", 100) + "}" + strings.Repeat("]", 99)), `-32700 unknown`},
		{"mixed levels past 64", object(strings.Repeat(`[{"a":`, 500) + "[]" + strings.Repeat("}]", 500)), `call 1 m`},
	}
	for _, test := range tests {
		if got := outcome(Strict.Parse([]byte(test.rec))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}

// What a record costs in memory is bounded in other ways than its length, too.
func TestLimits(t *testing.T) {
	extras := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"m"` + strings.Repeat(`,"x":1`, n) + `}`
	}
	ones := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	if got := parseRequest(t, Strict, extras(1024)); len(got.Extra) != 1024 {
		t.Errorf("%d of 1024 extra members came through", len(got.Extra))
	}
	tests := []struct{ rule, rec, want, data string }{
		{"extra members", extras(1025), `-32600 call 1`, `{"limit":1024,"what":"members"}`},
		{"members of a batch", ones(65_537), `-32600 batch`, `{"limit":65536,"what":"batch"}`},
		{"a fault behind the limit", ones(65_537) + "x", `-32700 unknown`, ``},
		{
			"extra members of an error",
			`{"jsonrpc":"2.0","id":1,"error":{"code":1` + strings.Repeat(`,"x":1`, 1025) + `}}`,
			`-32600 reply 1`, ``,
		},
	}
	for _, test := range tests {
		_, err := Strict.Parse([]byte(test.rec))
		if got := outcome(nil, err); got != test.want {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
			continue
		}
		if data := err.(*ParseError).Err.Data.String(); data != test.data {
			t.Errorf("%s: data %s, want %s", test.rule, data, test.data)
		}
	}
	m, err := Strict.Parse([]byte(ones(65_536)))
	if batch, ok := m.(Batch); !ok || len(batch) != 65_536 {
		t.Errorf("a batch of 65,536: %T, %v", m, err)
	}
}

// Params and results come through byte for byte, as slices of the record that nobody
// can append into.
func TestVerbatim(t *testing.T) {
	const params = "{ \"a\" : 1.00, \"b\":[\"\\ud83d\", \"\\/\u2028\"],\"a\":-0E+5 }"
	rec := []byte(`{"jsonrpc":"2.0","id":1,"method":"m","params": ` + params + ` ,"trace":{"k" : 1}}`)
	r := parseRequest(t, Strict, string(rec))
	if r.Params.String() != params {
		t.Errorf("params came through as %s, want %s", r.Params, params)
	}
	want := []Member{{Name: "trace", Value: Raw(`{"k" : 1}`)}}
	if diff := cmp.Diff(want, r.Extra); diff != "" {
		t.Errorf("extra members differ (-want +got):\n%s", diff)
	}

	m, err := Strict.Parse(rec)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(rec)
	_ = append(m.(*Request).Params, "overwritten"...)
	if !bytes.Equal(rec, before) {
		t.Error("an append to params wrote into the record")
	}
}

// A response keeps the members that it should not have, and so does its error.
func TestUnknownMembers(t *testing.T) {
	const rec = `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":null,"why":[1]},"\u0074race":2,"params":{}}`
	m, err := Strict.Parse([]byte(rec))
	if err != nil {
		t.Fatal(err)
	}
	want := &Response{
		ID:    IntID(1),
		Error: &Error{Code: 1, Message: "m", Data: Raw("null"), Extra: []Member{{"why", Raw("[1]")}}},
		Extra: []Member{{"trace", Raw("2")}, {"params", Raw("{}")}},
	}
	if diff := cmp.Diff(want, m, sameMessages); diff != "" {
		t.Errorf("the response differs (-want +got):\n%s", diff)
	}
}

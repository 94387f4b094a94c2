package jsonx

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// text is JSON text of somebody else, as message.Raw is.
type text []byte

func (r text) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

func (r *text) UnmarshalJSON(b []byte) error {
	*r = append((*r)[:0:0], b...)
	return nil
}

func TestMarshal(t *testing.T) {
	tests := []struct {
		rule string
		v    any
		want string
	}{
		{"no HTML escaping", "<&>'", `"<&>'"`},
		{"three line breaks are escaped", "a\u0085b\u2028c\u2029d\u00c2\u2027", "\"a\\u0085b\\u2028c\\u2029d\u00c2\u2027\""},
		{"in names, too", map[string]int{"\u2028": 1}, `{"\u2028":1}`},
		{"bytes that are not UTF-8", []string{"\xff", "\xc2", "\xe2\x80"}, "[\"\ufffd\",\"\ufffd\",\"\ufffd\ufffd\"]"},
		{"maps are in order", map[string]int{"b": 1, "a": 2, "c": 3}, `{"a":2,"b":1,"c":3}`},
		{"nil is null", nil, `null`},
		{"a nil slice is an array", []int(nil), `[]`},
		{"text inside keeps its tokens", []any{text("{ \"a\" : 1.00,\n\"a\":\"\\u0061\\/\\ud83d\" }")}, `[{"a":1.00,"a":"\u0061\/\ud83d"}]`},
		{"big integers are exact", int64(math.MaxInt64), `9223372036854775807`},
		{"a Number is a number", []any{stdjson.Number("1.00")}, `[1.00]`},
		{"an empty one is 0", struct{ N stdjson.Number }{}, `{"N":0}`},
		{"as a name it is in quotes", map[stdjson.Number]int{"1.0": 2}, `{"1.0":2}`},
		{"a RawMessage keeps its digits", stdjson.RawMessage("[1.00, 2]"), `[1.00,2]`},
	}
	for _, test := range tests {
		got, err := Marshal(test.v)
		if err != nil {
			t.Errorf("%s: %v", test.rule, err)
			continue
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.rule, diff)
		}
	}
}

// Line breaks in the text of others stay when Marshal is told which text that is.
func TestMarshalKeeping(t *testing.T) {
	v := map[string]any{
		"a\u2028": text("[\"\u2028\", 1.00,\n\"\u0085\"]"),
		"b":       []text{text("\"\u2029\""), nil},
		"c":       "\u2028",
		"d":       stdjson.Number("1.0"),
	}
	const want = "{\"a\\u2028\":[\"\u2028\",1.00,\"\u0085\"],\"b\":[\"\u2029\",null],\"c\":\"\\u2028\",\"d\":1.0}"
	got, err := MarshalKeeping[text](v)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, err = MarshalKeeping[text]([]text{text("1")}); err != nil || string(got) != "[1]" {
		t.Errorf("without line breaks: %s, %v", got, err)
	}
	if _, err := MarshalKeeping[text]([]text{text("\"\u2028\""), text("{")}); err == nil {
		t.Error("faulty text: want an error")
	}
}

type record struct {
	A     int               `json:"a"`
	I8    int8              `json:"i8"`
	U     uint              `json:"u"`
	F     float64           `json:"f"`
	S     string            `json:"s"`
	B     bool              `json:"b"`
	List  []string          `json:"list"`
	Two   [2]int            `json:"two"`
	Map   map[string]record `json:"map"`
	Sub   *record           `json:"sub"`
	Time  time.Time         `json:"time"`
	Bytes []byte            `json:"bytes"`
	Text  text              `json:"text"`
	Num   stdjson.Number    `json:"num"`
	Own   own               `json:"own"`
	Any   any               `json:"any"`
}

// own is a type that reads itself, and never can.
type own struct{}

var errOwn = errors.New("of my own")

func (*own) UnmarshalJSON([]byte) error { return errOwn }

func TestUnmarshal(t *testing.T) {
	const in = `{"a":1,"A":2,"s":"x\ud83dy","text":{"z" : 1.00,"y":"\u0061"},"num":1.00,"unknown":[{}],"any":{"k":"v"},"map":{"m":{"num":"2"}}}`
	var got record
	if err := Unmarshal([]byte(in), &got); err != nil {
		t.Fatal(err)
	}
	want := record{
		A: 1, S: "x\ufffdy", Text: text(`{"z" : 1.00,"y":"\u0061"}`), Num: "1.00", Any: map[string]any{"k": "v"},
		Map: map[string]record{"m": {Num: "2"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, null := range []string{`{"num":null}`, `{"sub":null,"list":null,"text":null}`} {
		if err := Unmarshal([]byte(null), &got); err != nil {
			t.Errorf("Unmarshal(%s): %v", null, err)
		}
	}
	if got.Num != "" || string(got.Text) != "null" {
		t.Errorf("null gave the Number %q and the text %s", got.Num, got.Text)
	}
}

// An error is a sentence with a place, and knows no Go package.
func TestErrors(t *testing.T) {
	tests := []struct {
		in, pointer string
		offset      int64
		reason      string
	}{
		{`{"a":"x"}`, "/a", 5, "want an integer, got a string"},
		{`{"a":1.5}`, "/a", 5, "want an integer, got 1.5"},
		{`{"a":true}`, "/a", 5, "want an integer, got true"},
		{`{"i8":300}`, "/i8", 6, "the number 300 is out of range for int8"},
		{`{"u":-1}`, "/u", 5, "want an integer of 0 or more, got -1"},
		{`{"f":"x"}`, "/f", 5, "want a number, got a string"},
		{`{"f":1e999}`, "/f", 5, "the number 1e999 is out of range for float64"},
		{`{"s":1}`, "/s", 5, "want a string, got a number"},
		{`{"b":null,"s":{}}`, "/s", 14, "want a string, got an object"},
		{`{"b":"x"}`, "/b", 5, "want true or false, got a string"},
		{`{"list":[1]}`, "/list/0", 9, "want a string, got a number"},
		{`{"list":{}}`, "/list", 8, "want an array, got an object"},
		{`{"two":[1]}`, "/two", 9, "too few array elements"},
		{`{"sub":[]}`, "/sub", 7, "want an object, got an array"},
		{`{"map":{"a/b~c":{"f":[]}}}`, "/map/a~1b~0c/f", 21, "want a number, got an array"},
		{`{"time":1}`, "/time", 8, "want a string, got a number"},
		{`{"bytes":1}`, "/bytes", 9, "want a string of base64, got a number"},
		{`{"num":[]}`, "/num", 7, "want a number, got an array"},
		{`{"num":"x"}`, "/num", 7, `want a number, got "x"`},
		{`{"own":1}`, "/own", 7, "of my own"},
		{`{"a":1,"a":2}`, "/a", 7, "this member is given twice"},
		{`{"any":{"k":1,"k":2}}`, "/any/k", 14, "this member is given twice"},
		{`[]`, "", 0, "want an object, got an array"},
		{`{"a":1`, "", 6, "the text ends too early"},
		{``, "", 0, "the text ends too early"},
		{`{"a":1} 2`, "", 8, "invalid character '2' after top-level value"},
	}
	for _, test := range tests {
		err := Unmarshal([]byte(test.in), &record{})
		var where *Error
		if !errors.As(err, &where) {
			t.Errorf("Unmarshal(%s): %v, want an *Error", test.in, err)
			continue
		}
		if where.Pointer != test.pointer || where.Offset != test.offset || where.Err.Error() != test.reason {
			t.Errorf("Unmarshal(%s)\n got %q %d %q\nwant %q %d %q",
				test.in, where.Pointer, where.Offset, where.Err, test.pointer, test.offset, test.reason)
		}
		want := test.reason
		if test.pointer != "" {
			want = test.pointer + ": " + want
		}
		if err.Error() != want {
			t.Errorf("Error() = %q, want %q", err, want)
		}
	}
	if err := Unmarshal([]byte(`{"own":1}`), &record{}); !errors.Is(err, errOwn) {
		t.Errorf("%v does not wrap the error of the type", err)
	}
}

func TestMarshalErrors(t *testing.T) {
	tests := []struct {
		v    any
		want string
	}{
		{make(chan int), "a Go chan has no JSON form"},
		{map[string]any{"f": func() {}}, "/f: a Go func has no JSON form"},
		{[]any{1, math.NaN()}, "/1: unsupported value: NaN"},
		{map[string]any{"r": text("{")}, "/r: the JSON text of this value is faulty: the text ends too early"},
		{[]any{stdjson.Number("x")}, `/0: "x" is not a number`},
		{[]any{stdjson.Number("1x")}, "/0: "},
	}
	for _, test := range tests {
		got, err := Marshal(test.v)
		var where *Error
		if got != nil || !errors.As(err, &where) || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("Marshal(%T) = %s, %v; want the error %s", test.v, got, err, test.want)
		}
	}
}

// A peer chooses the names in a pointer; they neither flood a log nor command a
// terminal.
func TestErrorIsPrintable(t *testing.T) {
	in := fmt.Sprintf("{%q:%q}", "\x1b[2J\u202e\""+strings.Repeat("x", 1000), "x")
	err := Unmarshal([]byte(strings.ReplaceAll(in, `\x1b`, `\u001b`)), &map[string]int{})
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\u202e") || len(err.Error()) > 200 {
		t.Errorf("error %q", err)
	}
	if !strings.HasPrefix(err.Error(), `/\x1b[2J\u202e"xxx`) {
		t.Errorf("error %q does not show the name", err)
	}
}

func TestUnquote(t *testing.T) {
	good := map[string]string{
		`""`: "", `"a"`: "a", `"\u0061\n\"\\\/"`: "a\n\"\\/", `"\ud83d\ude00"`: "😀", `"x\ud83dy"`: "x\ufffdy", `"\udc00"`: "\ufffd", "\"\u2028\"": "\u2028",
	}
	for quoted, want := range good {
		if got, err := Unquote([]byte(quoted)); err != nil || got != want {
			t.Errorf("Unquote(%s) = %q, %v; want %q", quoted, got, err, want)
		}
	}
	for _, quoted := range []string{``, `"`, `a`, `"a`, `a"`, `"a" `, ` "a"`, `"a" "b"`, `"\x"`, `"\"`, "\"\n\"", "\"\xff\"", `null`, `1`} {
		if got, err := Unquote([]byte(quoted)); err == nil {
			t.Errorf("Unquote(%q) = %q, want an error", quoted, got)
		}
	}
}

func TestValid(t *testing.T) {
	for in, want := range map[string]bool{
		`{"a":1,"a":2}`: true, `"\ud83d"`: true, ` [ ] `: true, "\"\u2028\"": true,
		``: false, `{}{}`: false, "\"\xff\"": false, `01`: false, `NaN`: false, "\ufeff1": false, `[1,]`: false,
	} {
		if got := Valid([]byte(in)); got != want {
			t.Errorf("Valid(%q) = %v, want %v", in, got, want)
		}
	}
}

// A type that holds itself, and numbers behind pointers, maps and interfaces.
func TestReach(t *testing.T) {
	type tree struct {
		Kids []*tree
		N    map[string]*[]stdjson.Number
	}
	v := tree{Kids: []*tree{{}}, N: map[string]*[]stdjson.Number{"a": {"1.0"}}}
	const want = `{"Kids":[{"Kids":[],"N":{}}],"N":{"a":[1.0]}}`
	got, err := Marshal(v)
	if err != nil || string(got) != want {
		t.Errorf("Marshal: %s, %v; want %s", got, err, want)
	}
	var back tree
	if err := Unmarshal(got, &back); err != nil {
		t.Fatal(err)
	}
	if n := (*back.N["a"])[0]; n != "1.0" {
		t.Errorf("the Number came back as %q", n)
	}
}

// Unquote(AppendQuote(s)) is s, on one line of UTF-8.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a", "\"\\/\b\f\n\r\t\x00", "\u0085\u2028\u2029", "é😀", "\xff\xc2", "\xe2\x80", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		quoted := AppendQuote([]byte("dst"), s)[3:]
		if !Valid(quoted) || strings.ContainsAny(string(quoted), "\n\r\u0085\u2028\u2029") {
			t.Fatalf("AppendQuote(%q) = %q", s, quoted)
		}
		got, err := Unquote(quoted)
		if want := string([]rune(s)); err != nil || got != want {
			t.Fatalf("%q came back as %q: %v", want, got, err)
		}
		marshaled, err := Marshal(s)
		if err != nil || string(marshaled) != string(quoted) {
			t.Fatalf("Marshal(%q) = %s, %v; AppendQuote has %s", s, marshaled, err, quoted)
		}
	})
}

// Valid agrees with encoding/json on the grammar, and Unquote takes just the strings.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`"a"`, `"\ud83d"`, `"\x"`, `"a" `, "\"\xff\"", `"`, `[1]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		valid := stdjson.Valid(in) && utf8.Valid(in)
		if Valid(in) != valid {
			t.Fatalf("Valid(%q) = %v", in, !valid)
		}
		isString := valid && len(in) > 1 && in[0] == '"' && in[len(in)-1] == '"'
		got, err := Unquote(in)
		if isString != (err == nil) {
			t.Fatalf("Unquote(%q): %v, want a string: %v", in, err, isString)
		}
		if isString {
			var want string
			if stdjson.Unmarshal(in, &want) != nil || got != want {
				t.Fatalf("Unquote(%q) = %q, encoding/json has %q", in, got, want)
			}
		}
	})
}

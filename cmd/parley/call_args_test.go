package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/message"
)

func TestParseArgs(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"text": "a\n\"b\"", "value": "\n {\"x\":\r\n[1.0]} \n", "bad": "{", "latin1": "\xff", "empty": "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		sentence string
		args     []string
		want     string // the params
		fails    string // a part of the error
	}{
		{"no argument is no params", nil, ``, ""},
		{"text is a string", []string{`a=x "y" \ ü`}, `{"a":"x \"y\" \\ ü"}`, ""},
		{"text may be empty", []string{`a=`}, `{"a":""}`, ""},
		{"text may hold what looks like more", []string{`a=b=c:=d`}, `{"a":"b=c:=d"}`, ""},
		{"text that is a number stays a string", []string{`a=1`}, `{"a":"1"}`, ""},
		{"JSON keeps its bytes", []string{`a:= [1.0,1e400,"\u00e9\/"] `}, `{"a":[1.0,1e400,"\u00e9\/"]}`, ""},
		{"JSON may be null", []string{`a:=null`}, `{"a":null}`, ""},
		{"JSON with a member twice is not ours to judge", []string{`a:={"x":1,"x":2}`}, `{"a":{"x":1,"x":2}}`, ""},
		{"members keep their order", []string{`z=1`, `a=2`}, `{"z":"1","a":"2"}`, ""},
		{"a key may hold anything but =", []string{`a b:c"=1`}, `{"a b:c\"":"1"}`, ""},
		{"the last colon before = means JSON", []string{`a::=1`}, `{"a:":1}`, ""},
		{"a file is a string", []string{`a=@text`}, `{"a":"a\n\"b\""}`, ""},
		{"an empty file is an empty string", []string{`a=@empty`}, `{"a":""}`, ""},
		{"a file is JSON, on one line", []string{`a:=@value`}, `{"a":{"x":  [1.0]}}`, ""},
		{"one array is the params", []string{` [1, 2]`[1:]}, `[1, 2]`, ""},
		{"one object is the params", []string{"{\"a\":\n1}"}, `{"a": 1}`, ""},

		{"a key comes once", []string{`a=1`, `a:=2`}, "", `"a:=2": the key "a" is given twice`},
		{"a key is not empty", []string{`=1`}, "", `"=1": no key before the =`},
		{"nor is one of JSON", []string{`:=1`}, "", `":=1": no key before the =`},
		{"JSON is one value", []string{`a:=1 2`}, "", `no JSON: text after the end of the value (byte 2`},
		{"JSON is not nothing", []string{`a:=`}, "", `"a:=": no JSON: there is nothing`},
		{"white space is nothing", []string{"a:= \n"}, "", `no JSON: there is nothing`},
		{"params may begin with white space", []string{" \n[1]"}, `[1]`, ""},
		{"JSON is UTF-8", []string{"a:=\"\xff\""}, "", `no JSON`},
		{"so is text", []string{"a=\xff"}, "", `the text is not UTF-8`},
		{"and a key", []string{"\xff=a"}, "", `the key is not UTF-8`},
		{"and a file", []string{"a=@latin1"}, "", `file latin1: the text is not UTF-8`},
		{"a file is there", []string{`a=@nosuch`}, "", `"a=@nosuch": open nosuch: no such file`},
		{"a file of JSON is JSON", []string{`a:=@bad`}, "", `file bad: no JSON: the text ends too early (byte 1`},
		{"params are not a word", []string{`word`}, "", `"word": want key=text`},
		{"params are not a number", []string{`5`}, "", `params are an array or an object`},
		{"params are not a string", []string{`"a"`}, "", `params are an array or an object`},
		{"whole params stand alone", []string{`[1]`, `a=1`}, "", `"[1]": params that are one JSON value stand alone, got "a=1" as well`},
		{"whole params are whole", []string{`{"a":1`}, "", `no JSON: the text ends too early`},
		{"a long argument is named by its start", []string{strings.Repeat("x", 100)}, "", `xxxx"…: want`},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			got, err := parseArgs(tt.args)
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("params (-want +got):\n%s", diff)
			}
		})
	}
}

// What is accepted is one line of JSON that a server can read, an array or an object,
// and text arrives as it was typed.
func FuzzParseArgs(f *testing.F) {
	for _, seed := range []string{"a=1", "a:=[1]", "{}", "[", "a:={\"b\":\n2}", "=", "a=\xff", "ключ=знач\u2028", "a:=1}"} {
		f.Add(seed, "b=2")
	}
	f.Fuzz(func(t *testing.T, one, two string) {
		if strings.Contains(one+two, "=@") {
			return // no file of this machine is a part of the test
		}
		params, err := parseArgs([]string{one, two})
		if err != nil {
			return
		}
		if !json.Valid(params) || !isWhole(params.String()) || strings.ContainsAny(params.String(), "\n\r") {
			t.Fatalf("parseArgs(%q, %q) = %q", one, two, params)
		}
		key, text, _ := strings.Cut(one, "=")
		if strings.HasSuffix(key, ":") {
			return
		}
		value, ok := params.Member(key)
		var got string
		if err := value.Decode(&got); !ok || err != nil || got != text {
			t.Errorf("parseArgs(%q, %q): the member %q is %s, %v", one, two, key, value, err)
		}
	})
}

func TestParseRequest(t *testing.T) {
	tests := []struct {
		sentence, line string
		want           request
		fails          string
	}{
		{"a method is enough", `{"method":"a"}`, request{method: "a"}, ""},
		{"params keep their bytes", `{"method":"a","params": [1.0,  2] }`, request{method: "a", params: message.Raw(`[1.0,  2]`)}, ""},
		{"params may be null, which is none", `{"method":"a","params":null}`, request{method: "a"}, ""},
		{"a note", `{"notify":true,"method":"a","params":{}}`, request{method: "a", params: message.Raw(`{}`), note: true}, ""},
		{"names may have escapes", `{"m\u0065thod":"a"}`, request{method: "a"}, ""},

		{"not JSON", `{"method":}`, request{}, `no JSON: want a value (byte 10)`},
		{"no object", `["a"]`, request{}, `want an object`},
		{"null is no object", `null`, request{}, `want an object`},
		{"a member twice", `{"method":"a","method":"b"}`, request{}, `want an object`},
		{"no method", `{"params":[]}`, request{}, `no method`},
		{"a method that is none", `{"method":5}`, request{}, `member "method": want a string`},
		{"params that are none", `{"method":"a","params":"x"}`, request{}, `member "params": want an array or an object`},
		{"notify that is none", `{"method":"a","notify":1}`, request{}, `member "notify": want true or false`},
		{"an id, which is ours to give", `{"method":"a","id":5}`, request{}, `member "id": ids are given by parley`},
		{"a misspelled member", `{"method":"a","Params":[]}`, request{}, `member "Params": unknown`},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			got, err := parseRequest([]byte(tt.line))
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Fatalf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(request{})); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

// A request that is accepted can be written by every codec and read again.
func FuzzParseRequest(f *testing.F) {
	for _, seed := range []string{`{"method":"a","params":[1]}`, `{"method":"\ud800"}`, `{"notify":true,"method":" "}`, `[]`, "{\"method\":\"a\",\r\"params\":{}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		req, err := parseRequest([]byte(line))
		if err != nil {
			return
		}
		rec, err := message.Strict.Append(nil, &message.Request{Method: req.method, Params: req.params})
		if err != nil {
			t.Fatalf("%q cannot be written: %v", line, err)
		}
		m, err := message.Strict.Parse(rec)
		if err != nil {
			t.Fatalf("%q is written %q: %v", line, rec, err)
		}
		if got := m.(*message.Request); got.Method != req.method || got.Params.String() != req.params.String() {
			t.Errorf("%q is written %q", line, rec)
		}
	})
}

// Requests are read as they are asked for: of an endless input one line is enough.
func TestRequestsAreReadOneByOne(t *testing.T) {
	in := &endless{line: `{"method":"a"}` + "\n"}
	j := &job{callFlags: &callFlags{file: "-"}, app: &app{stdin: in}}
	j.limit = 1000
	n := 0
	for r, err := range j.requests() {
		if err != nil || r.method != "a" {
			t.Fatal(r, err)
		}
		if n++; n == 3 {
			break
		}
	}
	if in.reads > 3 {
		t.Errorf("3 requests took %d reads of a line", in.reads)
	}
}

// endless gives a line with each read.
type endless struct {
	line  string
	reads int
}

func (e *endless) Read(p []byte) (int, error) {
	e.reads++
	return copy(p, e.line), nil
}

func TestRequestsOfAFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "calls")
	if err := os.WriteFile(name, []byte("\xEF\xBB\xBF{\"method\":\"a\"}\r\n\r\n{bad\n{\"method\":\"b\"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	j := &job{callFlags: &callFlags{file: name}, app: new(app)}
	j.limit = 1000
	var got []string
	for r, err := range j.requests() {
		switch {
		case err != nil:
			got = append(got, strings.TrimPrefix(err.Error(), name))
		default:
			got = append(got, r.method+" "+string('0'+rune(r.line)))
		}
	}
	want := []string{"a 1", ": line 3: no JSON: want a name in quotes (byte 1)", "b 4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

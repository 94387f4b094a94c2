package message

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// methods is what the server of the specification's examples (section 7) answers; what
// it leaves open is nil.
var methods = map[string]func(params Raw) Raw{
	"subtract": func(params Raw) Raw {
		if strings.Contains(params.String(), "42") && strings.Index(params.String(), "42") < strings.Index(params.String(), "23") {
			return Raw("19")
		}
		if params[0] == '{' {
			return Raw("19")
		}
		return Raw("-19")
	},
	"sum":      func(Raw) Raw { return Raw("7") },
	"get_data": func(Raw) Raw { return Raw(`["hello",5]`) },
}

// answer does what a server does with a message, as far as this package has the rules
// for it. It returns nil if nothing is to be written.
func answer(m Message, err error) Message {
	if err != nil {
		return err.(*ParseError).Reply()
	}
	switch m := m.(type) {
	case *Request:
		method := methods[m.Method]
		switch {
		case m.IsNote():
			return nil
		case method == nil:
			return &Response{ID: m.ID, Error: MethodNotFound}
		}
		return &Response{ID: m.ID, Result: method(m.Params)}
	case Batch:
		var answers Batch
		for _, member := range m {
			if p, ok := member.(*ParseError); ok {
				answers = append(answers, p.Reply())
			} else if a := answer(member, nil); a != nil {
				answers = append(answers, a)
			}
		}
		if len(answers) > 0 {
			return answers
		}
	}
	return nil
}

// All the examples of the specification (section 7) hold, down to the error messages.
func TestSpecification(t *testing.T) {
	text, err := os.ReadFile("testdata/jsonrpc2_examples.json")
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Name, Send string
		Expect     any
	}
	if err := json.Unmarshal(text, &examples); err != nil {
		t.Fatal(err)
	}
	if len(examples) != 15 {
		t.Fatalf("%d examples, want 15", len(examples))
	}
	for _, example := range examples {
		var got any
		if reply := answer(Strict.Parse([]byte(example.Send))); reply != nil {
			text, err := Strict.Append(nil, reply)
			if err != nil {
				t.Fatalf("%s: %v", example.Name, err)
			}
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatalf("%s: the answer %s is not JSON: %v", example.Name, text, err)
			}
		}
		if !reflect.DeepEqual(got, example.Expect) {
			t.Errorf("%s: the answer is %v, want %v", example.Name, got, example.Expect)
		}
	}
}

// Inputs that other implementations failed on (testdata/cases), line by line.
func TestCases(t *testing.T) {
	cases := map[string][]string{
		"022": {`-32700 unknown`, `-32700 unknown`, `-32700 unknown`, `-32700 unknown`, `-32700 unknown`, `call 2 echo ["c"]`},
		"024": {`-32700 unknown`, `call 3 nil`},
		"026": {"reply 1 \"before\u2028middle\u2029after\""},
		"028": {`-32700 unknown`, `call 1 nil`},
		"030": {`reply 1 {"name":"bad \ud83d end"}`, `reply 2 "fine"`},
		"032": {`-32700 unknown`, `call 2 echo [1.5]`},
		"034": {`call 9007199254740993 nil`, `call 3.14 nil`},
		"036": {`call 1 echo {"a":6000000000000002181,"b":[990000000262240065]}`},
		"038": {`call 0 nil`, `call "" nil`, `note nil`},
		"040": {`call "1" echo ["s"]`, `call 1 echo ["n"]`},
		"042": {`reply "0" "zero"`, `reply "1" error 5 no`},
		"044": {`reply 0.0 {"up":true}`},
		"048": {`reply 6 "six"`, `note note [1]`, `reply 4 error -1 four`, `reply 5 "five"`},
		"052": {`note notifications/initialized`, `note notifications/roots/list_changed`, `-32600 note`, `call 1 nil`},
		"054": {`reply null error -32601 Method not found: x`, `-32600 reply`, `-32600 reply`, `reply 1 "ok"`},
		"055": {`-32600 batch`, `call 1 nil`},
		"057": {`[call 1 sleep {"ms":200}, note note [1], call 2 nil]`},
		"059": {`call 1 ping`, `-32600 hybrid 1`, `reply 1 "mine"`},
		"061": {`-32600 reply 1`, `-32600 reply 2`, `reply 3 error -32000`, `-32600 reply 4`},
		"063": {`reply 1 null`},
		"065": {`call 1 nil`, `call 2 nil`, `call 3 nil []`, `call 4 nil {}`},
		"067": {`call 1 nil`, `-32600 unknown 2`, `call 3 nil`},
		"069": {`-32600 call 1`, `call 2 nil`},
		"126": {`-32600 call 1`, `-32600 call 2`, `-32600 call 3`, `call 4 nil`},
		"130": {`-32700 unknown`, `-32700 unknown`, `-32700 unknown`, `-32600 unknown`, `call 1 nil`},
	}
	for number, want := range cases {
		files, err := filepath.Glob("testdata/cases/" + number + "-*.in")
		if err != nil || len(files) != 1 {
			t.Fatalf("case %s: files %v, error %v; want one file", number, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range bytes.Lines(text) {
			got = append(got, outcome(Strict.Parse(line)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", files[0], got, want)
		}
	}
}

// A typed handler sees only the member whose name matches exactly (case 067).
func TestDecodeMatchesNamesExactly(t *testing.T) {
	var params struct {
		Name string `json:"name"`
	}
	if err := (Raw(`{"name":"a","Name":"b","NAME":"c"}`)).Decode(&params); err != nil || params.Name != "a" {
		t.Errorf("Decode: name %q, error %v; want a", params.Name, err)
	}
}

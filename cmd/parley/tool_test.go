package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

func TestNear(t *testing.T) {
	tests := []struct {
		sentence, name string
		known, want    []string
	}{
		{"a letter is missing", "gitlog", []string{"git_log", "log", "git_show"}, []string{"git_log"}},
		{"case and joints are nothing", "Git-Log", []string{"git_log", "log"}, []string{"git_log"}},
		{"the most similar comes first", "ad", []string{"abc", "adds", "add"}, []string{"add"}},
		{"a part stands for the whole", "user", []string{"get_user", "user_settings", "x"}, []string{"get_user", "user_settings"}},
		{"three are enough", "aa", []string{"ab", "ac", "ad", "ae"}, []string{"ab", "ac", "ad"}},
		{"nothing is alike", "zzzzzz", []string{"git_log"}, nil},
		{"there is nothing", "x", nil, nil},
		{"an empty name is near to no long one", "", []string{"git_log", "a"}, []string{"a"}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, near(tt.name, tt.known)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The type of a value, however a schema says it.
func TestSchemaType(t *testing.T) {
	tests := []struct{ sentence, schema, want string }{
		{"one type", `{"type":"integer"}`, "int"},
		{"several", `{"type":["boolean","null"]}`, "bool|null"},
		{"none is any", `{}`, "any"},
		{"true is any", `true`, "any"},
		{"what makes no sense is any", `{"type":7,"enum":3,"anyOf":{}}`, "any"},
		{"a few choices are shown", `{"enum":["a",1,null]}`, `"a"|1|null`},
		{"many choices are their types, each once", `{"enum":[1,2,3,4,"5"]}`, "int|string"},
		{"a constant is a choice", `{"const":"x"}`, `"x"`},
		{"an array of something", `{"type":"array","items":{"type":"string"}}`, "string[]"},
		{"an array of one of two", `{"type":"array","items":{"type":["string","integer"]}}`, "(string|int)[]"},
		{"an array of anything", `{"type":"array"}`, "any[]"},
		{"what has items is an array", `{"items":{"type":"number"}}`, "number[]"},
		{"what has properties is an object", `{"properties":{}}`, "object"},
		{"alternatives", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "string|null"},
		{"an alternative that is anything", `{"oneOf":[{"type":"string"},{}]}`, "any"},
		{"one of all that must hold says it", `{"allOf":[{"minimum":1},{"type":"integer"}]}`, "int"},
		{"a reference", `{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"type":"integer"}}}`, "int"},
		{"a reference to somewhere else is not followed", `{"$ref":"https://example.com/s"}`, "any"},
		{"a reference to itself ends", `{"$ref":"#"}`, "any"},
		{"a schema in itself ends", `{"type":"array","items":{"$ref":"#"}}`, "array[][][]"},
		{"a number without a fraction", `{"enum":[1.0,2e3,3,4,5]}`, "int"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, schemaOf(message.Raw(tt.schema)).resolved().String()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.schema, diff)
			}
		})
	}
}

func TestToolArgs(t *testing.T) {
	tool := &mcp.Tool{Name: "t", InputSchema: message.Raw(`{"properties":{
		"i":{"type":"integer"},"f":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},"z":{"type":"null"},
		"o":{"type":"object"},"a":{"type":"array"},"is":{"type":["integer","string"]},"sz":{"type":["string","null"]},"e":{"enum":[1,2]},
		"m":{"enum":["a",1,null,"2",2]}}}`)}
	tests := []struct{ sentence, arg, want, wrong string }{
		{"an integer", "i=5", `{"i":5}`, ""},
		{"all digits stay", "i=123456789012345678901234567890", `{"i":123456789012345678901234567890}`, ""},
		{"space around a number", "i= 5 ", `{"i":5}`, ""},
		{"a fraction is no integer", "i=5.5", "", "wants an integer"},
		{"an integer with an empty fraction", "i=5.0", `{"i":5.0}`, ""},
		{"a text is no integer", "i=five", "", `"i=five": i of t wants an integer`},
		{"nothing is no integer", "i=", "", "wants an integer"},
		{"007 is no number", "i=007", "", "wants an integer"},
		{"an integer is a number", "f=5", `{"f":5}`, ""},
		{"a number", "f=-1.50e3", `{"f":-1.50e3}`, ""},
		{"a truth", "b=true", `{"b":true}`, ""},
		{"1 is no truth", "b=1", "", "wants true or false"},
		{"a text of digits stays a text", "s=5", `{"s":"5"}`, ""},
		{"so does one that is JSON", `s={"a":1}`, `{"s":"{\"a\":1}"}`, ""},
		{"so does a JSON string, quotes and all", `s="a"`, `{"s":"\"a\""}`, ""},
		{"null", "z=null", `{"z":null}`, ""},
		{"null where a text may be is one", "sz=null", `{"sz":"null"}`, ""},
		{"an object", `o={"a": 1.0}`, `{"o":{"a": 1.0}}`, ""},
		{"an object on one line", "o={\n}", `{"o":{ }}`, ""},
		{"an array is no object", "o=[]", "", "wants a JSON object"},
		{"an array", "a=[1]", `{"a":[1]}`, ""},
		{"the number of either", "is=5", `{"is":5}`, ""},
		{"the text of either", "is=five", `{"is":"five"}`, ""},
		{"a choice has a type", "e=2", `{"e":2}`, ""},
		{"null where it is one of the choices", "m=null", `{"m":null}`, ""},
		{"a number where it is one", "m=1", `{"m":1}`, ""},
		{"a text where it is one of the choices", "m=2", `{"m":"2"}`, ""},
		{"a text that is no choice is for the server to judge", "m=b", `{"m":"b"}`, ""},
		{"a key that the schema does not know", "x=5", `{"x":"5"}`, ""},
		{"JSON that was given as such is for the server to judge", `i:="five"`, `{"i":"five"}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			_, members, err := readToolArgs([]string{tt.arg})
			if err != nil {
				t.Fatal(err)
			}
			got, err := toolArgs(tool, members)
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			var f *failure
			if wrong := errors.As(err, &f) && f.code == exitUsage && strings.Contains(f.text, tt.wrong); wrong != (tt.wrong != "") {
				t.Errorf("the error is %v, want %q", err, tt.wrong)
			}
		})
	}
}

// FuzzSchema: whatever a server calls a schema, it can be shown, and a text that is read by
// it becomes one JSON value.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{`{}`, `true`, `[]`, `{"$ref":"#/a","a":{"$ref":"#"}}`, `{"type":["integer",7]}`, `{"properties":{"a":{"enum":[1]}},"required":1}`, `{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}`} {
		f.Add(seed, "5")
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		if badJSON([]byte(text)) != nil {
			return // a codec has refused it long before
		}
		tool := &mcp.Tool{Name: "t", InputSchema: message.Raw(text)}
		if line := toolLine(*tool); strings.ContainsAny(line, "\n\r\x1b") {
			t.Errorf("a line that is none: %q", line)
		}
		_ = description(tool)
		s := schemaOf(tool.InputSchema).resolved()
		if read, ok := s.read(value); ok && read != nil && badJSON(read) != nil {
			t.Errorf("%s reads %q as %q, which is no JSON", text, value, read)
		}
	})
}

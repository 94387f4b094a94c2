package mcp_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

type schemaAddress struct {
	Street string `json:"street"`
	Zip    string `json:"zip,omitzero"`
}

type schemaPerson struct {
	ID     int    `json:"id"`
	Hidden string `json:"street"`
	Street string `json:"-"`
}

type schemaTree struct {
	Name     string       `json:"name"`
	Children []schemaTree `json:"children,omitzero"`
	Parent   *schemaTree  `json:"parent"`
}

// schemaUnit reads itself as a text, and schemaJSON as JSON.
type schemaUnit int

func (u *schemaUnit) UnmarshalText([]byte) error { return nil }

type schemaJSON struct{ A int }

func (schemaJSON) MarshalJSON() ([]byte, error) { return []byte("1"), nil }

// TestSchemaOf holds the schemas of types against what parley reads into them.
func TestSchemaOf(t *testing.T) {
	const closed = `,"additionalProperties":false}`
	tests := []struct {
		what string
		of   any
		want string
	}{
		{"no members", struct{}{}, `{"type":"object"` + closed},
		{"a pointer at the root is followed", &struct{}{}, `{"type":"object"` + closed},
		{"scalars", struct {
			B bool
			I int
			U uint
			S string
			F float32
			L int8
			W uint16
		}{}, `{"type":"object","properties":{"B":{"type":"boolean"},"I":{"type":"integer"},"U":{"type":"integer","minimum":0},"S":{"type":"string"},"F":{"type":"number"},` +
			`"L":{"type":"integer","minimum":-128,"maximum":127},"W":{"type":"integer","minimum":0,"maximum":65535}},"required":["B","I","U","S","F","L","W"]` + closed},
		{"fields that may be left out", struct {
			A int    `json:"a,omitzero"`
			B string `json:"b,omitempty"`
			C *int   `json:"c,omitzero"`
		}{}, `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"},"c":{"type":"integer"}}` + closed},
		{"pointers that may be null", struct {
			A *int           `json:"a"`
			B *schemaAddress `json:"b"`
		}{}, `{"type":"object","properties":{"a":{"type":["integer","null"]},"b":{"type":["object","null"],"properties":{"street":{"type":"string"},"zip":{"type":"string"}},` +
			`"required":["street"],"additionalProperties":false}},"required":["a","b"]` + closed},
		{"a struct in a list in a map", map[string][]schemaAddress{},
			`{"type":"object","additionalProperties":{"type":"array","items":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"}},"required":["street"],"additionalProperties":false}}}`},
		{"what is embedded, and what hides it", struct {
			schemaPerson
			*schemaAddress
			Named schemaAddress `json:"street"`
			Zip   int           `json:"zip"`
		}{}, `{"type":"object","properties":{"street":{"type":"object","properties":{"street":{"type":"string"},"zip":{"type":"string"}},"required":["street"],"additionalProperties":false},` +
			`"zip":{"type":"integer"},"id":{"type":"integer"}},"required":["street","zip","id"]` + closed},
		{"an embedded struct with a name is a member", struct {
			schemaPerson `json:"person"`
			private      int
		}{private: 1}, `{"type":"object"` + closed},
		{"times, bytes and texts", struct {
			T time.Time  `json:"t"`
			B []byte     `json:"b"`
			H [4]byte    `json:"h"`
			U schemaUnit `json:"u"`
			N message.ID `json:"n"`
		}{}, `{"type":"object","properties":{"t":{"type":"string","format":"date-time"},"b":{"type":"string","contentEncoding":"base64"},"h":{"type":"string","contentEncoding":"base64"},` +
			`"u":{"type":"string"},"n":{"type":["string","integer"]}},"required":["t","b","h","u","n"]` + closed},
		{"any value", struct {
			R message.Raw `json:"r"`
			A any         `json:"a" jsonschema:"whatever you like"`
			J schemaJSON  `json:"j"`
		}{}, `{"type":"object","properties":{"r":{"description":"any JSON value"},"a":{"description":"whatever you like"},"j":{"description":"any JSON value"}},"required":["r","a","j"]` + closed},
		{"descriptions and choices", struct {
			Unit  string   `json:"unit" jsonschema:"of <the> \\u0026 result" enum:"celsius,fahrenheit"`
			Sizes []int    `json:"sizes,omitzero" enum:"1,2"`
			Ratio *float64 `json:"ratio" enum:"0.5"`
		}{}, `{"type":"object","properties":{"unit":{"type":"string","description":"of <the> \\u0026 result","enum":["celsius","fahrenheit"]},"sizes":{"type":"array","items":{"type":"integer","enum":[1,2]}},` +
			`"ratio":{"type":["number","null"],"enum":[0.5,null]}},"required":["unit","ratio"]` + closed},
		{"lists of a length, maps by number, numbers as texts", struct {
			A [2]int         `json:"a"`
			M map[int]string `json:"m"`
			S int            `json:"s,string"`
		}{}, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"},"minItems":2,"maxItems":2},"m":{"type":"object","additionalProperties":{"type":"string"}},"s":{"type":"string"}},` +
			`"required":["a","m","s"]` + closed},
		{"a type that contains itself", schemaTree{},
			`{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/schemaTree"}},"parent":{"anyOf":[{"$ref":"#/$defs/schemaTree"},{"type":"null"}]}},` +
				`"$defs":{"schemaTree":{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/schemaTree"}},"parent":{"anyOf":[{"$ref":"#/$defs/schemaTree"},{"type":"null"}]}},` +
				`"required":["name","parent"],"additionalProperties":false}},"required":["name","parent"],"additionalProperties":false}`},
	}
	for _, test := range tests {
		got, err := mcp.SchemaOf(reflect.TypeOf(test.of))
		if err != nil {
			t.Errorf("%s: %v", test.what, err)
			continue
		}
		// The order of keywords is the library's.
		var have, want any
		if err := errors.Join(got.Decode(&have), message.Raw(test.want).Decode(&want)); err != nil {
			t.Errorf("%s: %v", test.what, err)
		}
		if diff := cmp.Diff(want, have); diff != "" {
			t.Errorf("%s (-want +got)\n%s\n%s", test.what, diff, got)
		}
	}
}

// TestSchemaOfNoJSON names the field of a type that has no schema.
func TestSchemaOfNoJSON(t *testing.T) {
	for want, of := range map[string]any{
		"field F: a func has no JSON form": struct{ F func() }{},
		"field C: its tag enum": struct {
			C bool `enum:"true"`
		}{},
		`strconv.ParseInt: parsing "x"`: struct {
			N int `enum:"x"`
		}{},
		`its tag enum "NaN": JSON has no number NaN`: struct {
			F float64 `enum:"NaN"`
		}{},
		"field In: its field F: a chan has no ": struct{ In struct{ F chan int } }{},
	} {
		if _, err := mcp.SchemaOf(reflect.TypeOf(of)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestSchemaOfFits checks, for values of many types, that what parley writes fits the
// schema of its type.
func TestSchemaOfFits(t *testing.T) {
	for _, value := range []any{
		sumParams{A: 1}, schemaTree{Children: []schemaTree{{Name: "x", Parent: &schemaTree{}}}}, schemaAddress{},
		struct {
			L []int
			M map[string]int
			B []byte
			H [4]byte
			T time.Time
			P *int
			J schemaJSON
			N message.ID
		}{N: message.IntID(1)},
		struct {
			schemaPerson
			Street int `json:"street"`
		}{},
	} {
		text, err := message.Encode(value)
		if err != nil {
			t.Fatal(err)
		}
		of, err := mcp.SchemaOf(reflect.TypeOf(value))
		if err != nil {
			t.Fatal(err)
		}
		schema, err := mcp.ParseSchema(of)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Check(text); err != nil {
			t.Errorf("%s does not fit %s: %v", text, schema, err)
		}
	}
}

// TestCheck finds the place of a fault in the value.
func TestCheck(t *testing.T) {
	schema, err := mcp.ParseSchema(message.Raw(`{"type":"object","required":["a"],"additionalProperties":false,"properties":{
		"a":{"type":"integer","minimum":1},
		"list":{"type":"array","items":{"type":"object","properties":{"x/y":{"enum":["p","q"]}}}},
		"pair":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]},
		"map":{"type":"object","additionalProperties":{"type":"string"}},
		"tree":{"$ref":"#/$defs/tree"},
		"text":{"type":"string","minLength":2,"pattern":"^[a-z]+$"},
		"few":{"type":"array","maxItems":3,"uniqueItems":true,"items":{"multipleOf":3}},
		"one":{"const":"1"},
		"some":{"type":["object","null"],"minProperties":1},
		"either":{"anyOf":[{"type":"string"},{"type":"integer"}]}},
		"$defs":{"tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/tree"}},"required":["left"]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ value, pointer, reason string }{
		{`{"a":1}`, "", ""},
		{`{"a":1.0,"list":[],"pair":["x",1],"map":{"k":"v"},"either":1}`, "", ""},
		{`{}`, "", `the member "a" is missing`},
		{`{"a":0}`, "/a", "want 1 or more"},
		{`{"a":1.5}`, "/a", "want an integer, got 1.5"},
		{`{"a":1,"b":2}`, "", `there are no members ["b"]`},
		{`{"a":1,"list":[{},{"x/y":"z"}]}`, "/list/1/x~1y", `want "p" or "q"`},
		{`{"a":1,"pair":["x","y"]}`, "/pair/1", "want an integer, got a string"},
		{`{"a":1,"map":{"k":null}}`, "/map/k", "want a string, got null"},
		{`{"a":1,"either":true}`, "/either", "it does not fit one of the forms"},
		{`{"a":1,"tree":{"left":{}}}`, "/tree/left", `the member "left" is missing`},
		{`{"a":1,"text":"x"}`, "/text", "want at least 2 characters"},
		{`{"a":1,"text":"xyz0"}`, "/text", "want a text that matches ^[a-z]+$"},
		{`{"a":1,"few":[3,6,9,12]}`, "/few", "want at most 3 items"},
		{`{"a":1,"few":[3,3]}`, "/few", "uniqueItems: array items"},
		{`{"a":1,"few":[3,0.5]}`, "/few/1", "want a multiple of 3"},
		{`{"a":1,"one":"2"}`, "/one", `want "1"`},
		{`{"a":1,"some":{}}`, "/some", "want at least 1 members"},
		{`{"a":1,"some":[]}`, "/some", "want an object or null, got an array"},
		{`[]`, "", "want an object, got an array"},
		{`{"a":1,"a":2}`, "/a", "given twice"},
		{`{"a":`, "/a", "too early"},
		{`{"a":1,"` + strings.Repeat("x", 1000) + `":1}`, "", "x…"},
	}
	for _, test := range tests {
		err := schema.Check(message.Raw(test.value))
		if test.reason == "" {
			if err != nil {
				t.Errorf("%s: %v", test.value, err)
			}
			continue
		}
		var where *message.DecodeError
		if !errors.As(err, &where) || where.Pointer != test.pointer || !strings.Contains(where.Err.Error(), test.reason) {
			t.Errorf("%.80s: got %v, want %s: %s", test.value, err, test.pointer, test.reason)
		}
	}
}

// TestParseSchemaRefuses reads what is no schema, or none that can be checked.
func TestParseSchemaRefuses(t *testing.T) {
	for _, text := range []string{
		``, `7`, `{"type":7}`, `{"$ref":"https://example.com/s"}`, `{"$ref":"#/$defs/none"}`, `{"pattern":"("}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`, `{"properties":{"a":{"type":"integer","default":"x"}}}`,
		`{"$ref":"#"}`, `{"$ref":"#","default":1}`, `{"allOf":[null]}`, `{"allOf":[{"anyOf":[true,{"$ref":"#"}]}]}`, `{"properties":{"a":{"$ref":"#/properties/a"}}}`,
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}}}`, `{"$anchor":"me","if":{"$ref":"#me"}}`, `{"$ref":"#","$dynamicAnchor":"me","else":{"$dynamicRef":"#me"}}`,
		`{"$defs":{"a/b":{"$ref":"#/$defs/a~1b"}}}`, `{"$defs":{"a b":{"$ref":"#/$defs/a%20b"}}}`,
		`{"allOf":[{"$ref":"#/allOf/+0"}]}`, `{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`,
	} {
		if s, err := mcp.ParseSchema(message.Raw(text)); err == nil {
			t.Errorf("it was taken: %s", s)
		}
	}
	for _, text := range []string{`true`, `false`, `{}`, `{"properties":{"a":{"$ref":"#"}}}`, `{"items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}`} {
		if _, err := mcp.ParseSchema(message.Raw(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestCheckIsBounded holds hostile values against a schema that contains itself, and
// finds the fault in the last of many items: neither takes long.
func TestCheckIsBounded(t *testing.T) {
	schema, err := mcp.ParseSchema(message.Raw(`{"$ref":"#/$defs/t","$defs":{"t":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/t"},{"type":"integer"}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		strings.Repeat("[", 9000) + strings.Repeat("]", 9000):       "want at most 500 levels of objects and arrays",
		strings.Repeat("[", 400) + `"x"` + strings.Repeat("]", 400): "it does not fit one of the forms that it may have",
		`["]",` + strings.Repeat("1,", 200_000) + `"[[\\"]`:         "/0: it does not fit one of the forms that it may have",
		`[` + strings.Repeat("1,", 200_000) + `[1,{}]]`:             "/200000: it does not fit one of the forms that it may have",
		strings.Repeat("[", 500) + strings.Repeat("]", 500):         "",
	} {
		if err := schema.Check(message.Raw(value)); want == "" && err != nil || want != "" && (err == nil || !strings.HasSuffix(err.Error(), want)) {
			t.Errorf("%.20q…: got %v, want %s", value, err, want)
		}
	}
}

// FuzzCheck holds any value against any schema: it must not panic.
func FuzzCheck(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"a":"x"}`)
	f.Add(`{"$defs":{"t":{"items":{"$ref":"#/$defs/t"}}},"$ref":"#/$defs/t"}`, `[[[]]]`)
	f.Add(`{"prefixItems":[true,false]}`, `[1,2]`)
	f.Add(`true`, `null`)
	f.Fuzz(func(_ *testing.T, schema, value string) {
		if s, err := mcp.ParseSchema(message.Raw(schema)); err == nil {
			_ = s.Check(message.Raw(value))
		}
	})
}

// TestResultsByType calls tools of many result types, in the version that has the most
// to say about them.
func TestResultsByType(t *testing.T) {
	type name string
	route := func(name string, result any) parley.Route {
		return parley.Method[struct{}, any](name).Handle(func(context.Context, struct{}) (any, error) { return result, nil })
	}
	mux := parley.NewMux(
		route("text", "a"), route("named", name("b")), route("null", nil), route("raw", message.Raw(`[1, 2]`)),
		route("time", time.Unix(0, 0).UTC()), route("done", mcp.CallToolResult{IsError: true}), route("none", (*mcp.CallToolResult)(nil)),
		route("function", func() {}),
	)
	c := dialServer(t, mcp.NewServer(mux, mcp.Info{}), nil)
	for tool, want := range map[string]string{
		"text":     `{"resultType":"complete","content":[{"type":"text","text":"a"}]}`,
		"named":    `{"resultType":"complete","content":[{"type":"text","text":"b"}]}`,
		"null":     `{"resultType":"complete","content":[{"type":"text","text":"null"}],"structuredContent":null}`,
		"raw":      `{"resultType":"complete","content":[{"type":"text","text":"[1, 2]"}],"structuredContent":[1,2]}`,
		"time":     `{"resultType":"complete","content":[{"type":"text","text":"1970-01-01T00:00:00Z"}]}`,
		"done":     `{"resultType":"complete","content":[],"isError":true}`,
		"none":     `{"resultType":"complete","content":[]}`,
		"function": `{"resultType":"complete","content":[{"type":"text","text":"Internal error: the result of \"function\" is no JSON: a Go func has no JSON form"}],"isError":true}`,
	} {
		result, err := asked(t, c, tool, `{}`, nil, "")
		if err != nil {
			t.Errorf("%s: %v", tool, err)
			continue
		}
		result.Meta = nil
		if got, _ := message.Encode(*result); string(got) != want {
			t.Errorf("%s: got %s, want %s", tool, got, want)
		}
	}
}

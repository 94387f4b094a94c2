package mcp_test

import (
	"strings"
	"testing"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// TestParseSchemaLoops reads references that lead in a circle in ways that only an $id, an
// escape or a relative URI makes one: each once overflowed the stack of the checker, which
// ends the process.
func TestParseSchemaLoops(t *testing.T) {
	for _, text := range []string{
		`{"$id":"http://h/root","$ref":"root#"}`,
		`{"$id":"http://h/dir/root","$ref":"/dir/root"}`,
		`{"properties":{"a":{"$id":"http://h/x","$ref":"x"}}}`,
		`{"$id":"http://h/root","$defs":{"a":{"$id":"sub/","$defs":{"b":{"$ref":"#/$defs/c"},"c":{"$ref":"#/$defs/b"}}}},"$ref":"#/$defs/a/$defs/b"}`,
		`{"$id":"http://h/root","$defs":{"a":{"$id":"sub","$ref":"#"}},"$ref":"#/$defs/a"}`,
		`{"$id":"http://h/root","$defs":{"a":{"$id":"sub","$ref":"root"}},"$ref":"sub"}`,
		`{"$id":"http://h/root","$ref":"root#/$defs/a","$defs":{"a":{"$ref":"http://h/root"}}}`,
		`{"$id":"http://h/r?","$ref":"?#"}`,
		`{"$id":"http://h/r","$ref":"http://H/r"}`,
		`{"$id":"http://h/r","$ref":"#"}`,
		`{"$ref":"#/$defs/a%2525","$defs":{"a%25":{"$ref":"#"}}}`,
		`{"$ref":"#/$defs/a~1b","$defs":{"a/b":{"$ref":"#"}}}`,
		`{"$ref":"#/properties/x","properties":{"x":{"$ref":"#"}}}`,
		`{"$ref":"#/items","items":{"$ref":"#"}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"$ref":"#/definitions/a"}},"$ref":"#/definitions/a"}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","$id":"#me","$ref":"#me"}`,
		`{"$defs":{"a":{"$dynamicAnchor":"x","$ref":"#/$defs/b"},"b":{"$dynamicRef":"#x"}},"$ref":"#/$defs/b"}`,
		`{"$defs":{"a":{"$anchor":"A","items":{}},"b":{"$id":"http://z/b","$defs":{"A":{"$anchor":"A","$ref":"#A"}}}},"$ref":"http://z/b#A"}`,
	} {
		if s, err := mcp.ParseSchema(message.Raw(text)); err == nil {
			t.Errorf("it was taken: %s", s)
		}
	}
	named, err := mcp.ParseSchema(message.Raw(`{"$id":"http://h/root","properties":{"a":{"$ref":"#"},"b":{"$ref":"#n"}},"$defs":{"n":{"$anchor":"n","type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	// The place of the fault is looked for in the parts of a schema, and a part that is
	// "#" alone would be itself.
	if err := named.Check(message.Raw(`{"a":{"a":{"b":"x"}}}`)); err == nil || !strings.Contains(err.Error(), `type: x has type "string"`) {
		t.Errorf("references inside a document with a name: %v", err)
	}
}

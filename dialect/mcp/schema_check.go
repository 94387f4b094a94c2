package mcp

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/message"
)

// Schema is a JSON Schema of the dialect 2020-12 or draft-07 that values are held
// against. It may be used by many goroutines.
type Schema struct {
	text     message.Raw
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// ParseSchema reads a schema. It fails if text is none, if $schema names another dialect,
// or if there is a $ref that cannot be followed safely: one that does not begin with "#",
// since nothing is fetched ("Tools", schemas), one that leads nowhere, and one that leads
// back to where it stands. An $id below the root makes a document inside the document,
// to which a "#" would refer, and is refused as well.
func ParseSchema(text message.Raw) (*Schema, error) {
	root := new(jsonschema.Schema)
	if err := root.UnmarshalJSON(text); err != nil {
		return nil, err
	}
	return resolve(root, text)
}

// dialects are those that can be checked, by a part of their names.
var dialects = []string{"json-schema.org/draft/2020-12/schema", "json-schema.org/draft-07/schema"}

func resolve(root *jsonschema.Schema, text message.Raw) (*Schema, error) {
	known := func(dialect string) bool { return strings.Contains(root.Schema, dialect) }
	if root.Schema != "" && !slices.ContainsFunc(dialects, known) {
		return nil, fmt.Errorf("the dialect %q is not known here: use 2020-12 or draft-07", root.Schema)
	}
	// First of all, since defaults are checked by Resolve.
	if err := checkRefs(root); err != nil {
		return nil, err
	}
	// All references stay in the document, so that it does not matter what it is called.
	root.ID = ""
	resolved, err := root.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
	if err != nil {
		return nil, err
	}
	return &Schema{text, root, resolved}, nil
}

// String returns the text of the schema.
func (s *Schema) String() string { return s.text.String() }

// The most levels of a value that is held against a schema, and of those the ones in
// which the place of a fault is looked for. A schema may contain itself, and whoever sends
// the value could make the work grow with the square of its depth.
const (
	maxLevels = 500
	maxSought = 32
)

// Check reports whether value fits. The error is a [*message.DecodeError], whose Pointer
// is the place of a fault in the value; its Offset is not set. A value of more than 500
// levels does not fit, and of a fault below the 32nd the place is given that far.
//
// Whole numbers of the value are compared exactly up to 64 bits. A bound in the schema is
// a double: one beyond 2^53 may be the neighbour of the one that was written.
func (s *Schema) Check(value message.Raw) error {
	if depth(value) > maxLevels {
		return &message.DecodeError{Err: fmt.Errorf("want at most %d levels of objects and arrays", maxLevels)}
	}
	v, err := decodeExact(value)
	if err != nil {
		return err
	}
	if err = s.resolved.Validate(v); err == nil {
		return nil
	}
	l := locator{root: s.root, resolved: make(map[*jsonschema.Schema]*jsonschema.Resolved)}
	pointer, reason := l.locate(s.root, v, err, maxSought)
	return &message.DecodeError{Pointer: pointer, Err: errors.New(reason)}
}

// depth is how many objects and arrays stand inside each other. What is no JSON has a
// depth of some kind as well.
func depth(text message.Raw) (most int) {
	now, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// locator finds the place of a fault.
type locator struct {
	root     *jsonschema.Schema
	resolved map[*jsonschema.Schema]*jsonschema.Resolved // parts of it; nil: not by themselves
}

// locate finds the part of value that err is about, and says what is wrong with it. The
// library only says by which part of the schema it was refused; so the parts of the value
// are held against the schemas of those parts one by one, and the first that does not fit
// is looked into further.
func (l *locator) locate(schema *jsonschema.Schema, value any, err error, levels int) (pointer, reason string) {
	if name, ok := strings.CutPrefix(schema.Ref, "#/$defs/"); ok && l.root.Defs[name] != nil {
		schema = l.root.Defs[name]
	}
	if levels == 0 {
		return "", explain(schema, value, err)
	}
	for part := range parts(schema, value) {
		alone := l.alone(part.schema)
		if alone == nil {
			continue
		}
		if fault := alone.Validate(part.value); fault != nil {
			pointer, reason := l.locate(part.schema, part.value, fault, levels-1)
			return "/" + pointerPart(part.name) + pointer, reason
		}
	}
	return "", explain(schema, value, err)
}

// alone prepares a part of the schema for use by itself. It is nil if the part, or one of
// the definitions, refers to anything but a definition: by itself, "#" would be the part.
func (l *locator) alone(schema *jsonschema.Schema) *jsonschema.Resolved {
	if resolved, ok := l.resolved[schema]; ok {
		return resolved
	}
	l.resolved[schema] = nil
	own := schema.CloneSchemas()
	if own.Defs != nil {
		return nil
	}
	own.Defs = cloneDefs(l.root.Defs)
	if !movable(own) {
		return nil
	}
	if resolved, err := own.Resolve(nil); err == nil {
		l.resolved[schema] = resolved
	}
	return l.resolved[schema]
}

// movable reports whether all references in s are to definitions of its root.
func movable(s *jsonschema.Schema) bool {
	if s.DynamicRef != "" || s.Ref != "" && !strings.HasPrefix(s.Ref, "#/$defs/") {
		return false
	}
	for _, inner := range inside("", s) {
		if !movable(inner) {
			return false
		}
	}
	return true
}

// cloneDefs copies schemas: the library wants each in one place.
func cloneDefs(defs map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	cloned := maps.Clone(defs)
	for name, def := range cloned {
		cloned[name] = def.CloneSchemas()
	}
	return cloned
}

// part is a member or an item of a value, and what it has to fit.
type part struct {
	name   string
	schema *jsonschema.Schema
	value  any
}

// parts goes over the members or items of value that schema has something to say about.
func parts(schema *jsonschema.Schema, value any) func(yield func(part) bool) {
	return func(yield func(part) bool) {
		switch value := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				of, ok := schema.Properties[name]
				if !ok && len(schema.PatternProperties) == 0 && schema.AdditionalProperties != nil && schema.AdditionalProperties.Not == nil {
					of, ok = schema.AdditionalProperties, true
				}
				if ok && !yield(part{name, of, value[name]}) {
					return
				}
			}
		case []any:
			for i, item := range value {
				of := schema.Items
				if i < len(schema.PrefixItems) {
					of = schema.PrefixItems[i]
				}
				if of != nil && !yield(part{strconv.Itoa(i), of, item}) {
					return
				}
			}
		}
	}
}

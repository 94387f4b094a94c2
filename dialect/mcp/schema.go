package mcp

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/message"
)

// SchemaOf returns the JSON Schema of what parley reads into a Go type, and writes of it:
//
//   - A field without omitzero or omitempty is required, and a struct has no other
//     members than its fields. A field's tag jsonschema:"…" is its description, and
//     enum:"a,b" what its value, or each value of its list, may be.
//   - A pointer may be null, unless it may be left out. A list and a map are never null.
//   - []byte is a string of base64, [time.Time] one with a date, and a type that reads or
//     writes itself as a text any string. One that does so as JSON, [message.Raw] and an
//     interface are any value.
//   - A type that contains itself stands under $defs.
//
// It fails for a type that has no JSON form, such as a func, and for a tag enum that does
// not fit its field.
//
// [jsonschema.For] is not used, since it is right for package encoding/json: there a nil
// list is null and bytes are numbers. It also fails for types that contain themselves,
// and writes any value as true, which clients are known not to take for a schema.
func SchemaOf(t reflect.Type) (message.Raw, error) {
	s, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	return s.text, nil
}

// schemaOf makes the schema of a type, with a pointer at its root followed.
func schemaOf(t reflect.Type) (*Schema, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	d := describer{names: make(map[reflect.Type]string), defs: make(map[string]*jsonschema.Schema)}
	root, err := d.describe(t)
	if err != nil {
		return nil, fmt.Errorf("a Go %s has no JSON schema: %w", t, err)
	}
	if root.Ref != "" { // it contains itself; the protocol wants to see a type here
		root = d.defs[d.names[t]].CloneSchemas()
	}
	if len(d.defs) > 0 {
		root.Defs = d.defs
	}
	text, err := root.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return resolve(root, plainly(text))
}

// escapes are what package encoding/json puts in the place of <, > and &, and an escaped
// backslash, so that what follows one is not taken for an escape.
var escapes = regexp.MustCompile(`\\\\|\\u003c|\\u003e|\\u0026`)

// plainly writes these characters as they are: our text is for no web page.
func plainly(text []byte) message.Raw {
	return escapes.ReplaceAllFunc(text, func(escape []byte) []byte {
		switch string(escape) {
		case `\u003c`:
			return []byte("<")
		case `\u003e`:
			return []byte(">")
		case `\u0026`:
			return []byte("&")
		}
		return escape
	})
}

// describer makes one schema.
type describer struct {
	open  []reflect.Type // the types inside which it is
	names map[reflect.Type]string
	defs  map[string]*jsonschema.Schema
}

// anything is the schema of any value. It has a description because one without any
// member would be written as true.
func anything() *jsonschema.Schema { return &jsonschema.Schema{Description: "any JSON value"} }

// describe makes the schema of t, or a reference to it if t contains itself.
func (d *describer) describe(t reflect.Type) (*jsonschema.Schema, error) {
	if s := special(t); s != nil {
		return s, nil
	}
	if t.Name() == "" {
		return d.plain(t)
	}
	if slices.Contains(d.open, t) {
		return &jsonschema.Schema{Ref: "#/$defs/" + d.nameOf(t)}, nil
	}
	d.open = append(d.open, t)
	s, err := d.plain(t)
	d.open = d.open[:len(d.open)-1]
	if name, again := d.names[t]; again && err == nil {
		d.defs[name] = s
		return &jsonschema.Schema{Ref: "#/$defs/" + name}, nil
	}
	return s, err
}

// nameOf names a type that contains itself, by its own name or one that is still free.
func (d *describer) nameOf(t reflect.Type) string {
	if name, ok := d.names[t]; ok {
		return name
	}
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_' // of a generic type
	}, t.Name())
	for taken := true; taken; {
		taken = false
		for _, other := range d.names {
			taken = taken || other == name
		}
		if taken {
			name += "_"
		}
	}
	d.names[t] = name
	return name
}

// special is the schema of a type that is not read and written by its kind, or nil.
func special(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[message.ID]():
		return &jsonschema.Schema{Types: []string{"string", "integer"}}
	}
	switch {
	case t.Kind() == reflect.Interface, t.Kind() == reflect.Pointer:
		return nil
	case hasMethod(t, "MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom"):
		return anything()
	case implements[encoding.TextMarshaler](t), implements[encoding.TextUnmarshaler](t):
		return &jsonschema.Schema{Type: "string"}
	case (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() == reflect.Uint8:
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	return nil
}

// hasMethod reports whether t, or a pointer to it, has a method of one of the names.
func hasMethod(t reflect.Type, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := reflect.PointerTo(t).MethodByName(name)
		return ok
	})
}

func implements[I any](t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[I]())
}

// plain is the schema of a type that is read and written by its kind.
func (d *describer) plain(t reflect.Type) (*jsonschema.Schema, error) {
	switch t.Kind() {
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}, nil
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}, nil
	case reflect.Float32, reflect.Float64:
		return &jsonschema.Schema{Type: "number"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return integer(t.Bits(), true), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return integer(t.Bits(), false), nil
	case reflect.Interface:
		return anything(), nil
	case reflect.Pointer:
		return d.nullable(t.Elem())
	case reflect.Slice, reflect.Array:
		items, err := d.describe(t.Elem())
		s := &jsonschema.Schema{Type: "array", Items: items}
		if t.Kind() == reflect.Array {
			n := t.Len()
			s.MinItems, s.MaxItems = &n, &n
		}
		return s, err
	case reflect.Map:
		values, err := d.describe(t.Elem())
		return &jsonschema.Schema{Type: "object", AdditionalProperties: values}, err
	case reflect.Struct:
		return d.object(t)
	}
	return nil, fmt.Errorf("a %s has no JSON form", t.Kind())
}

// integer is the schema of a whole number. The bounds of 64 bits are left out: they are
// no numbers that JSON carries safely, and a double does not have them.
func integer(bits int, signed bool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "integer"}
	least, most := 0.0, math.Ldexp(1, bits)-1
	if signed {
		least, most = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
	}
	if bits < 64 {
		s.Minimum, s.Maximum = &least, &most
	} else if !signed {
		s.Minimum = &least
	}
	return s
}

// nullable is the schema of a pointer.
func (d *describer) nullable(t reflect.Type) (*jsonschema.Schema, error) {
	s, err := d.describe(t)
	switch {
	case err != nil:
		return nil, err
	case s.Type != "":
		s.Types, s.Type = []string{s.Type, "null"}, ""
	case len(s.Types) > 0:
		if !slices.Contains(s.Types, "null") {
			s.Types = append(s.Types, "null")
		}
	case s.Ref != "":
		s = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{s, {Type: "null"}}}
	}
	return s, nil
}

// object is the schema of a struct.
func (d *describer) object(t reflect.Type) (*jsonschema.Schema, error) {
	s := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	err := d.fields(t, s)
	return s, err
}

// fields adds the fields of a struct to its schema: its own, and then those of what is
// embedded, which they hide.
func (d *describer) fields(t reflect.Type, s *jsonschema.Schema) error {
	var embedded []reflect.Type
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		inner := field.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case name == "-" && options == "":
			continue
		case field.Anonymous && name == "" && inner.Kind() == reflect.Struct && special(inner) == nil:
			embedded = append(embedded, inner)
			continue
		case !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		if err := d.field(field, name, strings.Split(options, ","), s); err != nil {
			return fmt.Errorf("its field %s: %w", field.Name, err)
		}
	}
	for _, inner := range embedded {
		if slices.Contains(d.open, inner) {
			continue // it embeds itself, and hides all of that
		}
		d.open = append(d.open, inner)
		err := d.fields(inner, s)
		d.open = d.open[:len(d.open)-1]
		if err != nil {
			return err
		}
	}
	return nil
}

// field adds one field, unless its name is hidden.
func (d *describer) field(field reflect.StructField, name string, options []string, s *jsonschema.Schema) error {
	if _, hidden := s.Properties[name]; hidden {
		return nil
	}
	optional := slices.Contains(options, "omitzero") || slices.Contains(options, "omitempty")
	t := field.Type
	if optional && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	p, err := d.describe(t)
	if err != nil {
		return err
	}
	if slices.Contains(options, "string") && (p.Type == "integer" || p.Type == "number") {
		p = &jsonschema.Schema{Type: "string"}
	}
	if doc := field.Tag.Get("jsonschema"); doc != "" {
		p.Description = doc
	}
	if list, ok := field.Tag.Lookup("enum"); ok {
		if err := enumerate(p, list); err != nil {
			return err
		}
	}
	if s.Properties == nil {
		s.Properties = make(map[string]*jsonschema.Schema)
	}
	s.Properties[name] = p
	s.PropertyOrder = append(s.PropertyOrder, name)
	if !optional {
		s.Required = append(s.Required, name)
	}
	return nil
}

// enumerate says what a value, or each value of a list, may be.
func enumerate(s *jsonschema.Schema, list string) error {
	kind := s.Type
	if kind == "" && len(s.Types) > 0 {
		kind = s.Types[0]
	}
	if kind == "array" {
		return enumerate(s.Items, list)
	}
	for word := range strings.SplitSeq(list, ",") {
		var value any = word
		var err error
		switch kind {
		case "string":
		case "integer":
			value, err = strconv.ParseInt(word, 10, 64)
		case "number":
			value, err = parseFinite(word)
		default:
			err = fmt.Errorf("a value of this type is not one of a few")
		}
		if err != nil {
			return fmt.Errorf("its tag enum %q: %w", list, err)
		}
		s.Enum = append(s.Enum, value)
	}
	if slices.Contains(s.Types, "null") {
		s.Enum = append(s.Enum, nil)
	}
	return nil
}

// parseFinite reads a number that JSON has.
func parseFinite(word string) (float64, error) {
	f, err := strconv.ParseFloat(word, 64)
	if err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		err = fmt.Errorf("JSON has no number %s", word)
	}
	return f, err
}

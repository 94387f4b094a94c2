package toolbox

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// The types of an input. There is no list among them: a placeholder can add no argument.
const (
	typeString  = "string"
	typeInteger = "integer"
	typeNumber  = "number"
	typeBoolean = "boolean"
)

// An input is one value that a tool is called with.
type input struct {
	name     string
	at       ast.Node // of the name
	required bool
	given    message.Raw // the default as it stands in the file
	standard *string     // its text; nil: there is none
	plain    *jsonschema.Schema
	schema   *mcp.Schema
}

// readInputs reads the key input of a tool.
func (r *reader) readInputs(n ast.Node) (inputs []*input) {
	for _, e := range r.mapping(n, "input") {
		if !inputName.MatchString(e.key) {
			r.fault(e.at, "the name of an input begins with a letter, and goes on with letters, digits, _ and -")
			continue
		}
		inputs = append(inputs, r.readInput(e))
	}
	return inputs
}

// inputKeys are the keys of an input, each with what reads it.
var inputKeys = map[string]func(*reader, *input, ast.Node){
	"type": func(r *reader, in *input, n ast.Node) {
		in.plain.Type = r.word(n, "type", typeString, typeInteger, typeNumber, typeBoolean)
	},
	"title":       func(r *reader, in *input, n ast.Node) { in.plain.Title, _ = r.text(n, "title") },
	"description": func(r *reader, in *input, n ast.Node) { in.plain.Description, _ = r.text(n, "description") },
	"required":    func(r *reader, in *input, n ast.Node) { in.required = r.boolean(n, "required") },
	"default":     func(r *reader, in *input, n ast.Node) { in.given = r.encoded(n) },
	"enum":        (*reader).readEnum,
	"pattern":     (*reader).readPattern,

	"minimum":          func(r *reader, in *input, n ast.Node) { in.plain.Minimum = r.number(n, "minimum") },
	"maximum":          func(r *reader, in *input, n ast.Node) { in.plain.Maximum = r.number(n, "maximum") },
	"exclusiveMinimum": func(r *reader, in *input, n ast.Node) { in.plain.ExclusiveMinimum = r.number(n, "exclusiveMinimum") },
	"exclusiveMaximum": func(r *reader, in *input, n ast.Node) { in.plain.ExclusiveMaximum = r.number(n, "exclusiveMaximum") },
	"multipleOf":       func(r *reader, in *input, n ast.Node) { in.plain.MultipleOf = r.number(n, "multipleOf") },
	"minLength":        func(r *reader, in *input, n ast.Node) { in.plain.MinLength = r.length(n, "minLength") },
	"maxLength":        func(r *reader, in *input, n ast.Node) { in.plain.MaxLength = r.length(n, "maxLength") },
}

// forType are the keys that say something about one kind of values only.
var forType = map[string][]string{
	"pattern": {typeString}, "minLength": {typeString}, "maxLength": {typeString},
	"minimum": {typeInteger, typeNumber}, "maximum": {typeInteger, typeNumber},
	"exclusiveMinimum": {typeInteger, typeNumber}, "exclusiveMaximum": {typeInteger, typeNumber},
	"multipleOf": {typeInteger, typeNumber},
}

// readInput reads one input. After a fault it still stands for its name.
func (r *reader) readInput(e entry) *input {
	in := &input{name: e.key, at: e.at, required: true, plain: new(jsonschema.Schema)}
	faults := len(r.faults)
	given := readKeys(r, e.value, "an input", in, inputKeys)
	if given == nil {
		return in
	}
	if _, ok := given["type"]; !ok {
		r.fault(e.at, "this input has no type; an input is a string, an integer, a number or a boolean")
		return in
	}
	for key, types := range forType {
		if n, ok := given[key]; ok && in.plain.Type != "" && !slices.Contains(types, in.plain.Type) {
			r.fault(n, "%s says nothing about %s", key, articled(in.plain.Type))
		}
	}
	n, hasDefault := given["default"]
	if required, ok := given["required"]; ok && in.required && hasDefault {
		r.fault(required, "an input with a default is never missing; leave out one of the two")
	}
	in.required = in.required && !hasDefault
	r.checkLimits(in, given)
	if len(r.faults) > faults || in.plain.Type == "" {
		return in
	}
	if list, ok := given["enum"]; ok {
		r.checkEnum(in, list)
	}
	if digits, ok := numeral(n); ok && in.isNumber() {
		in.given = digits
	}
	if r.resolve(e.at, in) && hasDefault {
		text, err := in.text(in.given)
		if err != nil {
			r.fault(n, "the default does not fit: %s", err.Reason)
		}
		in.standard, in.plain.Default = &text, json.RawMessage(in.given)
	}
	return in
}

// resolve prepares the schema of an input for use, and reports whether it can be.
func (r *reader) resolve(at ast.Node, in *input) bool {
	text, err := message.Encode(in.plain)
	if err == nil {
		in.schema, err = mcp.ParseSchema(text)
	}
	if err != nil {
		r.fault(at, "the keys of this input make no schema: %v", err)
	}
	return err == nil
}

// readEnum reads the values that an input may have.
func (r *reader) readEnum(in *input, n ast.Node) {
	values, ok := r.list(n, "enum")
	if ok && len(values) == 0 {
		r.fault(n, "enum is empty, so that no value would fit")
	}
	for _, v := range values {
		if _, ok := r.text(v, "a value of enum"); ok {
			in.plain.Enum = append(in.plain.Enum, r.value(v))
		}
	}
}

// readPattern reads a regular expression. It is one of Go, which has all that ECMA 262
// has but references back and looks around.
func (r *reader) readPattern(in *input, n ast.Node) {
	text, _ := r.text(n, "pattern")
	if _, err := regexp.Compile(text); err != nil {
		r.fault(n, "this is no regular expression: %v", err)
		return
	}
	in.plain.Pattern = text
}

// number reads a number.
func (r *reader) number(n ast.Node, what string) *float64 {
	var f float64
	if digits, ok := numeral(n); ok && digits.Decode(&f) == nil {
		return &f
	}
	r.fault(n, "%s is a number, not %s", what, kind(n))
	return nil
}

// length reads a number of characters.
func (r *reader) length(n ast.Node, what string) *int {
	length := r.integer(n, what, 0, math.MaxInt32)
	return &length
}

// encoded is what a node is as JSON.
func (r *reader) encoded(n ast.Node) message.Raw {
	text, err := message.Encode(r.value(n))
	if err != nil {
		r.fault(n, "this has no form in JSON: %v", err)
	}
	return text
}

// text checks a value and returns it as a program gets it: a string without quotes and
// escapes, a number with its digits as they came.
func (in *input) text(value message.Raw) (string, *refusal) {
	if in.schema.Check(value) != nil {
		return "", refuse(in.name, "want %s, got %s", in.wanted(), shorten(value.String(), shownValue))
	}
	switch in.plain.Type {
	case typeString:
		var text string
		if err := value.Decode(&text); err != nil {
			return "", refuse(in.name, "%v", err)
		}
		return text, nil
	case typeInteger:
		return integerText(in.name, value)
	}
	return strings.TrimSpace(value.String()), nil
}

// wanted says in words what the schema wants. The validator's own words are about the
// first thing that is missing; a model that tries again should get all of it.
func (in *input) wanted() string {
	s := in.plain
	if len(s.Enum) > 0 {
		values, _ := message.Encode(s.Enum) // they came out of JSON
		return "one of " + strings.Trim(values.String(), "[]")
	}
	var also []string
	add := func(format string, limit *float64) {
		if limit != nil {
			also = append(also, format+strconv.FormatFloat(*limit, 'f', -1, 64))
		}
	}
	add("of at least ", s.Minimum)
	add("above ", s.ExclusiveMinimum)
	add("of at most ", s.Maximum)
	add("below ", s.ExclusiveMaximum)
	add("that is a multiple of ", s.MultipleOf)
	if s.MinLength != nil {
		also = append(also, fmt.Sprintf("of at least %d characters", *s.MinLength))
	}
	if s.MaxLength != nil {
		also = append(also, fmt.Sprintf("of at most %d characters", *s.MaxLength))
	}
	if s.Pattern != "" {
		also = append(also, "that matches "+s.Pattern)
	}
	return strings.TrimSpace(articled(s.Type) + " " + strings.Join(also, " and "))
}

// integerText writes an integer as programs read it. JSON Schema takes 5.0 and 5e3 for
// integers, too.
func integerText(name string, value message.Raw) (string, *refusal) {
	text := strings.TrimSpace(value.String())
	if !strings.ContainsAny(text, ".eE") {
		return text, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(f) >= 1<<53 {
		return "", refuse(name, "an integer as large as this wants all its digits")
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

// schema returns the schema of all inputs together, which takes no other member.
func schema(inputs []*input) (message.Raw, error) {
	all := &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{Not: new(jsonschema.Schema)}}
	if len(inputs) > 0 {
		all.Properties = make(map[string]*jsonschema.Schema, len(inputs))
	}
	for _, in := range inputs {
		all.PropertyOrder = append(all.PropertyOrder, in.name)
		all.Properties[in.name] = in.plain
		if in.required {
			all.Required = append(all.Required, in.name)
		}
	}
	return message.Encode(all)
}

// articled puts an article before the name of a type.
func articled(kind string) string {
	if kind == typeInteger {
		return "an " + kind
	}
	return "a " + kind
}

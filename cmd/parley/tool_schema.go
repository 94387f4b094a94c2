package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/parley-rpc/parley/message"
)

// A schema is a JSON Schema as a stranger wrote it. It is read to be shown, and to know
// what a text on the command line is meant to be; nothing is validated by it, which is
// for the server. What makes no sense in it counts as absent.
type schema struct {
	text message.Raw
	root message.Raw // what its references are about
}

// A field is a property of an object.
type field struct {
	name     string
	schema   schema
	required bool
}

const (
	mostHops   = 16 // references that lead on to another one
	mostLevels = 3  // of a schema inside a schema that are looked at
	mostSubs   = 16 // of the schemas under one keyword; references could make more of them than anybody wrote
)

func schemaOf(text message.Raw) schema { return schema{text, text} }

// at returns what a keyword says.
func (s schema) at(keyword string) message.Raw {
	value, _ := s.text.Member(keyword)
	return value
}

// sub returns the schema under a keyword.
func (s schema) sub(keyword string) schema { return schema{s.at(keyword), s.root} }

// subs returns the schemas in the array under a keyword.
func (s schema) subs(keyword string) []schema {
	var texts []message.Raw
	_ = s.at(keyword).Decode(&texts)
	texts = texts[:min(len(texts), mostSubs)]
	subs := make([]schema, len(texts))
	for i, text := range texts {
		subs[i] = schema{text, s.root}.resolved()
	}
	return subs
}

// str returns a keyword that is a text.
func (s schema) str(keyword string) string {
	var text string
	if s.at(keyword).Decode(&text) != nil {
		return ""
	}
	return text
}

// resolved follows references inside the same schema. Others are never fetched: the
// protocol forbids it.
func (s schema) resolved() schema {
	for range mostHops {
		pointer, ok := strings.CutPrefix(s.str("$ref"), "#")
		if !ok {
			return s
		}
		to := s.root
		for _, step := range strings.Split(pointer, "/")[1:] {
			// RFC 6901, section 4.
			step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
			to, _ = to.Member(step)
		}
		if to.IsZero() {
			return s
		}
		s.text = to
	}
	return s
}

// fields returns the properties of an object in the order in which they are written.
func (s schema) fields() []field {
	var required []string
	_ = s.at("required").Decode(&required)
	var fields []field
	_ = message.EachMember(s.at("properties"), func(_ int, name []byte, value message.Raw) {
		key := string(name)
		fields = append(fields, field{key, schema{value, s.root}.resolved(), slices.Contains(required, key)})
	})
	return fields
}

// field returns one property.
func (s schema) field(name string) (field, bool) {
	fields := s.fields()
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// kinds returns the JSON types that a value may have, without one twice; none means any.
func (s schema) kinds() []string { return s.kindsTo(mostLevels) }

func (s schema) kindsTo(levels int) []string {
	var one string
	var many []string
	switch text := s.at("type"); {
	case text.Decode(&one) == nil && one != "":
		return []string{one}
	case text.Decode(&many) == nil && len(many) > 0:
		return many
	case levels == 0:
		return nil
	}
	for _, value := range s.choices() {
		many = append(many, kindOf(value))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		for _, sub := range s.subs(keyword) {
			kinds := sub.kindsTo(levels - 1)
			if kinds == nil {
				return nil
			}
			many = append(many, kinds...)
		}
	}
	for _, sub := range s.subs("allOf") {
		if many == nil {
			many = sub.kindsTo(levels - 1)
		}
	}
	switch {
	case many != nil:
	case !s.at("properties").IsZero():
		return []string{"object"}
	case !s.at("items").IsZero():
		return []string{"array"}
	}
	return distinct(many)
}

// distinct returns each name once, in their order.
func distinct(names []string) (once []string) {
	for _, name := range names {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	return once
}

// choices returns the values that are allowed, if there are only a few.
func (s schema) choices() []message.Raw {
	var values []message.Raw
	if text := s.at("const"); !text.IsZero() {
		return []message.Raw{text}
	}
	_ = s.at("enum").Decode(&values)
	return values
}

// kindOf returns the JSON type of a value.
func kindOf(value message.Raw) string {
	switch value.String()[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	if isInteger(value.String()) {
		return "integer"
	}
	return "number"
}

// isInteger reports whether a JSON number has no fraction: 5, 5.0 and 5e3 have none
// (JSON Schema 2020-12, validation, section 6.1.1).
func isInteger(number string) bool {
	if !strings.ContainsAny(number, ".eE") {
		return true
	}
	f, err := strconv.ParseFloat(number, 64)
	return err == nil && f == float64(int64(f))
}

// shortNames are types as a signature has them.
var shortNames = map[string]string{"integer": "int", "boolean": "bool"}

// mostChoices is how many choices a signature shows.
const mostChoices = 4

// String is the type of a value as a signature has it: "int", "string[]", `"a"|"b"`.
func (s schema) String() string { return s.shortTo(mostLevels) }

func (s schema) shortTo(levels int) string {
	if choices := s.choices(); len(choices) > 0 && len(choices) <= mostChoices {
		return joined(choices, "|")
	}
	kinds := s.kinds()
	if len(kinds) == 0 {
		return "any"
	}
	names := make([]string, len(kinds))
	for i, kind := range kinds {
		names[i] = kind
		if short, ok := shortNames[kind]; ok {
			names[i] = short
		}
		if kind == "array" && levels > 0 {
			item := s.sub("items").resolved().shortTo(levels - 1)
			if strings.Contains(item, "|") {
				item = "(" + item + ")"
			}
			names[i] = item + "[]"
		}
	}
	return strings.Join(names, "|")
}

// joined writes values one after another.
func joined(values []message.Raw, between string) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.String()
	}
	return strings.Join(texts, between)
}

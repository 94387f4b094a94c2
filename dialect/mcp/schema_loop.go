package mcp

import (
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// loops reports whether checking a value against root would never end: a schema leads,
// by references and by keywords that apply to the same value, back to itself. The library
// does not see that before its stack is full, which ends the process.
func loops(root *jsonschema.Schema) bool {
	r := refs{places: make(map[string]*jsonschema.Schema), names: make(map[string]*jsonschema.Schema)}
	r.collect("#", root)
	done := make(map[*jsonschema.Schema]bool) // false: it is being looked at
	var looped func(s *jsonschema.Schema) bool
	looped = func(s *jsonschema.Schema) bool {
		if over, seen := done[s]; seen {
			return !over
		}
		done[s] = false
		if slices.ContainsFunc(r.same(s), looped) {
			return true
		}
		done[s] = true
		return false
	}
	for _, s := range r.places {
		if looped(s) {
			return true
		}
	}
	return false
}

// refs are the schemas inside a schema that a reference may mean.
type refs struct {
	places map[string]*jsonschema.Schema // by JSON pointer, from "#"
	names  map[string]*jsonschema.Schema // by anchor or $id
}

// collect notes s, which stands at place, and all schemas in it.
func (r *refs) collect(place string, s *jsonschema.Schema) {
	if s == nil { // a null, which the library refuses later
		return
	}
	r.places[place] = s
	for _, name := range []string{s.Anchor, s.DynamicAnchor, s.ID} {
		if name != "" {
			r.names[name] = s
		}
	}
	fields := reflect.ValueOf(s).Elem()
	for field, value := range fields.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" { // these have two forms, and the library reads them by hand
			name = map[string]string{"Items": "items", "ItemsArray": "items", "DependencySchemas": "dependencies"}[field.Name]
		}
		at := place + "/" + name
		switch value := value.Interface().(type) {
		case *jsonschema.Schema:
			r.collect(at, value)
		case []*jsonschema.Schema:
			for i, item := range value {
				r.collect(at+"/"+strconv.Itoa(i), item)
			}
		case map[string]*jsonschema.Schema:
			for name, member := range value {
				r.collect(at+"/"+pointerPart(name), member)
			}
		}
	}
}

// same are the schemas to which s hands on the value that it is given.
func (r *refs) same(s *jsonschema.Schema) []*jsonschema.Schema {
	same := slices.Concat(s.AllOf, s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Not, s.If, s.Then, s.Else, r.find(s.Ref), r.find(s.DynamicRef)})
	for _, members := range []map[string]*jsonschema.Schema{s.DependentSchemas, s.DependencySchemas} {
		for _, member := range members {
			same = append(same, member)
		}
	}
	return slices.DeleteFunc(same, func(s *jsonschema.Schema) bool { return s == nil })
}

// find returns what a reference means, or nil if it is none.
func (r *refs) find(ref string) *jsonschema.Schema {
	if ref == "" {
		return nil
	}
	if plain, err := url.PathUnescape(ref); err == nil {
		ref = plain
	}
	document, fragment, _ := strings.Cut(ref, "#")
	switch {
	case document != "":
		return r.names[document] // a part of another document inside this one is not followed
	case fragment == "" || fragment[0] == '/':
		return r.places["#"+fragment]
	}
	return r.names[fragment]
}

package mcp

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// checkRefs refuses a schema whose references lead out of it, or back to where they
// stand: one that leads, by references and by keywords that apply to the same value, to
// itself. The library does not see that before its stack is full, which ends the process.
// So what cannot be followed here is refused, even where the library could.
func checkRefs(root *jsonschema.Schema) error {
	r := refs{places: make(map[string]*jsonschema.Schema), anchors: make(map[string]*jsonschema.Schema)}
	if err := r.collect("#", root); err != nil {
		return err
	}
	for _, place := range slices.Sorted(maps.Keys(r.places)) {
		s := r.places[place]
		if s != root && s.ID != "" {
			return fmt.Errorf("the $id at %s makes a document of its own: refer to it by #/…, or by an $anchor", place)
		}
		for _, ref := range []string{s.Ref, s.DynamicRef} {
			if ref != "" && r.find(ref) == nil {
				return fmt.Errorf("the $ref %q at %s leads to nothing in this document: it begins with # and ends at a schema", ref, place)
			}
		}
	}
	if r.loop() {
		return errors.New("a $ref leads back to where it stands, so that no value could ever be checked")
	}
	return nil
}

// refs are the schemas inside a schema that a reference may mean.
type refs struct {
	places  map[string]*jsonschema.Schema // by JSON pointer, from "#"
	anchors map[string]*jsonschema.Schema
}

// loop reports whether a schema leads back to itself.
func (r *refs) loop() bool {
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

// collect notes s, which stands at place, and all schemas in it.
func (r *refs) collect(place string, s *jsonschema.Schema) error {
	if s == nil { // a null, which the library refuses later
		return nil
	}
	r.places[place] = s
	for _, name := range []string{s.Anchor, s.DynamicAnchor} {
		if other := r.anchors[name]; other != nil && other != s {
			return fmt.Errorf("the anchor %q stands at %s and elsewhere", name, place)
		}
		if name != "" {
			r.anchors[name] = s
		}
	}
	for at, inner := range inside(place, s) {
		if err := r.collect(at, inner); err != nil {
			return err
		}
	}
	return nil
}

// inside goes over the schemas that stand in the members of s, and their places.
func inside(place string, s *jsonschema.Schema) map[string]*jsonschema.Schema {
	all := make(map[string]*jsonschema.Schema)
	for field, value := range reflect.ValueOf(s).Elem().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" { // these have two forms, and the library reads them by hand
			name = map[string]string{"Items": "items", "ItemsArray": "items", "DependencySchemas": "dependencies"}[field.Name]
		}
		at := place + "/" + name
		switch value := value.Interface().(type) {
		case *jsonschema.Schema:
			if value != nil {
				all[at] = value
			}
		case []*jsonschema.Schema:
			for i, item := range value {
				all[at+"/"+strconv.Itoa(i)] = item
			}
		case map[string]*jsonschema.Schema:
			for name, member := range value {
				all[at+"/"+pointerPart(name)] = member
			}
		}
	}
	return all
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

// find returns what a reference means, or nil if it is none, or none to be followed.
func (r *refs) find(ref string) *jsonschema.Schema {
	fragment, here := strings.CutPrefix(ref, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	switch {
	case !here:
		return nil
	case fragment == "" || fragment[0] == '/':
		return r.places["#"+fragment]
	}
	return r.anchors[fragment]
}

package message

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// A member is found by its exact name, after unescaping, and only at the top.
func TestMember(t *testing.T) {
	obj := Raw(` {"a":1, "b" : {"a":2} ,"é":"x","A":3,"c":"{\"a\":9}"} `)
	for name, want := range map[string]string{"a": "1", "b": `{"a":2}`, "é": `"x"`, "A": "3", "c": `"{\"a\":9}"`, "d": "", "": ""} {
		got, ok := obj.Member(name)
		if got.String() != want || ok != (want != "") {
			t.Errorf("%q: got %s, %v", name, got, ok)
		}
	}
	for _, r := range []string{"", "null", "[1]", `"a"`, "1", `{"a"`, `{"b":1`} {
		if got, ok := Raw(r).Member("a"); ok {
			t.Errorf("%s has a member: %s", r, got)
		}
	}
}

// Setting a member changes no other byte, and makes the objects that the path needs.
func TestSet(t *testing.T) {
	for _, test := range []struct {
		in, want string
		path     []string
	}{
		{"", `{"a":7}`, []string{"a"}},
		{"", `{"a":{"b":7}}`, []string{"a", "b"}},
		{"{}", `{"a":7}`, []string{"a"}},
		{" { } ", ` {"a":7 } `, []string{"a"}},
		{`{"x":1.0}`, `{"x":1.0,"a":7}`, []string{"a"}},
		{`{"x" : "é" }`, `{"x" : "é","a":7 }`, []string{"a"}},
		{`{"a": 1 ,"x":2}`, `{"a": 7 ,"x":2}`, []string{"a"}},
		{`{"a":{"x":1},"y":2}`, `{"a":{"x":1,"b":7},"y":2}`, []string{"a", "b"}},
		{`{"a":{"b":1e2}}`, `{"a":{"b":7}}`, []string{"a", "b"}},
		{`{"a":{}}`, `{"a":{"b":{"c":7}}}`, []string{"a", "b", "c"}},
		{`[1]`, `7`, nil},
	} {
		before := bytes.Clone([]byte(test.in))
		got, err := Raw(test.in).Set(Raw("7"), test.path...)
		if err != nil || got.String() != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.in, got, err, test.want)
		}
		if !bytes.Equal(before, []byte(test.in)) {
			t.Errorf("%s was changed", before)
		}
	}
	for _, in := range []string{"[1]", "null", `"x"`, `{"a":1}`, `{"a":null}`} {
		if got, err := Raw(in).Set(Raw("7"), "a", "b"); !errors.Is(err, errNotObject) {
			t.Errorf("%s: got %s, %v", in, got, err)
		}
	}
}

// What was set is found, the text stays JSON, and every other member keeps its bytes.
func FuzzSet(f *testing.F) {
	f.Add(`{"x":1}`, "a", "[2]")
	f.Add(` {"\u0061":1, "b":{}} `, "a", "null")
	f.Add(`{"a":1,"a":2}`, "a", "3")
	f.Add(`{}`, "\xff\u2028\"", "0")
	f.Fuzz(func(t *testing.T, text, name, value string) {
		r := Raw(text)
		if !jsonx.Valid(r) || !jsonx.Valid([]byte(value)) {
			return // Set splices texts that are JSON
		}
		got, err := r.Set(Raw(value), name)
		if err != nil {
			return
		}
		if !jsonx.Valid(got) {
			t.Fatalf("%s with %q as %s became %s", text, name, value, got)
		}
		key, _ := jsonx.Unquote(jsonx.AppendQuote(nil, name)) // as JSON can write it
		if at, ok := got.Member(key); !ok || at.String() != strings.TrimSpace(value) {
			t.Errorf("in %s the member %q is %s", got, key, at)
		}
	})
}

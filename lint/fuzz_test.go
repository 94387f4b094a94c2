package lint_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-rpc/parley/dialect"
)

// Whatever bytes come, lint ends, and what it says has a place in the input and points to
// something that is there. It is short: as many findings come back as were counted.
func FuzzLint(f *testing.F) {
	for _, s := range examples(f) {
		for _, name := range []string{"bad", "good"} {
			if text, ok := s.file(name); ok && len(text) < 4096 && !strings.Contains(text, "«") {
				f.Add(input(text), s.options["dialect"], s.options["framing"])
			}
		}
	}
	f.Add([]byte("[1,\n[\n[\n{\n}\n\"\n"), "claude", "")
	f.Add([]byte("Content-Length: 2\r\n\r\n{}{"), "lsp", "header")
	f.Add([]byte("\x1e{}\n\x1e12"), "", "seq")
	f.Fuzz(func(t *testing.T, text []byte, name, framing string) {
		options := map[string]string{"limit": "2000"}
		if _, err := dialect.Lookup(name); err == nil {
			options["dialect"] = name
		}
		if framing == "lines" || framing == "header" || framing == "concat" || framing == "seq" {
			options["framing"] = framing
		}
		findings, counted := lintText(t, bytes.NewReader(text), options)
		if more := counted - int64(len(findings)); more < 0 {
			t.Errorf("%d findings, and %d were counted", len(findings), counted)
		}
		for _, f := range findings {
			if f.Rule == nil || f.Message == "" || f.Offset < 0 || f.Offset > int64(len(text)) || f.Line < 0 {
				t.Errorf("a finding without a place or a message: %+v", f)
			}
			if f.Pointer != "" && !strings.HasPrefix(f.Pointer, "/") {
				t.Errorf("%q is no JSON pointer", f.Pointer)
			}
		}
	})
}

// A message that a library of JSON has written has no fault of its text, and one with a
// name twice has.
func FuzzDuplicates(f *testing.F) {
	f.Add("a", "b", `"x"`)
	f.Add("a", "a", `{"c":[1,{"d":null}]}`)
	f.Add("a", "\u0061\x00\"", `[]`)
	f.Add("0", "0", "\"\xf9\"") // not UTF-8, which is the one thing said of that line
	f.Fuzz(func(t *testing.T, a, b, value string) {
		if !utf8.ValidString(value) || !json.Valid([]byte(value)) || len(value) > 1000 || strings.Contains(value, "\n") {
			return
		}
		one, _ := json.Marshal(a) // strings always have a JSON form
		two, _ := json.Marshal(b)
		if bytes.Contains([]byte(value), []byte(`{`)) {
			value = "0" // it might have duplicates of its own
		}
		line := `{"jsonrpc":"2.0","method":"note","params":{` + string(one) + `:` + value + `,` + string(two) + `:` + value + "}}\n"
		findings, _ := lintText(t, strings.NewReader(line), nil)
		twice := false
		for _, f := range findings {
			twice = twice || f.Rule.ID == "duplicate-member"
		}
		if want := string(one) == string(two); twice != want && !strings.ContainsRune(a+b, '\uFFFD') {
			t.Errorf("%s: duplicate %v, want %v: %s", line, twice, want, show(findings))
		}
	})
}

package mcp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// constants reads the sources of this package for its typed constants, and returns a
// word for each as the constant and its comment have it. Nobody has to list them.
func constants(t *testing.T) map[string]parley.Word {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	words := make(map[string]parley.Word)
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(source, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if word, ok := constant(t, spec); ok {
				if _, twice := words[word.Method]; twice {
					t.Errorf("%s: a second constant for %q", spec.Names[0], word.Method)
				}
				words[word.Method] = word
			}
			return true
		})
	}
	return words
}

// constant returns the word of a constant of the type parley.Method[P, R] or
// parley.Note[P].
func constant(t *testing.T, spec *ast.ValueSpec) (parley.Word, bool) {
	t.Helper()
	var kind ast.Expr
	switch typ := spec.Type.(type) {
	case *ast.IndexListExpr:
		kind = typ.X
	case *ast.IndexExpr:
		kind = typ.X
	}
	of, ok := kind.(*ast.SelectorExpr)
	if !ok || of.Sel.Name != "Method" && of.Sel.Name != "Note" {
		return parley.Word{}, false
	}
	name := spec.Names[0].Name
	doc, ok := strings.CutPrefix(strings.Join(strings.Fields(spec.Doc.Text()), " "), name+" ")
	if !ok || !strings.HasSuffix(doc, ".") {
		t.Errorf("%s: its comment is no sentence that begins with its name: %q", name, doc)
		return parley.Word{}, false
	}
	method, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return parley.Word{
		Method: method,
		Note:   of.Sel.Name == "Note",
		Doc:    strings.ToUpper(doc[:1]) + doc[1:],
	}, true
}

// The table of words and the typed constants say the same: neither has a method that
// the other has not, nor another kind or another sentence for it.
func TestWordsAreTheConstants(t *testing.T) {
	want := constants(t)
	got := make(map[string]parley.Word)
	for _, word := range mcp.Dialect.Words {
		if _, twice := got[word.Method]; twice {
			t.Errorf("the word %q is there twice", word.Method)
		}
		word.From = parley.SideUnknown // a constant has no side
		got[word.Method] = word
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constants and Words differ (-constants +Words):\n%s", diff)
	}
}

// The methods of each era, as the specification lists them.
func TestErasHaveTheirWords(t *testing.T) {
	legacyOnly := []string{
		"initialize", "logging/setLevel", "notifications/elicitation/complete", "notifications/initialized",
		"notifications/roots/list_changed", "notifications/tasks/status", "ping", "resources/subscribe",
		"resources/unsubscribe", "tasks/list", "tasks/result",
	}
	modernOnly := []string{
		"notifications/subscriptions/acknowledged", "notifications/tasks", "server/discover",
		"subscriptions/listen", "tasks/update",
	}
	legacy, modern := methods(mcp.Legacy), methods(mcp.Modern)
	without := func(a, b map[string]parley.Word) []string {
		only := maps.Clone(a)
		maps.DeleteFunc(only, func(method string, _ parley.Word) bool { _, both := b[method]; return both })
		return slices.Sorted(maps.Keys(only))
	}
	if diff := cmp.Diff(legacyOnly, without(legacy, modern)); diff != "" {
		t.Errorf("the words that only the legacy era has (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(modernOnly, without(modern, legacy)); diff != "" {
		t.Errorf("the words that only the modern era has (-want +got):\n%s", diff)
	}
	for method, word := range methods(mcp.Dialect) {
		l, inLegacy := legacy[method]
		m, inModern := modern[method]
		switch {
		case !inLegacy && !inModern:
			t.Errorf("%s is of no era", method)
		case inLegacy && inModern && l.From != m.From:
			if word.From != parley.SideUnknown {
				t.Errorf("%s comes from the %v, and the eras do not agree on that", method, word.From)
			}
		case inLegacy && word != l, inModern && word != m:
			t.Errorf("%s is %+v, and its era has it otherwise", method, word)
		}
	}
}

func methods(d parley.Dialect) map[string]parley.Word {
	words := make(map[string]parley.Word)
	for _, word := range d.Words {
		words[word.Method] = word
	}
	return words
}

// What waits for a person is a request that the dialect names.
func TestWaitsAreWords(t *testing.T) {
	for _, d := range []parley.Dialect{mcp.Dialect, mcp.Legacy, mcp.Modern} {
		words := methods(d)
		for method := range d.Waits {
			if word, ok := words[method]; !ok || word.Note {
				t.Errorf("%s: %q waits for a person and is no request", d.Name, method)
			}
		}
		if got := d.Waits["elicitation/create"]; got != parley.WaitInput {
			t.Errorf("%s: elicitation/create waits for %v, want input", d.Name, got)
		}
		if got := d.Waits["sampling/createMessage"]; got != parley.WaitApproval {
			t.Errorf("%s: sampling/createMessage waits for %v, want an approval", d.Name, got)
		}
	}
}

package lsp_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
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
	for _, word := range lsp.Dialect.Words {
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

// The words are the methods of the specification, from the sides that it says.
func TestWordsAreTheSpecification(t *testing.T) {
	text, err := os.ReadFile("testdata/methods.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			want[line] = true
		}
	}
	got := make(map[string]bool)
	for _, word := range lsp.Dialect.Words {
		kind := "request"
		if word.Note {
			kind = "note"
		}
		got[fmt.Sprint(kind, " ", word.From, " ", word.Method)] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the specification and Words differ (-specification +Words):\n%s", diff)
	}
}

// What waits for a person is a request that the dialect names.
func TestWaitsAreWords(t *testing.T) {
	if got := lsp.Dialect.Waits["window/showMessageRequest"]; got != parley.WaitInput {
		t.Errorf("window/showMessageRequest waits for %v, want input", got)
	}
	for method := range lsp.Dialect.Waits {
		asks := func(w parley.Word) bool { return w.Method == method && !w.Note }
		if !slices.ContainsFunc(lsp.Dialect.Words, asks) {
			t.Errorf("%q waits for a person and is no request", method)
		}
	}
}

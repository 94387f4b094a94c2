package dialecttest

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley"
)

// Words checks that the words of a dialect are those of the typed constants in the folder of the test: the same
// methods, each once, as calls or as notes. What a word tells is the first sentence of the constant's comment, without
// the constant's name.
//
// The comment of a block of constants says who sends them: sides has the ways in which it may begin. With nil sides the
// comments do not say it, and it is not compared. The dialect has to be [Sound] as well.
func Words(t *testing.T, d *parley.Dialect, sides map[string]parley.Side) {
	t.Helper()
	words := slices.Clone(d.Words)
	for i := range words {
		if sides == nil {
			words[i].From = parley.SideUnknown
		}
	}
	byMethod := cmpopts.SortSlices(func(a, b parley.Word) bool { return a.Method < b.Method })
	if diff := cmp.Diff(constants(t, sides), words, byMethod); diff != "" {
		t.Errorf("%s: the words are not the constants (-constants +words)\n%s", d.Name, diff)
	}
	Sound(t, d)
}

// Sound checks that a dialect agrees with its own words: what waits for a person is a call of the server, and what it
// cancels, withdraws, reports and logs by are notes.
func Sound(t *testing.T, d *parley.Dialect) {
	t.Helper()
	for method := range d.Waits {
		if !slices.ContainsFunc(d.Words, func(w parley.Word) bool {
			return w.Method == method && !w.Note && w.From == parley.SideServer
		}) {
			t.Errorf("%s: %q waits for a person, and is no call of the server", d.Name, method)
		}
	}
	for _, method := range []string{d.Cancel.Method, d.Withdraw.Method, d.Progress.Method, d.Log.Method} {
		if method != "" && !slices.ContainsFunc(d.Words, func(w parley.Word) bool { return w.Method == method && w.Note }) {
			t.Errorf("%s: the dialect uses %q, which is no note of its words", d.Name, method)
		}
	}
}

// constants returns a word for each typed constant of the package in this folder.
func constants(t *testing.T, sides map[string]parley.Side) (words []parley.Word) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if block, ok := d.(*ast.GenDecl); ok && block.Tok == token.CONST {
				words = append(words, constantsIn(t, block, sides)...)
			}
		}
	}
	return words
}

// constantsIn returns the words of a block.
func constantsIn(t *testing.T, block *ast.GenDecl, sides map[string]parley.Side) (words []parley.Word) {
	t.Helper()
	for _, s := range block.Specs {
		spec := s.(*ast.ValueSpec)
		kind := kindOf(spec.Type)
		if kind == "" {
			continue
		}
		name, comment := spec.Names[0].Name, spec.Doc
		if !block.Lparen.IsValid() { // A constant that stands alone.
			comment = block.Doc
		}
		method, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := strings.CutPrefix(new(doc.Package).Synopsis(comment.Text()), name+" ")
		if !ok || !strings.HasSuffix(text, ".") {
			t.Errorf("%s: its comment is no sentence that begins with its name: %q", name, comment.Text())
			continue
		}
		from, ok := sideOf(block.Doc.Text(), sides)
		if !ok {
			t.Errorf("%s: the comment of its block does not say who sends it: %q", name, block.Doc.Text())
		}
		words = append(words, parley.Word{
			Method: method,
			Note:   kind == "Note",
			From:   from,
			Doc:    strings.ToUpper(text[:1]) + text[1:],
		})
	}
	return words
}

// kindOf returns "Method" or "Note" for a type such as parley.Note[P], and else "".
func kindOf(t ast.Expr) string {
	switch of := t.(type) {
	case *ast.IndexExpr:
		t = of.X
	case *ast.IndexListExpr:
		t = of.X
	}
	if of, ok := t.(*ast.SelectorExpr); ok && (of.Sel.Name == "Method" || of.Sel.Name == "Note") {
		return of.Sel.Name
	}
	return ""
}

// sideOf returns who sends the constants of a block with this comment.
func sideOf(comment string, sides map[string]parley.Side) (from parley.Side, ok bool) {
	for begin, side := range sides {
		if strings.HasPrefix(comment, begin) {
			return side, true
		}
	}
	return parley.SideUnknown, sides == nil
}

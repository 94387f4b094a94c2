package parley_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"iter"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// This file reads the tree and holds the rules about its style; floors_test.go holds those about imports.

// mayPrint are the packages whose standard output is theirs. Everywhere else it may carry records.
var mayPrint = []string{"cmd/*", "examples/*"}

// Sizes are counted in lines, comments included, as a reader scrolls. A function's are those between its braces.
// Tests and generated files are free.
const (
	maxFileLines     = 400
	maxFunctionLines = 60
)

// A folder is one package with all its files, those for other systems included.
type folder struct {
	name  string // relative to the root, "." for the root itself
	files []*sourceFile
}

type sourceFile struct {
	name  string // relative to the root, with slashes
	test  bool
	lines int
	*ast.File
}

// isLibrary says whether the folder holds more than tests.
func (f folder) isLibrary() bool {
	return slices.ContainsFunc(f.files, func(s *sourceFile) bool { return !s.test })
}

var fileSet = token.NewFileSet()

// tree parses the module once for all tests of this file. Nothing is type-checked: the rules hold for a tree that
// does not compile, and for the files of systems that this one is not.
var tree = sync.OnceValues(func() ([]folder, error) {
	var folders []folder
	err := goList(nil, []string{"-e", "./..."}, func(p listed) error {
		f := folder{name: relative(p.ImportPath)}
		names := slices.Concat(p.GoFiles, p.CgoFiles, p.IgnoredGoFiles, p.TestGoFiles, p.XTestGoFiles)
		for _, base := range names {
			s, err := parse(path.Join(f.name, base))
			if err != nil {
				return err
			}
			f.files = append(f.files, s)
		}
		folders = append(folders, f)
		return nil
	})
	if err == nil && len(folders) == 0 {
		err = errors.New("go list ./... names no package")
	}
	return folders, err
})

func mustTree(t *testing.T) []folder {
	t.Helper()
	folders, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	return folders
}

// sources are the files of the tree, each with its folder.
func sources(t *testing.T) iter.Seq2[folder, *sourceFile] {
	t.Helper()
	folders := mustTree(t)
	return func(yield func(folder, *sourceFile) bool) {
		for _, f := range folders {
			for _, s := range f.files {
				if !yield(f, s) {
					return
				}
			}
		}
	}
}

func parse(name string) (*sourceFile, error) {
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(fileSet, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &sourceFile{
		name:  name,
		test:  strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")),
		File:  f,
	}, nil
}

// listed is what we read of a package in the answer of go list.
type listed struct {
	ImportPath                                                   string
	Standard                                                     bool
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
}

// goList calls each for every package that go list names; env is added to ours.
func goList(env, args []string, each func(listed) error) error {
	fields := "-json=ImportPath,Standard,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles"
	cmd := exec.Command("go", append([]string{"list", fields}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list %s: %w\n%s", strings.Join(args, " "), err, &complaint)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read the answer of go list: %w", err)
		}
		if err := each(p); err != nil {
			return err
		}
	}
}

// relative turns an import path of this module into the name that the lists above use.
func relative(importPath string) string {
	if importPath == modulePath {
		return "."
	}
	return strings.TrimPrefix(importPath, modulePath+"/")
}

func matchesAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}

// imported are the import paths of a file with their places.
func (s *sourceFile) imported(each func(importPath string, at token.Position)) {
	for _, spec := range s.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			each(p, fileSet.Position(spec.Pos()))
		}
	}
}

// importNamed is the path that a file imports under a name, or "". An import without a name of its own goes by its
// last element, less a major version: "charm.land/lipgloss/v2" is lipgloss.
func (s *sourceFile) importNamed(name string) (found string) {
	for _, spec := range s.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		local := path.Base(p)
		if majorVersion.MatchString(local) {
			local = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == name {
			found = p
		}
	}
	return found
}

var majorVersion = regexp.MustCompile(`^v\d+$`)

func TestNoPrints(t *testing.T) {
	for f, s := range sources(t) {
		if s.test || matchesAny(mayPrint, f.name) {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && s.prints(call) {
				t.Errorf("%s: prints to this process's own output, which may carry records: take an io.Writer or a *slog.Logger",
					fileSet.Position(call.Pos()))
			}
			return true
		})
	}
}

// prints says whether a call is fmt.Print and its like, or the builtin print.
func (s *sourceFile) prints(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "print" || fun.Name == "println"
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		return ok && s.importNamed(x.Name) == "fmt" && strings.HasPrefix(fun.Sel.Name, "Print")
	}
	return false
}

func TestSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || ast.IsGenerated(s.File) {
			continue
		}
		if s.lines > maxFileLines {
			t.Errorf("%s has %d lines, more than %d: is that one idea?", s.name, s.lines, maxFileLines)
		}
		for _, d := range s.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if n := span(fn.Body) - 2; n > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, more than %d", fileSet.Position(fn.Pos()), fn.Name.Name, n, maxFunctionLines)
			}
		}
	}
	for _, f := range mustTree(t) {
		t.Log(f.commentShare())
	}
}

// commentShare tells how much of a folder's code is comment. The design aims at 20 to 28 %, which is an aim and no
// rule: a count cannot tell a why from a what.
func (f folder) commentShare() string {
	lines, comments := 0, 0
	for _, s := range f.files {
		if s.test {
			continue
		}
		lines += s.lines
		for _, c := range s.Comments {
			comments += span(c)
		}
	}
	return fmt.Sprintf("%-20s %5d lines, %2d %% of them comments", f.name, lines, 100*comments/max(lines, 1))
}

// span is the number of lines that a node touches.
func span(n ast.Node) int {
	return fileSet.Position(n.End()).Line - fileSet.Position(n.Pos()).Line + 1
}

// TestNoSkips also refuses rapid's Skip, which drops a generated case: a generator with Filter says what it drops.
func TestNoSkips(t *testing.T) {
	for _, s := range sources(t) {
		if s.importNamed("testing") == "" && s.importNamed("rapid") == "" {
			continue
		}
		ast.Inspect(s.File, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				t.Errorf("%s: a skipped test looks green: let it fail and say what is missing", fileSet.Position(sel.Sel.Pos()))
			}
			return true
		})
	}
}

// openEnd finds what a comment leaves open, with the number of its issue if it has one. The words are written in
// halves, so that a search for them finds what is open and not this rule.
var openEnd = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X)\b(\(#\d+\))?`)

func TestOpenEndsHaveAnIssue(t *testing.T) {
	for _, s := range sources(t) {
		for _, group := range s.Comments {
			for _, c := range group.List {
				for _, found := range openEnd.FindAllStringSubmatch(c.Text, -1) {
					if word, issue := found[1], found[2]; issue == "" {
						t.Errorf("%s: %s without the number of its issue: write %s(#12)", fileSet.Position(c.Pos()), word, word)
					}
				}
			}
		}
	}
}

package parley_test

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// This file and tree_test.go hold the rules about the tree as a whole, so that `go test .` alone enforces them. A
// rule is a list or a number and a test. Who needs an exception changes the list, in a commit that says why.

const modulePath = "github.com/parley-rpc/parley"

// floors is the house, from the ground up. A package imports from lower floors only, never from its own or from above.
// An entry is a folder, "." for the root, or a pattern of [path.Match]; the first entry that matches a package counts.
// Tests may import from anywhere.
var floors = [][]string{
	{"internal/jsonx", "internal/term", "internal/group"},
	{"frame", "message", "internal/query"},
	{".", "stdio", "spawn"},
	{"dialect/mcp/words"},
	{"ledger", "dialect/*"},
	{"internal/reference", "internal/dialecttest", "dialect"},
	{"recording"},
	{"lint", "toolbox"},
	{"internal/measure"},
	{"cmd/parley", "examples/*", "parleytest"},
}

// core is what every program that imports parley carries along. Its import closure is the standard library and
// coreModules, on every system that we build for, and no type of theirs shows in its exported API.
var core = []string{
	".", "frame", "message", "ledger", "stdio", "spawn",
	"dialect", "dialect/acp", "dialect/claude", "dialect/codex", "dialect/lsp", "dialect/mcp/words", "dialect/stream",
}

var coreModules = []string{"github.com/go-json-experiment/json"}

// thirdParty says which packages may import which module. Patterns are as in floors.
var thirdParty = map[string][]string{
	"github.com/go-json-experiment/json": {"internal/jsonx"},
	"github.com/spf13/cobra":             {"cmd/parley"},
	"charm.land/lipgloss/v2":             {"cmd/parley"},
	"golang.org/x/term":                  {"internal/term", "cmd/parley"},
	"golang.org/x/text":                  {"cmd/parley"},
	"github.com/google/jsonschema-go":    {"dialect/mcp", "toolbox"},
	"github.com/goccy/go-yaml":           {"toolbox"},
	"github.com/google/go-cmp":           {"parleytest", "internal/dialecttest"},
	"github.com/rogpeppe/go-internal":    {"parleytest"},
}

// testOnly are the modules that any test may import on top of what its package may.
var testOnly = []string{
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"go.uber.org/goleak",
	"pgregory.net/rapid",
}

// floorOf is the floor that a package stands on, or -1.
func floorOf(name string) int {
	return slices.IndexFunc(floors, func(floor []string) bool { return matchesAny(floor, name) })
}

// isOurs and isThirdParty sort import paths; what is neither is the standard library, whose paths start with no domain.
func isOurs(importPath string) bool {
	return importPath == modulePath || strings.HasPrefix(importPath, modulePath+"/")
}

func isThirdParty(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return strings.Contains(first, ".") && !isOurs(importPath)
}

// moduleOf is the module of a third-party import path, as far as modules lists it.
func moduleOf(importPath string, modules []string) (string, bool) {
	i := slices.IndexFunc(modules, func(m string) bool { return importPath == m || strings.HasPrefix(importPath, m+"/") })
	if i < 0 {
		return "", false
	}
	return modules[i], true
}

func TestImportsRunDown(t *testing.T) {
	for _, f := range mustTree(t) {
		if f.isLibrary() && floorOf(f.name) < 0 {
			t.Errorf("package %s stands on no floor: give it its place in floors", f.name)
		}
	}
	for f, s := range sources(t) {
		if s.test {
			continue
		}
		s.imported(func(p string, at token.Position) {
			if !isOurs(p) {
				return
			}
			if from, to := floorOf(f.name), floorOf(relative(p)); to >= from {
				t.Errorf("%s: %s, on floor %d, imports %s, on floor %d: imports run down", at, f.name, from, relative(p), to)
			}
		})
	}
}

func TestListsNameWhatExists(t *testing.T) {
	var names []string
	for _, f := range mustTree(t) {
		if f.isLibrary() {
			names = append(names, f.name)
		}
	}
	for _, pattern := range slices.Concat(slices.Concat(floors...), core) {
		if !slices.ContainsFunc(names, func(name string) bool { return matchesAny([]string{pattern}, name) }) {
			t.Errorf("a list names %s, which is no package: the lists hold what is, not what is planned", pattern)
		}
	}
}

func TestThirdPartyImports(t *testing.T) {
	modules := slices.Collect(maps.Keys(thirdParty))
	for f, s := range sources(t) {
		s.imported(func(p string, at token.Position) {
			if !isThirdParty(p) {
				return
			}
			if _, ok := moduleOf(p, testOnly); ok && s.test {
				return
			}
			module, listed := moduleOf(p, modules)
			if !listed || !matchesAny(thirdParty[module], f.name) {
				t.Errorf("%s: %s imports %s, which thirdParty does not allow it", at, f.name, p)
			}
		})
	}
}

func TestCoreIsClosed(t *testing.T) {
	patterns := []string{"-deps"}
	for _, name := range core {
		patterns = append(patterns, path.Join(modulePath, name))
	}
	for _, system := range []string{"linux", "darwin", "windows"} {
		t.Run(system, func(t *testing.T) {
			err := goList([]string{"GOOS=" + system, "CGO_ENABLED=0"}, patterns, func(p listed) error {
				if p.Standard || isOurs(p.ImportPath) {
					return nil
				}
				if _, ok := moduleOf(p.ImportPath, coreModules); !ok {
					t.Errorf("the core imports %s, by some way: `go mod why %s` shows it", p.ImportPath, p.ImportPath)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestCoreExportsNoThirdPartyType keeps the choice of a library our own: what shows in a signature can never be
// replaced. It reads declarations as they are written, so an exported variable without a type is judged by the
// function, type or value that it is set to.
func TestCoreExportsNoThirdPartyType(t *testing.T) {
	for f, s := range sources(t) {
		if s.test || !slices.Contains(core, f.name) {
			continue
		}
		for _, d := range s.Decls {
			for _, e := range exported(d) {
				s.selectors(e, func(importPath string, at token.Pos) {
					if isThirdParty(importPath) {
						t.Errorf("%s: the exported API of %s shows a type of %s", fileSet.Position(at), f.name, importPath)
					}
				})
			}
		}
	}
}

// exported are the expressions of a declaration that its users see: the types of what has an exported name.
func exported(d ast.Decl) (seen []ast.Expr) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
			seen = append(seen, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					seen = append(seen, spec.Type)
					seen = append(seen, constraints(spec.TypeParams)...)
				}
			case *ast.ValueSpec:
				if !slices.ContainsFunc(spec.Names, (*ast.Ident).IsExported) {
					continue
				}
				if spec.Type != nil {
					seen = append(seen, spec.Type)
					continue
				}
				for _, v := range spec.Values {
					seen = append(seen, origin(v))
				}
			}
		}
	}
	return seen
}

// exportedReceiver says whether a method's receiver is of an exported type: T, *T or T[P].
func exportedReceiver(recv *ast.FieldList) bool {
	name := ""
	ast.Inspect(recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return ast.IsExported(name)
}

func constraints(params *ast.FieldList) (types []ast.Expr) {
	if params != nil {
		for _, p := range params.List {
			types = append(types, p.Type)
		}
	}
	return types
}

// origin is the part of a value that gives it its type: the called function, the literal's type.
func origin(v ast.Expr) ast.Expr {
	switch v := v.(type) {
	case *ast.CallExpr:
		return origin(v.Fun)
	case *ast.CompositeLit:
		if v.Type != nil {
			return v.Type
		}
	case *ast.UnaryExpr:
		return origin(v.X)
	case *ast.FuncLit:
		return v.Type
	}
	return v
}

// selectors calls each for every pkg.Name in e, but for those in fields and methods that are not exported.
func (s *sourceFile) selectors(e ast.Expr, each func(importPath string, at token.Pos)) {
	fields := func(list *ast.FieldList) {
		for _, field := range list.List {
			if len(field.Names) == 0 || slices.ContainsFunc(field.Names, (*ast.Ident).IsExported) {
				s.selectors(field.Type, each)
			}
		}
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			fields(n.Fields)
			return false
		case *ast.InterfaceType:
			fields(n.Methods)
			return false
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				each(s.importNamed(x.Name), n.Pos())
			}
		}
		return true
	})
}

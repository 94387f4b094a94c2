// Package docs_test keeps the documentation true: it runs every command that the documents show and compares what
// they say comes out, builds every Go program in them, and follows every link and name.
//
// A fenced block of the language console holds commands and their output, as a terminal shows them:
//
//	$ a command         run by sh; a line that begins with "> " goes on with it
//	what it writes      the lines of stdout and of stderr, each in their order: how the two mix is for
//	                    the system to say
//	...                 any number of lines
//
// The commands of a block share a folder in which there is nothing but the folders of examples and of test data, as in a
// checkout. A command must end with exit code 0: one that is meant to fail shows
// its code, with "; echo $?". A block of "console no-test REASON" is not run.
//
// A fenced block of the language go holds a whole file. The command "go run ." runs the last one above it.
package docs_test

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const root = ".."

// notRun is how many console blocks of a document may go without a test.
const notRun = 3

// patience is how long one command may take.
const patience = 20 * time.Second

// A document is a Markdown file, taken apart.
type document struct {
	name   string // from the root, with slashes
	blocks []block
	prose  []string // its lines, with those of fenced blocks left empty
}

// A block is what stands between two fences.
type block struct {
	line     int    // of the opening fence, from 1
	language string // the first word behind the fence
	info     string // the words after it
	lines    []string
	program  []string // the lines of the last Go block above it
}

// glob returns the documents that match the patterns, which are relative to the root.
func glob(t *testing.T, patterns ...string) (docs []document) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s matches no document: %v", pattern, err)
		}
		for _, file := range files {
			docs = append(docs, parse(t, file))
		}
	}
	return docs
}

// guides are the documents for users, whose commands and programs are run.
func guides(t *testing.T) []document {
	t.Helper()
	return glob(t, "README.md", "README.zh-CN.md", "docs/*.md")
}

func parse(t *testing.T, file string) document {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	doc := document{name: filepath.ToSlash(name)}
	var open *block
	var program []string
	for i, line := range strings.Split(string(text), "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			language, info, _ := strings.Cut(info, " ")
			open = &block{line: i + 1, language: language, info: info, program: program}
		case fence:
			if open.language == "go" {
				program = open.lines
			}
			doc.blocks = append(doc.blocks, *open)
			open = nil
		case open != nil:
			open.lines = append(open.lines, line)
		}
		if fence || open != nil {
			line = ""
		}
		doc.prose = append(doc.prose, line)
	}
	if open != nil {
		t.Fatalf("%s:%d: this block is not closed", doc.name, open.line)
	}
	return doc
}

// TestConsole runs the commands of the documents.
func TestConsole(t *testing.T) {
	bin := t.TempDir()
	run(t, root, nil, "go", "build", "-o", bin+string(filepath.Separator), "./cmd/parley")
	path := "PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	for _, doc := range guides(t) {
		skipped := 0
		for _, b := range doc.blocks {
			if b.language != "console" {
				continue
			}
			if reason, ok := strings.CutPrefix(b.info, "no-test"); ok {
				if skipped++; strings.TrimSpace(reason) == "" || skipped > notRun {
					t.Errorf("%s:%d: a block that is not run says why, and at most %d of a document are", doc.name, b.line, notRun)
				}
				continue
			}
			t.Run(doc.name+":"+strconv.Itoa(b.line), func(t *testing.T) {
				t.Parallel()
				b.run(t, path)
			})
		}
	}
}

// run runs the commands of a block, one after the other.
func (b block) run(t *testing.T, path string) {
	dir, env := checkout(t), []string{path}
	commands := b.commands()
	if len(commands) == 0 {
		t.Error("there is no command: a command begins with \"$ \"")
	}
	for _, c := range commands {
		if strings.Contains(c.line, "go run .") {
			env = append(env, module(t, dir, b.program)...)
		}
		out, told := run(t, dir, env, "sh", "-c", c.line)
		if !matches(c.output, lines(out), lines(told)) {
			t.Errorf("$ %s\ngot\n%s\nand on stderr\n%s\nthe document says\n%s", c.line, out, told, strings.Join(c.output, "\n"))
		}
	}
}

// checkout returns a new folder that leads to what commands read of a checkout.
func checkout(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"examples", "testdata"} {
		target, err := filepath.Abs(filepath.Join(root, name))
		if err == nil {
			err = os.Symlink(target, filepath.Join(dir, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A command is a line for the shell and the lines that come out.
type command struct {
	line   string
	output []string
}

func (b block) commands() (all []command) {
	for _, line := range b.lines {
		start, isStart := strings.CutPrefix(line, "$ ")
		more, isMore := strings.CutPrefix(line, "> ")
		last := len(all) - 1
		switch {
		case isStart:
			all = append(all, command{line: start})
		case last < 0:
			return nil
		case isMore && len(all[last].output) == 0:
			all[last].line += "\n" + more
		default:
			all[last].output = append(all[last].output, line)
		}
	}
	return all
}

// lines are those of a text, of which the last may lack its end.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// matches reports whether want is out and told in one of the ways in which the two can
// mix. "..." among what is wanted stands for any number of lines.
func matches(want, out, told []string) bool {
	if len(want) == 0 {
		return len(out)+len(told) == 0
	}
	rest, gap := want[1:], want[0] == "..."
	if gap && matches(rest, out, told) {
		return true
	}
	if gap {
		rest = want
	}
	return len(out) > 0 && (gap || out[0] == want[0]) && matches(rest, out[1:], told) ||
		len(told) > 0 && (gap || told[0] == want[0]) && matches(rest, out, told[1:])
}

// run runs a program in a folder, with env added to ours, and returns what it writes.
func run(t *testing.T, dir string, env []string, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), env...), time.Second
	var out, told bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &told
	if err := cmd.Run(); err != nil {
		t.Errorf("%s: %v\n%s%s", strings.Join(args, " "), errors.Join(err, ctx.Err()), &out, &told)
	}
	return out.String(), told.String()
}

// module makes a module of dir that holds the program and uses the parley of this tree, and returns the environment
// in which it builds. What parley needs itself is all that it needs, so that nothing is fetched for it.
func module(t *testing.T, dir string, program []string) (env []string) {
	t.Helper()
	if program == nil {
		t.Fatal("there is no Go block above")
	}
	parley, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod := readFile(t, filepath.Join(root, "go.mod"))
	name := regexp.MustCompile(`(?m)^module (\S+)$`)
	path := name.FindStringSubmatch(mod)[1]
	mod = name.ReplaceAllString(mod, "module example") + "\nrequire " + path + " v0.0.0\nreplace " + path + " => " + parley + "\n"
	for file, text := range map[string]string{
		"go.mod":  mod,
		"go.sum":  readFile(t, filepath.Join(root, "go.sum")),
		"main.go": strings.Join(program, "\n") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{"GOFLAGS=-mod=mod", "GOWORK=off"}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPrograms builds and vets the Go programs of the documents, and holds them to gofmt.
func TestPrograms(t *testing.T) {
	built := make(map[string]bool)
	for _, doc := range guides(t) {
		for _, b := range doc.blocks {
			text := strings.Join(b.lines, "\n")
			if b.language != "go" || built[text] {
				continue
			}
			built[text] = true
			t.Run(doc.name+":"+strconv.Itoa(b.line), func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				env := module(t, dir, b.lines)
				run(t, dir, env, "go", "vet", ".")
				if diff, _ := run(t, dir, nil, "gofmt", "-d", "main.go"); diff != "" {
					t.Errorf("not as gofmt has it:\n%s", diff)
				}
			})
		}
	}
	if len(built) == 0 {
		t.Error("no document shows a Go program")
	}
}

// TestSameInChinese holds the two READMEs together: the words differ, commands, outputs and programs do not.
func TestSameInChinese(t *testing.T) {
	var sides [2][]string
	for i, doc := range glob(t, "README.md", "README.zh-CN.md") {
		for _, b := range doc.blocks {
			sides[i] = append(sides[i], b.language+"\n"+strings.Join(b.lines, "\n"))
		}
	}
	for i := range max(len(sides[0]), len(sides[1])) {
		if i >= len(sides[0]) || i >= len(sides[1]) {
			t.Fatalf("one has %d blocks, the other %d", len(sides[0]), len(sides[1]))
		}
		if sides[0][i] != sides[1][i] {
			t.Errorf("block %d differs:\n%s\n\n%s", i+1, sides[0][i], sides[1][i])
		}
	}
}

var (
	codeSpan = regexp.MustCompile("`[^`]+`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`^#{1,6} +(.*)`)
	noAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchors are the headings of a document as a link names them.
func (d document) anchors() (names []string) {
	for _, line := range d.prose {
		if m := heading.FindStringSubmatch(line); m != nil {
			name := noAnchor.ReplaceAllString(strings.ToLower(m[1]), "")
			names = append(names, strings.ReplaceAll(name, " ", "-"))
		}
	}
	return names
}

// TestLinks follows the links within the tree.
func TestLinks(t *testing.T) {
	for _, doc := range glob(t, "*.md", "docs/*.md", "docs/adr/*.md") {
		for i, line := range doc.prose {
			for _, m := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(line, ""), -1) {
				target, anchor, _ := strings.Cut(m[1], "#")
				if strings.Contains(target, ":") {
					continue // somewhere else
				}
				file := filepath.Join(root, filepath.Dir(doc.name), target)
				if target == "" {
					file = filepath.Join(root, doc.name)
				}
				if _, err := os.Stat(file); err != nil {
					t.Errorf("%s:%d: the link leads nowhere: %v", doc.name, i+1, err)
				} else if anchor != "" && !slices.Contains(parse(t, file).anchors(), anchor) {
					t.Errorf("%s:%d: there is no heading #%s in %s", doc.name, i+1, anchor, file)
				}
			}
		}
	}
}

var (
	apiName  = regexp.MustCompile(`\b(?:(parley|frame|message|stdio|spawn|parleytest)\.)?([A-Z]\w*)(?:\.([A-Z]\w*))?\b`)
	testName = regexp.MustCompile(`\bTest[A-Z]\w*`)
)

// TestNames looks up what the guides call by its Go name: exported names with their package, members with their type,
// and tests.
func TestNames(t *testing.T) {
	known := exported(t)
	for _, doc := range guides(t) {
		for i, line := range doc.prose {
			for _, span := range codeSpan.FindAllString(line, -1) {
				for _, name := range named(span) {
					if !known[name] {
						t.Errorf("%s:%d: %s speaks of %s, which does not exist", doc.name, i+1, span, name)
					}
				}
			}
		}
	}
}

// named returns the names in a code span that must exist. A single word with a capital is not one: it may be anything.
func named(span string) (names []string) {
	for _, m := range apiName.FindAllStringSubmatch(span, -1) {
		if m[1] != "" || m[3] != "" {
			names = append(names, m[0])
		}
	}
	return append(names, testName.FindAllString(span, -1)...)
}

// exported returns the exported names of our packages, as package.Name, package.Type.Member and Type.Member, and the
// tests of all packages.
func exported(t *testing.T) map[string]bool {
	known := make(map[string]bool)
	for _, pattern := range []string{"*.go", "*/*.go", "*/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				for _, name := range declared(d) {
					known[name], known[file.Name.Name+"."+name] = true, true
				}
			}
		}
	}
	return known
}

// declared are the names that a declaration gives to a package: Name, and Type.Member for methods and fields.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d.Recv.List[0].Type) + "." + name
		}
		return []string{name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
				for _, member := range members(spec.Type) {
					names = append(names, spec.Name.Name+"."+member)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiver is the name of a method's type: T of T, *T or T[P].
func receiver(e ast.Expr) (name string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// members are the fields of a struct and the methods of an interface.
func members(e ast.Expr) (names []string) {
	var list *ast.FieldList
	switch e := e.(type) {
	case *ast.StructType:
		list = e.Fields
	case *ast.InterfaceType:
		list = e.Methods
	default:
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

// Package examples_test runs the examples as a reader would, and holds their output.
package examples_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// bin holds the examples and parley.
var bin string

func TestMain(m *testing.M) { os.Exit(build(m)) }

// build builds what the tests run, once: go run would link each example anew.
func build(m *testing.M) int {
	var err error
	if bin, err = os.MkdirTemp("", "parley-examples"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(bin)
	if out, err := exec.Command("go", "build", "-o", bin+"/", "../cmd/parley", "./...").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// runProgram runs a program that was built, feeds it stdin, and returns what it prints.
// It fails the test if the program fails or does not end by itself.
func runProgram(t *testing.T, stdin, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, &errs)
	}
	return out.String(), errs.String()
}

func TestExamples(t *testing.T) {
	tests := []struct{ name, stdout, stderr string }{
		{
			name: "memory",
			stdout: `→ {"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}
→ {"jsonrpc":"2.0","method":"note","params":["nobody answers this"]}
→ {"jsonrpc":"2.0","id":"two","method":"multiply","params":[6,7]}
→ {"jsonrpc":"2.0","id":3,"method":"subtract","params":[8,5]}
← {"jsonrpc":"2.0","id":1,"result":8}
← nothing, for the note has no id
← {"jsonrpc":"2.0","id":"two","result":42}
← {"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"Method not found"}}
`,
		},
		{
			name: "progress",
			stdout: `progress: "boil water"
progress: "warm the pot"
progress: "wait four minutes"
result: tea
`,
		},
		{
			name: "calculator",
			stdout: `3 + 5 = 8
3 / 0: division by zero (code 1)
`,
			stderr: "the calculator is ready\n",
		},
		{
			name: "callback",
			stdout: `the server asks: delete a.tmp? true
the server asks: delete notes.txt? false
the server asks: delete b.tmp? true
the server has deleted: a.tmp, b.tmp
`,
		},
		{
			name: "events",
			stdout: `← {"type":"progress","text":"reading"}
← {"type":"output","text":"README.md"}
← {"type":"output","text":"main.go"}
← {"type":"done"}
the child ended its output: EOF
`,
		},
	}
	var tested []string
	for _, test := range tests {
		tested = append(tested, test.name)
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr := runProgram(t, "", test.name)
			if diff := cmp.Diff(test.stdout, stdout); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.stderr, stderr); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
		})
	}
	slices.Sort(tested)
	if diff := cmp.Diff(exampleNames(t), tested); diff != "" {
		t.Errorf("the tests are not those of the examples (-there +tested):\n%s", diff)
	}
}

// exampleNames are the folders with an example, sorted.
func exampleNames(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names
}

// An example is one file that fits on a screen or two, and says first how to run it.
func TestExamplesAreShort(t *testing.T) {
	for _, name := range exampleNames(t) {
		files, err := fs.Glob(os.DirFS(name), "*")
		if err != nil || !slices.Equal(files, []string{"main.go"}) {
			t.Errorf("%s: has the files %v, want main.go only", name, files)
			continue
		}
		text, err := os.ReadFile(filepath.Join(name, "main.go"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n >= 60 {
			t.Errorf("%s: %d lines, want fewer than 60", name, n)
		}
		doc, _, _ := strings.Cut(string(text), "\npackage main")
		title := "// " + strings.ToUpper(name[:1]) + name[1:] + " "
		if how := "//\tgo run ./examples/" + name; !strings.HasPrefix(doc, title) || !strings.Contains(doc+"\n", how+"\n") {
			t.Errorf("%s: its comment must begin with %q and say %q:\n%s", name, title, how, doc)
		}
	}
}

// The calculator answers on stdio too, and what it prints does not get between.
func TestCalculatorServes(t *testing.T) {
	stdout, stderr := runProgram(t, `{"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}`+"\n", "calculator", "serve")
	if want := `{"jsonrpc":"2.0","id":1,"result":8}` + "\n"; stdout != want {
		t.Errorf("stdout is %q, want %q", stdout, want)
	}
	if want := "the calculator is ready\n"; stderr != want {
		t.Errorf("stderr is %q, want %q", stderr, want)
	}
}

// The same lines get the same answers from two buffers in memory and from a child
// process, up to their order.
func TestMemoryIsAsAChild(t *testing.T) {
	shown, _ := runProgram(t, "", "memory")
	var sent, memory []string
	for line := range strings.Lines(shown) {
		switch text := strings.TrimSpace(line[len("→ "):]); {
		case strings.HasPrefix(line, "→ "):
			sent = append(sent, text)
		case json.Valid([]byte(text)):
			memory = append(memory, text)
		}
	}
	if len(sent) != 4 || len(memory) != 3 {
		t.Fatalf("memory has sent %d lines and got %d, want 4 and 3:\n%s", len(sent), len(memory), shown)
	}
	stdout, _ := runProgram(t, strings.Join(sent, "\n")+"\n", "parley", "serve", "--reference")
	child := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	slices.Sort(memory)
	slices.Sort(child)
	if diff := cmp.Diff(memory, child); diff != "" {
		t.Errorf("memory and child differ (-memory +child):\n%s", diff)
	}
}

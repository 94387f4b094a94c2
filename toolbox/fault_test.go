package toolbox

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the expected faults in testdata/faults.txtar")

// write makes a file of tools that only its owner may write to, and returns its path.
func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Every kind of fault has its place and says what to do, and one reading finds them all.
func TestFaults(t *testing.T) {
	const golden = "testdata/faults.txtar"
	archive, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]string)
	updated := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	for _, f := range archive.Files {
		name, isInput := strings.CutSuffix(f.Name, ".yaml")
		if !isInput {
			continue
		}
		path := write(t, string(f.Data))
		box, err := Load(path, nil)
		if err == nil {
			t.Errorf("%s is taken for a good file", f.Name)
			box.Close()
			continue
		}
		if _, ok := err.(Faults); !ok {
			t.Errorf("%s: the error is a %T", f.Name, err)
		}
		folder := filepath.Dir(path) + string(filepath.Separator)
		got := strings.ReplaceAll(err.Error()+"\n", path+":", "")
		got = strings.ReplaceAll(got, folder, "FOLDER/")
		updated.Files = append(updated.Files, f, txtar.File{Name: name + ".faults", Data: []byte(got)})
		if diff := cmp.Diff(want[name+".faults"], got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// What is wrong with the file as a whole has no line.
func TestFaultOfTheFile(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	_, err := Load(missing, nil)
	if err == nil || !strings.HasPrefix(err.Error(), missing+": it cannot be read: ") {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Load(t.TempDir(), nil); err == nil || !strings.HasSuffix(err.Error(), ": this is no file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Load(write(t, "#"+strings.Repeat("x", maxFile)), nil); err == nil || !strings.Contains(err.Error(), "longer than 1048576 bytes") {
		t.Errorf("a long file: %v", err)
	}
	if _, err := Load(write(t, "tools:\n  - é\x00"), nil); err == nil || !strings.Contains(err.Error(), ":2:6: this is not UTF-8, or is a NUL") {
		t.Errorf("a NUL: %v", err)
	}
}

// FuzzLoad holds that no file makes Load panic, and that what it takes is whole.
func FuzzLoad(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/faults.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		f.Add(file.Data)
	}
	f.Add([]byte("tools: [{name: a, run: [sh, '-n{n}'], input: {n: {type: integer, default: 5}}}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := &reader{file: "fuzz"}
		list := r.readFile(text, "/")
		if len(r.faults) > 0 {
			return
		}
		for _, tool := range list {
			if tool.Name == "" || tool.program == "" || len(tool.run) == 0 {
				t.Errorf("%q gives half a tool: %+v", text, tool)
			}
		}
	})
}

//go:build unix

package toolbox

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A default keeps its digits, however many there are.
func TestDefaultsKeepTheirDigits(t *testing.T) {
	for _, digits := range []string{"0.1234567890123456789", "1e21", "1E5", "-12345678901234567890123456", "0.10", "7"} {
		b := open(t, fmt.Sprintf("tools:\n  - {name: a, input: {n: {type: number, default: %s}}, run: [echo, \"n{n}\"]}\n", digits))
		if got := strings.TrimSpace(text(t, b, "a", "")); got != "n"+digits {
			t.Errorf("the default %s came as %s", digits, got)
		}
		if schema := b.Tools()[0].Tool.InputSchema.String(); !strings.Contains(schema, `"default":`+digits+`,`) && !strings.Contains(schema, `"default":`+digits+`}`) {
			t.Errorf("the default %s is told as %s", digits, schema)
		}
	}
}

// A folder that has gone is named, and not the program.
func TestFolderIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sub")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b := open(t, fmt.Sprintf("tools:\n  - {name: a, run: [pwd], cwd: %q}\n", dir))
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	_, err := call(t, b, "a", "")
	if _, text := failure(t, err); text != "a cannot be started: its folder "+dir+" is not there any more" {
		t.Errorf("got %q", text)
	}
}

// A variable that is too long is told apart from an argument that is.
func TestLongVariable(t *testing.T) {
	b := open(t, "tools:\n  - {name: a, input: {v: {type: string}}, run: [pwd], env: {V: \"{v}\"}}\n")
	_, err := call(t, b, "a", `{"v":"`+strings.Repeat("x", 1<<20)+`"}`)
	if runtime.GOOS != "linux" && err == nil {
		return // one variable may be as long as all of them there
	}
	if _, text := failure(t, err); !strings.Contains(text, "variables of its environment are too long for this system, the longest with 1048578 bytes") {
		t.Errorf("got %q", text)
	}
}

// JSON may have a byte order mark before it, which is not passed on.
func TestJSONWithMark(t *testing.T) {
	b := open(t, "tools:\n  - {name: a, output: json, run: [printf, '\\357\\273\\277[1]']}\n")
	got, err := call(t, b, "a", "")
	if err != nil || fmt.Sprint(got) != "[1]" {
		t.Errorf("got %q, %v", got, err)
	}
}

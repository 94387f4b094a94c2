//go:build unix

package toolbox

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/message"
)

// The tools of examples/tools.yaml do what they say.
func TestExampleTools(t *testing.T) {
	file, err := os.ReadFile("../examples/tools.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, string(file)) // of our own: a checkout may be writable by a group
	t.Chdir(t.TempDir())
	if err := errors.Join(os.WriteFile("a.txt", []byte("one\n-two\nthree\n"), 0o600), os.WriteFile("b c.txt", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "a.txt"},
		{"-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "-m", "first"},
		{"-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-q", "--allow-empty", "-m", "second"},
	} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	run := make(map[string]bool)
	for _, tt := range []struct{ tool, params, want string }{
		{"git_log", `{}`, `^[0-9a-f]+ second\n[0-9a-f]+ first\n$`},
		{"git_log", `{"n":1}`, `^[0-9a-f]+ second\n$`},
		{"git_log", `{"path":"a.txt"}`, `^[0-9a-f]+ first\n$`},
		{"search", `{"pattern":"^-t|^three"}`, `^(\./)?a\.txt:2:-two\n(\./)?a\.txt:3:three\n$`},
		{"search", `{"pattern":"-two","folder":"a.txt","context":1}`, `one\n(.*)-two\n(.*)three\n$`},
		{"search", `{"pattern":"no such \"$(text)"}`, `^$`},
		{"count", `{"text":"a b\nc\n"}`, `^\{"lines":2,"words":3,"bytes":6\}$`},
		{"disk", `{}`, `^Filesystem.*\n.*%.*\n$`},
		{"date", `{}`, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000\n$`},
		{"date", `{"zone":"<X>-3","format":"rfc"}`, `-32602`},
		{"date", `{"zone":"EAT-3","format":"rfc"}`, `^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .*\+0300\n$`},
		{"date", `{"format":"epoch"}`, `^\d+\n$`},
		{"date", `{"format":"year"}`, `want one of "iso","rfc","epoch", got "year"`},
		{"countdown", `{"steps":2,"pause":0}`, `^done in 2 steps\n$`},
	} {
		run[tt.tool] = true
		result, err := call(t, b, tt.tool, tt.params)
		got, isText := result.(string)
		if raw, ok := result.(message.Raw); ok {
			got, isText = raw.String(), true
		}
		if !isText && err != nil {
			got = err.Error()
		}
		if !regexp.MustCompile(tt.want).MatchString(got) {
			t.Errorf("%s %s: got %q, want %s", tt.tool, tt.params, got, tt.want)
		}
	}
	for _, name := range names(b) {
		if !run[name] {
			t.Errorf("%s is not tried", name)
		}
	}
	if len(names(b)) != 6 {
		t.Errorf("there are %d tools: %s", len(names(b)), strings.Join(names(b), ", "))
	}
}

package toolbox

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// names are the tools of a box, in order.
func names(b *Box) (all []string) {
	for _, t := range b.Tools() {
		all = append(all, t.Tool.Name)
	}
	return all
}

// put writes the text to the file, with a time of its own, since two writes can fall into
// one tick of a file system's clock.
func put(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chtimes(path, at, at)); err != nil {
		t.Fatal(err)
	}
}

const (
	oneTool  = "tools:\n  - {name: a, run: [sh]}\n"
	twoTools = oneTool + "  - {name: b, run: [sh]}\n"
)

// A change of the file is told once, when the file has come to rest. A bad file leaves
// the old tools, and is told with all its faults.
func TestWatch(t *testing.T) {
	path := write(t, oneTool)
	synctest.Test(t, func(t *testing.T) {
		b, err := Load(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		ctx, stop := context.WithCancel(t.Context())
		var mu sync.Mutex // of told
		var told []error
		done := make(chan struct{})
		go func() {
			b.Watch(ctx, func(err error) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, err)
			})
			close(done)
		}()
		now := time.Now()
		// step does something to the file and gives Watch two looks at it.
		step := func(what string, do func(), wantTold int, want ...string) {
			t.Helper()
			do()
			time.Sleep(time.Second + time.Millisecond)
			mu.Lock()
			defer mu.Unlock()
			if diff := cmp.Diff(want, names(b)); diff != "" || len(told) != wantTold {
				t.Errorf("%s: told %d times, want %d: %v; tools (-want +got):\n%s", what, len(told), wantTold, told, diff)
			}
		}
		step("nothing", func() {}, 0, "a")
		step("a second tool", func() { put(t, path, twoTools, now) }, 1, "a", "b")
		step("the same text", func() { put(t, path, twoTools, now.Add(1)) }, 1, "a", "b")
		step("two faults", func() { put(t, path, "tools: [{}, 5]", now.Add(2)) }, 2, "a", "b")
		if faults, ok := errors.AsType[Faults](told[1]); !ok || len(faults) != 3 {
			t.Errorf("got %v, want three faults", told[1])
		}
		step("still bad", func() {}, 2, "a", "b")
		step("no file", func() { os.Remove(path) }, 3, "a", "b")
		step("good again", func() { put(t, path, oneTool, now.Add(3)) }, 4, "a")
		if told[0] != nil || told[3] != nil || told[2] == nil {
			t.Errorf("told %v", told)
		}
		// A file that is being written is not read.
		for i := range 5 {
			put(t, path, "tools: [", now.Add(time.Duration(10+i)))
			time.Sleep(500 * time.Millisecond)
		}
		step("written at last", func() { put(t, path, twoTools, now.Add(20)) }, 5, "a", "b")
		stop()
		<-done
	})
}

// What the file says of a tool is what a client is told.
func TestToolsOfAFile(t *testing.T) {
	b, err := Load(write(t, `
tools:
  - name: git_log
    title: Log
    description: The newest commits
    input:
      n: {type: integer, default: 5, minimum: 1, maximum: 100, description: how many}
      by: {type: string, required: false, enum: [date, name]}
      path: {type: string, pattern: "^[a-z]+$"}
    run: [sh, "-n{n}", "{by}", "{path}"]
    output: json
    output_schema: {type: array, items: {type: string}}
    read_only: true
    open_world: false
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	tool := b.Tools()[0].Tool
	got, err := tool.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`{"name":"git_log","title":"Log","description":"The newest commits","inputSchema":{"type":"object",`,
		`"properties":{"n":{"type":"integer","description":"how many","default":5,"minimum":1,"maximum":100},`,
		`"by":{"type":"string","enum":["date","name"]},"path":{"type":"string","pattern":"^[a-z]+$"}},`,
		`"required":["path"],"additionalProperties":false},"outputSchema":{"items":{"type":"string"},"type":"array"},`,
		`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`,
	}, "")
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

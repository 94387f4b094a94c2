package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-rpc/parley/tools/internal/testjson"
)

func TestSpurious(t *testing.T) {
	for _, tc := range []struct {
		sentence string
		said     string
		want     bool
	}{
		{
			"the fuzzer's own deadline and nothing else",
			"fuzz: elapsed: 3s, execs: 40304 (0/sec)\n--- FAIL: FuzzA (3.20s)\n    context deadline exceeded\nFAIL\n",
			true,
		},
		{
			"an input that failed is no accident, whatever it said",
			"--- FAIL: FuzzA (3.20s)\n    context deadline exceeded\n    Failing input written to testdata/fuzz/FuzzA/0\nFAIL\n",
			false,
		},
		{"a panic is no accident", "    context deadline exceeded\npanic: no\n", false},
		{"a seed that fails is no accident", "--- FAIL: FuzzA (0.00s)\n    a_test.go:3: got 1, want 2\nFAIL\n", false},
		{"a test that speaks of a deadline has its file before it", "--- FAIL: FuzzA (0.00s)\n    a_test.go:3: context deadline exceeded\n", false},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			if got := spurious(tc.said); got != tc.want {
				t.Errorf("spurious = %v, want %v", got, tc.want)
			}
		})
	}
}

func TestRun(t *testing.T) {
	const (
		good = "func FuzzGood(f *testing.F) { f.Add(1); f.Fuzz(func(*testing.T, int) {}) }\n"
		bad  = "func FuzzBad(f *testing.F) { f.Add(1); f.Fuzz(func(t *testing.T, i int) { t.Error(\"no number is right\") }) }\n"
		test = "func TestNoTarget(*testing.T) {}\n"
	)
	for _, tc := range []struct {
		sentence string
		source   string
		err      string
		ended    map[string]string // target to pass or fail
	}{
		{"a target that passes", good + test, "", map[string]string{"FuzzGood": testjson.Pass}},
		{
			"a target that fails does not keep the next from running", bad + good, "1 of 2 targets failed",
			map[string]string{"FuzzBad": testjson.Fail, "FuzzGood": testjson.Pass},
		},
		{"no target is an error", test, "no fuzz target in ./...", map[string]string{}},
		{"source that does not build is an error", "var _ int = \"text\"\n", "list the targets of ./...: exit status 1", map[string]string{}},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.26\n")
			write(t, filepath.Join(dir, "m_test.go"), "package m\n\nimport \"testing\"\n\n"+tc.source)
			t.Chdir(dir)
			t.Setenv("GOWORK", "off")

			var out strings.Builder
			err := run("10x", []string{"./..."}, &out)
			if got := errorText(err); got != tc.err {
				t.Errorf("run gave %q, want %q; output:\n%s", got, tc.err, out.String())
			}
			ended := map[string]string{}
			each := func(e testjson.Event) {
				if (e.Action == testjson.Pass || e.Action == testjson.Fail) && e.Test != "" && !strings.Contains(e.Test, "/") {
					ended[e.Test] = e.Action
				}
			}
			if err := testjson.Read(strings.NewReader(out.String()), each); err != nil {
				t.Fatal(err)
			}
			if len(ended) != len(tc.ended) {
				t.Errorf("ended: %v, want %v", ended, tc.ended)
			}
			for name, how := range tc.ended {
				if ended[name] != how {
					t.Errorf("%s ended with %q, want %q", name, ended[name], how)
				}
			}
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

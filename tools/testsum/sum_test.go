package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ev spells an event: ev("pass", "p", "TestA", "") with an empty member left out as test2json does.
func ev(action, pkg, test, output string) string {
	var b strings.Builder
	b.WriteString(`{"Action":"` + action + `"`)
	for _, member := range [][2]string{{"Package", pkg}, {"Test", test}, {"Output", output}} {
		if member[1] != "" {
			b.WriteString(`,"` + member[0] + `":"` + member[1] + `"`)
		}
	}
	return b.String() + "}\n"
}

func TestSum(t *testing.T) {
	for _, tc := range []struct {
		sentence string
		in       string
		status   int
		want     string
	}{
		{
			"tests and subtests that pass are counted and what they said is dropped",
			ev("start", "p", "", "") +
				ev("run", "p", "TestA", "") + ev("output", "p", "TestA", `=== RUN   TestA\n`) +
				ev("run", "p", "TestA/one", "") + ev("output", "p", "TestA/one", `a_test.go:1: chatter\n`) +
				ev("pass", "p", "TestA/one", "") + ev("pass", "p", "TestA", "") +
				ev("output", "p", "", `PASS\n`) + ev("pass", "p", "", ""),
			0,
			"ok    p  0.00s  2 ran\n2 passed, 0 failed, 0 skipped\n",
		},
		{
			"a failure is shown in full, the tests beside it are not",
			ev("run", "p", "TestA", "") + ev("output", "p", "TestA", `quiet\n`) + ev("pass", "p", "TestA", "") +
				ev("run", "p", "TestB", "") + ev("output", "p", "TestB", `=== RUN   TestB\n`) +
				ev("output", "p", "TestB", `=== PAUSE TestB\n`) + ev("output", "p", "TestB", `=== CONT  TestB\n`) +
				ev("output", "p", "TestB", `b_test.go:7: got 1\n`) + ev("fail", "p", "TestB", "") +
				ev("output", "p", "", `FAIL\n`) + ev("fail", "p", "", ""),
			1,
			"=== RUN   TestB\nb_test.go:7: got 1\nFAIL\nFAIL  p  0.00s  1 of 2 failed\n\nFAIL  p TestB\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			"a skip is not green, and its reason is shown",
			ev("run", "p", "TestA", "") + ev("output", "p", "TestA", `a_test.go:3: no docker\n`) + ev("skip", "p", "TestA", "") +
				ev("pass", "p", "", ""),
			1,
			"a_test.go:3: no docker\nok    p  0.00s  1 ran\n\nSKIP  p TestA\n" +
				"A skipped test counts as a defect: let it fail and say what is missing.\n0 passed, 0 failed, 1 skipped\n",
		},
		{
			"a stream without a test is not green",
			ev("start", "p", "", "") + ev("output", "p", "", `?   p [no test files]\n`) + ev("skip", "p", "", ""),
			1,
			"none  p  no tests\n\nFAIL  standard input: no test ran\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			"a package that fails without a failed test is one failure: a leak found by TestMain",
			ev("run", "p", "TestA", "") + ev("pass", "p", "TestA", "") +
				ev("output", "p", "", `goleak: found a goroutine\n`) + ev("fail", "p", "", ""),
			1,
			"goleak: found a goroutine\nFAIL  p  0.00s  1 of 2 failed\n\nFAIL  p failed outside its tests\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			"tests that a dying binary takes along are failures",
			ev("run", "p", "TestA", "") + ev("run", "p", "TestB", "") + ev("output", "p", "TestB", `panic: no\n`) +
				ev("fail", "p", "TestB", "") + ev("fail", "p", "", ""),
			1,
			"panic: no\nFAIL  p  0.00s  2 of 2 failed\n\nFAIL  p TestB\nFAIL  p TestA did not end\n0 passed, 2 failed, 0 skipped\n",
		},
		{
			"a stream that is cut is a failure",
			ev("run", "p", "TestA", "") + ev("pass", "p", "TestA", ""),
			1,
			"FAIL  p  0.00s  1 of 2 failed\n\nFAIL  p the stream ended before the package did\n1 passed, 1 failed, 0 skipped\n",
		},
		{
			"the compiler's words and lines that are no events are passed on at once",
			`{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined: x\n"}` + "\n" +
				`{"ImportPath":"p","Action":"build-fail"}` + "\nplain\n" +
				ev("output", "p", "", `FAIL p [build failed]\n`) + ev("fail", "p", "", ""),
			1,
			"p.go:1: undefined: x\nplain\nFAIL p [build failed]\nFAIL  p  0.00s  1 of 1 failed\n\n" +
				"FAIL  p failed outside its tests\n0 passed, 1 failed, 0 skipped\n",
		},
		{
			"a package that is fuzzed runs once for each target and says how many inputs were tried",
			ev("run", "p", "FuzzA", "") + ev("output", "p", "FuzzA", `fuzz: elapsed: 3s, execs: 4 (1/sec)\n`) + ev("output", "p", "FuzzA", `fuzz: elapsed: 4s, execs: 9 (5/sec)\n`) + ev("pass", "p", "FuzzA", "") + ev("pass", "p", "", "") +
				ev("run", "p", "FuzzB", "") + ev("output", "p", "FuzzB", `fuzz: elapsed: 1s, execs: 8 (8/sec)\n`) + ev("pass", "p", "FuzzB", "") + ev("pass", "p", "", ""),
			0,
			"ok    p  0.00s  FuzzA tried 9 inputs\nok    p  0.00s  FuzzB tried 8 inputs\n2 passed, 0 failed, 0 skipped\n",
		},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			var out, errOut strings.Builder
			status := run(nil, strings.NewReader(tc.in), &out, &errOut)
			if status != tc.status {
				t.Errorf("exit status %d, want %d", status, tc.status)
			}
			if out.String() != tc.want {
				t.Errorf("got:\n%s\nwant:\n%s", out.String(), tc.want)
			}
			if errOut.Len() > 0 {
				t.Errorf("standard error: %s", errOut.String())
			}
		})
	}
}

// module makes a folder with a Go module of the given files and moves the test into it.
func module(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
}

// TestCommands holds testsum against the stream that this Go really writes.
func TestCommands(t *testing.T) {
	module(t, map[string]string{"m_test.go": `package m
import "testing"
func TestGood(t *testing.T) { t.Run("inner", func(t *testing.T) {}) }
func TestBad(t *testing.T)  { t.Error("one is not two") }
func TestWorse(t *testing.T) { t.Skip("no reason") }
`})
	const pass, all, list = "go test -json -run Good", "go test -json", "go test -json -run Nothing"
	for _, tc := range []struct {
		sentence string
		commands []string
		status   int
		last     string
		says     []string
	}{
		{"one command that passes", []string{pass}, 0, "2 passed, 0 failed, 0 skipped", nil},
		{"the counts of several commands add up", []string{pass, pass}, 0, "4 passed, 0 failed, 0 skipped", nil},
		{
			"a failure does not stop the command after it", []string{all, pass}, 1, "4 passed, 1 failed, 1 skipped",
			[]string{"one is not two", "no reason", "FAIL  example.com/m TestBad", "SKIP  example.com/m TestWorse"},
		},
		{"every command must run a test", []string{pass, list}, 1, "2 passed, 1 failed, 0 skipped", []string{list + ": no test ran"}},
		{"a command that ends with an error is a failure", []string{pass, "go nonsense"}, 1, "2 passed, 1 failed, 0 skipped", []string{"go nonsense: exit status 2"}},
		{"a program that is missing is a failure", []string{pass, "/no/such/program"}, 1, "2 passed, 1 failed, 0 skipped", []string{"/no/such/program: "}},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			var args []string
			for _, c := range tc.commands {
				args = append(append(args, "--"), strings.Fields(c)...)
			}
			var out, errOut strings.Builder
			if status := run(args, strings.NewReader(""), &out, &errOut); status != tc.status {
				t.Errorf("exit status %d, want %d", status, tc.status)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if last := lines[len(lines)-1]; last != tc.last {
				t.Errorf("last line %q, want %q", last, tc.last)
			}
			for _, s := range tc.says {
				if !strings.Contains(out.String(), s) {
					t.Errorf("the report does not say %q", s)
				}
			}
			if t.Failed() {
				t.Logf("standard output:\n%s\nstandard error:\n%s", out.String(), errOut.String())
			}
		})
	}
}

func TestBuildFailure(t *testing.T) {
	module(t, map[string]string{"m_test.go": "package m\n\nvar _ int = \"text\"\n"})
	var out, errOut strings.Builder
	if status := run([]string{"--", "go", "test", "-json", "./..."}, strings.NewReader(""), &out, &errOut); status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	for _, s := range []string{"m_test.go:3:", "FAIL  example.com/m failed outside its tests", "\n0 passed, 1 failed, 0 skipped\n"} {
		if !strings.Contains(out.String(), s) {
			t.Errorf("the report does not say %q:\n%s%s", s, out.String(), errOut.String())
		}
	}
}

func TestUsage(t *testing.T) {
	for _, tc := range []struct {
		sentence string
		args     []string
		says     string
	}{
		{"a command needs its --", []string{"go", "test"}, `unexpected argument "go"`},
		{"a -- needs its command", []string{"--", "go", "--"}, "no command after --"},
	} {
		t.Run(tc.sentence, func(t *testing.T) {
			var out, errOut strings.Builder
			if status := run(tc.args, strings.NewReader(""), &out, &errOut); status != 2 {
				t.Errorf("exit status %d, want 2", status)
			}
			if !strings.Contains(errOut.String(), tc.says) || out.Len() > 0 {
				t.Errorf("standard error %q does not say %q, or there is output %q", errOut.String(), tc.says, out.String())
			}
		})
	}
}

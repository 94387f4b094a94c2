package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// parleyBench runs the command as main does, on an output that is no terminal.
func parleyBench(env map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(append([]string{"bench"}, args...), &app{
		stdin:  strings.NewReader(""),
		stdout: &out,
		stderr: &errs,
		getenv: func(name string) string { return env[name] },
	})
	return code, out.String(), errs.String()
}

// quick is how long a layer is measured in tests: enough for a number, not for a good one.
const quick = "--for=3ms"

// benchJSON runs bench and decodes the one value that it prints.
func benchJSON(t *testing.T, into any, args ...string) (code int) {
	t.Helper()
	code, stdout, stderr := parleyBench(nil, append([]string{args[0], "--format", "json"}, args[1:]...)...)
	if err := json.Unmarshal([]byte(stdout), into); err != nil {
		t.Fatalf("bench %v: stdout is not one JSON value: %v\n%s%s", args, err, stdout, stderr)
	}
	if strings.Count(stdout, "\n") != 1 {
		t.Errorf("bench %v: the value is not on one line:\n%s", args, stdout)
	}
	return code
}

// As JSON there is every stage in order, with a time and a floor; the shares sum up.
func TestBenchLayersJSON(t *testing.T) {
	var got struct {
		Machine machine
		measure.Report
	}
	if code := benchJSON(t, &got, "layers", quick, "--size", "4k"); code != 0 {
		t.Errorf("exit code %d", code)
	}
	var names []string
	share := 0.0
	for _, s := range got.Stages {
		names = append(names, s.Name)
		share += s.Share
		if s.NS <= 0 || s.Floor.NS <= 0 || s.Times <= 0 {
			t.Errorf("a number is missing: %+v", s)
		}
	}
	if diff := cmp.Diff([]string{"raw pipe", "framing", "scan", "decode", "dispatch", "answer", "write"}, names); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	if math.Abs(share-100) > 0.1 {
		t.Errorf("the shares sum to %v", share)
	}
	if got.ParamsBytes != 4096 || got.Machine != thisMachine() || len(got.Calls) != 2 || got.BudgetMS != 3 {
		t.Errorf("got %+v", got)
	}
}

// The same as text fits 80 columns, has a row for each stage, and says of each what was
// measured and what the floor is.
func TestBenchLayersText(t *testing.T) {
	code, stdout, stderr := parleyBench(nil, "layers", quick)
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	for line := range strings.Lines(stdout) {
		if n := lipgloss.Width(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, name := range []string{"raw pipe", "framing", "scan", "decode", "dispatch", "answer", "write"} {
		if !strings.Contains(stdout, "\n  "+name+" ") || !strings.Contains(stdout, "\n    "+name+": ") {
			t.Errorf("the stage %s has no row, or is not explained:\n%s", name, stdout)
		}
	}
	if strings.Count(stdout, "Floor: ") != 7 || !strings.Contains(stdout, " 100.0 % ") {
		t.Errorf("a floor or the sum is missing:\n%s", stdout)
	}
}

// A report is shown as it is.
func TestStageTable(t *testing.T) {
	r := &measure.Report{
		Stages: []measure.Stage{
			{Name: "raw pipe", Cost: measure.Cost{NS: 1210}, Floor: measure.Cost{NS: 1210}, Share: 80, Times: 1},
			{Name: "scan", Cost: measure.Cost{NS: 302.5, Allocs: 2.02}, Floor: measure.Cost{NS: 100}, Share: 20, Times: 3.03},
		},
		Sum: measure.Cost{NS: 1512.5, Allocs: 2.02},
		Calls: []measure.Calls{
			{Window: 1, Cost: measure.Cost{NS: 20_000, Allocs: 51}, Times: 2.44},
			{Window: 64, Cost: measure.Cost{NS: 5_000, Allocs: 50}, Times: 0.61},
		},
	}
	s := &stage{look: term.Look{Width: 80}}
	want := []string{
		"stage     █ floor ░ above it          time    share   floor  × floor  allocs",
		"raw pipe  ███████████████████████  1.21 µs   80.0 %  is one                0",
		"scan      ██░░░░                    302 ns   20.0 %  100 ns      3.0       2",
		"sum                                1.51 µs  100.0 %                        2",
	}
	if diff := cmp.Diff(want, s.stageTable(r).Lines()); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	want = []string{
		"whole calls       time  × parts  calls/s  allocs",
		"one at a time  20.0 µs      2.4   50,000      51",
		"64 at once     5.00 µs      0.6  200,000      50",
	}
	if diff := cmp.Diff(want, callsTable(r).Lines()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestRoundTable(t *testing.T) {
	got := roundTable([]*loadRound{
		{Window: 1, Calls: 1000, PerSecond: 23_100.7, P50NS: 41_200, P90NS: 52_000, P99NS: 88_100, MaxNS: 1_200_000},
		{Window: 64, Calls: 70, PerSecond: 9, P50NS: 1e9, P90NS: 1e9, P99NS: 1e9, MaxNS: 1e9, Errors: []answerCount{{Count: 3}, {Count: 2}}, Broken: 1, Unanswered: 64},
		{Window: 8, Calls: 8, Unanswered: 8},
	}).Lines()
	want := []string{
		"window  calls  calls/s      p50      p90      p99      max  errors  no answer",
		"     1  1,000   23,100  41.2 µs  52.0 µs  88.1 µs  1.20 ms       0          0",
		"    64     70        9   1.00 s   1.00 s   1.00 s   1.00 s       6         64",
		"     8      8                                                    0          8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rounds (-want +got):\n%s", diff)
	}
}

// Each window makes as many calls as asked for, all are answered, and the numbers of a
// window fit each other.
func TestBenchCallCounts(t *testing.T) {
	var got loadReport
	code := benchJSON(t, &got, "call", "echo", `["four"]`, "--calls", "30", "--window", "1,7,40", "--", "parley", "serve", "--reference")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	want := loadReport{Machine: thisMachine(), Command: []string{"parley", "serve", "--reference"}, Method: "echo"}
	for _, window := range []int{1, 7, 40} {
		want.Windows = append(want.Windows, &loadRound{Window: window, Calls: 30, ParamsBytes: 30 * 8, ResultBytes: 30 * 8})
	}
	times := cmpopts.IgnoreFields(loadRound{}, "Seconds", "PerSecond", "P50NS", "P90NS", "P99NS", "MaxNS")
	if diff := cmp.Diff(want, got, times, cmpopts.IgnoreUnexported(loadRound{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	for _, r := range got.Windows {
		if r.P50NS <= 0 || !slices.IsSorted([]int64{r.P50NS, r.P90NS, r.P99NS, r.MaxNS}) || float64(r.MaxNS) > r.Seconds*1e9+1 {
			t.Errorf("times do not fit each other: %+v", r)
		}
		if rate := 30 / r.Seconds; math.Abs(rate-r.PerSecond) > rate/1000 {
			t.Errorf("%v calls a second, but 30 in %v s", r.PerSecond, r.Seconds)
		}
	}
}

// With a time rather than a number there are calls for as long, and then no more.
func TestBenchCallFor(t *testing.T) {
	var got loadReport
	code := benchJSON(t, &got, "call", "sleep", "ms:=20", "--for", "100ms", "--window", "2", "--", "parley", "serve", "--reference")
	if code != 0 || len(got.Windows) != 1 {
		t.Fatalf("exit code %d, %+v", code, got)
	}
	// A call of 20 ms begins at 0, 20, 40, 60 and 80 ms at most, and twice at once.
	if r := got.Windows[0]; r.Calls < 2 || r.Calls > 12 || r.Unanswered != 0 || time.Duration(r.P50NS) < 20*time.Millisecond {
		t.Errorf("got %+v", r)
	}
}

// Errors are answers: they are counted by code, and are in the times.
func TestBenchCallErrors(t *testing.T) {
	var got loadReport
	code := benchJSON(t, &got, "call", "boom", "--calls", "5", "--window", "3", "--", "parley", "serve", "--reference")
	if code != int(exitAnswer) || len(got.Windows) != 1 {
		t.Fatalf("exit code %d, %+v", code, got)
	}
	r := got.Windows[0]
	if diff := cmp.Diff([]answerCount{{1, "boom", 5}}, r.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	if r.Unanswered != 0 || r.MaxNS <= 0 || r.PerSecond <= 0 {
		t.Errorf("answers with an error are answers: %+v", r)
	}
}

func TestCountErrors(t *testing.T) {
	r := new(loadRound)
	for _, fault := range []*message.Error{message.NewError(1, "a"), message.MethodNotFound, message.NewError(1, "b")} {
		r.count(fault)
	}
	if diff := cmp.Diff([]answerCount{{1, "a", 2}, {-32601, "Method not found", 1}}, r.Errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// Each start is measured, with the handshake or without.
func TestBenchCold(t *testing.T) {
	tests := []struct {
		sentence string
		args     []string
		answer   string
	}{
		{"any answer counts, also that there is no such method", []string{"--", "parley", "serve", "--reference"}, "ping"},
		{"a method that there is", []string{"--method", "nil", "--", "parley", "serve", "--reference"}, "nil"},
		{"the handshake's answer is the first", []string{"--init", "mcp", "--", "peer", "mcp"}, "initialize"},
		{"a method behind the handshake", []string{"--init", "lsp", "--method", "x", "--", "peer", "lsp"}, "x"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			var got coldReport
			if code := benchJSON(t, &got, append([]string{"cold", "--runs", "3"}, tt.args...)...); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if got.Answer != tt.answer || got.Runs != 3 || len(got.TookNS) != 3 {
				t.Fatalf("got %+v, want 3 answers to %s", got, tt.answer)
			}
			if got.MinNS != slices.Min(got.TookNS) || got.MaxNS != slices.Max(got.TookNS) || got.MinNS <= 0 ||
				!slices.IsSorted([]int64{got.MinNS, got.P50NS, got.P90NS, got.MaxNS}) {
				t.Errorf("times do not fit each other: %+v", got)
			}
		})
	}
}

// Interrupted before anything is measured, there is nothing to show.
func TestBenchLayersInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, f := range []format{formatText, formatJSON} {
		var out bytes.Buffer
		err := (&layersRun{app: &app{stdout: &out, format: f}, size: 100, budget: time.Millisecond}).run(ctx)
		if failure, ok := errors.AsType[*failure](err); !ok || failure.code != exitInterrupted || out.Len() > 0 {
			t.Errorf("%s: %v, and %q on stdout; want to be interrupted, and nothing", f, err, &out)
		}
	}
}

// Colour changes nothing but the colour.
func TestBenchColour(t *testing.T) {
	r := &measure.Report{Stages: []measure.Stage{{Name: "scan", Cost: measure.Cost{NS: 300}, Floor: measure.Cost{NS: 100}}}}
	shown := func(env map[string]string) string {
		var out bytes.Buffer
		a := &app{stdout: &out, getenv: func(name string) string { return env[name] }}
		if err := (&layersRun{app: a}).show(r); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	plain, coloured := shown(nil), shown(map[string]string{"CLICOLOR_FORCE": "1"})
	if strings.Contains(plain, "\x1b") || !strings.Contains(coloured, "\x1b[") {
		t.Errorf("plain %q, coloured %q", plain, coloured)
	}
	if diff := cmp.Diff(plain, ansi.ReplaceAllString(coloured, "")); diff != "" {
		t.Errorf("without its colours the text differs:\n%s", diff)
	}
}

// Whoever adds a flag to call decides whether bench has it, too.
func TestBenchHasTheFlagsOfAClient(t *testing.T) {
	not := []string{"notify", "print", "file", "batch", "window", "tool", "era", "log-level"}
	var got []string
	call := new(cobra.Command)
	new(callFlags).addFlags(call)
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(call.Flags().FlagUsages(), -1) {
		got = append(got, m[1])
	}
	want := slices.Sorted(slices.Values(slices.Concat(clientFlags, not)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flags of call (-clientFlags, or for call only +got):\n%s", diff)
	}
}

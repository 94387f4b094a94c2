package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/query"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/message"
)

// members are the members that every object of --format jsonl has, in their order.
var members = []string{
	"n", "t_ms", "from", "kind", "id", "method", "must_answer", "owed_by", "answers", "answered_by", "state",
	"latency_ms", "why",
}

// orphans are the answers in the transcripts that may answer nothing: what they answer was
// left out of the transcript, could not be read, or was never asked.
var orphans = map[string][]int{
	"acp-malformed":       {31, 33, 41, 44, 47, 49}, // an id that was rounded; 999; placeholders; a BOM
	"codex-as-mcp-client": {12},                     // lines over 6,000 bytes were left out
	"codex-malformed":     {49, 50, 66, 67},         // two lines in one record; 999
	"deb-ovsdb":           {12},                     // the call was written in two pieces
	"mcp-malformed-1d71":  {33, 35},                 // 999; a placeholder
	"mcp-malformed-63d9":  {31, 33},
}

// explainJSONL explains a file and returns what each line says.
func explainJSONL(t *testing.T, args ...string) []map[string]json.RawMessage {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(append([]string{"explain", "--format", "jsonl"}, args...),
		&app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }})
	if code != 0 || errs.Len() > 0 {
		t.Fatalf("explain %q: exit code %d, stderr %s", args, code, &errs)
	}
	var all []map[string]json.RawMessage
	for line := range strings.Lines(out.String()) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			t.Fatalf("explain %q: %v in %s", args, err, line)
		}
		all = append(all, members)
	}
	return all
}

// Each record of each transcript of a real program is one object with all members, and
// no answer is called an orphan but those that nobody asked for.
func TestExplainTranscripts(t *testing.T) {
	files, err := filepath.Glob("../../testdata/transcripts/*.jsonl")
	if err != nil || len(files) < 17 {
		t.Fatalf("%d transcripts: %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := explainJSONL(t, file)
			if want := bytes.Count(text, []byte("\n")); len(lines) != want {
				t.Errorf("%d objects for %d records", len(lines), want)
			}
			for i, line := range lines {
				for _, name := range members {
					if _, ok := line[name]; !ok {
						t.Errorf("record %d has no %s", i+1, name)
					}
				}
				if n := string(line["n"]); n != fmt.Sprint(i+1) {
					t.Errorf("record %d is called %s", i+1, n)
				}
				if string(line["state"]) == `"orphan"` && !slices.Contains(orphans[name], i+1) {
					t.Errorf("record %d is an orphan: %s", i+1, line["why"])
				}
				settles(t, lines, i)
			}
		})
	}
}

// settles checks that the record which is said to answer the record i says so too.
func settles(t *testing.T, lines []map[string]json.RawMessage, i int) {
	t.Helper()
	by := lines[i]["answered_by"]
	if string(by) == "null" || lines[i]["batch"] != nil {
		return
	}
	var n int
	if err := json.Unmarshal(by, &n); err != nil || n < 1 || n > len(lines) {
		t.Fatalf("record %d is answered by %s: %v", i+1, by, err)
	}
	if answers := string(lines[n-1]["answers"]); answers != fmt.Sprint(i+1) {
		t.Errorf("record %d is answered by %d, which answers %s", i+1, n, answers)
	}
}

// The query language lives on a floor below the ledger and has its words by heart.
func TestQueryKnowsTheLedger(t *testing.T) {
	var kinds, states, sides []string
	for k := ledger.KindInvalid; k <= ledger.KindProcess; k++ {
		kinds = append(kinds, k.String())
	}
	for s := ledger.StateOpen; s <= ledger.StateOrphan; s++ {
		states = append(states, s.String())
	}
	for s := parley.SideUnknown; s <= parley.SideServer; s++ {
		sides = append(sides, s.String())
	}
	for _, test := range []struct {
		name      string
		has, want []string
	}{{"kinds", query.Kinds, kinds}, {"states", query.States, states}, {"sides", query.Sides, sides}} {
		if diff := cmp.Diff(slices.Sorted(slices.Values(test.want)), slices.Sorted(slices.Values(test.has))); diff != "" {
			t.Errorf("%s (-ledger +query):\n%s", test.name, diff)
		}
	}
}

func TestFates(t *testing.T) {
	const far = maxDistance + 1
	var f fates
	debts := []ledger.Debt{
		{Serial: 1, N: 1, State: ledger.StateAnswered, SettledBy: 2, At: 0, SettledAt: 1500 * time.Microsecond},
		{Serial: 2, N: 3, State: ledger.StateCancelled, EndedBy: 9, At: 0, SettledAt: time.Second},
		{Serial: 3, N: 3, State: ledger.StateWithdrawn, EndedBy: 9, SettledBy: 4000, At: ledger.Untimed, SettledAt: ledger.Untimed},
		{Serial: 4, N: 5, State: ledger.StateFailed, SettledBy: 5 + far, At: 0, SettledAt: 3 * time.Hour},
		{Serial: 5 * chunkSize, N: 7, State: ledger.StateFailed, SettledBy: 8, At: time.Second, SettledAt: 49 * time.Hour},
		{Serial: 5*chunkSize - 1, N: 7, State: ledger.StateFailed, SettledBy: 8, At: time.Second, SettledAt: time.Second},
	}
	want := []fate{
		{ledger.StateAnswered, 2, 0, 1500 * time.Microsecond},
		{ledger.StateCancelled, 0, 9, ledger.Untimed},
		{ledger.StateWithdrawn, 4000, 9, ledger.Untimed},
		{ledger.StateFailed, 5 + far, 0, 3 * time.Hour},
		{ledger.StateFailed, 8, 0, 49*time.Hour - time.Second},
		{ledger.StateFailed, 8, 0, 0},
	}
	for i := range debts {
		f.note(&debts[i])
	}
	for i, d := range debts {
		if got := f.of(d.Serial, d.N); got != want[i] {
			t.Errorf("debt %d: %+v, want %+v", d.Serial, got, want[i])
		}
	}
	for _, serial := range []int64{6, chunkSize, 2*chunkSize + 5, 1 << 40} {
		if got, open := f.of(serial, 1), (fate{state: ledger.StateOpen, took: ledger.Untimed}); got != open {
			t.Errorf("debt %d, of which nothing is known: %+v", serial, got)
		}
	}
	if n := len(f.beyond); n != 1 {
		t.Errorf("%d debts are beyond a chunk, want 1", n)
	}
}

func TestPackTime(t *testing.T) {
	for in, want := range map[time.Duration]time.Duration{
		ledger.Untimed:           ledger.Untimed,
		0:                        0,
		999 * time.Nanosecond:    0,
		time.Microsecond:         time.Microsecond,
		35 * time.Minute:         35 * time.Minute,
		36*time.Minute + 1500000: 36*time.Minute + 1*time.Millisecond,
		24 * 24 * time.Hour:      24 * 24 * time.Hour,
		1000 * 24 * time.Hour:    (inMilliseconds - 1) * time.Millisecond,
	} {
		if got := unpackTime(packTime(in)); got != want {
			t.Errorf("%v comes back as %v, want %v", in, got, want)
		}
	}
}

// A made is a file that is made up where it is read: calls and answers by turns, each a
// line of the same length.
type made struct{ lines int64 }

const madeLine = 80

func (m made) line(i int64) string {
	text := fmt.Sprintf(`{"t":%d,"dir":"c2s","raw":"{\"id\":%d,\"method\":\"m\"}"}`, i, i/2)
	if i%2 == 1 {
		text = fmt.Sprintf(`{"t":%d,"dir":"s2c","raw":"{\"id\":%d,\"result\":0}"}`, i, i/2)
	}
	return text + strings.Repeat(" ", madeLine-1-len(text)) + "\n"
}

func (m made) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) {
		i := (at + int64(n)) / madeLine
		if i >= m.lines {
			return n, io.EOF
		}
		n += copy(p[n:], m.line(i)[(at+int64(n))%madeLine:])
	}
	return n, nil
}

// A gauge is an output that measures now and then how much of the heap is in use.
type gauge struct {
	writes int
	lines  int
	peak   int64 // bytes above base
	base   int64
}

func (g *gauge) Write(p []byte) (int, error) {
	if g.writes%50 == 0 {
		g.peak = max(g.peak, inUse()-g.base)
	}
	g.writes++
	g.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

// inUse is how many bytes of the heap are in use.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The memory of two passes grows by some bytes a record and no more: that of a file of a
// gigabyte stays below 200 MiB.
func TestExplainMemory(t *testing.T) {
	const records, most = 500_000, 12 << 20
	out := &gauge{base: inUse()}
	a := &app{stdout: out, stderr: io.Discard, getenv: func(string) string { return "" }, format: formatText}
	x := &explainFlags{framing: framingAuto, dialect: dialectAuto, limit: frame.DefaultLimit}
	if err := x.twice(t.Context(), a, &input{name: "made", file: made{records}, size: records * madeLine}); err != nil {
		t.Fatal(err)
	}
	if out.lines < records {
		t.Errorf("%d lines for %d records", out.lines, records)
	}
	t.Logf("%d records, at most %d KiB of the heap in use", records, out.peak>>10)
	if out.peak > most {
		t.Errorf("%d KiB of the heap in use, want at most %d", out.peak>>10, most>>10)
	}
}

// A live reader says that it waits before it waits, once more when that takes long, and
// ends when it is told to.
func TestLiveReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		in, feed := io.Pipe()
		defer feed.Close()
		r := newLiveReader(ctx, in, time.Second)
		var calls []string
		r.idle = func(waited bool) error {
			calls = append(calls, fmt.Sprint(waited))
			return nil
		}
		go func() {
			time.Sleep(100 * time.Millisecond)
			io.WriteString(feed, "ab")
			time.Sleep(5 * time.Second)
			io.WriteString(feed, "c")
		}()
		buffer := make([]byte, 1)
		var got []byte
		for range 3 {
			n, err := r.Read(buffer)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, buffer[:n]...)
		}
		if string(got) != "abc" {
			t.Errorf("read %q", got)
		}
		if diff := cmp.Diff([]string{"false", "false", "true"}, calls); diff != "" {
			t.Errorf("idle calls (-want +got):\n%s", diff)
		}
		time.AfterFunc(time.Minute, stop)
		if _, err := r.Read(buffer); err != io.EOF {
			t.Errorf("after the end of its ctx: %v", err)
		}
		if _, err := r.Read(buffer); err != io.EOF {
			t.Errorf("and again: %v", err)
		}
	})
}

func TestLiveReaderError(t *testing.T) {
	broken := errors.New("broken")
	r := newLiveReader(t.Context(), io.MultiReader(strings.NewReader("x"), errReader{broken}), time.Second)
	got, err := io.ReadAll(r)
	if string(got) != "x" || err != broken {
		t.Errorf("read %q, %v", got, err)
	}
}

// What idle fails with ends the reading: nobody waits for an input that cannot be told.
func TestLiveReaderIdleFails(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	gone := errors.New("gone")
	r := newLiveReader(t.Context(), in, time.Hour)
	r.idle = func(bool) error { return gone }
	if _, err := r.Read(make([]byte, 1)); err != gone {
		t.Errorf("read: %v", err)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &progress{to: &out, width: 50, size: 3e6, total: 6e6, started: time.Now()}
	p.add(1e6, true)
	if out.Len() > 0 {
		t.Errorf("a short reading shows %q", &out)
	}
	p.started = p.started.Add(-time.Minute)
	p.add(2e6, false)
	if out.Len() > 0 {
		t.Errorf("between results there is %q", &out)
	}
	p.add(0, true)
	want := "\rreading  50 % of 3 MB " + strings.Repeat("█", 14) + strings.Repeat("░", 13)
	if out.String() != want {
		t.Errorf("half-way it shows %q, want %q", &out, want)
	}
	p.add(3e6, true) // too soon after the last one
	out.Reset()
	p.clear()
	if blank := "\r" + strings.Repeat(" ", 49) + "\r"; out.String() != blank {
		t.Errorf("it leaves %q", &out)
	}
	out.Reset()
	p.clear()
	if out.Len() > 0 {
		t.Errorf("what is clear is cleared again: %q", &out)
	}
}

// summaryOf parses a record and summarizes it.
func summaryOf(t testing.TB, dialect, method, record string) string {
	m, err := message.Bare.Parse([]byte(record))
	e := ledger.Entry{Method: method, Message: m, Err: err}
	if err != nil {
		e.Message = nil
	}
	return summarize(dialect, &e, []byte(record))
}

package interop

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/interop/tape"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// An outcome is what became of a conversation, as the ledger and lint see it. The zero outcome is that every call of
// both sides was answered with a result. Calls are named by their methods, in the order in which they were made.
type outcome struct {
	Failed    []string // answered with an error
	Cancelled []string // taken back, and not answered or answered so
	Withdrawn []string // not needed any more
	Late      []string // answered after that
	Open      []string // at the end
	Lint      []string // the rules of which lint has found errors

	// Faults are records that are no message, answers to nothing, second answers, and ids that are used while they are
	// open. No conversation here has any.
	Faults []string
}

// audit feeds a conversation to the ledger and to lint, and compares what became of it.
func audit(t *testing.T, d *parley.Dialect, records []recording.Record, want outcome) {
	t.Helper()
	if len(records) == 0 {
		t.Error("nothing was said")
	}
	got := account(d, records)
	got.Lint = lintErrors(t, d, records)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what became of the conversation (-want +got):\n%s", diff)
	}
}

// account is the outcome by the ledger.
func account(d *parley.Dialect, records []recording.Record) (o outcome) {
	settled := map[int64]ledger.Debt{}
	l := ledger.New(&ledger.Options{Dialect: d, Settled: func(d *ledger.Debt) { settled[d.Serial] = *d }})
	for _, rec := range records {
		at := ledger.Untimed
		if rec.Timed {
			at = rec.Time
		}
		e := l.Add(ledger.Record{At: at, From: rec.From, Raw: rec.Raw, Err: rec.Err, What: rec.Process})
		for _, e := range append([]ledger.Entry{e}, e.Parts...) {
			if e.State == ledger.StateLate {
				o.Late = append(o.Late, e.Method)
			}
			if isFault(&e) {
				o.Faults = append(o.Faults, fmt.Sprintf("%s: %s", rec.Raw, e.Why()))
			}
		}
	}
	if n := l.Counts().Forgotten; n != 0 {
		o.Faults = append(o.Faults, fmt.Sprintf("the ledger forgot %d debts", n))
	}
	for _, serial := range slices.Sorted(maps.Keys(settled)) {
		switch d := settled[serial]; d.State {
		case ledger.StateFailed:
			o.Failed = append(o.Failed, d.Method)
		case ledger.StateCancelled:
			o.Cancelled = append(o.Cancelled, d.Method)
		case ledger.StateWithdrawn:
			o.Withdrawn = append(o.Withdrawn, d.Method)
		default: // answered with a result
		}
	}
	for _, d := range l.Open() {
		o.Open = append(o.Open, d.Method)
	}
	return o
}

// isFault reports whether a record is what no program should send, or what the ledger should not make of it.
func isFault(e *ledger.Entry) bool {
	rules := []ledger.Because{ledger.BecauseReused, ledger.BecauseRefusal, ledger.BecauseBadReply, ledger.BecauseSameValue}
	return e.Kind == ledger.KindInvalid || e.State == ledger.StateOrphan || slices.Contains(rules, e.Because)
}

// lintErrors are the rules of which lint finds errors, sorted, each once. All that it finds is logged.
func lintErrors(t *testing.T, d *parley.Dialect, records []recording.Record) (rules []string) {
	t.Helper()
	l := lint.New(&lint.Options{Dialect: d, Shape: recording.ShapeTranscript})
	note := func(findings []lint.Finding) {
		for _, f := range findings {
			t.Logf("lint: %v: %s: line %d, %q: %s", f.Severity, f.Rule.ID, f.Line, f.Pointer, f.Message)
			if f.Severity == lint.Error {
				rules = append(rules, f.Rule.ID)
			}
		}
	}
	for _, rec := range records {
		note(l.Record(rec))
	}
	note(l.End())
	slices.Sort(rules)
	return slices.Compact(rules)
}

// taped reads what a tape has written down.
func taped(t *testing.T, said io.Reader) (records []recording.Record) {
	t.Helper()
	r := recording.NewReader(said, &recording.Options{Shape: recording.ShapeTranscript})
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatalf("the tape after %d records: %v", len(records), err)
		}
		rec.Raw = bytes.Clone(rec.Raw)
		records = append(records, rec)
	}
}

// TestAuditFindsFaults sees to it that the audits of this package can fail.
func TestAuditFindsFaults(t *testing.T) {
	var said bytes.Buffer
	c := tape.New(&said, parley.SideClient)
	for _, rec := range []struct {
		dir  parley.Direction
		text string
	}{
		{parley.Outbound, `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		{parley.Outbound, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		{parley.Inbound, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{parley.Inbound, `{"jsonrpc":"2.0","id":2,"result":{}}`},
		{parley.Inbound, `Listening`},
		{parley.Outbound, `{"jsonrpc":"2.0","id":3,"method":"prompts/list"}`},
		{parley.Outbound, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`},
		{parley.Inbound, `{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}`},
	} {
		c.Record(rec.dir, []byte(rec.text))
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	records := taped(t, &said)
	got := account(&mcp.Dialect, records)
	for i, fault := range got.Faults { // what the ledger says of it is the ledger's business
		got.Faults[i], _, _ = strings.Cut(fault, ": ")
	}
	want := outcome{
		Cancelled: []string{"prompts/list"},
		Late:      []string{"prompts/list"},
		Open:      []string{"tools/list"},
		Faults: []string{
			`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":2,"result":{}}`,
			`Listening`,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the outcome (-want +got):\n%s", diff)
	}
	rules := []string{"answer-to-nothing", "id-reused", "never-answered", "stray-text"}
	if diff := cmp.Diff(rules, lintErrors(t, &mcp.Dialect, records)); diff != "" {
		t.Errorf("the rules of lint (-want +got):\n%s", diff)
	}
}

//go:build claude

package claude

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// replay calls each for the records of a recording, and returns their shape.
func replay(t *testing.T, file string, each func(recording.Record)) recording.Shape {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	records := recording.NewReader(in, nil)
	for rec, err := range records.All() {
		if err != nil {
			t.Fatal(err)
		}
		each(rec)
	}
	return records.Shape()
}

// pairs holds the recording to the rule of the protocol: each control request, of either side, has one answer from
// the other, or was taken back by its own. It knows nothing of parley's reading of the protocol: an auditor must not
// share a mistake with whom it audits.
func pairs(t *testing.T, file string) {
	type call struct {
		by parley.Side
		id string
	}
	asked, settled := map[call]string{}, map[call][]string{}
	replay(t, file, func(rec recording.Record) {
		var r struct {
			Type     string
			ID       string `json:"request_id"`
			Response struct {
				ID string `json:"request_id"`
			}
		}
		if rec.Process != "" {
			return
		}
		if err := json.Unmarshal(rec.Raw, &r); err != nil || r.Type == "" {
			t.Errorf("not a record of the protocol: %s: %v", rec.Raw, err)
		}
		switch r.Type {
		case "control_request":
			asked[call{rec.From, r.ID}] = string(rec.Raw)
		case "control_response":
			c := call{rec.From.Other(), r.Response.ID}
			settled[c] = append(settled[c], "answered")
		case "control_cancel_request":
			c := call{rec.From, r.ID}
			settled[c] = append(settled[c], "taken back")
		}
	})
	if n := len(asked); n != 26 {
		t.Errorf("%d control requests, want 26: 22 of the agent, and initialize, two interrupts and set_model", n)
	}
	for c, rec := range asked {
		// The SDK answers a question that was taken back nevertheless.
		if how := settled[c]; len(how) != 1 && !slices.Equal(how, []string{"taken back", "answered"}) {
			t.Errorf("%v is settled by %v: %s", c.by, how, rec)
		}
	}
	for c, how := range settled {
		if asked[c] == "" {
			t.Errorf("the %v never made a call %q, which was %v", c.by, c.id, how)
		}
	}
}

// debts holds what the ledger makes of the recording: every debt, in the order in which they were made. A debt inside
// another is that of an MCP message to the server of that name.
func debts(t *testing.T, file string) {
	owed := map[int64]string{}
	book := ledger.New(&ledger.Options{Dialect: &claude.Dialect, Settled: func(d *ledger.Debt) {
		method := d.Method
		if d.Scope != "" && d.Method != string(claude.MCPMessage) {
			method = d.Scope + ": " + method
		}
		owed[d.Serial] = fmt.Sprintf("%v %s %v", d.From, method, d.State)
	}})
	var last ledger.Entry
	replay(t, file, func(rec recording.Record) {
		last = book.Add(ledger.Record{At: rec.Time, From: rec.From, Raw: rec.Raw, Err: rec.Err, What: rec.Process})
	})
	var got []string
	for serial := range int64(len(owed)) {
		got = append(got, owed[serial+1])
	}

	const (
		hook, may  = "server hook_callback answered", "server can_use_tool answered"
		wrapped    = "server mcp_message answered" // around each of the next three, and an inner note
		mcp, tools = "server calc: initialize answered", "server calc: tools/list answered"
		call       = "server calc: tools/call answered"
	)
	greeting := []string{may, wrapped, mcp, wrapped, wrapped, tools}
	want := slices.Concat(
		[]string{"client initialize answered"},
		[]string{hook, may}, // ls
		[]string{hook, may}, // rm
		greeting, []string{wrapped, call},
		greeting, []string{wrapped, call}, // that there is no such tool is a result
		[]string{may, "server mcp_message failed", "server nosuch: initialize failed"},
		[]string{"server can_use_tool cancelled", "client interrupt answered"},
		greeting, []string{"server mcp_message cancelled", "server calc: tools/call cancelled", "client interrupt answered"},
		[]string{"client set_model failed"},
	)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the debts (-want +got):\n%s", diff)
	}
	for _, d := range book.Open() {
		t.Errorf("open at the end: %s", book.Chain(d.Serial))
	}
	if n := book.Counts(); n.Orphans+n.Duplicates+n.Invalid+n.Reused+n.Forgotten != 0 || n.Late != 1 {
		t.Errorf("the counts are %+v, want one late answer and nothing odd", n)
	}
	if a := book.Agent(); last.What != recording.ProcessExit || a.State != ledger.AgentExited || a.Reason != "code 0" {
		t.Errorf("at the end the agent is %v (%s) by %q, want it to exit with code 0 when its input ends", a.State, a.Reason, last.What)
	}
}

// faults wants no errors of lint.
func faults(t *testing.T, file string) {
	check := func(found []lint.Finding) {
		for _, f := range found {
			if f.Severity == lint.Error {
				t.Errorf("line %d %s: %s: %s", f.Line, f.Pointer, f.Rule.ID, f.Message)
			} else {
				t.Logf("line %d %s: %s (%v): %s", f.Line, f.Pointer, f.Rule.ID, f.Severity, f.Message)
			}
		}
	}
	l := lint.New(&lint.Options{Dialect: &claude.Dialect, Shape: recording.ShapeTranscript})
	shape := replay(t, file, func(rec recording.Record) { check(l.Record(rec)) })
	check(l.End())
	if shape != recording.ShapeTranscript {
		t.Errorf("the recording was read as %s", shape)
	}
}

package ledger_test

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
)

// TestModel plays random schedules of calls, answers and cancellations of both sides,
// with few ids so that they meet, and compares what is open with what a list says.
func TestModel(t *testing.T) {
	type open struct {
		from parley.Side
		id   string
		n    int64
	}
	ids := []string{"1", `"1"`, "2", "0.5", `"a"`, "null"}
	rapid.Check(t, func(t *rapid.T) {
		d := parley.JSONRPC
		d.Cancel.Answered = false
		l := ledger.New(&ledger.Options{Dialect: &d})
		var model []open
		add := func(from parley.Side, text string) ledger.Entry {
			return l.Add(ledger.Record{From: from, Raw: []byte(text)})
		}
		// oldest is the call that an answer with this id settles.
		oldest := func(from parley.Side, id string) int {
			return slices.IndexFunc(model, func(o open) bool { return o.from == from && o.id == id })
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			from := rapid.SampledFrom([]parley.Side{parley.SideClient, parley.SideServer}).Draw(t, "side")
			id := rapid.SampledFrom(ids).Draw(t, "id")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				e := add(from, `{"jsonrpc":"2.0","id":`+id+`,"method":"m"}`)
				model = append(model, open{from, id, e.N})
			case 2:
				i := oldest(from, id)
				if i < 0 {
					continue // by value it might settle another one; the scripts have that
				}
				e := add(from.Other(), `{"jsonrpc":"2.0","id":`+id+`,"result":0}`)
				if e.About != model[i].n || e.State != ledger.StateAnswered {
					t.Fatalf("answer %d to %s settles record %d (%s), want %d", e.N, id, e.About, e.State, model[i].n)
				}
				model = slices.Delete(model, i, i+1)
			case 3:
				i := oldest(from, id)
				if i < 0 {
					continue
				}
				// It takes back all that have this id.
				add(from, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":`+id+`}}`)
				model = slices.DeleteFunc(model, func(o open) bool { return o.from == from && o.id == id })
			}
		}
		var got []open
		for _, d := range l.Open() {
			got = append(got, open{d.From, d.ID.String(), d.N})
		}
		if diff := cmp.Diff(model, got, cmp.AllowUnexported(open{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("open debts (-want +got)\n%s", diff)
		}
	})
}

// TestBounds feeds calls that nobody answers, answers that nobody wants, and ids and
// methods that are long, and watches the memory.
func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for name, record := range map[string]func(i int) string{
		"calls":        func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m"}`, i) },
		"one id":       func(int) string { return `{"jsonrpc":"2.0","id":1,"method":"m"}` },
		"orphans":      func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":0}`, i) },
		"long ids":     func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d%s","method":"m"}`, i, long) },
		"long methods": func(i int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i, long) },
		"tokens": func(i int) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"m","params":{"_meta":{"progressToken":"%d"}}}`, i, i)
		},
		"bad": func(i int) string { return fmt.Sprintf(`{"jsonrpc":"1.0","id":%d,"method":"m"}`, i) },
	} {
		t.Run(name, func(t *testing.T) {
			d := lookup(t, "mcp")
			l := ledger.New(&ledger.Options{Dialect: &d})
			records := 100_000
			if strings.HasPrefix(name, "long") {
				records = 4_000
			}
			before := heap()
			for i := range records {
				l.Add(ledger.Record{From: parley.SideClient, Raw: []byte(record(i))})
			}
			if grown := heap() - before; grown > 64<<20 {
				t.Errorf("after %d records the ledger holds %d MiB, want at most 64", records, grown>>20)
			}
			if n := len(l.Open()); n > 65_536 {
				t.Errorf("%d debts are open, want at most 65,536", n)
			}
			runtime.KeepAlive(l)
		})
	}
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestForgotten says that what does not fit is counted, and that its answer is an
// orphan.
func TestForgotten(t *testing.T) {
	l := ledger.New(&ledger.Options{MaxOpen: 2})
	for i := range 3 {
		l.Add(ledger.Record{From: parley.SideClient, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"m"}`, i)})
	}
	if got := l.Counts().Forgotten; got != 1 {
		t.Errorf("%d debts are forgotten, want 1", got)
	}
	if e := l.Add(ledger.Record{From: parley.SideServer, Raw: []byte(`{"jsonrpc":"2.0","id":0,"result":0}`)}); e.State != ledger.StateOrphan {
		t.Errorf("the answer to a forgotten call is %s, want orphan", e.State)
	}
	if e := l.Add(ledger.Record{From: parley.SideServer, Raw: []byte(`{"jsonrpc":"2.0","id":2,"result":0}`)}); e.State != ledger.StateAnswered {
		t.Errorf("the answer to a call that is kept is %s, want answered", e.State)
	}
}

// TestSettled says that the hook is told of each debt once, and again of a late answer.
func TestSettled(t *testing.T) {
	d := lookup(t, "mcp")
	var told []string
	l := ledger.New(&ledger.Options{Dialect: &d, Settled: func(d *ledger.Debt) {
		told = append(told, fmt.Sprint(d.Serial, d.State, d.SettledBy, d.EndedBy))
	}})
	for i, text := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`,
		`{"jsonrpc":"2.0","id":2,"method":"a"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":2,"result":0}`,
		`{"jsonrpc":"2.0","id":1,"result":0}`,
	} {
		from := parley.SideClient
		if i > 2 {
			from = parley.SideServer
		}
		l.Add(ledger.Record{From: from, Raw: []byte(text)})
	}
	want := []string{"1 cancelled 0 3", "2 answered 4 0", "1 cancelled 5 3"}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzAdd says that no bytes make the ledger panic, in any dialect and from any side,
// and that the same bytes give the same entries.
func FuzzAdd(f *testing.F) {
	for _, file := range []string{"agentsdk-full", "codex-turn-never", "acp-short", "mcp-malformed-1d71"} {
		var text bytes.Buffer
		for _, r := range transcript(f, "../testdata/transcripts/"+file+".jsonl") {
			text.Write(append(r.Raw, '\n'))
		}
		f.Add(text.Bytes(), uint8(0))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"requestState":"x"}}`), uint8(1))
	names := []string{"jsonrpc", "mcp", "lsp", "acp", "codex", "claude", "stream"}
	f.Fuzz(func(t *testing.T, text []byte, mix uint8) {
		tell := func() string {
			d := lookup(t, names[int(mix)%len(names)])
			l := ledger.New(&ledger.Options{Dialect: &d, MaxOpen: 4, MaxSettled: 4, MaxBytes: 1000})
			var out bytes.Buffer
			for i, line := range bytes.Split(text, []byte("\n")) {
				e := l.Add(ledger.Record{From: parley.Side((int(mix)/8 + i) % 3), Raw: line})
				fmt.Fprintln(&out, e.N, e.Kind, e.State, e.About, e.Why(), e.Agent)
			}
			fmt.Fprintln(&out, l.Agent(), l.Counts())
			for _, d := range l.Open() {
				fmt.Fprintln(&out, l.Chain(d.Serial))
			}
			return out.String()
		}
		if diff := cmp.Diff(tell(), tell()); diff != "" {
			t.Fatalf("the same records give other entries\n%s", diff)
		}
	})
}

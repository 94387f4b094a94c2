package interop

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
)

// A wire keeps all records of a connection and audits them afterwards. It reads them with encoding/json and knows
// calls by a map of its own: an auditor must not share a mistake with whom it audits.
type wire struct {
	cancel parley.Cancel // how a call is taken back
	bare   bool          // messages have no member jsonrpc

	mu      sync.Mutex // the reading and the writing side both add
	records []record
}

type record struct {
	dir  parley.Direction
	text string
}

// add is a hook of parley.Trace.
func (w *wire) add(dir parley.Direction, rec []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.records = append(w.records, record{dir, string(rec)})
}

// A call is known by who made it and the text of its id.
type call struct {
	by parley.Direction
	id string
}

func (c call) String() string {
	return fmt.Sprintf("%s call %s", [...]string{"inbound", "outbound"}[c.by], c.id)
}

// envelope is a message of JSON-RPC 2.0, sections 4 and 5. A member that is null is not nil.
type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// faults says what is wrong: a record that is no message, an id that is used twice, an answer that nobody is owed,
// and a call that is not settled exactly once: by its answer or, unless the dialect answers those too, by being taken
// back.
func (w *wire) faults() (faults []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	owed := map[call]int{}
	var calls []call // in their order
	answer := func(c call, rec record) {
		if _, asked := owed[c]; !asked {
			faults = append(faults, "an answer to nothing: "+rec.text)
			return
		}
		owed[c]--
	}
	for _, rec := range w.records {
		var e envelope
		err := json.Unmarshal([]byte(rec.text), &e)
		version := map[bool]string{false: "2.0", true: ""}[w.bare]
		answers := (e.Result == nil) != (e.Error == nil)
		switch {
		case err != nil || e.Version != version || (e.Method != nil) == answers:
			faults = append(faults, "no message: "+rec.text)
		case answers:
			answer(call{1 - rec.dir, string(e.ID)}, rec)
		case e.ID != nil:
			c := call{rec.dir, string(e.ID)}
			if _, asked := owed[c]; asked {
				faults = append(faults, "an id that was used before: "+rec.text)
				continue
			}
			owed[c] = 1
			calls = append(calls, c)
		case *e.Method == w.cancel.Method && !w.cancel.Answered:
			var params map[string]json.RawMessage
			_ = json.Unmarshal(e.Params, &params) // what is not there is answered to nothing
			answer(call{rec.dir, string(params[w.cancel.Member])}, rec)
		}
	}
	for _, c := range calls {
		if owed[c] != 0 {
			faults = append(faults, fmt.Sprintf("%s is settled %d times", c, 1-owed[c]))
		}
	}
	return faults
}

func TestWireOfBareMessages(t *testing.T) {
	w := &wire{bare: true}
	for _, text := range []string{`{"id":1,"method":"m"}`, `{"jsonrpc":"2.0","method":"m"}`} {
		w.add(parley.Outbound, []byte(text))
	}
	w.add(parley.Inbound, []byte(`{"id":1,"result":null}`))
	want := []string{`no message: {"jsonrpc":"2.0","method":"m"}`}
	if diff := cmp.Diff(want, w.faults()); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

func TestWireFindsFaults(t *testing.T) {
	const (
		ask    = `{"jsonrpc":"2.0","id":1,"method":"m"}`
		reply  = `{"jsonrpc":"2.0","id":1,"result":null}`
		refuse = `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}`
		note   = `{"jsonrpc":"2.0","method":"m"}`
		cancel = `{"jsonrpc":"2.0","method":"cancel","params":{"call":1}}`
	)
	const in, out = parley.Inbound, parley.Outbound
	for _, test := range []struct {
		name     string
		answered bool // the dialect answers calls that were taken back
		records  []record
		want     []string
	}{
		{"each side asks with id 1 and is answered", false, []record{{out, ask}, {in, ask}, {out, reply}, {in, refuse}}, nil},
		{"a note is owed nothing", false, []record{{out, note}, {in, note}}, nil},
		{"nobody answers us", false, []record{{out, ask}}, []string{"outbound call 1 is settled 0 times"}},
		{"we answer nobody", false, []record{{in, ask}}, []string{"inbound call 1 is settled 0 times"}},
		{"the asker answers itself", false, []record{{out, ask}, {out, reply}},
			[]string{"an answer to nothing: " + reply, "outbound call 1 is settled 0 times"}},
		{"two answers to one call", false, []record{{out, ask}, {in, reply}, {in, refuse}}, []string{"outbound call 1 is settled 2 times"}},
		{"an answer before its call", false, []record{{in, reply}, {out, ask}, {in, reply}}, []string{"an answer to nothing: " + reply}},
		{"an id twice", false, []record{{out, ask}, {in, reply}, {out, ask}}, []string{"an id that was used before: " + ask}},
		{"no JSON", false, []record{{in, "Listening"}}, []string{"no message: Listening"}},
		{"a request and an answer at once", false, []record{{in, `{"jsonrpc":"2.0","id":1,"method":"m","result":1}`}},
			[]string{`no message: {"jsonrpc":"2.0","id":1,"method":"m","result":1}`}},
		{"a call that was taken back has no answer", false, []record{{out, ask}, {out, cancel}}, nil},
		{"it has one although the dialect has none", false, []record{{out, ask}, {out, cancel}, {in, reply}},
			[]string{"outbound call 1 is settled 2 times"}},
		{"or has one where the dialect answers", true, []record{{out, ask}, {out, cancel}, {in, refuse}}, nil},
		{"and none although the dialect answers", true, []record{{out, ask}, {out, cancel}}, []string{"outbound call 1 is settled 0 times"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			words := parley.IDNote{Method: "cancel", Member: "call"}
			w := &wire{cancel: parley.Cancel{IDNote: words, Answered: test.answered}}
			for _, rec := range test.records {
				w.add(rec.dir, []byte(rec.text))
			}
			if diff := cmp.Diff(test.want, w.faults()); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

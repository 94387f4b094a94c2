package ledger

import (
	"hash/fnv"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// mcp keeps track of MCP, both eras. In the modern one a server asks nothing: it answers
// that it needs input, and the client asks the whole call again with that (MCP
// 2026-07-28, "Multi Round-Trip Requests"). So the answer is a debt of the client, and
// call, answer and second call are one operation.
type mcp struct {
	words
	owed map[wish][]*debt // of the client: calls that it has to make again
}

// A wish is what a call that brings input has to be, to be the one that was asked for.
type wish struct {
	method, what string
	state        uint64
}

func (*mcp) habits() (ready, inTurn bool) { return false, false }

func (m *mcp) opens(l *Ledger, e *Entry, r *message.Request, d *debt) {
	switch r.Method {
	case "tools/call", "prompts/get":
		d.What = l.keep(d, text(r.Params, "name"))
	case "resources/read":
		d.What = l.keep(d, text(r.Params, "uri"))
	case "subscriptions/listen":
		d.Stream = true
		e.Because = BecauseStream
		l.setAside(d)
		return
	}
	if len(m.owed) > 0 && d.From == parley.SideClient {
		m.retried(l, e, r, d)
	}
	l.nest(d)
}

// retried looks for the answer that this call gives the input for.
func (m *mcp) retried(l *Ledger, e *Entry, r *message.Request, d *debt) {
	if !mentions(r.Params, "inputResponses") && !mentions(r.Params, "requestState") {
		return
	}
	owed := m.owed[wish{d.Method, d.What, stateOf(r.Params)}]
	if len(owed) == 0 {
		return
	}
	d.First = owed[0].First
	e.Because, e.About = BecauseRetry, owed[0].N
	owed[0].answered(e)
	l.settle(owed[0], StateAnswered, nil)
}

func (m *mcp) reply(l *Ledger, e *Entry, r *message.Response, d *debt) {
	if d == nil || !e.Answers || e.State != StateAnswered || d.From != parley.SideClient {
		return
	}
	if d.Method == "initialize" {
		l.batches = text(r.Result, "protocolVersion") == "2025-03-26" // the one that had them
	}
	if !mentions(r.Result, "input_required") || text(r.Result, "resultType") != "input_required" {
		return
	}
	owed := l.ask(e, &l.book, parley.SideServer, message.ID{}, d.Method)
	owed.First, owed.What, owed.state = d.First, l.keep(owed, d.What), stateOf(r.Result)
	l.waits(owed, m.person(l, r.Result))
	if m.owed == nil {
		m.owed = make(map[wish][]*debt)
	}
	w := owed.wish()
	m.owed[w] = append(m.owed[w], owed)
	l.owe(e, owed)
	e.Because = BecauseInputRequired
}

func (d *debt) wish() wish { return wish{d.Method, d.What, d.state} }

// person tells for what of a person an answer asks.
func (*mcp) person(l *Ledger, result message.Raw) parley.Wait {
	asked, _ := result.Member("inputRequests")
	var requests map[string]struct {
		Method string `json:"method"`
	}
	if asked.Decode(&requests) != nil {
		return 0
	}
	most := parley.Wait(0)
	for _, r := range requests {
		most = max(most, l.dialect.Waits[r.Method])
	}
	return most
}

// stateOf returns a hash of the state that an answer gave and a retry brings back, 0 if
// there is none. The state may be long, and nobody reads it; it may come back with other
// escapes.
func stateOf(r message.Raw) uint64 {
	state, ok := r.Member("requestState")
	if !ok {
		return 0
	}
	said := string(state)
	var plain string
	if state.Decode(&plain) == nil {
		said = plain
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(said)) // it cannot fail
	return h.Sum64() | 1
}

// note finds the subscription that a note belongs to. A server takes back nothing but
// those: the client's, of which it is the end.
func (*mcp) note(l *Ledger, e *Entry, r *message.Request) {
	if e.Because == BecauseCancelNothing && e.From == parley.SideServer {
		if d, _ := l.book.find(parley.SideClient, e.ID); d != nil && d.Stream && d.State == StateOpen {
			l.about(e, d)
			e.Method, e.Because, d.EndedBy = r.Method, BecauseCancel, e.N
			l.settle(d, StateCancelled, nil)
		}
		return
	}
	const member = "io.modelcontextprotocol/subscriptionId"
	if e.About != 0 || !mentions(r.Params, member) {
		return
	}
	meta, _ := r.Params.Member("_meta")
	at, _ := meta.Member(member)
	if id, err := message.ParseID(at); err == nil {
		d, _ := l.book.find(e.From.Other(), id)
		l.report(e, d)
	}
}

func (m *mcp) gone(l *Ledger, d *debt, _ *message.Response) {
	l.greeted(d)
	if !d.ID.IsZero() {
		return
	}
	w := d.wish()
	if m.owed[w] = slices.DeleteFunc(m.owed[w], func(o *debt) bool { return o == d }); len(m.owed[w]) == 0 {
		delete(m.owed, w)
	}
}

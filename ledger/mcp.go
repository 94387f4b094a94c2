package ledger

import (
	"hash/fnv"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// mcp keeps track of MCP, both eras. In the modern one a server asks nothing: it answers
// that it needs input, and the client asks the whole call again with that (MCP
// 2026-07-28, "Multi Round-Trip Requests"). So the answer is a debt of the client, and
// call, answer and second call are one operation.
type mcp struct {
	words
	owed []*debt // of the client: calls that it has to make again
}

func (*mcp) habits() (ready, turns bool) { return false, false }

func (m *mcp) call(l *Ledger, e *Entry, r *message.Request, d *debt) {
	switch r.Method {
	case "tools/call", "prompts/get":
		d.What = l.keep(d, text(r.Params, "name"))
	case "resources/read":
		d.What = l.keep(d, text(r.Params, "uri"))
	case "subscriptions/listen":
		d.Stream = true
		e.Because = BecauseStream
	}
	if len(m.owed) > 0 && d.From == parley.SideClient {
		m.retried(l, e, r, d)
	}
}

// retried looks for the answer that this call gives the input for: by the state that it
// brings back, or else by its method and what it names.
func (m *mcp) retried(l *Ledger, e *Entry, r *message.Request, d *debt) {
	if !mentions(r.Params, "inputResponses") && !mentions(r.Params, "requestState") {
		return
	}
	state := stateOf(r.Params)
	for i, owed := range m.owed {
		if owed.Method != d.Method || owed.state != state || owed.What != d.What {
			continue
		}
		m.owed = append(m.owed[:i], m.owed[i+1:]...)
		d.First = owed.First
		e.Because, e.About = BecauseRetry, owed.N
		owed.answered(e)
		l.settle(owed, StateAnswered, e)
		return
	}
}

func (m *mcp) reply(l *Ledger, e *Entry, r *message.Response, d *debt) {
	l.greeted(d)
	if d == nil || !e.Answers || e.State != StateAnswered || d.From != parley.SideClient {
		return
	}
	if !mentions(r.Result, "input_required") || text(r.Result, "resultType") != "input_required" {
		return
	}
	first, method, what := d.First, d.Method, d.What
	owed := l.ask(e, &l.book, parley.SideServer, message.ID{}, method)
	owed.First, owed.What, owed.state = first, what, stateOf(r.Result)
	l.waits(owed, m.person(l, r.Result))
	m.owed = append(m.owed, owed)
	l.owe(e, owed)
	e.Because = BecauseInputRequired
}

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
// there is none. The state may be long, and nobody reads it.
func stateOf(r message.Raw) uint64 {
	state, ok := r.Member("requestState")
	if !ok {
		return 0
	}
	h := fnv.New64a()
	h.Write(state)
	return h.Sum64() | 1
}

// note finds the subscription that a note belongs to.
func (*mcp) note(l *Ledger, e *Entry, r *message.Request) {
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

func (m *mcp) forgotten(d *debt) {
	for i, owed := range m.owed {
		if owed == d {
			m.owed = append(m.owed[:i], m.owed[i+1:]...)
			return
		}
	}
}

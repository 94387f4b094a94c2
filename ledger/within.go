package ledger

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// maxScopes bounds how many numberings of inner messages are kept.
const maxScopes = 1024

// within reads the message inside a request. d is the debt of the request, nil for a
// note. What is inside may be an answer as well: the side that cannot answer in the
// acknowledgement sends it in a request of its own.
func (l *Ledger) within(e *Entry, d *debt, r *message.Request) {
	inner, ok := l.dialect.Inner(r)
	if !ok {
		return
	}
	if l.inner == nil {
		l.inner = make(map[string]*book)
	}
	scope := clip(inner.Scope)
	b := l.inner[scope]
	if b == nil {
		if len(l.inner) >= maxScopes {
			clear(l.inner) // the debts stay; only what is inside of older ones finds no answer
		}
		b = &book{dialect: &plain, speaks: words{}}
		l.inner[scope] = b
	}
	part := l.part(e, b, inner.Message)
	if d == nil {
		return
	}
	d.inside = scope
	if part.Serial == 0 {
		_, reply := inner.Message.(*message.Response)
		d.noted = !reply
		return
	}
	c := l.debts.open[e.From].youngest
	if c.Serial != part.Serial {
		return
	}
	c.Scope, c.Behind = scope, d.Behind
	d.carried, c.carrier = c, d
}

// part reads a message inside another one.
func (l *Ledger) part(e *Entry, b *book, m message.Message) *Entry {
	e.Parts = []Entry{{N: e.N, At: e.At, From: e.From, Inferred: e.Inferred, Latency: Untimed, Message: m}}
	part := &e.Parts[0]
	l.message(part, b, m)
	return part
}

// plain is what messages inside messages are read by: they are MCP's, whose words for
// cancelling and progress are the only ones that count there.
var plain = parley.Dialect{
	Cancel:   parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}},
	Progress: parley.ProgressWords{Method: "notifications/progress", Token: "progressToken", Ask: []string{"_meta", "progressToken"}},
	Waits:    map[string]parley.Wait{"elicitation/create": parley.WaitInput, "sampling/createMessage": parley.WaitApproval},
}

// withinReply reads the message inside an answer to d. An answer to a note is no more
// than an acknowledgement, whatever its id.
func (l *Ledger) withinReply(e *Entry, d *debt, m *message.Response) {
	if m.Error != nil {
		return // what was inside has failed with what it was inside of
	}
	inner, ok := l.dialect.Inner(m)
	if !ok {
		return
	}
	b := l.inner[d.inside]
	if d.noted || b == nil {
		e.Parts = []Entry{{
			N: e.N, At: e.At, From: e.From, Inferred: e.Inferred, Latency: Untimed, Message: inner.Message,
			Kind: KindResponse, Because: BecauseAcknowledged, About: d.N,
		}}
		if r, ok := inner.Message.(*message.Response); ok {
			e.Parts[0].ID = r.ID
		}
		return
	}
	l.part(e, b, inner.Message)
}

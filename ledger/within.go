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
	b := l.scope(clip(inner.Scope))
	part := l.part(e, b, inner.Message)
	if d == nil {
		return
	}
	d.inside = clip(inner.Scope)
	if part.Serial == 0 {
		_, reply := inner.Message.(*message.Response)
		d.noted = !reply
		return
	}
	c := l.debts.open[e.From].youngest
	if c == nil || c.Serial != part.Serial {
		return
	}
	c.Scope = d.inside
	l.moveTo(c, d.turn)
	l.charge(c, int64(len(d.inside)))
	d.carried, c.carrier = c, d
}

// scope returns the book of the messages inside messages that are numbered together. Past
// maxScopes all others are numbered together.
func (l *Ledger) scope(name string) *book {
	if l.inner == nil {
		l.inner = make(map[string]*book)
	}
	if l.inner[name] == nil && len(l.inner) >= maxScopes {
		name = "…"
	}
	if l.inner[name] == nil {
		l.inner[name] = &book{dialect: &plain, speaks: carried{}}
	}
	return l.inner[name]
}

// carried is what messages inside messages have beyond calls and answers: nothing, not
// even a place among what is owed outside.
type carried struct{ words }

func (carried) opens(*Ledger, *Entry, *message.Request, *debt) {}

// part reads a message inside another one.
func (l *Ledger) part(e *Entry, b *book, m message.Message) *Entry {
	part := e.add(m)
	l.message(part, b, m)
	return part
}

// add makes room for a message inside the record of an entry.
func (e *Entry) add(m message.Message) *Entry {
	e.Parts = append(e.Parts, Entry{N: e.N, At: e.At, From: e.From, Inferred: e.Inferred, Latency: Untimed, Message: m})
	part := &e.Parts[len(e.Parts)-1]
	if _, bad := m.(*message.ParseError); bad {
		part.Message = nil
	}
	return part
}

// plain is what messages inside messages are read by: they are MCP's, and only the words
// that all of its versions have count there.
var plain = parley.Dialect{
	Cancel:   parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}},
	Progress: parley.ProgressWords{Method: "notifications/progress", Token: "progressToken", Ask: []string{"_meta", "progressToken"}},
	Meta:     parley.Meta{Params: "_meta"},
	Waits:    map[string]parley.Wait{"elicitation/create": parley.WaitInput, "sampling/createMessage": parley.WaitApproval},
}

// withinReply reads the message inside an answer to d; open says that d was open until
// then. An answer to a note is no more than an acknowledgement, whatever its id, and what
// stands in a second answer is no more than that: it settles nothing that has begun since.
func (l *Ledger) withinReply(e *Entry, d *debt, m *message.Response, open bool) {
	if m.Error != nil {
		return // what was inside has failed with what it was inside of
	}
	inner, ok := l.dialect.Inner(m)
	if !ok {
		return
	}
	part := e.add(inner.Message)
	part.Kind, part.Because, part.About = KindResponse, BecauseAcknowledged, d.N
	if bad, ok := inner.Message.(*message.ParseError); ok {
		part.Err = bad
	}
	r, good := inner.Message.(*message.Response)
	if good {
		part.ID = r.ID
	}
	c := d.carried
	switch {
	case d.noted || c == nil:
	case good && c.ID.SameValue(r.ID):
		how := BecauseReply
		if c.ID != r.ID {
			how = BecauseSameValue
		}
		if r.Error != nil {
			part.Kind = KindError
		}
		l.replyTo(part, c.in, c, how, r)
	case good && open:
		l.reply(part, c.in, r)
	case good:
		part.Because, part.State = BecauseDuplicate, StateOrphan
	case c.State == StateOpen:
		l.about(part, c)
		part.Kind, part.Because, part.Answers, part.State = KindInvalid, BecauseBadReply, true, StateFailed
		c.answered(e)
		l.settle(c, StateFailed, nil)
	}
}

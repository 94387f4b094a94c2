package ledger

import (
	"errors"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// record reads a record that arrived whole:
//
//	record ─ parse ┬ request ┬ call    opens a debt
//	               │         └ note    may cancel, withdraw or report
//	               ├ reply             settles one
//	               ├ batch             each of its messages
//	               └ invalid           may still be a call or an answer
func (l *Ledger) record(e *Entry, raw []byte) {
	m, err := l.codec.Parse(raw)
	switch {
	case err != nil:
		l.refused(e, &l.book, err)
	case m == nil:
		e.Kind, e.Because = KindEvent, BecauseKeepAlive
	default:
		l.begin(m)
		e.Message = m
		l.message(e, &l.book, m)
	}
}

// begin notes that the handshake is behind us if the conversation was joined in its
// middle, or if it has none. A log record does not tell: servers log before they are
// greeted.
func (l *Ledger) begin(m message.Message) {
	r, request := m.(*message.Request)
	if l.agent.ready || l.agent.begun || request && r.IsNote() && r.Method == l.dialect.Log.Method {
		return
	}
	l.agent.begun = true
	l.agent.ready = !request || r.Method != "initialize"
}

// message reads one message by the numbering of b.
func (l *Ledger) message(e *Entry, b *book, m message.Message) {
	if e.From == parley.SideUnknown {
		if e.From = l.opt.From; e.From == parley.SideUnknown {
			e.From = l.infer(b, m)
		}
		e.Inferred = e.From != parley.SideUnknown
	}
	switch m := m.(type) {
	case *message.Request:
		if m.IsNote() {
			l.note(e, b, m)
		} else {
			l.call(e, b, m)
		}
	case *message.Response:
		l.reply(e, b, m)
	case message.Batch:
		l.batch(e, b, m)
	case *message.ParseError:
		l.refused(e, b, m)
	}
}

// call opens a debt.
func (l *Ledger) call(e *Entry, b *book, r *message.Request) {
	l.counts.Calls++
	e.Kind, e.ID, e.Method, e.Because = KindRequest, r.ID, r.Method, BecauseCall
	if e.From == parley.SideUnknown {
		e.From, e.Inferred = parley.SideClient, true // who asks first is the client
	}
	d := l.ask(e, b, e.From, r.ID, r.Method)
	if l.refusing {
		d.tolerated, e.Because = true, BecauseNoBatch
		l.setAside(d)
		return
	}
	l.owe(e, d)
	if d.Correlation = b.dialect.Correlation(r); d.Correlation != (parley.Correlation{}) {
		c := &d.Correlation
		l.charge(d, int64(len(c.TraceParent)+len(c.TraceState)+len(c.ID)))
	}
	l.wanted(b, d, r)
	b.speaks.opens(l, e, r, d)
	l.trace(e, d)
	l.waits(d, b.dialect.Waits[r.Method])
	if b.dialect.Inner != nil {
		l.within(e, d, r)
	}
}

// owe notes in an entry which debt it made.
func (l *Ledger) owe(e *Entry, d *debt) {
	e.MustAnswer, e.OwedBy, e.Serial, e.State = true, d.Owes, d.Serial, StateOpen
}

// note reads what nobody answers.
func (l *Ledger) note(e *Entry, b *book, r *message.Request) {
	l.counts.Notes++
	e.Kind, e.Method, e.Because = KindNotification, r.Method, BecauseNote
	w, known := l.words[r.Method]
	if known && b == &l.book && w.From != parley.SideUnknown && w.From != e.From && e.From != parley.SideUnknown {
		return // from the wrong side it means nothing
	}
	switch r.Method {
	case "":
	case b.dialect.Cancel.Method:
		l.cancel(e, b, r)
	case b.dialect.Withdraw.Method:
		l.withdraw(e, b, r)
	case b.dialect.Progress.Method:
		l.progress(e, b, r)
	}
	b.speaks.note(l, e, r)
	if b.dialect.Inner != nil {
		l.within(e, nil, r)
	}
}

// batch reads each message of a batch. In a dialect that has none the other side refuses
// the whole, and owes no answer to a call in it.
func (l *Ledger) batch(e *Entry, b *book, batch message.Batch) {
	e.Kind, e.Because, e.Parts = KindBatch, BecauseBatch, make([]Entry, len(batch))
	l.refusing = b.dialect.NoBatch && !l.batches
	defer func() { l.refusing = false }()
	for i, m := range batch {
		part := &e.Parts[i]
		*part = Entry{N: e.N, At: e.At, From: e.From, Inferred: e.Inferred, Latency: Untimed, Message: m}
		if _, bad := m.(*message.ParseError); bad {
			part.Message = nil
		}
		l.message(part, b, m)
		if e.From == parley.SideUnknown {
			e.From, e.Inferred = part.From, part.Inferred
		}
		e.sum(part)
	}
	if l.refusing {
		l.spoiled(e, nil)
	}
}

// sum adds one part of a batch to what is said of the whole. The part that is worst off
// counts.
func (e *Entry) sum(part *Entry) {
	if part.MustAnswer {
		e.MustAnswer, e.OwedBy = true, part.OwedBy
	}
	if part.Answers && (e.About == 0 || e.About == part.About) {
		e.About, e.Answers, e.Latency = part.About, true, part.Latency
	}
	order := [...]int{
		StateNone: 0, StateAnswered: 1, StateFailed: 2, StateCancelled: 3, StateWithdrawn: 4,
		StateLate: 5, StateOrphan: 6, StateOpen: 7,
	}
	if order[part.State] > order[e.State] {
		e.State = part.State
	}
}

// refused reads a record that is no message, and what it claims to be all the same: who
// sent a call waits for an answer, however wrong it was.
func (l *Ledger) refused(e *Entry, b *book, err error) {
	l.counts.Invalid++
	e.Kind, e.Because, e.Err = KindInvalid, BecauseInvalid, err
	if p, ok := errors.AsType[*message.ParseError](err); ok {
		e.ID = p.ID
		l.claimed(e, b, p.Kind, p.ID)
	}
}

// skipped reads a record that did not arrive whole, by its head.
func (l *Ledger) skipped(e *Entry, rec Record) {
	l.counts.Invalid++
	e.Kind, e.Because, e.Err = KindInvalid, BecauseInvalid, rec.Err
	kind, id := message.PeekWith(l.codec, rec.Raw)
	e.ID = id
	l.claimed(e, &l.book, kind, id)
}

// claimed notes what a bad record means for the debts.
func (l *Ledger) claimed(e *Entry, b *book, kind message.Kind, id message.ID) {
	if e.From == parley.SideUnknown && l.opt.From != parley.SideUnknown {
		e.From, e.Inferred = l.opt.From, true
	}
	switch {
	case (kind == message.KindCall || kind == message.KindUnknown) && !id.IsZero():
		// With an id and nothing else it is a bad call: it is answered with that id.
		if e.From == parley.SideUnknown {
			e.From, e.Inferred = parley.SideClient, true
		}
		d := l.ask(e, b, e.From, id, "")
		l.spoiled(e, d)
		if d.tolerated = l.dialect.BadInput == parley.SilentOnBadInput; d.tolerated {
			l.setAside(d)
		} else {
			l.owe(e, d)
		}
	case kind == message.KindReply && !id.IsZero():
		if e.From == parley.SideUnknown {
			e.From = l.asker(b, id).Other()
			e.Inferred = e.From != parley.SideUnknown
		}
		d, how := b.find(e.From.Other(), id)
		if how != BecauseReply || d.State != StateOpen {
			return
		}
		l.about(e, d)
		e.Answers, e.State, e.Because, e.Latency = true, StateFailed, BecauseBadReply, since(d, e)
		d.answered(e)
		l.settle(d, StateFailed, nil)
	default:
		l.spoiled(e, nil)
	}
}

// A badRecord is one that was refused. Its debt is nil if it named no call.
type badRecord struct {
	n      int64
	debt   *debt
	serial int64 // of the debt, while it is the same one
}

// answered reports whether somebody has answered it with its id.
func (b badRecord) answered() bool {
	return b.debt != nil && (b.debt.Serial != b.serial || b.debt.State != StateOpen)
}

// maxBad bounds how many of them are remembered.
const maxBad = 64

// spoiled notes a record that was refused.
func (l *Ledger) spoiled(e *Entry, d *debt) {
	b := badRecord{n: e.N, debt: d}
	if d != nil {
		b.serial = d.Serial
	}
	list := &l.bad[e.From]
	if len(*list) == maxBad {
		*list = append((*list)[:0], (*list)[1:]...)
	}
	*list = append(*list, b)
}

// lastBad returns the last bad record of the side that a refusal goes to, and forgets it
// if take is set. It is zero if there is none.
func (l *Ledger) lastBad(to parley.Side, take bool) badRecord {
	from := to
	if a, b := l.bad[to], l.bad[parley.SideUnknown]; len(a) == 0 || len(b) > 0 && b[len(b)-1].n > a[len(a)-1].n {
		from = parley.SideUnknown
	}
	list := l.bad[from]
	for len(list) > 0 && list[len(list)-1].answered() {
		list = list[:len(list)-1]
	}
	l.bad[from] = list
	if len(list) == 0 {
		return badRecord{}
	}
	last := list[len(list)-1]
	if take {
		l.bad[from] = list[:len(list)-1]
	}
	return last
}

// about notes in an entry which debt it is about.
func (l *Ledger) about(e *Entry, d *debt) {
	e.About, e.AboutState, e.AboutBy, e.Method = d.N, d.State, d.EndedBy, d.Method
	if d.EndedBy == 0 {
		e.AboutBy = d.SettledBy
	}
}

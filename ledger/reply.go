package ledger

import (
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// reply settles the debt that it answers.
func (l *Ledger) reply(e *Entry, b *book, m *message.Response) {
	e.Kind, e.ID = KindResponse, m.ID
	if m.Error != nil {
		e.Kind = KindError
	}
	d, how := b.find(e.From.Other(), m.ID)
	l.replyTo(e, b, d, how, m)
}

// replyTo settles d, which the answer is about, if that is not nil.
func (l *Ledger) replyTo(e *Entry, b *book, d *debt, how Because, m *message.Response) {
	open := d != nil && d.State == StateOpen
	bad := l.lastBad(e.From.Other(), false)
	refuses := m.Error != nil && (m.ID.IsNull() || m.ID.IsZero())
	switch {
	case open:
		l.answer(e, b, d, how, m)
	case d != nil && (d.State == StateCancelled || d.State == StateWithdrawn) && d.SettledBy == 0:
		l.late(e, d)
	case refuses && (d == nil || bad.n > d.SettledBy):
		l.refuse(e)
	case d != nil:
		l.about(e, d)
		e.AboutBy = d.SettledBy
		l.orphan(e, BecauseDuplicate)
		l.counts.Duplicates++
	default:
		l.orphan(e, how)
	}
	b.speaks.reply(l, e, m, d)
	if d != nil && (d.carried != nil || d.noted) {
		l.withinReply(e, d, m, open)
	}
}

// refuse notes that an error without an id is about the last bad record, and fails the
// call that it named.
func (l *Ledger) refuse(e *Entry) {
	bad := l.lastBad(e.From.Other(), true)
	e.Because, e.About = BecauseRefusal, bad.n
	if d := bad.debt; d != nil && d.Serial == bad.serial && d.State == StateOpen {
		e.Answers, e.State, e.Latency = true, StateFailed, since(d, e)
		d.answered(e)
		l.settle(d, StateFailed, nil)
	}
}

// orphan notes that an answer settles nothing, and why.
func (l *Ledger) orphan(e *Entry, why Because) {
	e.State, e.Because = StateOrphan, why
	l.counts.Orphans++
}

// answer settles an open debt.
func (l *Ledger) answer(e *Entry, b *book, d *debt, how Because, m *message.Response) {
	l.about(e, d)
	e.Answers, e.Because, e.Latency = true, how, since(d, e)
	switch {
	case m.Error == nil:
		e.State = b.speaks.outcome(m, d)
	case d.EndedBy != 0 && m.Error.Code == message.CodeRequestCancelled:
		e.State = StateCancelled
	default:
		e.State = StateFailed
	}
	d.answered(e)
	l.settle(d, e.State, m)
}

// late notes an answer to what was cancelled or withdrawn.
func (l *Ledger) late(e *Entry, d *debt) {
	l.about(e, d)
	e.Answers, e.State, e.Because, e.Latency = true, StateLate, BecauseLate, since(d, e)
	l.counts.Late++
	d.answered(e)
	if l.opt.Settled != nil {
		l.opt.Settled(&d.Debt)
	}
}

// since is how long after a debt was made an entry came.
func since(d *debt, e *Entry) time.Duration {
	if d.At == Untimed || e.At == Untimed {
		return Untimed
	}
	return max(e.At-d.At, 0)
}

// named returns the debt of a side that a member of a note's params names by its id.
func (l *Ledger) named(e *Entry, b *book, from parley.Side, r *message.Request, member string) *debt {
	text, ok := r.Params.Member(member)
	if !ok {
		return nil
	}
	id, err := message.ParseID(text)
	if err != nil {
		return nil
	}
	e.ID = id
	d, _ := b.find(from, id)
	return d
}

// cancel reads a note that takes a call of its own side back.
func (l *Ledger) cancel(e *Entry, b *book, r *message.Request) {
	e.Because = BecauseCancelNothing
	d := l.named(e, b, e.From, r, b.dialect.Cancel.Member)
	if d == nil {
		return
	}
	method := e.Method
	l.about(e, d)
	e.Method = method
	if d.State != StateOpen || d.EndedBy != 0 {
		return
	}
	// Of two open calls with one id it takes back both: nothing says which one is meant.
	e.Because = BecauseCancel
	for both := d; both != nil; {
		next := both.next
		both.EndedBy = e.N
		if !b.dialect.Cancel.Answered {
			l.settle(both, StateCancelled, nil)
		}
		both = next
	}
}

// withdraw reads a note that says that a call needs no answer any more. It says the same
// of calls that were answered, which changes nothing.
func (l *Ledger) withdraw(e *Entry, b *book, r *message.Request) {
	d := l.named(e, b, e.From, r, b.dialect.Withdraw.Member)
	if d == nil {
		return
	}
	method := e.Method
	l.about(e, d)
	e.Method, e.Because = method, BecauseWithdraw
	if d.State == StateOpen {
		d.EndedBy = e.N
		l.settle(d, StateWithdrawn, nil)
	}
}

// infer tells by a message of the numbering b which side sent it, if that can be told.
func (l *Ledger) infer(b *book, m message.Message) parley.Side {
	switch m := m.(type) {
	case *message.Request:
		if side := b.speaks.side(m); side != parley.SideUnknown {
			return side
		}
		if w, ok := l.words[m.Method]; ok && w.From != parley.SideUnknown {
			return w.From
		}
		if m.IsNote() {
			return l.noter(b, m)
		}
		return l.caller(b, m.ID)
	case *message.Response:
		return l.asker(b, m.ID).Other()
	case message.Batch:
		for _, one := range m {
			if side := l.infer(b, one); side != parley.SideUnknown {
				return side
			}
		}
	case *message.ParseError:
	}
	return parley.SideUnknown
}

// caller tells who makes a call that either side could make. A client does, unless one
// of its calls with this id is open: then it is the server, which calls back and numbers
// by itself.
func (l *Ledger) caller(b *book, id message.ID) parley.Side {
	if d, how := b.find(parley.SideClient, id); how == BecauseReply && d.State == StateOpen {
		if d, how := b.find(parley.SideServer, id); how != BecauseReply || d.State != StateOpen {
			return parley.SideServer
		}
	}
	return parley.SideClient
}

// noter tells who sends a note that either side could send: who takes a call back has
// made it, and who reports on one was asked.
func (l *Ledger) noter(b *book, r *message.Request) parley.Side {
	about := func(member string) parley.Side {
		text, _ := r.Params.Member(member)
		id, err := message.ParseID(text)
		if err != nil {
			return parley.SideUnknown
		}
		return l.asker(b, id)
	}
	switch r.Method {
	case "":
	case b.dialect.Cancel.Method:
		return about(b.dialect.Cancel.Member)
	case b.dialect.Withdraw.Method:
		return about(b.dialect.Withdraw.Member)
	case b.dialect.Progress.Method:
		if len(b.dialect.Progress.Ask) == 0 {
			return about(b.dialect.Progress.Token).Other()
		}
		token, _ := r.Params.Member(b.dialect.Progress.Token)
		for _, asked := range []parley.Side{parley.SideClient, parley.SideServer} {
			if b.tokens[tokenKey(asked, token)] != nil {
				return asked.Other()
			}
		}
	}
	return parley.SideUnknown
}

// asker tells whose call an answer settles: of two with the same id it is the younger
// one, since a call back is answered before the call that it serves.
func (l *Ledger) asker(b *book, id message.ID) parley.Side {
	c, howC := b.find(parley.SideClient, id)
	s, howS := b.find(parley.SideServer, id)
	switch {
	case howC == BecauseReply && howS != BecauseReply && c.State == StateOpen:
		return parley.SideClient
	case howS == BecauseReply && howC != BecauseReply && s.State == StateOpen:
		return parley.SideServer
	case c == nil && s == nil:
		return parley.SideUnknown
	case s == nil:
		return parley.SideClient
	case c == nil:
		return parley.SideServer
	}
	if open := c.State == StateOpen; open != (s.State == StateOpen) {
		if open {
			return parley.SideClient
		}
		return parley.SideServer
	}
	if c.Serial > s.Serial {
		return parley.SideClient
	}
	return parley.SideServer
}

package ledger

import (
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// debts holds every debt that the ledger remembers.
type debts struct {
	serial  int64
	open    [3]queue // by who asks
	settled queue    // the remembered ones
	tokens  map[string]*debt
	free    *debt // for reuse, linked by next
	bytes   int64 // that the debts hold
}

// longestText bounds, in bytes, each text that a debt keeps besides its id.
const longestText = 256

// clip shortens a text that somebody else chose, without cutting a character.
func clip(s string) string {
	if len(s) <= longestText {
		return s
	}
	return strings.Clone(strings.ToValidUTF8(s[:longestText], "")) + "…"
}

// ask notes that a side asks for something: an answer to the call id, or, if that is
// absent, a call.
func (l *Ledger) ask(e *Entry, b *book, from parley.Side, id message.ID, method string) *debt {
	d := l.debts.free
	if d == nil {
		d = new(debt)
	} else {
		l.debts.free = d.next
		*d = debt{}
	}
	l.debts.serial++
	d.Debt = Debt{
		Serial: l.debts.serial, First: l.debts.serial, N: e.N, At: e.At, From: from, Owes: from.Other(),
		ID: id, Method: clip(method), State: StateOpen, SettledAt: Untimed,
	}
	if behind := l.owedBy(from); behind != nil {
		d.Behind = behind.Serial
	}
	if !id.IsZero() {
		if open, how := b.find(from, id); how == BecauseReply && open.State == StateOpen {
			l.counts.Reused++
			e.Because, e.About = BecauseReused, open.N
		}
		b.add(d)
	}
	l.debts.open[from].push(d)
	d.cost = int64(len(id.String()) + len(d.Method))
	l.debts.bytes += d.cost
	return d
}

// owedBy returns the youngest debt that a side owes, leaving aside what is meant to
// stay open: what it asks now it most likely needs for that.
func (l *Ledger) owedBy(side parley.Side) *debt {
	for d := l.debts.open[side.Other()].youngest; d != nil; d = d.older {
		if !d.Stream && !d.tolerated {
			return d
		}
	}
	return nil
}

// keep charges a debt with more text that it holds.
func (l *Ledger) keep(d *debt, text string) string {
	text = clip(text)
	d.cost += int64(len(text))
	l.debts.bytes += int64(len(text))
	return text
}

// waits notes that a debt waits for a person.
func (l *Ledger) waits(d *debt, w parley.Wait) {
	if d.Wait = w; w != 0 {
		l.agent.waits[w]++
	}
}

// settle ends a debt: by an answer, if by is its record, or without one.
func (l *Ledger) settle(d *debt, state State, e *Entry) {
	d.State = state
	switch state {
	case StateCancelled:
		l.counts.Cancelled++
	case StateWithdrawn:
		l.counts.Withdrawn++
	case StateFailed:
		l.counts.Failed++
	case StateAnswered:
		l.counts.Answered++
	case StateNone, StateOpen, StateLate, StateOrphan:
	}
	l.debts.open[d.From].drop(d)
	l.debts.settled.push(d)
	if d.in != nil {
		d.in.settled(d)
	}
	if d.Wait != 0 && !d.over {
		l.agent.waits[d.Wait]--
		l.agent.flagged = 0
	}
	if l.opt.Settled != nil {
		l.opt.Settled(&d.Debt)
	}
	if c := d.carried; c != nil && c.State == StateOpen && state != StateAnswered {
		c.SettledBy, c.SettledAt, c.EndedBy = d.SettledBy, d.SettledAt, d.EndedBy
		l.settle(c, state, e)
	}
}

// answered notes the record that answers a debt.
func (d *debt) answered(e *Entry) {
	d.SettledBy, d.SettledAt = e.N, e.At
}

// forget drops what does not fit any more, the oldest first: of the settled debts as
// many as are needed, then of the open ones. It runs between records only, so that a
// debt stays what it is while a record is read.
func (l *Ledger) forget() {
	for l.debts.settled.len > l.opt.MaxSettled || l.debts.bytes > l.opt.MaxBytes && l.debts.settled.len > 0 {
		l.release(&l.debts.settled, l.debts.settled.oldest)
	}
	clients, servers := &l.debts.open[parley.SideClient], &l.debts.open[parley.SideServer]
	for clients.len+servers.len > l.opt.MaxOpen || l.debts.bytes > l.opt.MaxBytes && clients.len+servers.len > 1 {
		q := clients
		if q.oldest == nil || servers.oldest != nil && servers.oldest.Serial < q.oldest.Serial {
			q = servers
		}
		d := q.oldest
		if d.Wait != 0 && !d.over {
			l.agent.waits[d.Wait]--
		}
		l.counts.Forgotten++
		l.book.speaks.forgotten(d)
		l.release(q, d)
	}
}

// release takes a debt out of everything.
func (l *Ledger) release(q *queue, d *debt) {
	q.drop(d)
	if d.in != nil {
		d.in.remove(d)
	}
	if d.token != "" && l.debts.tokens[d.token] == d {
		delete(l.debts.tokens, d.token)
	}
	l.debts.bytes -= d.cost
	// Whoever carries it could still point here; what it points to is checked to be
	// open, and a debt that is made anew in this place must not be taken for it.
	if c := d.carrier; c != nil {
		c.carried = nil
	}
	if d.carried != nil {
		d.carried.carrier = nil
	}
	d.next, l.debts.free = l.debts.free, d
}

// Open returns the debts that are open, the oldest first.
func (l *Ledger) Open() []Debt {
	var open []Debt
	c, s := l.debts.open[parley.SideClient].oldest, l.debts.open[parley.SideServer].oldest
	for c != nil || s != nil {
		var d *debt
		if s == nil || c != nil && c.Serial < s.Serial {
			d, c = c, c.younger
		} else {
			d, s = s, s.younger
		}
		if !d.tolerated {
			open = append(open, d.Debt)
		}
	}
	return open
}

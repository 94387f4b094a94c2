package ledger

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// debts holds every debt that the ledger remembers.
type debts struct {
	serial  int64
	open    [3]queue // by who asks
	aside   [3]queue // open as well, but nobody waits: streams, and what is tolerated
	settled queue    // the remembered ones
	free    *debt    // for reuse, linked by next
	bytes   int64    // that the debts hold
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
	d.in = b
	if !id.IsZero() {
		if open := b.sides[from].oldest(id); open != nil && open.State == StateOpen {
			l.counts.Reused++
			e.Because, e.About = BecauseReused, open.N
		}
		b.add(d)
	}
	l.debts.open[from].push(d)
	l.charge(d, int64(len(id.String())+len(d.Method)))
	return d
}

// charge notes that a debt holds more.
func (l *Ledger) charge(d *debt, bytes int64) {
	d.cost += bytes
	l.debts.bytes += bytes
}

// keep charges a debt with a text that it holds, and shortens it.
func (l *Ledger) keep(d *debt, text string) string {
	text = clip(text)
	l.charge(d, int64(len(text)))
	return text
}

// setAside notes that nobody waits for a debt although it is open.
func (l *Ledger) setAside(d *debt) {
	d.leave()
	l.debts.aside[d.From].push(d)
}

// settle ends a debt. The answer that ends it is m, nil if there is none, or none that
// could be read.
func (l *Ledger) settle(d *debt, state State, m *message.Response) {
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
	l.unwait(d)
	l.untrace(d)
	d.leave()
	d.unlink()
	l.debts.settled.push(d)
	d.in.settled(d)
	if l.opt.Settled != nil {
		l.opt.Settled(&d.Debt)
	}
	d.in.speaks.gone(l, d, m)
	if c := d.carried; c != nil && c.State == StateOpen && state != StateAnswered {
		c.SettledBy, c.SettledAt, c.EndedBy = d.SettledBy, d.SettledAt, d.EndedBy
		l.settle(c, state, nil)
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
	s := &l.debts
	for s.settled.len > l.opt.MaxSettled || s.bytes > l.opt.MaxBytes && s.settled.len > 0 {
		l.release(s.settled.oldest)
	}
	for {
		var oldest *debt
		count := 0
		for _, q := range s.queues() {
			count += q.len
			if q.oldest != nil && (oldest == nil || q.oldest.Serial < oldest.Serial) {
				oldest = q.oldest
			}
		}
		if count <= l.opt.MaxOpen && (s.bytes <= l.opt.MaxBytes || count <= 1) {
			return
		}
		l.counts.Forgotten++
		l.unwait(oldest)
		l.untrace(oldest)
		oldest.unlink()
		oldest.in.speaks.gone(l, oldest, nil)
		l.release(oldest)
	}
}

// queues are those of the open debts.
func (s *debts) queues() [4]*queue {
	return [4]*queue{
		&s.open[parley.SideClient], &s.open[parley.SideServer], &s.aside[parley.SideClient], &s.aside[parley.SideServer],
	}
}

// release takes a debt out of everything.
func (l *Ledger) release(d *debt) {
	d.leave()
	d.in.remove(d)
	if d.token != "" && d.in.tokens[d.token] == d {
		delete(d.in.tokens, d.token)
	}
	l.debts.bytes -= d.cost
	if d.carrier != nil {
		d.carrier.carried = nil
	}
	if d.carried != nil {
		d.carried.carrier = nil
	}
	d.next, l.debts.free = l.debts.free, d
}

// Open returns the debts that are open, the oldest first.
func (l *Ledger) Open() []Debt {
	var open []Debt
	for _, q := range l.debts.queues() {
		for d := range q.each() {
			if !d.tolerated {
				open = append(open, d.Debt)
			}
		}
	}
	slices.SortFunc(open, func(a, b Debt) int { return cmp.Compare(a.Serial, b.Serial) })
	return open
}

// each yields the debts of a queue, the oldest first.
func (q *queue) each() iter.Seq[*debt] {
	return func(yield func(*debt) bool) {
		for d := q.oldest; d != nil; {
			next := d.younger
			if !yield(d) {
				return
			}
			d = next
		}
	}
}

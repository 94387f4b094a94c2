package ledger

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A debt is a Debt in the ledger.
type debt struct {
	Debt
	cost int64 // bytes that it holds, as far as they are not the same for all

	// Where it stands.
	in             *book  // by its id; of what is owed without one, the book that asked
	listed         bool   // it is found there
	next, last     *debt  // of one id: the next younger one; of the oldest: the youngest
	queue          *queue // open or settled ones
	older, younger *debt  // in the queue

	// What it is part of. A link holds only as long as both ends are open.
	behind           *debt // what cannot be settled before this is
	kids             *debt // the youngest of those that are behind this one
	oldSib, youngSib *debt
	depth            int // how many debts of who asks it is behind, this one's among them
	turn             *turn
	carried, carrier *debt  // the call inside it, and the call that it is inside of
	noted            bool   // there is a note inside it
	inside           string // the scope of what is inside it

	// tolerated marks what answers no call that anybody should have to answer: a
	// refused record that names an id, where the dialect does not answer those.
	tolerated bool

	token string // by which progress is reported, "" if nobody asked for it
	state uint64 // MCP's requestState, hashed
}

// over reports whether the agent does not wait for d any more although it is open: the
// turn that it belonged to has ended.
func (d *debt) over() bool { return d.turn != nil && d.turn.ended }

// A book finds the debts of one numbering, by who asked and the value of the id, and
// knows what is spoken there.
type book struct {
	dialect *parley.Dialect
	speaks  tracker // what the dialect has beyond calls and answers
	sides   [3]pages
	tokens  map[string]*debt // of progress
}

// pages are the debts that one side asked for. Of each id there are those that are open,
// oldest first, or else the one that was settled last.
type pages struct {
	numbers map[int64]*debt  // whose id is an integer, as nearly all are
	texts   map[string]*debt // the others, by their exact text

	// spelled are the ids of open debts that are not written as their value is, such as
	// "1" and 1.0, by the canonical one.
	spelled map[message.ID]map[message.ID]bool
}

// oldest returns the oldest debt with exactly this id.
func (p *pages) oldest(id message.ID) *debt {
	if n, ok := id.Integer(); ok && message.IntID(n) == id {
		return p.numbers[n]
	}
	return p.texts[id.String()]
}

// put makes d the oldest one of its id; nil removes the id.
func (p *pages) put(id message.ID, d *debt) {
	if n, ok := id.Integer(); ok && message.IntID(n) == id {
		if d == nil {
			delete(p.numbers, n)
			return
		}
		if p.numbers == nil {
			p.numbers = make(map[int64]*debt)
		}
		p.numbers[n] = d
		return
	}
	if d == nil {
		delete(p.texts, id.String())
		return
	}
	if p.texts == nil {
		p.texts = make(map[string]*debt)
	}
	p.texts[id.String()] = d
}

// spell notes whether there is an open debt with an id that is not canonical.
func (p *pages) spell(id message.ID, open bool) {
	c := id.Canonical()
	if c == id {
		return
	}
	switch {
	case open && p.spelled[c] == nil:
		if p.spelled == nil {
			p.spelled = make(map[message.ID]map[message.ID]bool)
		}
		p.spelled[c] = map[message.ID]bool{id: true}
	case open:
		p.spelled[c][id] = true
	default:
		if delete(p.spelled[c], id); len(p.spelled[c]) == 0 {
			delete(p.spelled, c)
		}
	}
}

// add notes an open debt. A settled one of the same id makes room for it: whatever is
// answered under that id from now on is about the new one.
func (b *book) add(d *debt) {
	p := &b.sides[d.From]
	first := p.oldest(d.ID)
	d.listed = true
	if first != nil && first.State == StateOpen {
		first.last.next, first.last = d, d
		return
	}
	if first != nil {
		first.listed = false
	}
	d.last = d
	p.put(d.ID, d)
	p.spell(d.ID, true)
}

// remove takes d out of the book.
func (b *book) remove(d *debt) {
	if !d.listed {
		return
	}
	p := &b.sides[d.From]
	first := p.oldest(d.ID)
	d.listed = false
	if first == d {
		if d.next != nil {
			d.next.last = d.last
		} else {
			p.spell(d.ID, false)
		}
		p.put(d.ID, d.next)
		d.next = nil
		return
	}
	for at := first; at != nil; at = at.next {
		if at.next == d {
			if at.next = d.next; first.last == d {
				first.last = at
			}
			d.next = nil
			return
		}
	}
}

// settled keeps d in the book only if no other debt has its id.
func (b *book) settled(d *debt) {
	p := &b.sides[d.From]
	if d.listed && p.oldest(d.ID) == d && d.next == nil {
		p.spell(d.ID, false)
		return
	}
	b.remove(d)
}

// find returns the debt of a side that an answer, a cancellation or a report with the
// id is about, and how it was found: [BecauseReply] by its exact text,
// [BecauseSameValue] by value, or else why not. An id that is known is never taken for
// another one.
func (b *book) find(from parley.Side, id message.ID) (*debt, Because) {
	p := &b.sides[from]
	if d := p.oldest(id); d != nil {
		return d, BecauseReply
	}
	c := id.Canonical()
	plain := p.oldest(c)
	alike := len(p.spelled[c])
	if plain != nil && plain.State == StateOpen {
		alike++
	}
	switch {
	case alike > 1:
		return nil, BecauseAmbiguous
	case alike == 0 && plain == nil:
		return nil, BecauseOrphan
	case len(p.spelled[c]) == 0:
		return plain, BecauseSameValue
	}
	for spelled := range p.spelled[c] {
		plain = p.oldest(spelled) // there is one only
	}
	return plain, BecauseSameValue
}

// A queue holds debts in the order in which they were put there.
type queue struct {
	oldest, youngest *debt
	len              int
}

func (q *queue) push(d *debt) {
	d.queue = q
	d.older, d.younger = q.youngest, nil
	if q.youngest == nil {
		q.oldest = d
	} else {
		q.youngest.younger = d
	}
	q.youngest = d
	q.len++
}

// leave takes d out of its queue.
func (d *debt) leave() {
	q := d.queue
	if d.older == nil {
		q.oldest = d.younger
	} else {
		d.older.younger = d.younger
	}
	if d.younger == nil {
		q.youngest = d.older
	} else {
		d.younger.older = d.older
	}
	d.queue, d.older, d.younger = nil, nil, nil
	q.len--
}

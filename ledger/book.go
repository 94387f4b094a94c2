package ledger

import (
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A debt is a Debt in the ledger.
type debt struct {
	Debt
	in   *book  // where it is found by its id; nil if it has none
	next *debt  // the next younger one whose id has the same value
	last *debt  // of the oldest one of a value: the youngest
	cost int64  // bytes that it holds, as far as they are not the same for all
	room string // ACP's session, Codex's thread: which of many conversations it is in

	older, younger *debt // in the queue that it stands in

	// tolerated marks what answers no call that anybody should have to answer: a
	// refused record that names an id, where the dialect does not answer those.
	tolerated bool
	// over marks a wait of an agent whose turn has ended: it is not what the agent
	// waits for any more.
	over bool

	token   string // by which progress is reported, "" if nobody asked for it
	carried *debt  // the call inside it
	carrier *debt  // the call that it is inside of
	noted   bool   // there is a note inside it
	inside  string // the scope of what is inside it
	state   uint64 // MCP's requestState, hashed
}

// A book finds the debts of one numbering, by who asked and the value of the id, and
// knows what is spoken there.
type book struct {
	dialect *parley.Dialect
	speaks  tracker // what the dialect has beyond calls and answers
	sides   [3]pages
}

// pages are the debts that one side asked for, by the value of the id. Of each value
// there are those that are open, oldest first, or else the one that was settled last.
type pages struct {
	numbers map[int64]*debt
	texts   map[string]*debt
}

// textOf is the key of an id that is no integer. Strings are in quotes, so that none of
// them is taken for null or a number.
func textOf(id message.ID) string {
	text := id.String()
	if id.IsString() && strings.IndexByte(text, '\\') >= 0 {
		plain, _ := id.Text()
		text = message.StringID(plain).String()
	}
	return text
}

// oldest returns the oldest debt with the value of the id.
func (p *pages) oldest(id message.ID) *debt {
	if n, ok := id.Integer(); ok {
		return p.numbers[n]
	}
	return p.texts[textOf(id)]
}

// put makes d the oldest one of its value; nil removes the value.
func (p *pages) put(id message.ID, d *debt) {
	n, number := id.Integer()
	switch {
	case number && d != nil:
		if p.numbers == nil {
			p.numbers = make(map[int64]*debt)
		}
		p.numbers[n] = d
	case number:
		delete(p.numbers, n)
	case d != nil:
		if p.texts == nil {
			p.texts = make(map[string]*debt)
		}
		p.texts[textOf(id)] = d
	default:
		delete(p.texts, textOf(id))
	}
}

// add notes an open debt. A settled one of the same value makes room for it: whatever
// is answered under that id from now on is about the new one.
func (b *book) add(d *debt) {
	p := &b.sides[d.From]
	first := p.oldest(d.ID)
	d.in = b
	switch {
	case first == nil:
	case first.State != StateOpen:
		first.in = nil
	default:
		first.last.next, first.last = d, d
		return
	}
	d.last = d
	p.put(d.ID, d)
}

// remove takes d out of the book. It does nothing for a debt that is not in one.
func (b *book) remove(d *debt) {
	p := &b.sides[d.From]
	first := p.oldest(d.ID)
	d.in = nil
	if first == d {
		if d.next != nil {
			d.next.last = d.last
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

// settled keeps d in the book only if no younger debt has its value.
func (b *book) settled(d *debt) {
	if p := &b.sides[d.From]; p.oldest(d.ID) != d || d.next != nil {
		b.remove(d)
	}
}

// find returns the debt of a side that an answer, a cancellation or a report with the
// id is about, and how it was found: [BecauseReply] by its exact text,
// [BecauseSameValue] by value, or else why not. Open debts go before settled ones.
func (b *book) find(from parley.Side, id message.ID) (*debt, Because) {
	first := b.sides[from].oldest(id)
	var alike *debt
	count := 0
	for d := first; d != nil; d = d.next {
		if d.ID == id {
			return d, BecauseReply
		}
		if alike == nil {
			alike = d
		}
		count++
	}
	switch {
	case count == 0:
		return b.odd(from, id)
	case count > 1:
		return nil, BecauseAmbiguous
	}
	return alike, BecauseSameValue
}

// maxOdd bounds how many ids that are no integers are compared by value.
const maxOdd = 1024

// odd looks for an open debt whose id is the same number in other digits, such as 0.5
// and 5e-1. The book's keys do not tell; nearly nobody has such ids.
func (b *book) odd(from parley.Side, id message.ID) (*debt, Because) {
	if _, number := id.Integer(); number || id.IsString() || id.IsNull() || id.IsZero() {
		return nil, BecauseOrphan
	}
	looked := 0
	for _, d := range b.sides[from].texts {
		if looked++; looked > maxOdd {
			break
		}
		if d.State == StateOpen && d.ID.SameValue(id) {
			return d, BecauseSameValue
		}
	}
	return nil, BecauseOrphan
}

// A queue holds debts in the order in which they were put there.
type queue struct {
	oldest, youngest *debt
	len              int
}

func (q *queue) push(d *debt) {
	d.older, d.younger = q.youngest, nil
	if q.youngest == nil {
		q.oldest = d
	} else {
		q.youngest.younger = d
	}
	q.youngest = d
	q.len++
}

func (q *queue) drop(d *debt) {
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
	d.older, d.younger = nil, nil
	q.len--
}

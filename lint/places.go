package lint

import (
	"strconv"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/ledger"
)

// A place is where a record stands in the input.
type place struct {
	line    int64 // or the number of the record, where there are no lines
	offset  int64
	lines   bool
	refused bool // the record was refused, and has a finding for that
}

// placeOf returns the place of a record.
func placeOf(pos frame.Pos) place {
	if pos.Line > 0 {
		return place{line: pos.Line, offset: pos.Offset, lines: true}
	}
	return place{line: pos.Record, offset: pos.Offset}
}

// String returns "line 3" or "record 3".
func (p place) String() string {
	if p.lines {
		return "line " + strconv.FormatInt(p.line, 10)
	}
	return "record " + strconv.FormatInt(p.line, 10)
}

// recent is how many records the places of which are kept, whatever they are.
const recent = 1 << 12

// places find a record of the ledger by its number: the last few thousand, and older
// ones that made a debt which is still open.
type places struct {
	ring  [recent]placed
	old   map[int64]place
	sweep int                  // how many old ones there may be before they are looked through
	open  func() []ledger.Debt // the debts that are open
}

// A placed is a record of the ring.
type placed struct {
	place
	n    int64 // the number of the record, 0 if there is none
	owed bool  // it made a debt, or as a batch several, and none of them is settled
}

// put notes a record. Writing to a ring costs next to nothing, so that only a call that
// is still open when thousands of records have followed it costs a place in a map.
func (p *places) put(e *ledger.Entry, at place) {
	slot := &p.ring[e.N%recent]
	if slot.owed {
		p.keep(slot)
	}
	*slot = placed{at, e.N, e.Serial > 0 || e.Kind == ledger.KindBatch}
}

// settled notes that a debt needs its place no longer.
func (p *places) settled(d *ledger.Debt) {
	if slot := &p.ring[d.N%recent]; slot.n == d.N {
		slot.owed = false
		return
	}
	delete(p.old, d.N)
}

// keep takes a record over that the ring has no place for any more.
func (p *places) keep(slot *placed) {
	if p.old == nil {
		p.old, p.sweep = make(map[int64]place), recent
	}
	p.old[slot.n] = slot.place
	if len(p.old) < p.sweep {
		return
	}
	// The ledger forgets debts without a word, and of a batch one may be open yet.
	open := make(map[int64]bool)
	for _, d := range p.open() {
		open[d.N] = true
	}
	for n := range p.old {
		if !open[n] {
			delete(p.old, n)
		}
	}
	p.sweep = max(recent, 2*len(p.old))
}

// of returns the place of the record with the number n.
func (p *places) of(n int64) (place, bool) {
	if slot := &p.ring[n%recent]; slot.n == n && n > 0 {
		return slot.place, true
	}
	at, ok := p.old[n]
	return at, ok
}

// ofLine returns " of line 3" for a record whose place is known, else nothing.
func (p *places) ofLine(n int64) string {
	if at, ok := p.of(n); ok {
		return " of " + at.String()
	}
	return ""
}

// onLine returns " on line 3" for a record whose place is known, else nothing.
func (p *places) onLine(n int64) string {
	if at, ok := p.of(n); ok {
		return " on " + at.String()
	}
	return ""
}

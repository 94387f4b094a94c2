package ledger

import (
	"strings"

	"github.com/parley-rpc/parley"
)

// Which debt stands in the way of which is not written in any record. Two things tell:
// what a dialect names (a session, a thread), which its tracker knows; and else that who
// asks something back while owing one answer, and only one, most likely needs it for
// that. Of several that are not nested in each other none is chosen.

// nest puts a new debt behind what its asker owes, if that can only be one.
func (l *Ledger) nest(d *debt) {
	owed := &l.debts.open[d.Owes]
	if up := owed.youngest; up != nil && up != d && owed.len == up.depth {
		d.putBehind(up)
	}
	d.depth = 1
	if d.behind != nil && d.behind.behind != nil {
		d.depth = d.behind.behind.depth + 1
	}
}

// trace puts a call behind the one that it says has caused it: the open call to its asker
// with the same trace or the same correlation id.
func (l *Ledger) trace(e *Entry, d *debt) {
	if d.Correlation == (parley.Correlation{}) {
		return
	}
	e.Correlation = d.Correlation
	for _, key := range traceKeys(&d.Debt, d.Owes) {
		if up := l.traces[key]; up != nil && d.From == up.Owes {
			d.putBehind(up)
			break
		}
	}
	if l.traces == nil {
		l.traces = make(map[string]*debt)
	}
	for _, key := range traceKeys(&d.Debt, d.From) {
		l.traces[key] = d
	}
}

// untrace forgets what a debt has caused.
func (l *Ledger) untrace(d *debt) {
	for _, key := range traceKeys(&d.Debt, d.From) {
		if l.traces[key] == d {
			delete(l.traces, key)
		}
	}
}

// traceKeys are what calls of a side are found by that belong to the same work: the id of
// its trace (W3C Trace Context, section 3.2.2.3), and the correlation id.
func traceKeys(d *Debt, asker parley.Side) (keys []string) {
	if _, rest, ok := strings.Cut(d.Correlation.TraceParent, "-"); ok {
		id, _, _ := strings.Cut(rest, "-")
		keys = append(keys, asker.String()+" trace "+id)
	}
	if d.Correlation.ID != "" {
		keys = append(keys, asker.String()+" id "+d.Correlation.ID)
	}
	return keys
}

// putBehind links d to what cannot be settled before it.
func (d *debt) putBehind(up *debt) {
	d.leaveBehind()
	d.behind, d.Behind = up, up.Serial
	d.oldSib = up.kids
	if up.kids != nil {
		up.kids.youngSib = d
	}
	up.kids = d
}

// leaveBehind takes the link away.
func (d *debt) leaveBehind() {
	up := d.behind
	if up == nil {
		return
	}
	if d.youngSib != nil {
		d.youngSib.oldSib = d.oldSib
	} else {
		up.kids = d.oldSib
	}
	if d.oldSib != nil {
		d.oldSib.youngSib = d.youngSib
	}
	d.behind, d.oldSib, d.youngSib = nil, nil, nil
}

// unlink takes all links of a debt away that is open no more.
func (d *debt) unlink() {
	d.leaveBehind()
	for kid := d.kids; kid != nil; {
		older := kid.oldSib
		kid.behind, kid.oldSib, kid.youngSib = nil, nil, nil
		kid = older
	}
	d.kids = nil
}

// waits notes that a debt of the client waits for a person.
func (l *Ledger) waits(d *debt, w parley.Wait) {
	if w == 0 || d.Owes != parley.SideClient {
		return
	}
	d.Wait = w
	l.agent.count(d, +1)
}

// moveTo makes a debt part of a turn.
func (l *Ledger) moveTo(d *debt, t *turn) {
	if d.Wait != 0 {
		l.agent.count(d, -1)
	}
	if d.turn = t; d.Wait != 0 {
		l.agent.count(d, +1)
	}
}

// unwait notes that it does not any more.
func (l *Ledger) unwait(d *debt) {
	if d.Wait == 0 {
		return
	}
	if !d.over() {
		l.agent.count(d, -1)
	}
	if d.turn != nil {
		d.turn.flagged = 0 // the agent says again what it waits for
	}
}

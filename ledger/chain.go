package ledger

import (
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
)

// Debt returns the open debt with a serial.
func (l *Ledger) Debt(serial int64) (Debt, bool) {
	if d := l.debt(serial); d != nil {
		return d.Debt, true
	}
	return Debt{}, false
}

// debt returns the open debt with a serial, nil if there is none. Who asks for many asks
// between two records: they are listed once for all of them.
func (l *Ledger) debt(serial int64) *debt {
	if l.listedAt != l.n || l.bySerial == nil {
		l.listedAt, l.bySerial = l.n, make(map[int64]*debt)
		for _, q := range l.debts.queues() {
			for d := range q.each() {
				l.bySerial[d.Serial] = d
			}
		}
	}
	return l.bySerial[serial]
}

// maxChain bounds how many links of a chain are told on either side of a debt.
const maxChain = 8

// Chain says in words what an open debt is part of: who waits for whom, from the call
// that waits for everything to the one that everything waits for. It is "" for a debt that
// is not open.
func (l *Ledger) Chain(serial int64) string {
	d := l.debt(serial)
	if d == nil {
		return ""
	}
	var b strings.Builder
	links := []*debt{d}
	for up := d.behind; up != nil; up = up.behind {
		if len(links) == maxChain {
			b.WriteString("… ")
			break
		}
		links = append([]*debt{up}, links...)
	}
	for down := d.oldestKid(); down != nil && len(links) < 2*maxChain; down = down.oldestKid() {
		links = append(links, down)
	}
	if first := links[0]; first.turn != nil && !first.turn.ended && first.From == parley.SideServer && !l.agent.exited {
		b.WriteString("the turn of the server waits for ")
	}
	last := links[len(links)-1]
	for i, link := range links {
		b.WriteString(link.Name())
		switch {
		case i == 0 && link != last:
			fmt.Fprintf(&b, " waits for the %s, which waits for ", link.Owes)
		case link != last:
			fmt.Fprintf(&b, "; that waits for the %s, which waits for ", link.Owes)
		case last.oldestKid() != nil:
			b.WriteString(", and so on")
		default:
			fmt.Fprintf(&b, ", which the %s owes", link.Owes)
		}
	}
	if l.agent.exited {
		b.WriteString(", and the process has exited")
	}
	return b.String()
}

// oldestKid returns the oldest debt that stands in the way of d.
func (d *debt) oldestKid() *debt {
	kid := d.kids
	for kid != nil && kid.oldSib != nil {
		kid = kid.oldSib
	}
	return kid
}

// Name names a debt in a sentence: its id, its method, and what exactly it is for.
func (d *Debt) Name() string {
	name := "the next " + d.Method
	if !d.ID.IsZero() {
		name = "call " + clip(d.ID.String())
		if d.Method != "" {
			name += " (" + d.Method + ")"
		}
	}
	if d.What != "" {
		name += " " + fmt.Sprintf("%.80q", d.What)
	}
	return name
}

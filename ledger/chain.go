package ledger

import (
	"fmt"
	"iter"
	"strings"

	"github.com/parley-rpc/parley"
)

// each yields the open debts that a side asked for, the oldest first.
func (l *Ledger) each(from parley.Side) iter.Seq[*debt] {
	return func(yield func(*debt) bool) {
		for d := l.debts.open[from].oldest; d != nil; {
			next := d.younger
			if !yield(d) {
				return
			}
			d = next
		}
	}
}

// debt returns the open debt with a serial, nil if there is none.
func (l *Ledger) debt(serial int64) *debt {
	for _, from := range []parley.Side{parley.SideClient, parley.SideServer} {
		for d := range l.each(from) {
			if d.Serial == serial {
				return d
			}
		}
	}
	return nil
}

// Debt returns the open debt with a serial.
func (l *Ledger) Debt(serial int64) (Debt, bool) {
	d := l.debt(serial)
	if d == nil {
		return Debt{}, false
	}
	return d.Debt, true
}

// maxChain bounds how many links of a chain are told.
const maxChain = 16

// Chain says in words what an open debt is part of: who waits for whom, from the call
// that waits for everything to the one that everything waits for. It takes time linear
// in the open debts.
func (l *Ledger) Chain(serial int64) string {
	d := l.debt(serial)
	if d == nil {
		return ""
	}
	links := []*debt{d}
	for len(links) < maxChain {
		up := l.debt(links[0].Behind)
		if up == nil {
			break
		}
		links = append([]*debt{up}, links...)
	}
	// What the debt itself waits for: the oldest thing that its debtor asked for it.
	for len(links) < maxChain {
		last := links[len(links)-1]
		var down *debt
		for c := range l.each(last.Owes) {
			if c.Behind == last.Serial && !c.tolerated {
				down = c
				break
			}
		}
		if down == nil {
			break
		}
		links = append(links, down)
	}
	var b strings.Builder
	if l.agent.running && l.agent.turns && links[0].From == parley.SideServer {
		b.WriteString("the turn of the server waits for ")
	}
	for i, link := range links {
		b.WriteString(link.Name())
		if i < len(links)-1 {
			fmt.Fprintf(&b, " waits for the %s, which waits for ", link.Owes)
			continue
		}
		fmt.Fprintf(&b, ", which the %s owes", link.Owes)
	}
	return b.String()
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

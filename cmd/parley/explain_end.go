package main

import (
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/ledger"
)

// maxOpen is how many open debts are told to a person. A program gets all of them.
const maxOpen = 100

// end shows what is left: the debts that are open, what the agent does, and what was
// wrong.
func (v *textView) end(of *ending) error {
	v.endRun()
	if v.begun {
		v.printf("\n")
	}
	v.open(of)
	v.printf("agent: %s\n", agentText(of))
	v.printf("%s\n", countText(&of.counts))
	if wrong := wrongText(&of.counts); wrong != "" {
		v.printf("%s\n", v.paint(faultStyle, "wrong: "+wrong))
	}
	if n := of.inferred; n > 0 && of.side != parley.SideUnknown {
		v.printf("all records are taken for those of the %s: %s; --side tells otherwise\n", of.side, of.sideWhy)
	} else if n > 0 {
		v.printf("sides are inferred: nobody noted who wrote %s\n", plural(n, "of the records", "of the records"))
	}
	for _, note := range of.notes {
		v.printf("%s\n", term.Escape(note))
	}
	return v.out.Flush()
}

// open lists the open debts, the oldest first.
func (v *textView) open(of *ending) {
	if len(of.open) == 0 {
		v.printf("nothing is open\n")
		return
	}
	v.printf("%s\n", v.paint(titleStyle, "open, the oldest first:"))
	told := make(map[string]bool) // many debts have one chain
	for i := range of.open[:min(len(of.open), maxOpen)] {
		d := &of.open[i]
		v.printf("  %s, owed by the %s %s\n", v.paint(remarkStyle, cut(term.Escape(d.Name()), maxSummary)), d.Owes, since(d, of))
		if chain := of.chain(d.Serial); strings.Contains(chain, "waits for") && !told[chain] {
			told[chain] = true
			v.printf("    %s\n", v.paint(faintStyle, term.Escape(chain)))
		}
	}
	if more := len(of.open) - maxOpen; more > 0 {
		v.printf("  and %s more\n", measure.Count(int64(more)))
	}
}

// since says since when a debt is open.
func since(d *ledger.Debt, of *ending) string {
	text := fmt.Sprintf("since record %d", d.N)
	if d.At != ledger.Untimed && of.last != ledger.Untimed {
		text += fmt.Sprintf(", for %s at the end", clock(of.last-d.At))
	}
	if d.Stream {
		text += "; it is meant to stay open"
	}
	return text
}

// agentText says what the agent does, since when and why.
func agentText(of *ending) string {
	a := &of.agent
	text := a.State.String()
	if a.Reason != "" {
		text += " (" + term.Escape(a.Reason) + ")"
	}
	if a.Since > 0 {
		text += fmt.Sprintf(" since record %d", a.Since)
		if a.At != ledger.Untimed {
			text += ", " + clock(a.At)
		}
	}
	var waiting []string
	for i := range a.Waiting {
		waiting = append(waiting, cut(term.Escape(a.Waiting[i].Name()), maxSummary))
	}
	if len(waiting) > 0 {
		text += ": " + strings.Join(waiting, ", ")
	}
	return text
}

// countText sums up what there was.
func countText(c *ledger.Counts) string {
	said := []string{
		plural(c.Records, "record", "records"),
		plural(c.Calls, "call", "calls"),
		plural(c.Notes, "note or event", "notes and events"),
	}
	for _, of := range []struct {
		n    int64
		what string
	}{{c.Answered, "answered"}, {c.Failed, "failed"}, {c.Cancelled, "cancelled"}, {c.Withdrawn, "withdrawn"}} {
		if of.n > 0 {
			said = append(said, measure.Count(of.n)+" "+of.what)
		}
	}
	return strings.Join(said, ", ")
}

// wrongText sums up what should not have been, "" if there was nothing.
func wrongText(c *ledger.Counts) string {
	var said []string
	for _, of := range []struct {
		n         int64
		one, many string
	}{
		{c.Invalid, "invalid record", "invalid records"},
		{c.Late, "late answer", "late answers"},
		{c.Orphans, "answer to nothing", "answers to nothing"},
		{c.Duplicates, "of them a second one", "of them second ones"},
		{c.Reused, "id that was open already", "ids that were open already"},
		{c.Forgotten, "open call forgotten, since there were too many", "open calls forgotten, since there were too many"},
	} {
		if of.n > 0 {
			said = append(said, plural(of.n, of.one, of.many))
		}
	}
	return strings.Join(said, ", ")
}

// plural writes a number of things.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return measure.Count(n) + " " + many
}

package main

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/ledger"
)

// A tally is what one direction has carried.
type tally struct {
	lines, asked, answered, free, bad int
}

// A count keeps the sum of a demo. What each line means and who owes whom an answer it
// learns from the ledger of the section; the sections number on their own.
type count struct {
	tallies [2]tally // by parley.Direction
	strays  int      // answers to nothing
	ledger  *ledger.Ledger
}

// begin opens the ledger of a section.
func (c *count) begin(d parley.Dialect) { c.ledger = ledger.New(&ledger.Options{Dialect: &d}) }

// add counts a line.
func (c *count) add(dir parley.Direction, rec []byte) {
	c.tallies[dir].lines++
	e := c.ledger.Add(ledger.Record{At: ledger.Untimed, From: sideOf(dir), Raw: rec})
	if e.Kind != ledger.KindBatch {
		c.message(dir, &e)
		return
	}
	for i := range e.Parts {
		c.message(dir, &e.Parts[i])
	}
}

// message counts one message of a line.
func (c *count) message(dir parley.Direction, e *ledger.Entry) {
	from := &c.tallies[dir]
	switch {
	case e.MustAnswer:
		from.asked++
	case e.Answers:
		c.tallies[opposite(dir)].answered++
	case e.State == ledger.StateOrphan:
		c.strays++
	case e.Kind == ledger.KindInvalid:
		from.bad++
	case e.Kind == ledger.KindNotification || e.Kind == ledger.KindEvent:
		from.free++
	}
}

// owed returns the ids of what the section has asked in one direction and has no answer
// to, the oldest first.
func (c *count) owed(by parley.Direction) (ids []string) {
	for _, d := range c.ledger.Open() {
		if d.From == sideOf(by) {
			ids = append(ids, d.ID.String())
		}
	}
	return ids
}

// sideOf is who sends in a direction: in the demo we are the client.
func sideOf(dir parley.Direction) parley.Side {
	if dir == parley.Inbound {
		return parley.SideServer
	}
	return parley.SideClient
}

func opposite(dir parley.Direction) parley.Direction {
	if dir == parley.Inbound {
		return parley.Outbound
	}
	return parley.Inbound
}

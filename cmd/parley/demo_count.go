package main

import (
	"cmp"
	"errors"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A deed is what one message does to the debts.
type deed struct {
	does does
	id   string // of the debt, as JSON text; absent if there is none
}

type does uint8

const (
	owesNothing does = iota // a note, an event
	isOwed                  // a call, or a line so bad that it is answered with an error
	settles                 // a reply
	isSkipped               // no message, and nobody is told
)

// A rule reads one line and says what each message in it does. It is all that the
// count knows of a protocol.
type rule func(line []byte) []deed

// callDeeds is the rule of JSON-RPC 2.0: the id makes the debt (section 4). A line
// that is no message is answered too, with id null if its own cannot be read.
func callDeeds(line []byte) []deed {
	msg, err := message.Strict.Parse(line)
	if bad, ok := errors.AsType[*message.ParseError](err); ok {
		msg = bad // as it would stand in a batch
	}
	return messageDeeds(msg)
}

func messageDeeds(msg message.Message) (deeds []deed) {
	switch msg := msg.(type) {
	case *message.Request:
		if msg.IsNote() {
			return []deed{{does: owesNothing}}
		}
		return []deed{{isOwed, msg.ID.String()}}
	case *message.Response:
		return []deed{{settles, msg.ID.String()}}
	case *message.ParseError:
		if !msg.Answerable() {
			return []deed{{does: isSkipped}}
		}
		return []deed{{isOwed, msg.Reply().ID.String()}}
	case message.Batch:
		for _, member := range msg {
			deeds = append(deeds, messageDeeds(member)...)
		}
	}
	return deeds
}

// eventDeeds is the rule of stream-json: a type tells what a line is, and only a
// control_request is owed an answer. Its request_id is at the top; that of the
// control_response is one level down, beside the response.
func eventDeeds(line []byte) []deed {
	var control struct {
		Type      string      `json:"type"`
		RequestID message.Raw `json:"request_id"`
		Response  struct {
			RequestID message.Raw `json:"request_id"`
		} `json:"response"`
	}
	switch err := message.Raw(line).Decode(&control); {
	case err != nil:
		return []deed{{does: isSkipped}}
	case control.Type == "control_request":
		return []deed{{isOwed, control.RequestID.String()}}
	case control.Type == "control_response":
		return []deed{{settles, control.Response.RequestID.String()}}
	default:
		return []deed{{does: owesNothing}}
	}
}

// A debt is an answer that somebody waits for. The two directions number their
// calls independently, and so does each section.
type debt struct {
	section int
	by      parley.Direction // who asked
	id      string
}

// A tally is what one direction has carried.
type tally struct {
	lines, asked, answered, free, skipped int
}

// A count keeps who owes whom an answer. It learns everything from the lines.
type count struct {
	tallies [2]tally // by parley.Direction
	debts   map[debt]int
	strays  int // answers to nothing
}

// add counts a line of a section.
func (c *count) add(section int, dir parley.Direction, deeds []deed) {
	if c.debts == nil {
		c.debts = make(map[debt]int)
	}
	from := &c.tallies[dir]
	from.lines++
	for _, d := range deeds {
		switch d.does {
		case owesNothing:
			from.free++
		case isSkipped:
			from.skipped++
		case isOwed:
			from.asked++
			c.debts[debt{section, dir, d.id}]++
		case settles:
			c.settle(debt{section, opposite(dir), d.id})
		}
	}
}

func (c *count) settle(d debt) {
	if c.debts[d] == 0 {
		c.strays++
		return
	}
	c.tallies[d.by].answered++
	if c.debts[d]--; c.debts[d] == 0 {
		delete(c.debts, d)
	}
}

// owed returns the ids of what a section has asked in one direction and has no
// answer to, the oldest ids first.
func (c *count) owed(section int, by parley.Direction) (ids []string) {
	for d, n := range c.debts {
		if d.section == section && d.by == by {
			ids = append(ids, slices.Repeat([]string{d.id}, n)...)
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // 9 before 10
	})
	return ids
}

func opposite(dir parley.Direction) parley.Direction {
	if dir == parley.Inbound {
		return parley.Outbound
	}
	return parley.Inbound
}

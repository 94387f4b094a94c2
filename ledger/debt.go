package ledger

import (
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A Debt is an answer that somebody owes.
type Debt struct {
	Serial int64 // debts are numbered from 1 in the order in which they were made
	First  int64 // the first debt of the operation; Serial, unless this one asks again

	N      int64         // the record that asks
	At     time.Duration // when, or Untimed
	From   parley.Side   // who asks
	Owes   parley.Side   // who owes the answer
	ID     message.ID    // absent if what is owed is a call and not an answer
	Method string
	What   string      // what exactly is asked for, in a few words; "" if the method says it all
	Wait   parley.Wait // the person that it waits for, 0 if it waits for a program
	Scope  string      // among whose calls the id counts, for a message inside a message
	Stream bool        // it is meant to stay open

	// Behind is the serial of the debt that cannot be settled before this one is: what
	// the asking side owes itself. 0 if it owes nothing.
	Behind int64

	State     State
	SettledBy int64         // the record that answered it, in time or late; 0: none
	SettledAt time.Duration // when, or Untimed
	EndedBy   int64         // the record that cancelled or withdrew it; 0: none

	Correlation parley.Correlation
}

package ledger

import (
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// Untimed is the time of a record of which nobody noted when it was sent.
const Untimed time.Duration = -1

// A Record is what a ledger is fed with.
type Record struct {
	At   time.Duration // since the start of the recording, or Untimed
	From parley.Side   // who wrote it; SideUnknown: the ledger infers it
	Raw  []byte        // without frame marks
	Err  error         // why the record was not read whole, if so; Raw is its head
	What string        // of a process, not of a side: "stderr", "exit"; else ""
}

// An Entry is what the ledger wrote down for one record, or for one message in it.
type Entry struct {
	N        int64 // the number of the record, from 1
	At       time.Duration
	From     parley.Side
	Inferred bool // nobody said who sent it; From is what the ledger makes of it
	Kind     Kind
	ID       message.ID // of the request, or of what is answered; absent if there is none
	Method   string     // of an answer: that of its request, if that is known
	What     string     // of a process: what it did

	// MustAnswer says that the record wants an answer, and OwedBy from whom.
	MustAnswer bool
	OwedBy     parley.Side

	// Serial is the number of the debt that the record made, 0 if it made none.
	Serial int64

	// About is the record that this one answers, takes back or reports on; 0: none.
	About int64
	// Answers says that it answers it.
	Answers bool
	// AboutState is what had become of the debt of About before this record.
	AboutState State
	// AboutBy is the record that had cancelled, withdrawn or answered it, 0 if none.
	AboutBy int64

	State   State         // of the debt so far; of an answer: how it settles
	Latency time.Duration // of an answer: since About, or Untimed
	Because Because

	// Agent is the state of the agent after the record.
	Agent AgentState

	// Correlation is what a call brings along from who caused it, if anything.
	Correlation parley.Correlation

	// Message is the parsed record, nil if it has none. It points into the record.
	Message message.Message
	// Err says why the record is invalid.
	Err error

	// Parts are the messages of a batch, or the one inside a control message.
	Parts []Entry
}

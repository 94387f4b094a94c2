package ledger

import (
	"bytes"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// Options configure a ledger. Nil is fine, and so is each zero value.
type Options struct {
	// Dialect is what both sides speak. Nil: [parley.JSONRPC].
	Dialect *parley.Dialect

	// From is who wrote the records of which nobody noted that, for a recording of one
	// side alone. SideUnknown: the ledger infers it for each record.
	From parley.Side

	// MaxOpen is how many open debts are kept. Zero: 65,536.
	MaxOpen int

	// MaxSettled is how many settled debts are remembered, so that a second answer or a
	// late one is told from an answer to nothing. Zero: 4,096.
	MaxSettled int

	// MaxBytes bounds the ids, methods and texts that debts hold. Zero: 16 MiB.
	MaxBytes int64

	// Settled is called when a debt is settled, before Add returns: answered, failed,
	// cancelled or withdrawn; and again if a late answer comes. The debt must not be
	// kept. Nil: nobody is told.
	Settled func(*Debt)
}

// A Ledger holds the debts of one stream. It is for one goroutine at a time.
type Ledger struct {
	dialect parley.Dialect
	codec   message.Codec
	words   map[string]parley.Word
	opt     Options

	n      int64 // records so far
	debts  debts
	book   book
	inner  map[string]*book // of messages inside messages, by scope
	traces map[string]*debt // open ones, by what they say has caused them
	agent  agent
	counts Counts

	// The open debts by their serial, as they were at a record.
	bySerial map[int64]*debt
	listedAt int64

	// bad are the records of each side that were refused as no message, as far as
	// nobody has answered them: an error without an id is about the last one.
	bad [3][]badRecord
	// refusing says that the calls of a batch are read that will be refused as a whole.
	refusing bool
	// batches says that both sides have agreed on a version that has them.
	batches bool
}

// Counts are how many of what there were.
type Counts struct {
	Records    int64
	Calls      int64 // of both sides, messages in messages among them
	Notes      int64 // notifications and events
	Answered   int64
	Failed     int64
	Cancelled  int64
	Withdrawn  int64
	Late       int64 // answers
	Orphans    int64 // answers
	Duplicates int64 // answers that are orphans because there was one before
	Invalid    int64 // records
	Reused     int64 // calls whose id was open
	Forgotten  int64 // debts that did not fit
}

// New returns an empty ledger.
func New(opts *Options) *Ledger {
	l := &Ledger{dialect: parley.JSONRPC}
	if opts != nil {
		l.opt = *opts
	}
	if l.opt.Dialect != nil {
		l.dialect = *l.opt.Dialect
	}
	l.opt.MaxOpen = or(l.opt.MaxOpen, 65_536)
	l.opt.MaxSettled = or(l.opt.MaxSettled, 4_096)
	l.opt.MaxBytes = or(l.opt.MaxBytes, 16<<20)
	if l.codec = l.dialect.Codec; l.codec == nil {
		l.codec = message.Strict
	}
	l.words = make(map[string]parley.Word, len(l.dialect.Words))
	for _, w := range l.dialect.Words {
		l.words[w.Method] = w
	}
	l.book.dialect, l.book.speaks = &l.dialect, trackerOf(l.dialect.Name)
	l.agent.ready, l.agent.inTurn = l.book.speaks.habits()
	return l
}

// or returns n, or what zero stands for.
func or[T int | int64](n, zero T) T {
	if n <= 0 {
		return zero
	}
	return n
}

// Dialect returns what the ledger reads by.
func (l *Ledger) Dialect() parley.Dialect { return l.dialect }

// Counts returns the counts so far.
func (l *Ledger) Counts() Counts { return l.counts }

// Add takes the next record and returns what it is.
//
// The entry's Message points into rec.Raw; all else in it is a copy. Add takes time
// linear in the length of the record.
func (l *Ledger) Add(rec Record) Entry {
	l.n++
	l.counts.Records++
	e := Entry{N: l.n, At: rec.At, From: rec.From, Latency: Untimed}
	switch {
	case rec.What != "":
		e.Kind, e.What, e.Because = KindProcess, rec.What, BecauseProcess
		l.process(&e, rec.Raw)
	case rec.Err != nil:
		l.skipped(&e, rec)
	case len(bytes.TrimSpace(rec.Raw)) == 0:
		e.Kind, e.Because = KindBlank, BecauseBlank
	default:
		l.record(&e, rec.Raw)
	}
	l.follow(&e)
	l.forget()
	return e
}

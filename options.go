package parley

import (
	"log/slog"
	"time"

	"github.com/parley-rpc/parley/message"
)

// Options changes what a peer does. A nil *Options is fine, and the zero value of
// each field is its default; so is a bound below zero.
type Options struct {
	// Dialect is what both sides agreed on. Nil is [JSONRPC]. Its Framing is not
	// used here: a stream is framed before it reaches a peer.
	Dialect *Dialect

	// Logger receives what a peer notices and does not fail on: refused records,
	// answers to nothing, panics with their stacks. Nil logs nothing; the counts
	// stay in [Conn.Stats]. No lock is held while it is called.
	Logger *slog.Logger

	// Trace is called for each record, each call and the end. Nil traces nothing.
	Trace *Trace

	// Handlers is how many call handlers run at once. A handler that waits in a
	// Call of its own lends its slot; so many wait as the Backlog says, and when
	// their replies come they run again at once, whatever runs by then. 0 is 256.
	// One note handler runs beside them.
	Handlers int

	// Backlog is how many calls and notes may wait to begin before reading
	// pauses. 0 is 1,024.
	Backlog int

	// BacklogBytes is how many bytes they may take; one record always fits. 0 is
	// 8 MiB.
	BacklogBytes int64

	// Overflow is how many further calls and notes may wait when reading has to
	// go on although the backlog is full, because a reply or a cancellation may
	// be behind it. 0 is 64 Ki.
	Overflow int

	// OverflowBytes is how many bytes those may take. 0 is 8 MiB.
	OverflowBytes int64

	// BatchMembers is how many members an incoming batch may have. 0 is 1,000. The
	// codecs of package message refuse more than 65,536 in any case.
	BatchMembers int

	// Outbound is how many bytes may wait to be written; one record always fits.
	// 0 is 8 MiB.
	Outbound int64

	// Drain is how long, after the end of the input, no answer may be finished
	// and no byte written before Serve gives up with [ErrDrain]. 0 is 10 s.
	Drain time.Duration

	// CloseTimeout is how long Close waits for handlers and for what is queued
	// before it closes the stream over them. 0 is 2 s.
	CloseTimeout time.Duration

	// StrictID matches a reply to a call by the exact text of its id only, and
	// refuses bad requests with id null, as the letter of JSON-RPC 2.0, section
	// 5, can be read. The default also accepts a reply whose id has the value of
	// ours (1.0 or "1" for 1), and refuses a bad request with its own id where
	// that can be read.
	StrictID bool

	// Correlate lets a [Correlation] travel in plain JSON-RPC, too (a dialect with
	// [Meta.Ask]): in the member _meta of params that are an
	// object. Params that are an array or absent stay as they are. The default adds
	// nothing, since plain params belong to the application alone; what a request
	// brings is read in any case. Other dialects have a place for it, and need no
	// asking.
	Correlate bool

	// CrashOnPanic lets a panic in a handler end the process. The default turns
	// it into -32603 and logs the stack.
	CrashOnPanic bool
}

// Trace holds hooks, each of which may be nil. They are called without a lock, and
// what they are given is theirs to read only until they return. A hook holds up the
// reading or the writing that it watches.
type Trace struct {
	// Record is called with each record, after it was read and before it is
	// written, in the order of the wire.
	Record func(dir Direction, rec []byte)

	// Call is called when a call has ended: an inbound one when its reply is
	// queued, an outbound one when its reply is there or it has failed.
	Call func(CallEnd)

	// End is called once, when the connection has ended, with what Wait returns.
	End func(err error)
}

// Direction is the way that a record or a call takes.
type Direction uint8

const (
	// Inbound is from the other side to us.
	Inbound Direction = iota
	// Outbound is from us to the other side.
	Outbound
)

// CallEnd is what is known of a call when it has ended.
type CallEnd struct {
	Dir    Direction
	ID     message.ID
	Method string
	Took   time.Duration
	Err    error // nil: it was answered with a result
}

// settings is Options with every default filled in.
type settings struct {
	Options
	dialect Dialect
	codec   message.Codec
	meta    Meta // where correlation is written; with neither field, nowhere
	trace   Trace
}

// stallTime is how long nothing may move before a rule gives way to what may be behind
// it: reading goes on past a full backlog when no slot has come free, and calls overtake
// notes that wait behind a handler which waits in a Call.
const stallTime = 250 * time.Millisecond

func (o *Options) settings() settings {
	var s settings
	if o != nil {
		s.Options = *o
	}
	s.dialect = JSONRPC
	if s.Dialect != nil {
		s.dialect = *s.Dialect
	}
	s.codec = s.dialect.codec()
	if s.Correlate || !s.dialect.Meta.Ask {
		s.meta = s.dialect.Meta
	}
	if s.Trace != nil {
		s.trace = *s.Trace
	}
	if s.Logger == nil {
		s.Logger = slog.New(slog.DiscardHandler)
	}
	s.Handlers = positive(s.Handlers, 256)
	s.Backlog = positive(s.Backlog, 1024)
	s.BacklogBytes = positive(s.BacklogBytes, 8<<20)
	s.Overflow = positive(s.Overflow, 64<<10)
	s.OverflowBytes = positive(s.OverflowBytes, 8<<20)
	s.BatchMembers = positive(s.BatchMembers, 1000)
	s.Outbound = positive(s.Outbound, 8<<20)
	s.Drain = positive(s.Drain, 10*time.Second)
	s.CloseTimeout = positive(s.CloseTimeout, 2*time.Second)
	return s
}

// positive is n, or the default of an option that was left out.
func positive[T int | int64 | time.Duration](n, otherwise T) T {
	if n <= 0 {
		return otherwise
	}
	return n
}

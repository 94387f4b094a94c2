package parley

import (
	"context"
	"time"

	"github.com/parley-rpc/parley/message"
)

// state is all of a Conn that changes while it lives. It is reached only through
// Conn.mu; its methods expect the lock and never call foreign code.
type state struct {
	set *settings

	// Ours: calls that we have made.
	calls  map[message.ID]*Pending // without a reply
	lastID int64

	// Theirs: what was read and has not begun, what has and is not answered.
	inbox      fifo[*work]
	inboxBytes int64
	open       map[message.ID]*work // calls; those of one id are linked by work.twin
	note       *work                // the note that is being handled
	notesRead  uint64
	notesDone  uint64
	slots      int       // call handlers that run and do not wait in a Call
	handlers   int       // handlers that have not returned
	freed      time.Time // when a slot last came free

	// Out: what is to be written, and what the writer holds.
	outbox   fifo[*outgoing]
	outBytes int64  // of both
	queued   uint64 // records ever queued
	written  uint64 // records ever written, or dropped for good

	moved     uint64 // answers finished and writes done: the progress of a drain
	inputErr  error  // why nothing is read any more
	outputErr error  // why nothing is written any more
	closing   bool   // no handler begins any more
	outClosed bool   // the writer is to end

	stats Stats
	bell  chan struct{} // closed at the next change, if somebody waits for one
}

// Stats counts what a connection noticed and did not fail on.
type Stats struct {
	Refused   uint64 // records that were no message, answered or not
	Skipped   uint64 // of those, records over the limit or lost to bad framing
	Orphans   uint64 // replies to no call of ours, or without a readable id
	Late      uint64 // replies to calls that had ended already
	Inexact   uint64 // replies whose id had the value of ours but another text
	Hybrids   uint64 // records that were request and reply at once
	Dropped   uint64 // notes without a handler, or whose handler failed
	Unhandled uint64 // calls refused because the backlog was full
	Twins     uint64 // calls with the id of a call that was still open
}

// outgoing is a record on its way to the writer.
type outgoing struct {
	rec     []byte
	calls   []*Pending        // ours that it makes, or
	reply   *message.Response // that it is
	taken   bool              // the writer has it: it cannot be withdrawn any more
	written bool              // it has left
	dropped bool              // it never will
}

func (o *outgoing) struckOut() bool { return o.dropped }

// ring wakes everybody who waits for the state to change.
func (s *state) ring() {
	if s.bell != nil {
		close(s.bell)
		s.bell = nil
	}
}

// change returns what is closed at the next change.
func (s *state) change() <-chan struct{} {
	if s.bell == nil {
		s.bell = make(chan struct{})
	}
	return s.bell
}

// outFull reports whether the outbound queue has no room. One record always fits,
// and the last one may reach beyond the bound.
func (s *state) outFull() bool { return s.outBytes >= s.set.Outbound }

// inboxFull reports whether the backlog has no room for another record.
func (s *state) inboxFull() bool {
	return s.inbox.len() >= s.set.Backlog || s.inboxBytes >= s.set.BacklogBytes
}

// overflowFull reports whether there is no room past the backlog either.
func (s *state) overflowFull() bool {
	return s.inbox.len() >= s.set.Backlog+s.set.Overflow ||
		s.inboxBytes >= s.set.BacklogBytes+s.set.OverflowBytes
}

// overflowError refuses a call for which there is no room, and names the bound.
func (s *state) overflowError() *message.Error {
	refusal := message.NewError(message.CodeServerError, "Too many calls are waiting")
	if most := s.set.Backlog + s.set.Overflow; s.inbox.len() >= most {
		return limitError(refusal, "waiting calls and notes", int64(most))
	}
	return limitError(refusal, "waiting bytes", s.set.BacklogBytes+s.set.OverflowBytes)
}

// pause reports whether reading has to wait, and for how long at most: 0 means until
// something changes. The pipe is the queue then. But a call of ours that waits for its
// reply is a reason to read on, and so are slots that all are held, since what frees
// them may be behind.
func (s *state) pause(now time.Time) (wait bool, atMost time.Duration) {
	awaited := len(s.calls) > 0
	switch {
	case !s.inboxFull():
		return false, 0
	case !awaited && (s.outFull() || s.slots < s.set.Handlers):
		return true, 0
	}
	left := stallTime - now.Sub(s.freed)
	return left > 0, left
}

// next takes the work from the inbox that may begin now, or nil. This is where the
// order rules 2 and 3 are kept: works begin in the order in which they came, a note
// when the note before it is done, a call when that is done or waits in a Call.
func (s *state) next() *work {
	if s.closing || s.inbox.len() == 0 {
		return nil
	}
	w := s.inbox.front()
	if w.req.IsNote() && s.note != nil && s.note.stalled {
		return s.overtake()
	}
	if w.req.IsNote() && s.note != nil || !w.req.IsNote() && !s.mayCallBegin() {
		return nil
	}
	s.inbox.pop()
	return s.begin(w)
}

// mayCallBegin reports whether the next call may begin, if no note is before it in the
// inbox.
func (s *state) mayCallBegin() bool {
	return (s.note == nil || s.note.waiting > 0) && s.slots < s.set.Handlers && !s.outFull()
}

// overtake takes a call from behind the notes that cannot begin because the handler of
// the one before them waits in a Call and nothing comes of it. That Call may wait for
// just this one: the other side sent a note and then called back. See docs/adr/0003.
func (s *state) overtake() *work {
	if !s.mayCallBegin() {
		return nil
	}
	w, ok := s.inbox.find(func(w *work) bool { return !w.req.IsNote() })
	if !ok {
		return nil
	}
	w.begun = true
	s.inbox.struck()
	return s.begin(w)
}

// begin books w, which has left the inbox, as begun.
func (s *state) begin(w *work) *work {
	w.begun = true
	s.inboxBytes -= w.size
	s.handlers++
	if w.req.IsNote() {
		s.note = w
	} else {
		s.slots++
		w.slot = true
	}
	return w
}

// idle reports whether everything that was read is answered and written.
func (s *state) idle() bool {
	return s.inbox.len() == 0 && s.handlers == 0 && s.flushed()
}

// flushed reports whether everything that was queued is written, or never will be.
func (s *state) flushed() bool { return s.written == s.queued || s.outputErr != nil }

// addOpen notes that w is to be answered.
func (s *state) addOpen(w *work) {
	if twin := s.open[w.req.ID]; twin != nil {
		w.twin = twin
		s.stats.Twins++
	}
	s.open[w.req.ID] = w
}

// removeOpen notes that w is answered, and reports whether it was open until now.
func (s *state) removeOpen(w *work) bool {
	first := s.open[w.req.ID]
	if first == w {
		if w.twin == nil {
			delete(s.open, w.req.ID)
		} else {
			s.open[w.req.ID] = w.twin
		}
		return true
	}
	for at := first; at != nil; at = at.twin {
		if at.twin == w {
			at.twin = w.twin
			return true
		}
	}
	return false
}

// push queues a record for the writer. After the output has ended it is dropped.
func (s *state) push(o *outgoing) {
	s.queued++
	if s.outputErr != nil || s.outClosed {
		s.written++
		o.dropped = true
		return
	}
	s.outbox.push(o)
	s.outBytes += int64(len(o.rec))
	s.ring()
}

// withdraw takes a record back that the writer does not hold yet, and reports
// whether it could.
func (s *state) withdraw(o *outgoing) bool {
	if o == nil || o.taken {
		return false
	}
	if !o.dropped {
		o.dropped = true
		s.outbox.struck()
		s.outBytes -= int64(len(o.rec))
		o.rec = nil
		s.written++
		s.ring()
	}
	return true
}

// await blocks until holds is true or ctx ends, and returns how ctx ended.
func (c *Conn) await(ctx context.Context, holds func(*state) bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !holds(&c.state) {
		if err := c.sleepLocked(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sleepLocked gives the lock up until the state changes or ctx ends.
func (c *Conn) sleepLocked(ctx context.Context) error {
	changed := c.state.change()
	c.mu.Unlock()
	defer c.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

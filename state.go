package parley

import (
	"context"
	"time"

	"github.com/parley-rpc/parley/message"
)

// state is all of a Conn that changes while it lives. It is reached only through
// Conn.mu; its methods expect the lock and never call foreign code but the codec.
type state struct {
	set *settings

	// Ours: calls that we have made.
	calls  map[message.ID]*Pending // without a reply
	lastID int64

	// Theirs: what was read and has not begun, what has and is not answered.
	inbox     inbox
	open      map[message.ID]*work // calls, the newest of each id
	note      *work                // the note that is being handled
	notesRead uint64
	notesDone uint64
	slots     int       // call handlers that run and do not wait in a Call
	parked    int       // handlers that wait in a Call
	aside     int       // handlers of notes that go on beside what comes after them
	handlers  int       // handlers that have not returned
	freed     time.Time // when a slot last came free
	movedAt   time.Time // when a handler last returned or a record last left
	fullSince time.Time // when reading last met a full backlog; zero while it is not full

	// Out: what is to be written, and what the writer holds.
	outbox   fifo[*outgoing]
	outBytes int64  // of both
	queued   uint64 // the number of the newest record
	inHand   uint64 // the number of the oldest record that the writer holds, or 0

	moved     uint64 // handlers returned and writes done: the progress of a drain
	inputErr  error  // why nothing is read any more
	outputErr error  // why nothing is written any more
	closing   bool   // no handler begins any more
	outClosed bool   // the writer is to end

	stats Stats
	after []func()      // to be called once the lock is given up
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

// unlock gives the lock up and then does what had to wait for that: the hooks of
// others.
func (c *Conn) unlock() {
	after := c.state.after
	c.state.after = nil
	c.mu.Unlock()
	for _, fn := range after {
		fn()
	}
}

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

// move notes that something went on.
func (s *state) move() {
	s.moved++
	s.movedAt = time.Now()
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

// awaitFor is await with a bound on time.
func (c *Conn) awaitFor(atMost time.Duration, holds func(*state) bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	return c.await(ctx, holds)
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

// napLocked is sleepLocked with a bound on time; 0 means that there is none.
func (c *Conn) napLocked(atMost time.Duration) {
	ctx, cancel := context.Background(), func() {}
	if atMost > 0 {
		ctx, cancel = context.WithTimeout(ctx, atMost)
	}
	defer cancel()
	_ = c.sleepLocked(ctx)
}

// idle reports whether everything that was read is answered and written.
func (s *state) idle() bool { return s.inbox.len() == 0 && s.handlers == 0 && s.flushed() }

// find returns the call of ours that has the id, by its exact text or else by its
// value.
func (s *state) find(id message.ID) (p *Pending, exact bool) {
	if p := s.calls[id]; p != nil {
		return p, true
	}
	if s.set.StrictID {
		return nil, false
	}
	if n, ok := id.Integer(); ok {
		if p := s.calls[s.set.dialect.CallID(n)]; p != nil {
			s.stats.Inexact++
			return p, false
		}
	}
	return nil, false
}

// addOpen notes that w is to be answered. Calls of one id are a list, newest first.
func (s *state) addOpen(w *work) {
	if older := s.open[w.req.ID]; older != nil {
		w.older, older.newer = older, w
		s.stats.Twins++
	}
	s.open[w.req.ID] = w
}

// removeOpen notes that w is answered.
func (s *state) removeOpen(w *work) {
	if w.older != nil {
		w.older.newer = w.newer
	}
	switch {
	case w.newer != nil:
		w.newer.older = w.older
	case s.open[w.req.ID] != w:
		// It was refused before it was open.
	case w.older != nil:
		s.open[w.req.ID] = w.older
	default:
		delete(s.open, w.req.ID)
	}
	w.older, w.newer = nil, nil
}

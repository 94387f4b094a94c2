package parley

import (
	"time"

	"github.com/parley-rpc/parley/message"
)

// inbox is what was read and has not begun. Its notes and calls are two queues, and
// their numbers say which came first, so that calls can overtake notes without a search.
type inbox struct {
	notes, calls fifo[*work]
	bytes        int64
	last         uint64 // the number of the newest work
}

func (in *inbox) len() int { return in.notes.len() + in.calls.len() }

func (in *inbox) push(w *work) {
	in.last++
	w.number = in.last
	in.bytes += w.size
	if w.req.IsNote() {
		in.notes.push(w)
	} else {
		in.calls.push(w)
	}
}

// charge adds to what a work is charged with while it waits.
func (in *inbox) charge(w *work, bytes int64) {
	w.size += bytes
	in.bytes += bytes
}

// strike takes a call out that is not to begin, and lets go of its record.
func (in *inbox) strike(w *work) {
	in.calls.struck()
	in.bytes -= w.size
	w.req = &message.Request{ID: w.req.ID, Method: w.req.Method}
}

// noteFirst reports whether the oldest work is a note; the inbox must not be empty.
func (in *inbox) noteFirst() bool {
	return in.calls.len() == 0 || in.notes.len() > 0 && in.notes.front().number < in.calls.front().number
}

// inboxFull reports whether the backlog has no room for another record. One record
// always fits.
func (s *state) inboxFull() bool {
	return s.inbox.len() >= s.set.Backlog || s.inbox.bytes >= s.set.BacklogBytes
}

// overflowFull reports whether there is no room past the backlog either.
func (s *state) overflowFull() bool {
	return s.inbox.len() >= s.set.Backlog+s.set.Overflow || s.inbox.bytes >= s.set.BacklogBytes+s.set.OverflowBytes
}

// overflowError refuses a call for which there is no room, and names the bound.
func (s *state) overflowError() *message.Error {
	refusal := message.NewError(message.CodeServerError, "Too many calls are waiting")
	if most := s.set.Backlog + s.set.Overflow; s.inbox.len() >= most {
		return limitError(refusal, "waiting calls and notes", int64(most))
	}
	return limitError(refusal, "waiting bytes", s.set.BacklogBytes+s.set.OverflowBytes)
}

// slotFree reports whether one more call handler may run. Handlers that wait in a Call
// have lent their slots, and are bounded by the backlog.
func (s *state) slotFree() bool { return s.slots < s.set.Handlers && s.parked < s.set.Backlog }

// pause reports whether reading has to wait, and for how long at most: 0 means until
// something changes. The pipe is the queue then.
//
// Past a full backlog there are three reasons to read on, each when nothing has come of
// waiting for stallTime: a call of ours whose reply may be behind; slots that all are
// held, by what only a cancellation behind may end; and the handler of a note that waits
// for the other side to read, which may wait for us to do so. Past a full overflow
// something would have to be refused. So then the last is none, and that anything moves
// is enough to wait. See docs/adr/0004.
func (s *state) pause(now time.Time) (wait bool, atMost time.Duration) {
	if !s.inboxFull() {
		s.fullSince = time.Time{}
		return false, 0
	}
	if s.fullSince.IsZero() {
		s.fullSince = now
	}
	past, last := s.overflowFull(), s.freed
	if past && s.movedAt.After(last) {
		last = s.movedAt
	}
	if s.fullSince.After(last) {
		last = s.fullSince
	}
	stuck := s.note != nil && s.note.wantsRoom && !past
	held := !s.slotFree() && !s.outFull()
	if len(s.calls) == 0 && !stuck && !held {
		return true, 0
	}
	left := stallTime - now.Sub(last)
	return left > 0, left
}

// next takes the work from the inbox that may begin now, or nil. This is where the
// order rules 2 and 3 are kept: works begin in the order in which they came, a note
// when the note before it is done, a call when that is done or waits in a Call.
//
// If that note has waited so long that it is stalled, calls overtake the notes behind
// it. What it waits for may be one of them: the other side sent a note and then called
// back. See docs/adr/0003.
func (s *state) next() *work {
	if s.closing || s.inbox.len() == 0 {
		return nil
	}
	if s.inbox.noteFirst() {
		if s.note == nil {
			if s.aside >= s.set.Handlers {
				return nil
			}
			return s.begin(s.inbox.notes.pop())
		}
		if !s.note.stalled || s.inbox.calls.len() == 0 {
			return nil
		}
	}
	if s.note != nil && s.note.waiting == 0 || !s.slotFree() || s.outFull() {
		return nil
	}
	return s.begin(s.inbox.calls.pop())
}

// begin books w, which has left the inbox, as begun.
func (s *state) begin(w *work) *work {
	s.inbox.bytes -= w.size
	s.handlers++
	if w.req.IsNote() {
		s.note = w
	} else {
		s.slots++
		w.slot = true
	}
	return w
}

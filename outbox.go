package parley

import (
	"github.com/parley-rpc/parley/message"
)

// outgoing is a record on its way to the writer.
type outgoing struct {
	rec    []byte
	number uint64
	calls  []*Pending        // ours that it makes, with nil for each note among them, or
	reply  *message.Response // that it is

	taken   bool // the writer has it: it cannot be withdrawn any more
	written bool // it has left
	dropped bool // it never will
}

func (o *outgoing) struckOut() bool { return o.dropped }

// outFull reports whether the outbound queue has no room. One record always fits, and
// the last one may reach beyond the bound.
func (s *state) outFull() bool { return s.outBytes >= s.set.Outbound }

// flushed reports whether everything that was queued is written, or never will be.
func (s *state) flushed() bool { return s.flushedTo(s.queued) }

// flushedTo is flushed for the records up to a number.
func (s *state) flushedTo(number uint64) bool {
	if s.outputErr != nil {
		return true
	}
	return (s.inHand == 0 || s.inHand > number) && (s.outbox.len() == 0 || s.outbox.front().number > number)
}

// push queues a record for the writer. After the output has ended it is dropped.
func (s *state) push(o *outgoing) {
	s.queued++
	o.number = s.queued
	if s.outputErr != nil || s.outClosed {
		o.dropped = true
		return
	}
	s.outbox.push(o)
	s.outBytes += int64(len(o.rec))
	s.ring()
}

// withdraw takes a record back that the writer does not hold yet, and reports whether it
// could, or had.
func (s *state) withdraw(o *outgoing) bool {
	if o.taken {
		return false
	}
	if !o.dropped {
		o.dropped = true
		s.outbox.struck()
		s.outBytes -= int64(len(o.rec))
		o.rec = nil
		s.ring()
	}
	return true
}

// breakOutput drops what was to be written: nobody reads any more.
func (s *state) breakOutput(err error) {
	s.outputErr = err
	s.outbox = fifo[*outgoing]{}
	s.outBytes, s.inHand = 0, 0
	s.ring()
}

// pushReply queues a reply, or those to a batch. It takes no room: whoever calls it has
// seen to that, or no call begins while there is none.
func (s *state) pushReply(m message.Message) {
	rec, err := s.set.codec.Append(nil, m)
	if err != nil {
		// A handler has returned text that is no JSON, or a member of an error that
		// collides with another. It costs only its own call.
		m = s.writable(m)
		rec, err = s.set.codec.Append(nil, m)
	}
	if err == nil {
		reply, _ := m.(*message.Response)
		s.push(&outgoing{rec: rec, reply: reply})
	}
}

// writable puts an error in the place of each reply that the codec refuses.
func (s *state) writable(m message.Message) message.Message {
	switch m := m.(type) {
	case message.Batch:
		all := make(message.Batch, len(m))
		for i, reply := range m {
			all[i] = s.writable(reply)
		}
		return all
	case *message.Response:
		if _, err := s.set.codec.Append(nil, m); err != nil {
			return &message.Response{ID: m.ID, Error: remoteError(err)}
		}
	}
	return m
}

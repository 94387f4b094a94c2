package parley

import (
	"bytes"
	"fmt"
	"time"

	"github.com/parley-rpc/parley/message"
)

// group collects the replies to the calls of one batch.
type group struct {
	open    int // members that are not answered yet, and one while it is admitted
	replies message.Batch
}

// leaveGroup notes that a member is answered, and sends the replies after the last.
func (s *state) leaveGroup(g *group) {
	if g.open--; g.open == 0 && len(g.replies) > 0 {
		s.pushReply(g.replies)
	}
}

// inbound is a request as it was read, with what has to be known of it under the lock.
type inbound struct {
	work    *work
	cancels bool       // it is a cancellation,
	ended   message.ID // of this call
	token   message.ID // it is progress on this call, or on none
}

// newInbound makes the work of a request, which is charged with the text that it keeps
// and with what its unknown members cost beyond theirs. It reads the params without the
// lock.
func (c *Conn) newInbound(req *message.Request, text int, g *group) inbound {
	in := inbound{work: &work{conn: c, req: req, size: int64(text + memberCost*len(req.Extra)), group: g}}
	if c.set.trace.Call != nil {
		in.work.began = time.Now()
	}
	if !req.IsNote() {
		return in
	}
	cancel, progress := &c.set.dialect.Cancel, &c.set.dialect.Progress
	switch req.Method {
	case "":
	case cancel.Method:
		in.cancels, in.ended = true, idIn(req.Params, cancel.Member)
	case progress.Method:
		in.token = idIn(req.Params, progress.Token)
	}
	return in
}

// idIn is the id that a member of params holds, or none.
func idIn(params message.Raw, member string) message.ID {
	text, _ := params.Member(member)
	id, err := message.ParseID(text)
	if err != nil {
		return message.ID{}
	}
	return id
}

// receiveRequest queues a call or a note, or acts on it at once if it is a
// cancellation.
func (c *Conn) receiveRequest(req *message.Request, text int) {
	in := c.newInbound(req, text, nil)
	c.mu.Lock()
	defer c.unlock()
	c.admit(in, c.state.overflowFull())
	c.beginLocked()
}

// admit puts a request into the inbox. If there is no room, a call is refused; a note
// ends the connection, since it can be neither kept nor refused.
func (c *Conn) admit(in inbound, full bool) {
	s, w := &c.state, in.work
	switch {
	case in.cancels:
		c.cancelled(in.ended)
		return
	case s.closing && w.req.IsNote():
		return
	case s.closing:
		s.answer(w, &message.Response{Error: errShutdown})
		return
	case full && w.req.IsNote():
		s.inputErr = ErrOverload
		return
	case full:
		s.stats.Unhandled++
		if c.waitForRoomToAnswerLocked() {
			s.answer(w, &message.Response{Error: s.overflowError()})
		}
		return
	case w.req.IsNote():
		s.notesRead++
		w.value = s.progressOf(in.token)
	default:
		s.addOpen(w)
	}
	s.inbox.push(w)
}

// cancelled acts on a cancellation. It overtakes all that waits (rule 5): the ctx of a
// call that has begun ends, one that has not begun never will.
func (c *Conn) cancelled(id message.ID) {
	s := &c.state
	waiting := false
	for w := s.open[id]; w != nil; w = w.older {
		w.cancelled = true
		if w.end != nil {
			w.end()
		} else {
			waiting = true
		}
	}
	if !waiting || !c.waitForRoomToAnswerLocked() {
		return
	}
	for w := s.open[id]; w != nil; { // as it is now: some may have begun while we waited
		older := w.older
		if w.end != nil {
			w.end()
		} else {
			s.answer(w, &message.Response{Error: errCancelled})
			s.inbox.strike(w)
		}
		w = older
	}
}

// receiveBatch takes a batch apart (JSON-RPC 2.0, section 6), member by member in their
// order. Its requests begin like any others; the replies leave together as one record.
func (c *Conn) receiveBatch(batch message.Batch) {
	bad := c.badBatch(batch)
	g := &group{open: 1}
	ins := make([]inbound, len(batch))
	for i, member := range batch {
		if req, ok := member.(*message.Request); ok && bad == nil {
			ins[i] = c.newInbound(owned(req), len(req.Params)+memberCost, g)
		}
	}
	c.mu.Lock()
	defer c.unlock()
	s := &c.state
	full := s.overflowFull() // once for all: one record always fits
	var last *work           // of its calls
	for i, member := range batch {
		switch member := member.(type) {
		case *message.Response:
			c.settleLocked(member)
		case *message.ParseError:
			if bad != nil && member.Answerable() {
				continue // the one refusal is for all
			}
			if reply := c.refuseLocked(member); reply != nil {
				g.replies = append(g.replies, reply)
			}
		case *message.Request:
			if bad != nil {
				continue
			}
			if !member.IsNote() {
				g.open++
				last = ins[i].work
			}
			c.admit(ins[i], full)
		}
	}
	if last != nil && last.end == nil && !last.answered {
		s.inbox.charge(last, int64(len(g.replies)*memberCost))
	}
	if bad != nil {
		if reply := c.refuseLocked(bad); reply != nil && c.waitForRoomToAnswerLocked() {
			s.pushReply(reply)
		}
	} else if g.open > 1 || len(g.replies) == 0 || c.waitForRoomToAnswerLocked() {
		s.leaveGroup(g)
	}
	c.beginLocked()
}

// memberCost is about what a member, of a batch or of an envelope, costs beside its text,
// in bytes.
const memberCost = 128

// owned returns a request that shares no memory with the record that it came in, so that
// one member of a batch does not keep all others alive.
func owned(req *message.Request) *message.Request {
	own := *req
	own.Params = bytes.Clone(req.Params)
	own.Extra = nil
	for _, m := range req.Extra {
		own.Extra = append(own.Extra, message.Member{Name: m.Name, Value: bytes.Clone(m.Value)})
	}
	return &own
}

// badBatch refuses a batch as a whole: one that is too large, or any in a dialect that
// has none. The replies in it still settle their calls.
func (c *Conn) badBatch(batch message.Batch) *message.ParseError {
	bad := &message.ParseError{Err: message.InvalidRequest, Kind: message.KindBatch}
	switch most := c.set.BatchMembers; {
	case len(batch) > most:
		bad.Reason = fmt.Sprintf("a batch of %d members is over the limit of %d", len(batch), most)
		bad.Err = limitError(message.InvalidRequest, "batch members", int64(most))
	case c.set.dialect.NoBatch:
		bad.Reason = "the dialect has no batches"
	default:
		return nil
	}
	return bad
}

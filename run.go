package parley

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/parley-rpc/parley/message"
)

// work is a call or a note of the other side, from the reading of its record to the
// end of its handler.
type work struct {
	conn  *Conn
	req   *message.Request
	size  int64              // bytes it is charged with while it waits to begin
	group *group             // of a batch, or nil
	value func(message.Raw)  // for progress on a call of ours, in place of the handler
	began time.Time          // set only if calls are traced
	ctx   context.Context    // of the handler, once it has begun
	end   context.CancelFunc // ends ctx

	// Under conn.mu.
	begun     bool        // its handler was started
	slot      bool        // it holds a slot, or has lent it
	waiting   int         // the Calls that its handler waits in
	stall     *time.Timer // of a note that waits: sets stalled
	stalled   bool        // it has waited for stallTime: calls may overtake the notes behind it
	cancelled bool        // its caller has taken it back
	answered  bool        // its reply is queued, or will never be
	twin      *work       // an older open call of the same id
}

// struckOut reports whether w is in the inbox in vain: it has begun, or needs not to.
func (w *work) struckOut() bool { return w.answered || w.begun }

// group collects the replies to the calls of one batch.
type group struct {
	open    int // members that are not answered yet
	replies message.Batch
}

// receiveRequest queues a call or a note, or acts on it at once if it is a
// cancellation.
func (c *Conn) receiveRequest(req *message.Request, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.admit(&work{conn: c, req: req, size: size})
	c.beginLocked()
}

// admit puts w into the inbox. A call that finds no room is refused; a note that
// finds none ends the connection, since it can be neither kept nor refused.
func (c *Conn) admit(w *work) {
	s := &c.state
	if w.req.IsNote() {
		if c.cancelled(w.req) {
			return
		}
		w.value = s.progressOf(w.req)
	}
	if s.overflowFull() {
		if w.req.IsNote() || s.outFull() {
			s.inputErr = ErrOverload
			return
		}
		s.stats.Unhandled++
		s.answer(w, &message.Response{Error: s.overflowError()})
		return
	}
	if w.req.IsNote() {
		s.notesRead++
	} else {
		s.addOpen(w)
	}
	if c.set.trace.Call != nil {
		w.began = time.Now()
	}
	s.inbox.push(w)
	s.inboxBytes += w.size
}

// receiveBatch takes a batch apart (JSON-RPC 2.0, section 6). Its requests begin in
// their order like any others; the replies leave together as one record.
func (c *Conn) receiveBatch(batch message.Batch, size int64) {
	if over := len(batch) > c.set.BatchMembers; over || c.set.dialect.NoBatch {
		c.settleReplies(batch)
		bad := &message.ParseError{Err: message.InvalidRequest, Kind: message.KindBatch, Reason: "the dialect has no batches"}
		if over {
			bad.Reason = fmt.Sprintf("a batch of %d members is over the limit of %d", len(batch), c.set.BatchMembers)
			bad.Err = limitError(message.InvalidRequest, "batch members", int64(c.set.BatchMembers))
		}
		c.refuse(bad)
		return
	}
	c.settleReplies(batch)
	g := new(group)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, member := range batch {
		switch member := member.(type) {
		case *message.ParseError:
			c.state.stats.Refused++
			if member.Answerable() && c.set.dialect.BadInput == AnswerBadInput {
				g.replies = append(g.replies, c.state.refusal(member))
			}
		case *message.Request:
			if !member.IsNote() {
				g.open++
			}
		}
	}
	for _, member := range batch {
		if req, ok := member.(*message.Request); ok {
			c.admit(&work{conn: c, req: req, size: size / int64(len(batch)), group: g})
		}
	}
	if g.open == 0 && len(g.replies) > 0 && c.roomToRefuseLocked() {
		c.state.sendGroup(g)
	}
	c.beginLocked()
}

// settleReplies settles what the replies in a batch are for, refused ones included.
func (c *Conn) settleReplies(batch message.Batch) {
	for _, member := range batch {
		switch member := member.(type) {
		case *message.Response:
			c.receiveReply(member)
		case *message.ParseError:
			if member.Kind == message.KindReply || member.Kind == message.KindHybrid {
				c.refuse(member)
			}
		}
	}
}

// cancelled acts on a cancellation, and reports whether req is one. It overtakes
// all that waits (rule 5): a call that has not begun never will, the ctx of one that
// has begun ends.
func (c *Conn) cancelled(req *message.Request) bool {
	cancel := c.set.dialect.Cancel
	if cancel.Method == "" || req.Method != cancel.Method {
		return false
	}
	member, _ := req.Params.Member(cancel.Member)
	id, err := message.ParseID(member)
	if err != nil {
		return true
	}
	s := &c.state
	for w := s.open[id]; w != nil; {
		older := w.twin
		w.cancelled = true
		if w.end != nil {
			w.end()
		} else {
			s.answer(w, &message.Response{Error: errCancelled})
			s.inbox.struck()
			s.inboxBytes -= w.size
		}
		w = older
	}
	return true
}

// beginLocked begins all that may begin.
func (c *Conn) beginLocked() {
	for w := c.state.next(); w != nil; w = c.state.next() {
		ctx, cancel := context.WithCancel(c.ctx)
		w.ctx, w.end = handlerCtx{ctx, w}, cancel
		go c.run(w)
	}
}

// run runs the handler of w and answers for it, whichever way the handler ends.
func (c *Conn) run(w *work) {
	var result any
	err := error(internalError("the handler ended its goroutine", "runtime.Goexit"))
	defer func() {
		if !c.set.CrashOnPanic {
			if v := recover(); v != nil {
				c.log.Error("panic in a handler", "method", w.req.Method, "id", w.req.ID.String(),
					"panic", v, "stack", string(debug.Stack()))
				err = internalError(fmt.Sprintf("panic: %v", v), fmt.Sprintf("%T", v))
			}
		}
		c.finish(w, result, err)
	}()
	if w.value != nil {
		value, _ := progressValue(&c.set.dialect.Progress, w.req.Params)
		w.value(value)
		err = nil
		return
	}
	result, err = c.handler(w.ctx, w.req.Method, w.req.Params)
}

// finish answers a call, ends a note, and lets what waited for it begin.
func (c *Conn) finish(w *work, result any, err error) {
	reply := c.reply(w, result, err)
	w.end()
	c.mu.Lock()
	s := &c.state
	s.handlers--
	if w.req.IsNote() {
		s.note = nil
		s.notesDone++
		if err != nil {
			s.stats.Dropped++
		}
	} else {
		s.answer(w, reply)
	}
	if w.slot {
		w.slot = false
		s.slots--
		s.freed = time.Now()
	}
	c.beginLocked()
	s.ring()
	c.mu.Unlock()
	if w.req.IsNote() {
		if err != nil {
			c.log.Log(context.Background(), slog.LevelDebug, "note dropped", "method", w.req.Method, "error", err)
		}
		return
	}
	if trace := c.set.trace.Call; trace != nil {
		end := CallEnd{Dir: Inbound, ID: w.req.ID, Method: w.req.Method, Took: time.Since(w.began)}
		if reply.Error != nil {
			end.Err = reply.Error
		}
		trace(end)
	}
}

// reply is what a handler's result or error becomes. It is made without the lock.
func (c *Conn) reply(w *work, result any, err error) *message.Response {
	if w.req.IsNote() {
		return nil
	}
	if err == nil {
		raw, encodeErr := message.Encode(result)
		if encodeErr == nil {
			return &message.Response{Result: raw}
		}
		err = fmt.Errorf("the result of %q is no JSON: %w", w.req.Method, encodeErr)
	}
	if ended(w.ctx, err) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if w.cancelled {
			return &message.Response{Error: errCancelled}
		}
		if c.state.closing {
			return &message.Response{Error: errShutdown}
		}
	}
	return &message.Response{Error: remoteError(err)}
}

// answer queues the reply to w, alone or with those of its batch, unless it is
// answered or its cancellation forbids one.
func (s *state) answer(w *work, reply *message.Response) {
	if w.answered {
		return
	}
	w.answered = true
	s.removeOpen(w)
	s.moved++
	silent := w.cancelled && !s.set.dialect.Cancel.Answered
	reply.ID = w.req.ID
	if w.group != nil {
		if !silent {
			w.group.replies = append(w.group.replies, reply)
		}
		if w.group.open--; w.group.open == 0 {
			s.sendGroup(w.group)
		}
		return
	}
	if !silent {
		s.pushReply(reply)
	}
}

// sendGroup queues the replies to a batch, if there is any.
func (s *state) sendGroup(g *group) {
	if len(g.replies) > 0 {
		s.pushReply(g.replies)
	}
}

// pushReply queues a reply. It takes no room: no call begins while there is none.
func (s *state) pushReply(m message.Message) {
	rec, err := s.set.codec.Append(nil, m)
	if err != nil {
		// A reply of ours is made of an id that was read and of text that was
		// encoded; only a foreign codec can refuse it.
		if reply, ok := m.(*message.Response); ok {
			rec, err = s.set.codec.Append(nil, &message.Response{ID: reply.ID, Error: remoteError(err)})
		}
	}
	if err == nil {
		reply, _ := m.(*message.Response)
		s.push(&outgoing{rec: rec, reply: reply})
	}
}

// answerOpen answers every call that is open when the connection ends.
func (c *Conn) answerOpen() {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	for _, w := range s.open {
		for w != nil {
			next := w.twin
			s.answer(w, &message.Response{Error: errShutdown})
			w = next
		}
	}
	s.inbox = fifo[*work]{}
	s.inboxBytes = 0
}

// park notes that the handler of w waits in a Call: it lends its slot, and the calls
// behind a note may begin.
func (c *Conn) park(w *work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.waiting++; w.waiting > 1 {
		return
	}
	if w.slot {
		c.state.slots--
		c.state.freed = time.Now()
	} else {
		w.stall = time.AfterFunc(stallTime, func() { c.stalled(w) })
	}
	c.beginLocked()
	c.state.ring()
}

// stalled lets calls overtake the notes behind w, if its handler still waits.
func (c *Conn) stalled(w *work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.stalled = w.waiting > 0; w.stalled {
		c.beginLocked()
	}
}

// unpark takes the slot back. It may be one more than there are, for as long as it
// takes one of the others to return: waiting for one could wait for ever.
func (c *Conn) unpark(w *work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.waiting--; w.waiting > 0 {
		return
	}
	if w.slot {
		c.state.slots++
	} else {
		w.stall.Stop()
		w.stalled = false
	}
}

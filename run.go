package parley

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
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

	brought atomic.Pointer[Correlation] // by the request; nil until it is asked for

	// Under conn.mu.
	number       uint64 // in the order in which works were read
	slot         bool   // it holds a slot, or has lent it
	waiting      int    // the Calls that its handler waits in
	waits        int    // how often it has begun to wait
	stalled      bool   // the note has waited for stallTime: calls may overtake those behind it
	wantsRoom    bool   // it waits for room in the outbound queue
	aside        bool   // the note's handler goes on beside what comes after it
	over         bool   // its handler has returned
	cancelled    bool   // its caller has taken it back
	answered     bool   // its reply is queued, or will never be
	older, newer *work  // open calls of the same id
}

// struckOut reports whether w is in the inbox in vain.
func (w *work) struckOut() bool { return w.answered }

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
	err := error(internalError("the handler ended its goroutine", "runtime.Goexit"))
	reply := &message.Response{Error: remoteError(err)}
	defer func() {
		if c.set.CrashOnPanic {
			if v := recover(); v != nil {
				panic(v) // before anybody is told that the call was answered
			}
		}
		c.finish(w, reply, err)
	}()
	reply, err = c.invoke(w)
}

// invoke calls the handler and makes the reply, and turns a panic of either into one.
func (c *Conn) invoke(w *work) (reply *message.Response, err error) {
	if !c.set.CrashOnPanic {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			c.log.Error("panic in a handler", "method", w.req.Method, "id", w.req.ID.String(),
				"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			failed := internalError(fmt.Sprintf("panic: %v", v), fmt.Sprintf("%T", v))
			reply, err = &message.Response{Error: failed}, failed
		}()
	}
	if w.value != nil {
		w.value(progressValue(&c.set.dialect.Progress, w.req.Params))
		return nil, nil
	}
	result, err := c.handler(w.ctx, w.req.Method, w.req.Params)
	if w.req.IsNote() {
		return nil, err
	}
	return c.reply(w, result, err), err
}

// reply is what a handler's result or error becomes. It is made without the lock.
func (c *Conn) reply(w *work, result any, err error) *message.Response {
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

// finish answers a call, ends a note, and lets what waited for it begin.
func (c *Conn) finish(w *work, reply *message.Response, err error) {
	w.end()
	c.mu.Lock()
	defer c.unlock()
	s := &c.state
	s.handlers--
	s.move()
	w.over = true
	if w.waiting > 0 {
		s.parked-- // what it has left behind in a Call is a handler no more
	} else if w.slot {
		s.slots--
		s.freed = time.Now()
	}
	if w.req.IsNote() {
		s.pass(w)
		if w.aside {
			s.aside--
		}
		if err != nil {
			s.stats.Dropped++
			s.after = append(s.after, func() {
				c.log.Log(context.Background(), slog.LevelDebug, "note dropped", "method", w.req.Method, "error", err)
			})
		}
	} else {
		s.answer(w, reply)
	}
	c.beginLocked()
	s.ring()
}

// pass lets what is behind a note begin.
func (s *state) pass(w *work) {
	if s.note == w {
		s.note = nil
		s.notesDone++
	}
}

// answer queues the reply to w, alone or with those of its batch, unless it is
// answered or its cancellation forbids one.
func (s *state) answer(w *work, reply *message.Response) {
	if w.answered {
		return
	}
	w.answered = true
	s.removeOpen(w)
	silent := w.cancelled && !s.set.dialect.Cancel.Answered
	reply.ID = w.req.ID
	switch {
	case w.group != nil:
		if !silent {
			w.group.replies = append(w.group.replies, reply)
		}
		s.leaveGroup(w.group)
	case !silent:
		s.pushReply(reply)
	}
	if trace := s.set.trace.Call; trace != nil {
		end := CallEnd{Dir: Inbound, ID: w.req.ID, Method: w.req.Method, Took: time.Since(w.began)}
		if reply.Error != nil {
			end.Err = reply.Error
		}
		s.after = append(s.after, func() { trace(end) })
	}
}

// answerOpen answers every call that is open when the connection ends, and forgets the
// notes that have not begun.
func (c *Conn) answerOpen() {
	c.mu.Lock()
	defer c.unlock()
	s := &c.state
	for _, w := range s.open {
		for w != nil {
			older := w.older
			s.answer(w, &message.Response{Error: errShutdown})
			w = older
		}
	}
	s.inbox = inbox{}
}

// park notes that the handler of w waits in a Call: it lends its slot, and the calls
// behind a note may begin.
func (c *Conn) park(w *work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.waiting++
	if w.waiting > 1 || w.over {
		return
	}
	s := &c.state
	s.parked++
	w.waits++
	if w.slot {
		s.slots--
		s.freed = time.Now()
	} else {
		this := w.waits
		time.AfterFunc(stallTime, func() { c.stalled(w, this) })
	}
	c.beginLocked()
	s.ring()
}

// stalled lets calls overtake the notes behind w, if its handler still waits in the same
// Call.
func (c *Conn) stalled(w *work, wait int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.waiting > 0 && w.waits == wait && !w.over {
		w.stalled = true
		c.beginLocked()
	}
}

// unpark takes the slot back. It does not wait for one, because what holds the slots may
// wait for what this handler holds: so while replies come in, more handlers than slots
// may run.
func (c *Conn) unpark(w *work) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.waiting--
	if w.waiting > 0 || w.over {
		return
	}
	c.state.parked--
	w.stalled = false
	if w.slot {
		c.state.slots++
	}
}

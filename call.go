package parley

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/parley-rpc/parley/message"
)

// Call calls method on the other side and decodes the result into result, which may
// be nil to drop it, or a *[message.Raw] to have its exact bytes. Params are encoded
// as JSON; a [message.Raw] is written verbatim, and nil leaves the member out.
//
// An error reply is returned as a *[message.Error], to be matched with errors.Is and
// errors.As. When ctx ends first, the call is taken back in the words of the dialect
// and Call returns at once; a reply that comes later is counted and dropped. Without
// a deadline in ctx there is none.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	p := c.start(ctx, method, params)
	err := p.Wait(ctx, result)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		p.end(ctx.Err())
	}
	return err
}

// Start is Call without the waiting: it returns when the call is queued to be
// written. Calls get their ids, and reach the other side, in the order of Start.
// When ctx ends before the reply the call is taken back.
func (c *Conn) Start(ctx context.Context, method string, params any) *Pending {
	p := c.start(ctx, method, params)
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() { p.end(ctx.Err()) })
		p.onSettled(func() { stop() })
	}
	return p
}

// Notify sends a note, which nobody answers. It returns when the note is queued,
// which may be before it is written; it waits while the outbound queue is full.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	req, err := c.request(ctx, method, params, true)
	if err == nil {
		err = c.post(ctx, func(s *state) error {
			rec, err := s.set.codec.Append(nil, req)
			if err == nil {
				s.push(&outgoing{rec: rec})
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("parley: note %q: %w", method, err)
	}
	return nil
}

// request is the envelope of a call or a note, with what ctx correlates it with. A call
// gets its id later.
func (c *Conn) request(ctx context.Context, method string, params any, note bool) (*message.Request, error) {
	raw, err := encodeParams(params)
	if err != nil {
		return nil, err
	}
	req := &message.Request{Method: method, Params: raw}
	c.set.correlate(ctx, req, note)
	return req, nil
}

// encodeParams leaves nil params out.
func encodeParams(params any) (message.Raw, error) {
	if params == nil {
		return nil, nil
	}
	if raw, ok := params.(message.Raw); ok {
		return raw, nil
	}
	return message.Encode(params)
}

// Pending is a call of ours that is on its way. It is settled once: by its reply, by
// the end of its ctx, by Cancel, or by the end of the connection.
type Pending struct {
	conn   *Conn
	id     message.ID
	method string
	began  time.Time
	done   chan struct{} // closed when settled

	// Under conn.mu until done is closed.
	settled  bool
	reply    *message.Response
	err      error
	after    uint64    // the notes that came before the reply
	out      *outgoing // its record
	progress func(message.Raw)
	alone    bool     // it does not wait for the notes before its reply
	then     []func() // called once when settled, without the lock
}

// start makes a call and queues its record. A call that cannot be made is returned
// settled.
func (c *Conn) start(ctx context.Context, method string, params any) *Pending {
	p := c.newPending(ctx, method)
	req, err := c.request(ctx, method, params, false)
	if err != nil {
		err = fmt.Errorf("params: %w", err)
	} else {
		err = c.post(ctx, func(s *state) error { return s.register(p, req) })
	}
	if err != nil {
		p.settled, p.err = true, err
		close(p.done)
	}
	return p
}

func (c *Conn) newPending(ctx context.Context, method string) *Pending {
	p := &Pending{
		conn: c, method: method, done: make(chan struct{}),
		progress: progressFrom(ctx), alone: !inOrder(ctx),
	}
	if c.set.trace.Call != nil {
		p.began = time.Now()
	}
	return p
}

// register gives the call the next id and queues its record.
func (s *state) register(p *Pending, req *message.Request) error {
	if err := s.mayCall(); err != nil {
		return err
	}
	if err := s.number(p, req, s.lastID+1); err != nil {
		return err
	}
	rec, err := s.set.codec.Append(nil, req)
	if err != nil {
		return err
	}
	p.out = &outgoing{rec: rec, calls: []*Pending{p}}
	s.add(p)
	s.push(p.out)
	return nil
}

// mayCall says why no call can be made any more: nobody would read the reply.
func (s *state) mayCall() error {
	if s.inputErr != nil || s.closing {
		return closed(s.inputErr)
	}
	return nil
}

// number gives a call its id. If progress is wanted and the dialect wants to be asked
// for it, the token is the id.
func (s *state) number(p *Pending, req *message.Request, id int64) error {
	req.ID = s.set.dialect.CallID(id)
	if ask := s.set.dialect.Progress.Ask; p.progress != nil && len(ask) > 0 {
		var err error
		if req.Params, err = req.Params.Set(message.Raw(req.ID.String()), ask...); err != nil {
			return fmt.Errorf("no place for a progress token: %w", err)
		}
	}
	return nil
}

// add uses the next id up.
func (s *state) add(p *Pending) {
	s.lastID++
	p.id = s.set.dialect.CallID(s.lastID)
	s.calls[p.id] = p
}

// post runs queue when there is room in the outbound queue. It does so under the
// lock, so that ids and records are in one order.
func (c *Conn) post(ctx context.Context, queue func(*state) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	for {
		if s.outputErr != nil {
			return closed(either(s.inputErr, s.outputErr))
		}
		if s.outClosed || s.closing && !c.handles(ctx) {
			return closed(s.inputErr)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !s.outFull() {
			return queue(s)
		}
		if err := c.waitForRoomLocked(ctx); err != nil {
			return fmt.Errorf("the outbound queue is full: %w", err)
		}
	}
}

// handles reports whether ctx is that of a handler of this connection.
func (c *Conn) handles(ctx context.Context) bool {
	w := workFrom(ctx)
	return w != nil && w.conn == c
}

// waitForRoomLocked waits for the next change. While the handler of a note does so, the
// reader knows: the other side may want to be read before it reads.
func (c *Conn) waitForRoomLocked(ctx context.Context) error {
	if w := workFrom(ctx); w != nil && w == c.state.note {
		w.wantsRoom = true
		defer func() { w.wantsRoom = false }()
		c.state.ring()
	}
	return c.sleepLocked(ctx)
}

// ID is the id of the call, unique on this connection and in the order of Start. It
// is absent if the call could not be made.
func (p *Pending) ID() message.ID { return p.id }

// Wait waits for the reply, at most until ctx ends, and decodes the result like
// Call. The end of this ctx ends the waiting, not the call.
func (p *Pending) Wait(ctx context.Context, result any) error {
	if err := p.await(ctx); err != nil {
		return err
	}
	switch {
	case p.err != nil:
		return p.fail(p.err)
	case p.reply.Error != nil:
		return p.reply.Error
	case result == nil:
		return nil
	}
	if raw, ok := result.(*message.Raw); ok {
		*raw = p.reply.Result
		return nil
	}
	if err := p.reply.Result.Decode(result); err != nil {
		return p.fail(fmt.Errorf("the result does not fit %T: %w", result, err))
	}
	return nil
}

// await blocks until the call is settled and, outside handlers, until the notes
// before its reply are handled (rule 4). A handler that waits here lends its slot,
// and lets the calls behind a note begin (rule 3).
func (p *Pending) await(ctx context.Context) error {
	w := workFrom(ctx)
	select {
	case <-p.done:
	default:
		if w != nil {
			w.conn.park(w)
			defer w.conn.unpark(w)
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			return p.fail(ctx.Err())
		}
	}
	if p.reply == nil || !inOrder(ctx) {
		return nil
	}
	err := p.conn.await(ctx, func(s *state) bool { return s.notesDone >= p.after || s.closing })
	if err != nil {
		return p.fail(fmt.Errorf("the reply is here, but the handler of a note before it still runs: %w", err))
	}
	return nil
}

// fail says which call failed.
func (p *Pending) fail(err error) error {
	if p.id.IsZero() {
		return fmt.Errorf("parley: call %q: %w", p.method, err)
	}
	return fmt.Errorf("parley: call %q (id %s): %w", p.method, p.id, err)
}

// Cancel takes the call back: its Wait returns context.Canceled, the other side is
// told in the words of the dialect, and a reply that comes later is dropped. A call
// that is settled, or not yet written, needs no word.
func (p *Pending) Cancel() { p.end(context.Canceled) }

// OnProgress calls fn with each progress value that the other side reports on this
// call, one at a time and in the order of notes, all before Wait returns. Values
// that came earlier, or that come without an fn, go to the handler as notes. Set it
// before the call with [OnProgress] where none may be missed.
func (p *Pending) OnProgress(fn func(value message.Raw)) {
	p.conn.mu.Lock()
	defer p.conn.mu.Unlock()
	p.progress = fn
}

// onSettled calls fn once when the call is settled, or now if it is.
func (p *Pending) onSettled(fn func()) {
	p.conn.mu.Lock()
	settled := p.settled
	if !settled {
		p.then = append(p.then, fn)
	}
	p.conn.mu.Unlock()
	if settled {
		fn()
	}
}

// end settles the call from our side, and tells the other side if it knows of it.
func (p *Pending) end(why error) {
	p.conn.mu.Lock()
	defer p.conn.unlock()
	if !p.settled {
		p.conn.state.takeBack(p.out, why)
	}
}

// takeBack ends the calls that a record makes. If it is not written yet, and nothing
// else is in it, it never will be.
func (s *state) takeBack(o *outgoing, why error) {
	open, notes := 0, false
	for _, p := range o.calls {
		notes = notes || p == nil
		if p != nil && !p.settled {
			open++
		}
	}
	withdrawn := open == len(o.calls) && !notes && s.withdraw(o)
	for _, p := range o.calls {
		if p != nil && !p.settled && !withdrawn {
			s.sendCancel(p.id)
		}
		s.settle(p, nil, why)
	}
}

// sendCancel queues the dialect's cancellation of a call. It takes no room: there
// is at most one for each call that had some.
func (s *state) sendCancel(id message.ID) {
	cancel := s.set.dialect.Cancel
	if cancel.Method == "" || s.inputErr != nil {
		return
	}
	params, err := message.Raw(nil).Set(message.Raw(id.String()), cancel.Member)
	if err != nil {
		return
	}
	if rec, err := s.set.codec.Append(nil, &message.Request{Method: cancel.Method, Params: params}); err == nil {
		s.push(&outgoing{rec: rec})
	}
}

// settle ends a call with its reply or an error, unless it has ended. A nil p is a note
// of a batch, which nothing can happen to.
func (s *state) settle(p *Pending, reply *message.Response, err error) {
	if p == nil || p.settled {
		return
	}
	delete(s.calls, p.id)
	p.settled, p.reply, p.err, p.after = true, reply, err, s.notesRead
	close(p.done)
	s.ring()
	s.after = append(s.after, p.then...)
	if trace := s.set.trace.Call; trace != nil {
		end := CallEnd{Dir: Outbound, ID: p.id, Method: p.method, Took: time.Since(p.began), Err: err}
		if reply != nil && reply.Error != nil {
			end.Err = reply.Error
		}
		s.after = append(s.after, func() { trace(end) })
	}
}

// failCalls settles the calls that match with an error; nil matches all. Their hooks run
// on a goroutine of their own, since a hook may call Close, which waits for us.
func (c *Conn) failCalls(err error, match func(*Pending) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	for _, p := range s.calls {
		if match != nil && !match(p) {
			continue
		}
		s.settle(p, nil, err)
		if len(p.out.calls) == 1 {
			s.withdraw(p.out)
		}
	}
	after := s.after
	s.after = nil
	if len(after) > 0 {
		c.hooks.Go(func() {
			for _, fn := range after {
				fn()
			}
		})
	}
}

package parley

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A Conn is the live end of a stream: a peer that calls, notes and answers. Its
// methods may be called at once from many goroutines.
type Conn struct {
	stream  frame.Stream
	handler Handler
	set     settings
	log     *slog.Logger

	ctx    context.Context // of every handler; ends with the connection
	cancel context.CancelCauseFunc

	mu    sync.Mutex // held for moments only: never over I/O, never over foreign code
	state state

	reading sync.WaitGroup // the reader
	writing sync.WaitGroup // the writer
	hooks   sync.WaitGroup // what failCalls has to tell
	done    chan struct{}  // closed by live when all is over
	err     error          // what Wait returns; set before done is closed
	closeBy error          // what Close returns; likewise
}

// Connect begins to read stream and returns the connection. What the other side
// asks goes to handler; with a nil handler every call is answered -32601.
//
// The stream belongs to the connection from now on and is closed with it. Connect
// starts three goroutines, which end with the connection.
func Connect(stream frame.Stream, handler Handler, opts *Options) *Conn {
	if handler == nil {
		handler = new(Mux).Handle
	}
	c := &Conn{stream: stream, handler: handler, set: opts.settings(), done: make(chan struct{})}
	c.log = c.set.Logger
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	c.state = state{
		set:   &c.set,
		calls: make(map[message.ID]*Pending),
		open:  make(map[message.ID]*work),
		freed: time.Now(),
	}
	c.reading.Go(c.readLoop)
	c.writing.Go(c.writeLoop)
	go c.live()
	return c
}

// Serve answers what arrives on stream with handler until the input ends and every
// answer is written; two buffers in memory will do for a stream. It returns nil
// then, [ErrDrain] if the open calls made no progress, the error that ended the
// connection, or how ctx ended.
func Serve(ctx context.Context, stream frame.Stream, handler Handler, opts *Options) error {
	c := Connect(stream, handler, opts)
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return errors.Join(ctx.Err(), c.Close())
	}
}

// Done is closed when the connection has ended: nothing is read, handled or written
// any more.
func (c *Conn) Done() <-chan struct{} { return c.done }

// ended reports whether the connection has ended.
func (c *Conn) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Wait blocks until the connection has ended and returns why: nil when the input
// ended and all was answered, or when Close ended it.
func (c *Conn) Wait() error {
	<-c.done
	return c.err
}

// Close ends the connection. Calls of ours that have no reply fail with
// [ErrClosed], the ctx of each handler ends, and what the handlers still return
// within [Options.CloseTimeout] is written; calls that are open then are answered
// -32603 "shutting down". After that the stream is closed whatever it is doing.
// Close returns what closing the stream returned, or that handlers ignore their
// ctx. From inside a handler use go c.Close(), or it waits for its own handler. Closing
// the stream takes as long as that takes: for a child, the steps of its shutdown.
func (c *Conn) Close() error {
	c.mu.Lock()
	c.state.closing = true
	c.state.ring()
	c.mu.Unlock()
	<-c.done
	return c.closeBy
}

// Flush blocks until everything that was queued before it is written.
func (c *Conn) Flush(ctx context.Context) error {
	c.mu.Lock()
	upTo := c.state.queued
	c.mu.Unlock()
	err := c.await(ctx, func(s *state) bool { return s.flushedTo(upTo) })
	if err != nil {
		return fmt.Errorf("parley: flush: the other side does not read: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.outputErr != nil {
		return closed(c.state.outputErr)
	}
	return nil
}

// Stats returns the counts so far.
func (c *Conn) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.stats
}

// live sees a connection through to its end:
//
//	input ends ──> drain ──┐
//	output breaks ─────────┼──> calls of ours fail ──> handlers end ──> queue written ──> stream closed
//	Close ─────────────────┘
func (c *Conn) live() {
	why := c.awaitEnd()
	c.tearDown(why)
	close(c.done)
	// The hooks come last, and may call Close.
	c.hooks.Wait()
	if c.set.trace.End != nil {
		c.set.trace.End(c.err)
	}
}

// awaitEnd returns when the connection is to end, and why: nil for our own Close.
func (c *Conn) awaitEnd() error {
	over := func(s *state) bool { return s.inputErr != nil || s.closing }
	_ = c.await(c.ctx, func(s *state) bool { return over(s) || s.outputErr != nil })
	if broken := c.ends().outputErr; broken != nil {
		// Whoever does not read may have died, and the reader learns why: how the
		// child exited. An answer that it wrote before is still read.
		_ = c.awaitFor(time.Second, over)
		c.failCalls(closed(either(c.ends().inputErr, broken)), func(p *Pending) bool { return !p.out.written })
		_ = c.await(c.ctx, func(s *state) bool { return over(s) || len(s.calls) == 0 })
	}
	switch s := c.ends(); {
	case s.closing:
		return nil
	case s.inputErr != nil:
		c.failCalls(closed(s.inputErr), nil)
		if errors.Is(s.inputErr, ErrOverload) {
			return s.inputErr
		}
		if err := c.drain(); err != nil {
			return err
		}
		if s.inputErr != io.EOF { // A child's exit status is an EOF too, and worth telling.
			return closed(s.inputErr)
		}
		if broken := c.ends().outputErr; broken != nil { // by now
			return closed(broken)
		}
		return nil
	default:
		return closed(s.outputErr)
	}
}

// ends returns how the ends of the connection stand.
func (c *Conn) ends() (s struct {
	inputErr, outputErr error
	closing             bool
},
) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.inputErr, s.outputErr, s.closing = c.state.inputErr, c.state.outputErr, c.state.closing
	return s
}

// drain waits until all that was read is answered and written. It gives up when
// nothing has moved for Options.Drain.
func (c *Conn) drain() error {
	for {
		before := c.progress()
		err := c.awaitFor(c.set.Drain, func(s *state) bool {
			return s.idle() || s.closing || s.moved != before.moved
		})
		c.mu.Lock()
		over := c.state.idle() || c.state.closing
		c.mu.Unlock()
		switch {
		case over:
			return nil
		case err != nil && c.progress() == before:
			return ErrDrain
		}
	}
}

// progress is what a drain watches.
type progress struct {
	moved uint64
	bytes int64
}

func (c *Conn) progress() progress {
	var p progress
	if counted, ok := c.stream.(frame.Counter); ok {
		p.bytes = counted.Written()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p.moved = c.state.moved
	return p
}

// tearDown ends what is left of the connection, within bounded time.
func (c *Conn) tearDown(why error) {
	c.mu.Lock()
	c.state.closing = true
	c.state.ring()
	c.mu.Unlock()
	c.failCalls(closed(why), nil)
	c.cancel(closed(why))
	if !errors.Is(why, ErrDrain) {
		_ = c.awaitFor(c.set.CloseTimeout, func(s *state) bool { return s.handlers == 0 && s.flushed() })
	}
	c.answerOpen()
	_ = c.awaitFor(c.set.CloseTimeout/4, (*state).flushed)

	c.mu.Lock()
	c.state.outClosed = true
	c.state.ring()
	c.mu.Unlock()
	c.closeBy = c.stream.Close()
	c.leave(&c.reading)
	c.leave(&c.writing)
	c.dropOutput()
	_ = c.awaitFor(c.set.CloseTimeout/4, func(s *state) bool { return s.handlers == 0 })
	c.mu.Lock()
	if n := c.state.handlers; n > 0 {
		c.closeBy = errors.Join(c.closeBy, fmt.Errorf("parley: %d handlers still run although their ctx has ended", n))
	}
	c.mu.Unlock()
	c.err = why
}

// dropOutput lets go of what will not be written any more, so that nobody waits for it.
func (c *Conn) dropOutput() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.state.flushed() {
		c.state.breakOutput(ErrClosed)
	}
}

// leave waits for a goroutine that the closed stream lets go, but not for ever: a
// read of a terminal cannot be interrupted.
func (c *Conn) leave(loop *sync.WaitGroup) {
	left := make(chan struct{})
	go func() {
		loop.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(c.set.CloseTimeout / 4):
	}
}

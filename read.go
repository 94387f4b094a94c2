package parley

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// readLoop reads records until the input ends. It never waits for a handler, so
// that a reply or a cancellation behind any number of requests is seen (rules 1 and
// 5); it does pause while the backlog is full.
//
//	record ─ parse ─┬─ reply ─────── settles a call of ours
//	                ├─ call, note ── inbox ── begin ── run
//	                ├─ cancel ────── ends the ctx of an open call
//	                └─ refused ───── answered -32700 or -32600, or counted
func (c *Conn) readLoop() {
	for c.waitToRead() {
		rec, err := c.stream.ReadRecord()
		var skip *frame.SkipError
		switch {
		case errors.As(err, &skip):
			c.skipped(skip)
		case err != nil:
			c.endInput(err)
			return
		default:
			c.receive(rec)
		}
	}
	c.endInput(ErrClosed)
}

// waitToRead blocks while reading has to pause, and reports whether to read on.
func (c *Conn) waitToRead() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.state.closing && c.state.inputErr == nil {
		wait, atMost := c.state.pause(time.Now())
		if !wait {
			return true
		}
		ctx, cancel := context.Background(), func() {}
		if atMost > 0 {
			ctx, cancel = context.WithTimeout(ctx, atMost)
		}
		_ = c.sleepLocked(ctx)
		cancel()
	}
	return false
}

// endInput notes why nothing more is read. An overload is noted before it ends the
// loop, and stays.
func (c *Conn) endInput(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.state.inputErr == nil {
		if c.state.closing {
			err = ErrClosed
		}
		c.state.inputErr = err
	}
	c.state.ring()
}

// receive routes one record.
func (c *Conn) receive(rec []byte) {
	if trace := c.set.trace.Record; trace != nil {
		trace(Inbound, rec)
	}
	msg, err := c.set.codec.Parse(rec)
	if err != nil {
		c.refuse(asParseError(err))
		return
	}
	switch msg := msg.(type) {
	case *message.Response:
		c.receiveReply(msg)
	case *message.Request:
		c.receiveRequest(msg, int64(len(rec)))
	case message.Batch:
		c.receiveBatch(msg, int64(len(rec)))
	}
}

// asParseError lets a codec return any error: it is then one that no id is known of.
func asParseError(err error) *message.ParseError {
	if bad, ok := errors.AsType[*message.ParseError](err); ok {
		return bad
	}
	return &message.ParseError{Err: message.ParseFailed, Reason: err.Error()}
}

// receiveReply settles the call that a reply is for.
func (c *Conn) receiveReply(reply *message.Response) {
	c.mu.Lock()
	p, exact := c.state.find(reply.ID)
	settled, late := func() {}, false
	if p != nil {
		settled = c.state.settle(p, reply, nil)
	} else {
		late = c.state.countOrphan(reply.ID)
	}
	c.mu.Unlock()
	settled()
	id := reply.ID.String()
	switch {
	case late:
		// Nothing is wrong: LSP and ACP answer the calls that we took back.
		c.note(slog.LevelDebug, "late answer", "id", id, "error", replyError(reply))
	case p == nil:
		c.note(slog.LevelWarn, "answer to nothing", "id", id, "error", replyError(reply))
	case !exact:
		c.note(slog.LevelWarn, "answer whose id has another type or form than ours",
			"id", id, "ours", p.id.String(), "method", p.method)
	}
}

func replyError(reply *message.Response) string {
	if reply.Error == nil {
		return ""
	}
	return reply.Error.Error()
}

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
		if p := s.calls[message.IntID(n)]; p != nil {
			s.stats.Inexact++
			return p, false
		}
	}
	return nil, false
}

// countOrphan counts a reply that settles nothing, and reports whether it is late: we
// had a call with its id.
func (s *state) countOrphan(id message.ID) (late bool) {
	if n, ok := id.Integer(); ok && n > 0 && n <= s.lastID && s.calls[message.IntID(n)] == nil {
		s.stats.Late++
		return true
	}
	s.stats.Orphans++
	return false
}

// refuse deals with a record that is no message: it is answered, fails a call of
// ours, or is only counted.
func (c *Conn) refuse(bad *message.ParseError) {
	c.note(slog.LevelWarn, "bad record", "reason", bad.Reason, "offset", bad.Offset, "kind", bad.Kind.String(),
		"code", int64(bad.Err.Code), "id", bad.ID.String())
	c.mu.Lock()
	c.state.stats.Refused++
	var settled func()
	switch bad.Kind {
	case message.KindReply:
		if p, _ := c.state.find(bad.ID); p != nil {
			settled = c.state.settle(p, nil, bad)
		} else {
			c.state.countOrphan(bad.ID)
		}
	case message.KindHybrid:
		c.state.stats.Hybrids++
	case message.KindNote:
	default:
		if c.set.dialect.BadInput == AnswerBadInput && c.roomToRefuseLocked() {
			c.state.pushReply(c.state.refusal(bad))
		}
	}
	c.mu.Unlock()
	if settled != nil {
		settled()
	}
}

// roomToRefuseLocked waits until a refusal has room in the outbound queue, and so
// pauses the reading. If a call of ours waits for a reply, which may be behind, it does
// not wait: a refusal that finds no room then ends the connection.
func (c *Conn) roomToRefuseLocked() bool {
	s := &c.state
	for s.outFull() && s.outputErr == nil && !s.closing {
		if len(s.calls) > 0 {
			s.inputErr = ErrOverload
			return false
		}
		_ = c.sleepLocked(context.Background())
	}
	return true
}

// refusal is the reply to a record that was refused.
func (s *state) refusal(bad *message.ParseError) *message.Response {
	reply := bad.Reply()
	if s.set.StrictID {
		reply.ID = message.NullID
	}
	return reply
}

// skipped deals with a record that the stream could not deliver. What is known of
// it is its first bytes, which mostly say whose call it fails.
func (c *Conn) skipped(skip *frame.SkipError) {
	bad := &message.ParseError{Err: message.ParseFailed, Reason: skip.Error()}
	if errors.Is(skip, frame.ErrTooLong) {
		bad.Kind, bad.ID = message.Peek(skip.Head)
		bad.Err = limitError(message.InvalidRequest, "record bytes", skip.Limit)
		bad.Reason = fmt.Sprintf("a record of %d bytes is over the limit of %d", skip.Size, skip.Limit)
	}
	c.mu.Lock()
	c.state.stats.Skipped++
	c.mu.Unlock()
	c.refuse(bad)
}

// note logs what a peer notices, with the place of the record in the stream.
func (c *Conn) note(level slog.Level, msg string, attrs ...any) {
	ctx := context.Background()
	if !c.log.Enabled(ctx, level) {
		return
	}
	if at, ok := c.stream.(frame.Positioner); ok {
		pos := at.Pos()
		attrs = append(attrs, "record", pos.Record)
		if pos.Line > 0 { // only lines have numbers
			attrs = append(attrs, "line", pos.Line)
		}
	}
	c.log.Log(ctx, level, msg, attrs...)
}

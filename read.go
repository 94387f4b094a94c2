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
		c.napLocked(atMost)
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
		c.receiveRequest(msg, len(rec))
	case message.Batch:
		c.receiveBatch(msg)
	}
}

// asParseError lets a codec return any error: it is then one that no id is known of.
func asParseError(err error) *message.ParseError {
	bad, ok := errors.AsType[*message.ParseError](err)
	switch {
	case !ok:
		return &message.ParseError{Err: message.ParseFailed, Reason: err.Error()}
	case bad.Err == nil:
		filled := *bad
		filled.Err = message.InvalidRequest
		return &filled
	}
	return bad
}

// receiveReply settles the call that a reply is for.
func (c *Conn) receiveReply(reply *message.Response) {
	c.mu.Lock()
	c.settleLocked(reply)
	c.unlock()
}

// settleLocked settles the call that a reply is for, and logs one that is for none.
func (c *Conn) settleLocked(reply *message.Response) {
	s := &c.state
	p, exact := s.find(reply.ID)
	switch {
	case p != nil:
		s.settle(p, reply, nil)
		if !exact {
			c.noteLocked(slog.LevelWarn, "answer whose id has another type or form than ours",
				"id", reply.ID.String(), "ours", p.id.String(), "method", p.method)
		}
	case s.countOrphan(reply.ID):
		// Nothing is wrong: LSP and ACP answer the calls that we took back.
		c.noteLocked(slog.LevelDebug, "late answer", "id", reply.ID.String(), "error", replyError(reply))
	default:
		c.noteLocked(slog.LevelWarn, "answer to nothing", "id", reply.ID.String(), "error", replyError(reply))
	}
}

func replyError(reply *message.Response) string {
	if reply.Error == nil {
		return ""
	}
	return reply.Error.Error()
}

// countOrphan counts a reply that settles nothing, and reports whether it is late: we
// had a call with its id.
func (s *state) countOrphan(id message.ID) (late bool) {
	if n, ok := id.Integer(); ok && n > 0 && n <= s.lastID && s.calls[s.set.dialect.CallID(n)] == nil {
		s.stats.Late++
		return true
	}
	s.stats.Orphans++
	return false
}

// refuse deals with a record that is no message: it is answered, fails a call of
// ours, or is only counted.
func (c *Conn) refuse(bad *message.ParseError) {
	c.mu.Lock()
	answer := c.refuseLocked(bad)
	c.unlock() // so that the log has it before the other side does
	if answer == nil {
		return
	}
	c.mu.Lock()
	defer c.unlock()
	if c.waitForRoomToAnswerLocked() {
		c.state.pushReply(answer)
	}
}

// refuseLocked counts and logs a record, or a member of a batch, that is no message, and
// fails the call that it is for. It returns the answer to it, if there is to be one.
func (c *Conn) refuseLocked(bad *message.ParseError) *message.Response {
	s := &c.state
	s.stats.Refused++
	c.noteLocked(slog.LevelWarn, "bad record", "reason", bad.Reason, "offset", bad.Offset, "kind", bad.Kind.String(),
		"code", int64(bad.Err.Code), "id", bad.ID.String())
	switch {
	case bad.Kind == message.KindReply:
		if p, _ := s.find(bad.ID); p != nil {
			s.settle(p, nil, bad)
		} else {
			s.countOrphan(bad.ID)
		}
	case bad.Kind == message.KindHybrid:
		s.stats.Hybrids++
	case bad.Answerable() && c.set.dialect.BadInput == AnswerBadInput:
		reply := bad.Reply()
		if c.set.StrictID {
			reply.ID = message.NullID
		}
		return reply
	}
	return nil
}

// waitForRoomToAnswerLocked waits until an answer of the reader itself, such as a
// refusal, has room in the outbound queue, and so pauses the reading. If a call of ours
// waits for a reply, which may be behind, it gives up once nothing has left for
// stallTime, and ends the connection.
func (c *Conn) waitForRoomToAnswerLocked() bool {
	s, began := &c.state, time.Now()
	for s.outFull() && s.outputErr == nil && !s.closing {
		if len(s.calls) == 0 {
			c.napLocked(0)
			continue
		}
		last := began
		if s.movedAt.After(last) {
			last = s.movedAt
		}
		left := stallTime - time.Since(last)
		if left <= 0 {
			s.inputErr = ErrOverload
			return false
		}
		c.napLocked(left)
	}
	return true
}

// skipped deals with a record that the stream could not deliver. What is known of
// it is its first bytes, which mostly say whose call it fails.
func (c *Conn) skipped(skip *frame.SkipError) {
	bad := &message.ParseError{Err: message.ParseFailed, Reason: skip.Error()}
	if errors.Is(skip, frame.ErrTooLong) {
		bad.Kind, bad.ID = message.PeekWith(c.set.codec, skip.Head)
		bad.Err = limitError(message.InvalidRequest, "record bytes", skip.Limit)
		bad.Reason = fmt.Sprintf("a record of %d bytes is over the limit of %d", skip.Size, skip.Limit)
	}
	c.mu.Lock()
	c.state.stats.Skipped++
	c.mu.Unlock()
	c.refuse(bad)
}

// noteLocked logs what a peer notices, with the place of the record in the stream, once
// the lock is given up. Only the reader calls it.
func (c *Conn) noteLocked(level slog.Level, msg string, attrs ...any) {
	if at, ok := c.stream.(frame.Positioner); ok {
		pos := at.Pos()
		attrs = append(attrs, "record", pos.Record)
		if pos.Line > 0 { // only lines have numbers
			attrs = append(attrs, "line", pos.Line)
		}
	}
	c.state.after = append(c.state.after, func() { c.log.Log(context.Background(), level, msg, attrs...) })
}

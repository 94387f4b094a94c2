package parley

import (
	"context"
	"errors"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// writeChunk is how many bytes of queued records go into one write, unless one
// record is longer. Records beyond it can still be withdrawn. With their marks they fit
// the 64 KiB that a stream hands over at once.
const writeChunk = 48 << 10

// writeLoop writes what is queued until the output has ended. It alone waits for a
// side that does not read; nothing else needs what it holds.
func (c *Conn) writeLoop() {
	var taken []*outgoing
	for {
		taken = c.take(taken[:0])
		if len(taken) == 0 {
			return
		}
		n, err := c.write(taken)
		c.wrote(taken, n, err)
	}
}

// take waits for records and takes the oldest of them. It returns none when the
// output is to end.
func (c *Conn) take(taken []*outgoing) []*outgoing {
	_ = c.await(context.Background(), func(s *state) bool {
		return s.outClosed || s.outputErr != nil || s.outbox.len() > 0
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	s := &c.state
	if s.outClosed || s.outputErr != nil {
		return taken
	}
	for size := 0; s.outbox.len() > 0; {
		o := s.outbox.front()
		if size += len(o.rec); size > writeChunk && len(taken) > 0 {
			break
		}
		o.taken = true
		taken = append(taken, s.outbox.pop())
	}
	s.inHand = taken[0].number
	return taken
}

// write writes records, in one go if the stream can, and returns how many have left.
func (c *Conn) write(taken []*outgoing) (n int, err error) {
	if trace := c.set.trace.Record; trace != nil {
		for _, o := range taken {
			trace(Outbound, o.rec)
		}
	}
	many, ok := c.stream.(frame.ManyWriter)
	if !ok {
		return c.writeEach(taken)
	}
	recs := make([]frame.Record, len(taken))
	for i, o := range taken {
		recs[i] = frame.Record{o.rec}
	}
	err = many.WriteRecords(context.Background(), recs)
	if _, refused := errors.AsType[*frame.RefusedError](err); refused {
		return c.writeEach(taken) // none of them is written yet
	}
	if err != nil {
		return 0, err
	}
	return len(taken), nil
}

// writeEach writes records one by one. A record that the framing cannot carry, such as
// one with a newline in a stream of lines, is put on one line; if it still cannot be
// carried it is no JSON, and costs only itself.
func (c *Conn) writeEach(taken []*outgoing) (n int, err error) {
	for n, o := range taken {
		err := c.stream.WriteRecord(o.rec)
		if _, refused := errors.AsType[*frame.RefusedError](err); refused {
			err = c.stream.WriteRecord(message.OneLine(nil, o.rec))
		}
		if refusal, refused := errors.AsType[*frame.RefusedError](err); refused {
			c.cannotWrite(o, refusal)
			continue
		}
		if err != nil {
			return n, err
		}
	}
	return len(taken), nil
}

// cannotWrite fails the calls that a record would have made, and answers with an error
// where it would have been a result.
func (c *Conn) cannotWrite(o *outgoing, why error) {
	c.log.Warn("a record of ours cannot be written", "reason", why.Error())
	c.mu.Lock()
	defer c.unlock()
	for _, p := range o.calls {
		c.state.settle(p, nil, why)
	}
	if o.reply != nil && o.reply.Error == nil {
		c.state.pushReply(&message.Response{ID: o.reply.ID, Error: remoteError(why)})
	}
}

// wrote settles the books after a write of which n records have left, and lets calls
// begin that waited for room.
func (c *Conn) wrote(taken []*outgoing, n int, err error) {
	c.mu.Lock()
	defer c.unlock()
	s := &c.state
	for _, o := range taken[:n] {
		s.outBytes -= int64(len(o.rec))
		o.rec, o.written = nil, true
	}
	if err != nil {
		s.breakOutput(err)
		return
	}
	s.inHand = 0
	s.move()
	c.beginLocked()
	s.ring()
}

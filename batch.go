package parley

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/message"
)

// An Item is one call or note of a batch that we send.
type Item struct {
	Method string
	Params any
	Note   bool
	Result any   // where the result is decoded to, as in Call
	Err    error // set by Batch: why this call failed, nil if it did not
}

// Batch sends the items as one record (JSON-RPC 2.0, section 6) and waits for the
// reply of each call among them, in whatever order and whatever records they come.
// Each Item's Err is set; Batch returns them joined. When ctx ends, the calls that
// are open are taken back. A batch of nothing is an error, since the other side
// would refuse it.
func (c *Conn) Batch(ctx context.Context, items ...*Item) error {
	if len(items) == 0 {
		return errors.New("parley: batch: it has no members, which JSON-RPC 2.0, section 6, forbids")
	}
	requests := make([]*message.Request, len(items))
	for i, item := range items {
		var err error
		if requests[i], err = c.request(ctx, item.Method, item.Params, item.Note); err != nil {
			return fmt.Errorf("parley: batch: params of member %d, %q: %w", i, item.Method, err)
		}
	}
	pending := make([]*Pending, len(items))
	for i, item := range items {
		if !item.Note {
			pending[i] = c.newPending(ctx, item.Method)
		}
	}
	err := c.post(ctx, func(s *state) error { return s.registerBatch(requests, pending) })
	if err != nil {
		err = fmt.Errorf("parley: batch: %w", err)
		for i, p := range pending {
			if p != nil {
				items[i].Err = err
			}
		}
		return err
	}
	errs := make([]error, len(items))
	for i, p := range pending {
		if p == nil {
			continue
		}
		err := p.Wait(ctx, items[i].Result)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			p.end(ctx.Err())
		}
		items[i].Err, errs[i] = err, err
	}
	return errors.Join(errs...)
}

// registerBatch gives each call its id and queues the record of all; a note has nil in
// the place of its call. No id is used if the record cannot be made.
func (s *state) registerBatch(requests []*message.Request, pending []*Pending) error {
	if err := s.mayCall(); err != nil {
		return err
	}
	batch := make(message.Batch, len(requests))
	next := s.lastID
	for i, req := range requests {
		batch[i] = req
		if pending[i] == nil {
			continue
		}
		next++
		if err := s.number(pending[i], req, next); err != nil {
			return err
		}
	}
	rec, err := s.set.codec.Append(nil, batch)
	if err != nil {
		return err
	}
	out := &outgoing{rec: rec, calls: pending}
	for _, p := range pending {
		if p != nil {
			p.out = out
			s.add(p)
		}
	}
	s.push(out)
	return nil
}

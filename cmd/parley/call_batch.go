package main

import (
	"context"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// readBatch reads all of --file. A batch goes as a whole or not at all, so that one
// bad line ends it; all of them are told first.
func (j *job) readBatch() ([]request, error) {
	var batch []request
	code := exitOK
	for r, err := range j.requests() {
		if err != nil {
			code = worst(code, j.app.report(err))
		}
		batch = append(batch, r)
	}
	switch {
	case code != exitOK:
		return nil, exited(code)
	case len(batch) == 0:
		return nil, usagef("the batch has no members, which JSON-RPC 2.0, section 6, forbids")
	}
	return batch, nil
}

// runBatch is --batch. The answers are printed in the order of the calls: they come
// together.
func (j *job) runBatch(ctx context.Context) error {
	batch, err := abandonable(ctx, j.readBatch)
	if err != nil {
		return err
	}
	c, err := j.connect(ctx, nil)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.greet(); err != nil {
		return j.told(err)
	}
	// On the wire the ids go on from those of a handshake. A person counts the calls of the
	// file from 1, as without --batch.
	items := make([]*parley.Item, len(batch))
	results := make([]message.Raw, len(batch))
	number := int64(0)
	for i, r := range batch {
		items[i] = &parley.Item{Method: r.method, Params: r.params, Note: r.note, Result: &results[i]}
		if !r.note {
			number++
			c.lastID++
			c.debts.owe(c.lastID, named(r.method, number))
		}
	}
	err = c.conn.Batch(c.ctx, items...)
	if err == nil {
		err = c.patient(c.conn.Flush)
	}
	return ended(j.printBatch(c, items, results, err))
}

// printBatch prints what was answered, tells what was not, and returns the exit code. What
// keeps one call from being answered keeps all that are open: it is told once, with the
// debts, and not once a call.
func (j *job) printBatch(c *client, items []*parley.Item, results []message.Raw, err error) exitCode {
	out := j.app.answers()
	var code exitCode
	var unserved *failure
	number := int64(0)
	var broken error
	for i, item := range items {
		if item.Note {
			continue
		}
		number++
		var fault *message.Error
		if item.Err != nil {
			f := c.failure(named(item.Method, number), item.Err)
			if fault = f.answer; fault == nil {
				unserved = f
				continue
			}
			code = worst(code, f.code)
		} else if toolFailed(item.Method, results[i]) {
			code = worst(code, exitAnswer)
		}
		if broken == nil {
			broken = out.add(number, results[i], fault)
		}
	}
	if broken == nil {
		broken = out.end()
	}
	// Without a call in it a batch is owed nothing, but it may still not have been sent.
	if unserved == nil && err != nil && code == exitOK {
		unserved = c.failure("batch", err)
	}
	if unserved != nil {
		code = worst(code, j.app.report(unserved))
	}
	return worst(code, j.app.report(broken))
}

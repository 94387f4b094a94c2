package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// childSection is the last section: calls from above again, with a real pipe in between.
func childSection(child spawn.Command) section {
	return section{
		part:   "The same calls, a real process",
		title:  "parley serve --reference as a child",
		lesson: "The calls from above once more, over the pipes of a child process. The answers must be the same.",
		speaks: parley.JSONRPC,
		run:    func(ctx context.Context, s *stage) error { return compareWithChild(ctx, s, child) },
	}
}

// tour is what the client does in memory and against the child: the scripts of the
// sections above, and those errors that need no broken line.
func tour(ctx context.Context, c *parley.Conn) error {
	for _, do := range []script{addTwo, failures, noted, addAndMultiply, reported, asked, inFlight} {
		if err := do(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// failures calls what cannot succeed. The other errors of the standard take a line that
// no client would send.
func failures(ctx context.Context, c *parley.Conn) error {
	missing := c.Call(ctx, "subtract", []int{8, 5}, nil)
	_, unfit := reference.Add.Call(ctx, c, operands(`"three"`, "5"))
	return errors.Join(
		claimError("subtract", missing, message.MethodNotFound),
		claimError("add of a text", unfit, message.InvalidParams))
}

// claimError compares how a call failed with what the section claims.
func claimError(call string, err error, claimed *message.Error) error {
	switch {
	case errors.Is(err, claimed):
		return nil
	case err == nil:
		return fmt.Errorf("%s succeeded, and did not fail with: %w", call, claimed)
	default:
		return fmt.Errorf("%s failed, but not with error %d: %w", call, claimed.Code, err)
	}
}

// inFlight has three calls under way at once, the longest first.
func inFlight(ctx context.Context, c *parley.Conn) error {
	naps := []int64{40, 20, 0}
	var calls []*parley.Pending
	for _, ms := range naps {
		calls = append(calls, reference.Sleep.Start(ctx, c, reference.SleepParams{MS: ms}))
	}
	var errs []error
	for i, ms := range naps {
		var result string
		err := calls[i].Wait(ctx, &result)
		errs = append(errs, claim("sleep", result, err, fmt.Sprint("slept ", ms)))
	}
	return errors.Join(errs...)
}

// compareWithChild makes the tour in memory, unseen, and then against the child. What
// the child says must be what was said in memory, up to the order of answers to calls
// that ran side by side.
func compareWithChild(ctx context.Context, s *stage, child spawn.Command) error {
	// A count and not a set: the same answer may be given twice, and must be given twice
	// again.
	known := make(map[string]int) // what was said in memory, and how often
	err := inMemory(ctx, reference.NewMux(nil).Handle, nil, tour, func(dir parley.Direction, rec []byte) {
		if dir == parley.Inbound {
			for _, text := range messagesOf(rec) {
				known[text]++
			}
		}
	})
	if err != nil {
		return fmt.Errorf("in memory: %w", err)
	}
	process, err := spawn.Start(child)
	if err != nil {
		return err
	}
	err = onStream(ctx, process, tour, func(dir parley.Direction, rec []byte) {
		meaning := describe(rec)
		if dir == parley.Inbound {
			meaning += verdict(known, rec)
		}
		s.show(dir, rec, meaning)
	})
	if err := errors.Join(err, process.Wait()); err != nil {
		return fmt.Errorf("the child: %w", err)
	}
	for text, n := range known {
		if n != 0 {
			err = errors.Join(err, fmt.Errorf("the child and the memory differ in %s", text))
		}
	}
	if err == nil {
		s.remark("Every answer is the one that was given in memory. The child saw the end of its input and exited with code 0.")
	}
	return err
}

// messagesOf takes a line apart into its messages, each in one and the same form.
func messagesOf(rec []byte) (texts []string) {
	msg, err := message.Strict.Parse(rec)
	if err != nil {
		return []string{string(rec)}
	}
	all := message.Batch{msg}
	if batch, ok := msg.(message.Batch); ok {
		all = batch
	}
	for _, m := range all {
		text, err := message.Strict.Append(nil, m)
		if err != nil {
			text = []byte(err.Error())
		}
		texts = append(texts, string(text))
	}
	return texts
}

// verdict says whether the messages of a line are among those that are known, and
// strikes them off.
func verdict(known map[string]int, rec []byte) string {
	says := ", as in memory"
	for _, text := range messagesOf(rec) {
		if known[text]--; known[text] < 0 {
			says = ", NOT as in memory"
		}
	}
	return says
}

// describe says what a line is.
func describe(rec []byte) string {
	msg, err := message.Strict.Parse(rec)
	if err != nil {
		return err.Error()
	}
	switch msg := msg.(type) {
	case *message.Request:
		if msg.IsNote() {
			return "a note"
		}
		return "call " + msg.ID.String()
	case *message.Response:
		return "answer " + msg.ID.String()
	case message.Batch:
		return fmt.Sprintf("a batch of %d", len(msg))
	default:
		return "a bad line"
	}
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
)

// What a section needs beyond the reference methods.
const (
	confirm parley.Method[[]string, string] = "confirm" // the server asks its client
	cook    parley.Method[[]string, string] = "cook"    // is done when the section says so
)

// A script is what the client does in a section.
type script func(ctx context.Context, c *parley.Conn) error

// callSections are about lines that are calls. Each checks what it says, so that a demo
// that lies fails.
func callSections() []section {
	sections := []section{{
		part:   "A line is a call: JSON-RPC 2.0",
		title:  "A request and its answer",
		lesson: "A call has an id. Whoever reads it owes one answer with the same id.",
		run: talk(addTwo,
			"a call: id 1 asks for an answer",
			"the answer: the same id"),
	}, {
		title:  "The five standard errors, and what makes each",
		lesson: "An error is an answer too: it settles its call. Only a line without a readable id gets id null.",
		run:    standardErrors,
	}, {
		title:  "A note that nobody answers",
		lesson: "Without an id nothing is owed, not even an error. That the note arrived, only a call can tell.",
		run: talk(noted,
			"a note: it has no id",
			"a call: what do you remember?",
			"one answer, for the one id"),
	}, {
		title:  "A batch",
		lesson: "An array of messages is one line. Its answers come back in one array, and the note in the middle has none.",
		run:    batchSection,
	}, {
		title:  "A broken line, and the good one after it",
		lesson: "One bad line costs one line. The newline is where reading goes on.",
		run:    brokenLine,
	}, {
		title:  "A handler that reports before it answers",
		lesson: "Progress is notes whose token is the id of the call. The answer comes last.",
		run: talk(reported,
			"a call",
			"a note about call 1: 1 of 2",
			"a note about call 1: 2 of 2",
			"the answer to call 1"),
	}, {
		title:  "A server that asks its client",
		lesson: "Both sides may call. Each numbers its own calls, so the two ids 1 are two calls.",
		run: talk(asked,
			"call 1 of the client",
			"call 1 of the server, before it answers",
			"the client answers",
			"now the server answers"),
	}, {
		title:  "Calls in flight, answered out of order",
		lesson: "Nobody has to wait for the answer before. The id pairs them, not the order.",
		run:    outOfOrder,
	}}
	for i := range sections {
		sections[i].speaks = parley.JSONRPC
	}
	return sections
}

// talk is the run of a section that is a script against the reference methods, with
// a meaning for each line that passes.
func talk(do script, says ...string) func(context.Context, *stage) error {
	return func(ctx context.Context, s *stage) error {
		s.expect(says...)
		return inMemory(ctx, reference.NewMux(nil).Handle, nil, do, s.record)
	}
}

// inMemory joins a client and a server by two buffers in memory, runs the client's
// script, and lets both come to their end: the client closes, and the server reads
// the end of its input.
func inMemory(ctx context.Context, server parley.Handler, opts *parley.Options, do script, record func(parley.Direction, []byte)) error {
	near, far := frame.Pipe()
	served := make(chan error, 1)
	go func() { served <- parley.Serve(ctx, frame.Lines.Stream(far, far), server, opts) }()
	err := onStream(ctx, frame.Lines.Stream(near, near), do, record)
	if serveErr := <-served; serveErr != nil {
		err = errors.Join(err, fmt.Errorf("the server: %w", serveErr))
	}
	return err
}

// onStream runs a client's script on a stream and closes it.
func onStream(ctx context.Context, stream frame.Stream, do script, record func(parley.Direction, []byte)) error {
	client := parley.NewMux(confirm.Handle(func(context.Context, []string) (string, error) { return "yes", nil }))
	c := parley.Connect(stream, client.Handle, &parley.Options{Trace: &parley.Trace{Record: record}})
	return errors.Join(do(ctx, c), c.Close())
}

// claim compares a result with what the section claims.
func claim(call string, got any, err error, claimed string) error {
	if err != nil {
		return err
	}
	if text := fmt.Sprint(got); text != claimed {
		return fmt.Errorf("%s returned %s, not %s", call, text, claimed)
	}
	return nil
}

// operands are two numbers, a and b.
func operands(a, b string) reference.Operands {
	return reference.Operands{A: message.Raw(a), B: message.Raw(b)}
}

// The scripts below are plain client code: what a reader of the demo would write.

func addTwo(ctx context.Context, c *parley.Conn) error {
	result, err := reference.Add.Call(ctx, c, operands("3", "5"))
	return claim("add", result, err, "8")
}

func noted(ctx context.Context, c *parley.Conn) error {
	if err := reference.Remember.Send(ctx, c, message.Raw(`{"text":"the kettle is on"}`)); err != nil {
		return err
	}
	result, err := reference.Notes.Call(ctx, c, nil)
	return claim("notes", result, err, `[{"text":"the kettle is on"}]`)
}

func reported(ctx context.Context, c *parley.Conn) error {
	reports := 0
	ctx = parley.OnProgress(ctx, func(message.Raw) { reports++ })
	result, err := reference.Progress.Call(ctx, c, reference.ProgressParams{N: 2})
	if err := claim("progress", result, err, "2"); err != nil {
		return err
	}
	return claim("OnProgress", reports, nil, "2")
}

func asked(ctx context.Context, c *parley.Conn) error {
	question := reference.CallbackParams{Method: string(confirm), Params: message.Raw(`["Delete notes.txt?"]`)}
	result, err := reference.Callback.Call(ctx, c, question)
	return claim("callback", result, err, `"yes"`)
}

func addAndMultiply(ctx context.Context, c *parley.Conn) error {
	var sum, product message.Raw
	err := c.Batch(ctx,
		&parley.Item{Method: string(reference.Add), Params: operands("3", "5"), Result: &sum},
		&parley.Item{Method: string(reference.Remember), Params: []string{"a note"}, Note: true},
		&parley.Item{Method: string(reference.Multiply), Params: operands("6", "7"), Result: &product},
	)
	return errors.Join(claim("add", sum, err, "8"), claim("multiply", product, err, "42"))
}

// batchSection has one handler at a time only so that the answers stand in the same
// order each time it is shown.
func batchSection(ctx context.Context, s *stage) error {
	s.expect("one line: a call, a note, a call", "one line: two answers, in any order, for the two ids")
	oneByOne := &parley.Options{Handlers: 1}
	if err := inMemory(ctx, reference.NewMux(nil).Handle, oneByOne, addAndMultiply, s.record); err != nil {
		return err
	}
	passed := s.lines()
	back, err := message.Strict.Parse(passed[len(passed)-1].rec)
	if members, ok := back.(message.Batch); err != nil || !ok || len(members) != 2 {
		return fmt.Errorf("the batch came back as %s, not as an array of two", passed[len(passed)-1].rec)
	}
	return nil
}

// outOfOrder has handlers that finish when they are told to, in another order than
// they began.
func outOfOrder(ctx context.Context, s *stage) error {
	dishes := []string{"soup", "egg", "toast"}
	done := map[string]chan struct{}{}
	for _, dish := range dishes {
		done[dish] = make(chan struct{})
	}
	server := parley.NewMux(cook.Handle(func(ctx context.Context, dish []string) (string, error) {
		select {
		case <-done[dish[0]]:
			return dish[0] + " is ready", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}))
	s.expect("soup takes long", "an egg less", "toast the least",
		"toast: id 3 is first", "egg: id 2", "soup: id 1 is last")
	return inMemory(ctx, server.Handle, nil, func(ctx context.Context, c *parley.Conn) error {
		var calls []*parley.Pending
		for _, dish := range dishes {
			calls = append(calls, cook.Start(ctx, c, []string{dish}))
		}
		// Start may return before the write, and all three are to be seen on their way.
		if err := c.Flush(ctx); err != nil {
			return err
		}
		s.remark("All three are on their way. Still owed: ids %s.", s.owes())
		for i, dish := range slices.Backward(dishes) {
			close(done[dish])
			var result string
			err := calls[i].Wait(ctx, &result)
			if err := claim("cook", result, err, dish+" is ready"); err != nil {
				return err
			}
		}
		return nil
	}, s.record)
}

// exchange feeds lines to a server whose stdin and stdout are two buffers, and
// returns what it has answered by the time it reaches the end of its input.
func exchange(ctx context.Context, s *stage, lines ...string) (replies []*message.Response, err error) {
	var stdin, stdout bytes.Buffer
	for _, text := range lines {
		s.record(parley.Outbound, []byte(text))
		stdin.WriteString(text + "\n")
	}
	err = parley.Serve(ctx, frame.Lines.Stream(&stdin, &stdout), reference.NewMux(nil).Handle, nil)
	if err != nil {
		return nil, err
	}
	for rec, err := range frame.Lines.Records(&stdout) {
		if err != nil {
			return nil, err
		}
		s.record(parley.Inbound, rec)
		msg, err := message.Strict.Parse(rec)
		if err != nil {
			return nil, err
		}
		if reply, ok := msg.(*message.Response); ok {
			replies = append(replies, reply)
		}
	}
	return replies, nil
}

// refusal checks that a reply is an error with the code and the id.
func refusal(reply *message.Response, code message.Code, id message.ID) error {
	if reply.Error == nil || reply.Error.Code != code || reply.ID != id {
		return fmt.Errorf("the answer to id %s is not error %d with that id", id, code)
	}
	return nil
}

// standardErrors sends lines that no client of ours would, hence as text. Each has a
// server of its own, so that an answer can only be to that line.
func standardErrors(ctx context.Context, s *stage) error {
	for _, e := range []struct {
		line, makes string
		code        message.Code
		id          message.ID
		because     string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":`, "the text ends too soon",
			message.CodeParseError, message.NullID, "no JSON, so no id can be trusted"},
		{`{"jsonrpc":"2.0","id":2,"params":[3,5]}`, "JSON, but it says no method",
			message.CodeInvalidRequest, message.IntID(2), "JSON, but no request"},
		{`{"jsonrpc":"2.0","id":3,"method":"subtract","params":[8,5]}`, "a method that this server has not",
			message.CodeMethodNotFound, message.IntID(3), "a request, but for nobody here"},
		{`{"jsonrpc":"2.0","id":4,"method":"add","params":{"a":"three","b":5}}`, "a text where a number is wanted",
			message.CodeInvalidParams, message.IntID(4), "params that do not fit; data says where"},
		{`{"jsonrpc":"2.0","id":5,"method":"panic"}`, "a method that crashes",
			message.CodeInternalError, message.IntID(5), "the server's own fault, and it lives on"},
	} {
		s.expect(e.makes, fmt.Sprintf("%d %s: %s", e.code, e.code, e.because))
		replies, err := exchange(ctx, s, e.line)
		if err != nil {
			return err
		}
		for _, reply := range replies {
			if err := refusal(reply, e.code, e.id); err != nil {
				return err
			}
		}
	}
	return nil
}

func brokenLine(ctx context.Context, s *stage) error {
	s.expect("no JSON, up to the newline", "a good line", "id null: whose line it was, nobody can tell", "the good line has its answer")
	replies, err := exchange(ctx, s, `{broken`, `{"jsonrpc":"2.0","id":1,"method":"echo","params":["still here"]}`)
	if err != nil || len(replies) != 2 {
		return err
	}
	return errors.Join(
		refusal(replies[0], message.CodeParseError, message.NullID),
		claim("echo", replies[1].Result, nil, `["still here"]`))
}

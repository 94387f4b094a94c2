package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// shownData is how many bytes of an error's data are told to a person. --format json
// has all of it.
const shownData = 2 << 10

// answered is the failure that a method answered with an error.
func (c *client) answered(method string, answer *message.Error) *failure {
	f := failf(exitAnswer, "%s answered error %d: %s", method, answer.Code, answer.Message)
	f.answer = answer
	if n := len(answer.Data); n > 0 {
		f.text += "; data: " + string(message.OneLine(nil, answer.Data[:min(n, shownData)]))
		if n > shownData {
			f.text = strings.ToValidUTF8(f.text, "") + "…"
		}
	}
	if answer.Code == message.CodeMethodNotFound && c.shake == nil && !c.asked.Load() {
		f = f.withHint("most servers want their handshake first: --init %s", list(handshakeNames))
	}
	return f
}

// protocol is the failure that an answer was no answer.
func (c *client) protocol(method string, bad *message.ParseError) *failure {
	f := failf(exitProtocol, "the answer to %s broke the protocol: %s", method, bad.Reason)
	switch {
	case strings.HasPrefix(bad.Reason, "jsonrpc is missing"):
		return f.withHint("--dialect codex reads messages without it")
	case len(bad.Err.Data) > 0:
		f.text = fmt.Sprintf("the answer to %s is over a limit: %s", method, bad.Reason)
	}
	// The other limits, such as the one for depth, have no flag.
	var limit struct {
		What string `json:"what"`
	}
	if bad.Err.Data.Decode(&limit) == nil && limit.What == "record bytes" {
		f = f.withHint("--limit raises the one for records")
	}
	return f
}

// gaveUp is the failure that our ctx has ended.
func (c *client) gaveUp() *failure {
	if !errors.Is(context.Cause(c.ctx), errTimeout) {
		return failf(exitInterrupted, "interrupted%s", c.owed())
	}
	f := failf(exitTimeout, "timed out after %v%s", c.timeout, c.owed())
	switch {
	case c.debts.String() == "":
		f.text += ": the server does not read its stdin"
	case c.wire.received.Load() > 0:
	case c.child.Received() > 0:
		f = f.withHint("the server wrote %d bytes and no end of a record: it may want another --framing or --init", c.child.Received())
	default:
		f = f.withHint("the server wrote nothing at all: it may be buffering its stdout, or want another --framing or --init")
	}
	return f
}

// owed names the open debts, as the end of a sentence.
func (c *client) owed() string {
	if names := c.debts.String(); names != "" {
		return ": still owed by the server: " + names
	}
	return ""
}

// died is the failure that no answer can come any more.
func (c *client) died(method string, err error) *failure {
	// A person who made one call thinks of its method, and one who made many of the list.
	what := method + " was not answered"
	switch owed := c.debts.String(); {
	case owed == "":
		what = "not everything was sent"
	case method == "", strings.Contains(owed, ","):
		what = "not answered: " + owed
	}
	how, clean := c.howEnded(err)
	f := failf(exitDied, "%s: %s", what, how)
	if clean && c.child.Received() == 0 {
		f = f.withHint("it wrote nothing to its stdout; does it want an argument to talk over stdio?")
	}
	return f
}

// howEnded says how the child ended, and whether it thinks that all went well. The tail
// of its stderr is left out: all of it was passed on already.
func (c *client) howEnded(err error) (how string, clean bool) {
	how = fmt.Sprintf("the server %q ", c.command[0])
	exit := c.exit(err)
	switch {
	case exit != nil && exit.Signal != "":
		how += "was ended by " + exit.Signal
	case exit != nil:
		how += fmt.Sprintf("exited with code %d", exit.Code)
	case errors.Is(err, frame.ErrBroken):
		how += "closed its stdin"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		how += "closed its stdout"
	default:
		return err.Error(), false
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		how += " in the middle of a record"
	}
	return how, exit != nil && exit.Code == 0
}

// exit returns how the child exited, as err has it or the child itself; nil while it
// runs.
func (c *client) exit(err error) *spawn.ExitError {
	if exit, ok := errors.AsType[*spawn.ExitError](err); ok {
		return exit
	}
	// A child that ended with code 0 ends the stream with a plain EOF, as one does that
	// has only closed its stdout: which of the two it was, only the child can tell.
	select {
	case <-c.child.Done():
	default:
		return nil
	}
	if exit, ok := errors.AsType[*spawn.ExitError](c.child.Wait()); ok {
		return exit
	}
	return new(spawn.ExitError) // code 0
}

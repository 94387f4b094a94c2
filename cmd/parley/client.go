package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

const (
	// grace is how long a child may take to end after its stdin was closed, and again
	// after SIGTERM. One that ends promptly costs none of it.
	grace = 2 * time.Second
	// closeTimeout is how long what is queued may still take to be written, to a server
	// that may have stopped reading.
	closeTimeout = 500 * time.Millisecond
	// farewell is how long the goodbye of a handshake may take.
	farewell = 2 * time.Second
	// progressPause is the least time between two lines of progress.
	progressPause = 100 * time.Millisecond
)

// A client is one conversation with a child: the process, the connection over its
// stdin and stdout, and what the child owes.
//
//	connect ─ greet ─ calls and notes ─ close
//
// Its ctx ends with a cause: errTimeout, or an error of our own output, or else we
// were interrupted.
type client struct {
	*job
	child *spawn.Child
	conn  *parley.Conn
	wire  *wire
	debts *debts
	shake *handshake // nil: there is none
	speak parley.Dialect

	ctx context.Context
	end context.CancelCauseFunc

	standing *standing                               // answers to calls of the server
	noted    func(method string, params message.Raw) // takes the notes of the server; nil drops them

	unknown sync.Map                  // methods that the server called and nobody answers
	asked   atomic.Bool               // there are some
	lastID  int64                     // the id of the last call; ids are given in the order of Start
	settled func(id int64)            // see connect
	shown   atomic.Pointer[time.Time] // when progress was shown last
}

// connect starts the child and connects to it. It tells settled, if that is not nil, of
// each call that has ended, in the order of the wire.
func (j *job) connect(ctx context.Context, settled func(id int64)) (*client, error) {
	c, err := j.start(ctx)
	if err != nil {
		return nil, err
	}
	c.settled = settled
	c.conn = parley.Connect(c.child, c.handle, c.options())
	return c, nil
}

// start starts the child, and says nothing to it yet.
func (j *job) start(ctx context.Context) (*client, error) {
	dialect, framing, shake := j.resolve()
	child, err := spawn.Start(spawn.Command{
		Path:     j.command[0],
		Args:     j.command[1:],
		Env:      j.env,
		ClearEnv: j.clearEnv,
		Dir:      j.cwd,
		Framing:  framing,
		Stderr:   j.app.tell,
		Grace:    grace,
	})
	if err != nil {
		return nil, failf(exitStart, "%v", err)
	}
	j.app.guard.watch(child)
	c := &client{job: j, child: child, shake: shake, speak: dialect, standing: newStanding(j.replies)}
	c.ctx, c.end = context.WithCancelCause(ctx)
	// Patience ends the whole conversation and not the one call: what else is open would
	// wait for the same server.
	c.debts = newDebts(j.timeout, func() { c.end(errTimeout) })
	c.wire = &wire{tell: j.app.tell, verbose: j.verbose, notice: c.notice}
	return c, nil
}

// options are those of the connection.
func (c *client) options() *parley.Options {
	return &parley.Options{
		Dialect:  &c.speak,
		Logger:   slog.New(c.wire),
		Trace:    &parley.Trace{Record: c.wire.record, Call: c.ended},
		StrictID: c.strictID,

		CloseTimeout: closeTimeout,
	}
}

// ended is Trace.Call.
func (c *client) ended(end parley.CallEnd) {
	id, ok := end.ID.Integer()
	if end.Dir != parley.Outbound || !ok {
		return
	}
	c.debts.settle(id, end.Err)
	if c.settled != nil {
		c.settled(id)
	}
}

// progressing returns a ctx whose calls tell us of progress. Where the protocol wants
// to be asked for it, asking changes the line that is sent, so that only
// --progress-resets asks.
func (c *client) progressing(ctx context.Context, name string) context.Context {
	if len(c.speak.Progress.Ask) > 0 && !c.progressResets {
		return ctx
	}
	return parley.OnProgress(ctx, func(value message.Raw) {
		if c.progressResets {
			c.debts.renew()
		}
		now := time.Now()
		if last := c.shown.Load(); c.app.tell.terminal && (last == nil || now.Sub(*last) >= progressPause) {
			c.shown.Store(&now)
			c.app.tell.printf("parley: %s: progress %s", name, excerpt(value))
		}
	})
}

// call makes one call and waits for its answer.
func (c *client) call(method string, params any) (message.Raw, error) {
	var result message.Raw
	err := c.conn.Call(c.progressing(c.ctx, c.owe(method)), method, params, &result)
	return result, err
}

// owe notes the debt of the next call, and returns its name. It comes before the call, or
// the answer could be there before the debt.
func (c *client) owe(method string) string {
	c.lastID++
	name := named(method, c.lastID)
	c.debts.owe(c.lastID, name)
	return name
}

// patient does what may have to wait for the server to read: --timeout bounds that too.
func (c *client) patient(write func(ctx context.Context) error) error {
	if c.timeout > 0 {
		timer := time.AfterFunc(c.timeout, func() { c.end(errTimeout) })
		defer timer.Stop()
	}
	return write(c.ctx)
}

// greet does the handshake, if there is one. The greeting is never taken back: MCP
// forbids it, and the others have no use for it, since the child is ended then.
func (c *client) greet() error {
	if c.shake == nil {
		return nil
	}
	c.owe(c.shake.greeting)
	err := c.conn.Start(context.WithoutCancel(c.ctx), c.shake.greeting, c.shake.params(c.replies)).Wait(c.ctx, nil)
	if err == nil && c.shake.ready != "" {
		err = c.conn.Notify(c.ctx, c.shake.ready, c.shake.readying)
	}
	if err == nil {
		return nil
	}
	f := c.failure(c.shake.greeting, err)
	f.text = c.shake.greeting + " failed: " + f.text
	return f
}

// handle answers the server's calls, with --answer and what the handshake knows.
func (c *client) handle(ctx context.Context, method string, params message.Raw) (any, error) {
	if parley.RequestFrom(ctx).IsNote() {
		if c.noted != nil {
			c.noted(method, params)
		}
		return nil, nil
	}
	if answer, ok := c.standing.to(method); ok {
		return answer, nil
	}
	if c.shake != nil && c.shake.answers[method] != nil {
		return c.shake.answers[method], nil
	}
	c.unanswered(method)
	return nil, message.MethodNotFound
}

// unanswered tells, once a method, that the server called it and nobody answers.
func (c *client) unanswered(method string) {
	c.asked.Store(true)
	if _, known := c.unknown.LoadOrStore(method, true); !known {
		c.app.tell.printf("parley: the server called %s and was answered %d: %s '%[1]s={…}' answers it",
			method, message.CodeMethodNotFound, c.standing.word)
	}
}

// close says goodbye, ends the child and returns when it has gone, within a few
// seconds. What the child still has to say on stderr is passed on before.
func (c *client) close() {
	if c.shake != nil && c.shake.goodbye != "" && c.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(c.ctx, farewell)
		defer cancel()
		if c.conn.Call(ctx, c.shake.goodbye, nil, nil) == nil && c.conn.Notify(ctx, c.shake.leave, nil) == nil {
			_ = c.conn.Flush(ctx) // a server that has gone already is what we want
		}
	}
	c.end(nil)
	// Closing the connection closes the child, which is the ladder of package spawn.
	closed := c.child.Close
	if c.conn != nil {
		closed = c.conn.Close
	}
	if err := closed(); err != nil {
		c.app.tell.printf("parley: %v", err)
	}
}

// notice tells of what the peer noticed: text between the messages, most of all. What
// comes after the end of our interest is not told.
func (c *client) notice(n notice, rec string) {
	if c.ctx.Err() != nil {
		return
	}
	where := place(n) + " of the server's output"
	switch {
	case n.text == "bad record":
		c.stray(n, where, rec)
	case n.orphan():
		c.app.tell.printf("parley: %s answers no call of ours: %s", where, strings.TrimSpace("id "+n.str("id")+" "+n.str("error")))
	case n.level >= slog.LevelWarn:
		c.app.tell.printf("parley: %s: %s: id %s", where, n.text, n.str("id"))
	}
}

// stray tells of a record that is no message, unless it is an answer to an open call:
// that call fails by it, and tells.
func (c *client) stray(n notice, where, rec string) {
	id, err := message.ParseID([]byte(n.str("id")))
	number, ok := id.Integer()
	if err == nil && ok && n.str("kind") == message.KindReply.String() && c.debts.has(number) {
		return
	}
	if n.at("code") != int64(message.CodeParseError) || rec == "" {
		where += " (" + n.str("reason") + ")"
	}
	switch {
	case rec == "":
		c.app.tell.printf("parley: %s is no message", where)
	case isWhole(rec):
		c.app.tell.printf("parley: %s is no message: %s", where, rec)
	default:
		c.app.tell.printf("parley: %s is no message: \"%s\"", where, rec)
	}
}

// place names the record that a notice is about: by its line, where there are lines.
func place(n notice) string {
	if line := n.str("line"); line != "" && line != "0" {
		return "line " + line
	}
	return "record " + n.str("record")
}

// named names a call to a person.
func named(method string, id int64) string {
	return method + " (id " + message.IntID(id).String() + ")"
}

// failure says why a call was not answered with a result. The cases are in order: an
// answer is an answer, even if the time was over in the same moment.
func (c *client) failure(method string, err error) *failure {
	if bad, ok := errors.AsType[*message.ParseError](err); ok {
		return c.protocol(method, bad)
	}
	if answer, ok := errors.AsType[*message.Error](err); ok {
		return c.answered(method, answer)
	}
	if c.ctx.Err() != nil {
		return c.gaveUp()
	}
	if errors.Is(err, parley.ErrOverload) {
		return failf(exitProtocol, "%s was not answered: the server sends more calls and notes than can be kept", method)
	}
	if bad, ok := errors.AsType[*frame.FramingError](err); ok && !errors.Is(err, io.ErrUnexpectedEOF) {
		return failf(exitProtocol, "%s was not answered: the server's output is no stream of records: %v", method, bad)
	}
	if errors.Is(err, parley.ErrClosed) {
		return c.died(method, err)
	}
	return usagef("%s could not be sent: %v", method, err)
}

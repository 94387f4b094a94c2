package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/stdio"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	peerFlags
	reference bool
	tools     string // a file
	check     bool
}

func serveCommand(a *app) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve --reference | --tools FILE [flags]",
		Short: "Answer calls on stdin and stdout",
		Long: `serve answers what arrives on stdin until it ends, and tells on stderr what it
refuses. It ends with 0 at the end of its input, and also when nobody reads its output
any more; with 4 if calls are open then and nothing moves for ten seconds; with 130
when it is interrupted.

With --reference it has small methods with known answers, for people who write
clients: echo, nil, add, multiply, boom, panic, sleep, note, notes, callback,
progress, blob, exit.

With --tools it runs the programs that a YAML file describes, as tools of MCP, in both of
its eras, and as plain methods by name. The file is watched: who changes it changes the
tools. With --check it only reads the file and lists its tools; a file with faults ends
it with 2, and each is told with line and column. docs/tools.md has the format.`,
		Example: `  echo '{"jsonrpc":"2.0","id":1,"method":"add","params":[3,5]}' | parley serve --reference
  parley serve --tools tools.yaml --check
  parley call git_log n:=3 -- parley serve --tools tools.yaml`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.chosen(); err != nil {
				return err
			}
			switch {
			case f.check:
				return f.checkTools(a)
			case f.tools != "":
				return f.serveTools(cmd.Context(), a)
			}
			return f.run(cmd.Context(), a)
		},
	}
	cmd.Flags().BoolVar(&f.reference, "reference", false, "serve the reference methods")
	cmd.Flags().StringVar(&f.tools, "tools", "", "serve the tools that this YAML `FILE` describes")
	cmd.Flags().BoolVar(&f.check, "check", false, "check the file of tools, list them, and serve nothing")
	f.add(cmd, "the first bytes of the input have it")
	addFormat(cmd, a, formatText, formatJSON, formatJSONL)
	return cmd
}

// run serves until the input ends, the output breaks, or ctx does.
func (f *serveFlags) run(ctx context.Context, a *app) error {
	stream, err := f.stream(ctx)
	if err != nil {
		return err
	}
	// Answers must not wait for a client that does not read our stderr.
	a.closing = a.tell.yield()
	dialect := f.spoken(parley.JSONRPC)
	w := &wire{tell: a.tell, verbose: f.verbose, notice: func(n notice, _ string) { a.refused(n) }}
	left := new(leaving)
	err = parley.Serve(ctx, stream, left.watch(reference.NewMux(left.exit).Handle), &parley.Options{
		Dialect:  &dialect,
		Logger:   slog.New(w),
		Trace:    &parley.Trace{Record: w.record},
		StrictID: f.strictID,
	})
	// The method exit closes the connection, which Serve reports as an end like others.
	if code, asked := left.code(); asked {
		return ended(code)
	}
	return served(ctx, err)
}

// stream claims stdin and stdout. Where the framing is to be found, it waits for the
// first bytes.
func (f *serveFlags) stream(ctx context.Context) (frame.Stream, error) {
	stream, err := stdio.Claim(f.framed(frame.Lines))
	if err != nil {
		return nil, failf(exitStart, "%v", err)
	}
	if f.framing != framingAuto {
		return stream, nil
	}
	rawIn, out := stream.Bytes()
	in := bufio.NewReaderSize(rawIn, 2*sniffRoom)
	// The first byte may never come, and a read of stdin cannot be interrupted.
	found := make(chan frame.Framing, 1)
	go func() { found <- sniff(in) }()
	select {
	case framing := <-found:
		return f.framed(framing).Stream(struct {
			io.Reader
			io.Closer
		}{in, stream}, out), nil
	case <-ctx.Done():
		return nil, failf(exitInterrupted, "interrupted")
	}
}

// served turns the end of a connection into ours.
func served(ctx context.Context, err error) error {
	switch {
	case err == nil, isGone(err):
		return nil
	case ctx.Err() != nil:
		return failf(exitInterrupted, "interrupted")
	case errors.Is(err, parley.ErrDrain):
		return failf(exitTimeout, "the input has ended, but calls are open that do not get done: they were answered %d", message.CodeInternalError)
	case errors.Is(err, parley.ErrOverload):
		return failf(exitProtocol, "the other side sends more than it may: %v", err)
	}
	if bad, ok := errors.AsType[*frame.FramingError](err); ok {
		return failf(exitProtocol, "the input is no stream of records: %v", bad)
	}
	return failf(exitAnswer, "cannot go on: %v", err)
}

// refused tells what was refused of the input, in one line.
func (a *app) refused(n notice) {
	switch {
	case n.text == "bad record" && n.at("code") != int64(message.CodeParseError) && n.at("code") != int64(message.CodeInvalidRequest):
		a.tell.printf("parley: %s: refused: %s", place(n), n.str("reason"))
	case n.text == "bad record":
		a.tell.printf("parley: %s: not a message: %s (byte %d)", place(n), n.str("reason"), n.at("offset"))
	case n.orphan():
		a.tell.printf("parley: %s: answers no call of ours: id %s", place(n), n.str("id"))
	case n.text == "panic in a handler":
		a.tell.printf("parley: the method %s panicked: %s", n.str("method"), n.str("panic"))
	case n.level >= slog.LevelWarn:
		a.tell.printf("parley: %s: %s: id %s", place(n), n.text, n.str("id"))
	}
}

// leaving carries the code of the method exit from its handler to the end of serve.
// The handler only asks for the end: the connection is closed first, so that its
// answer is written, and Serve returns on that before exit is called.
type leaving struct {
	once  sync.Once
	asked atomic.Bool
	codes chan int // made by watch; has room for the one code that counts
}

// watch notes that exit is about to succeed.
func (l *leaving) watch(h parley.Handler) parley.Handler {
	l.codes = make(chan int, 1)
	return func(ctx context.Context, method string, params message.Raw) (any, error) {
		result, err := h(ctx, method, params)
		if err == nil && method == string(reference.Exit) {
			l.asked.Store(true)
		}
		return result, err
	}
}

// exit is told with which code.
func (l *leaving) exit(code int) { l.once.Do(func() { l.codes <- code }) }

// code returns the code if one was asked for.
func (l *leaving) code() (exitCode, bool) {
	if !l.asked.Load() {
		return exitOK, false
	}
	return exitCode(<-l.codes), true
}

package main

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/toolbox"
)

// chosen refuses flags of serve that do not go together.
func (f *serveFlags) chosen() error {
	switch {
	case f.reference && f.tools != "":
		return usagef("--reference and --tools: want one of them")
	case f.check && f.tools == "":
		return usagef("--check wants a file to check").withHint("parley serve --tools FILE --check")
	case !f.reference && f.tools == "":
		return usagef("serve what?").withHint("parley serve --reference, or parley serve --tools FILE")
	case f.tools != "" && f.dialect != dialectAuto && f.dialect != mcp.Dialect.Name:
		return usagef("--tools speaks mcp, and plain JSON-RPC beside it, not %s", f.dialect)
	}
	return nil
}

// checkTools prints the tools of the file, and serves nothing.
func (f *serveFlags) checkTools(a *app) error {
	box, err := toolbox.Load(f.tools, nil)
	if err != nil {
		return a.badTools(err)
	}
	defer box.Close()
	l := newListing(a)
	for _, t := range box.Tools() {
		if err := l.add(toolLine(t.Tool), t.Tool); err != nil {
			return err
		}
	}
	return l.end()
}

// badTools tells every fault of a file, each in a line of its own; a program gets them in
// one error.
func (a *app) badTools(err error) error {
	faults, ok := errors.AsType[toolbox.Faults](err)
	if !ok || a.format != formatText {
		return usagef("%v", err)
	}
	for _, fault := range faults {
		a.tell.printf("parley: %v", fault)
	}
	return exited(exitUsage)
}

// serveTools serves the tools of the file until the input ends, the output breaks, or
// ctx does. When it returns, nothing that a tool has started is left.
func (f *serveFlags) serveTools(ctx context.Context, a *app) error {
	box, err := toolbox.Load(f.tools, &toolbox.Options{
		Stderr:  func(tool, line string) { a.tell.printf("parley: %s: %s", tool, line) },
		Started: a.guard.watchGroup,
	})
	if err != nil {
		return a.badTools(err)
	}
	defer box.Close()
	a.guard.prepare()
	stream, err := f.stream(ctx)
	if err != nil {
		return err
	}
	// Neither answers nor tools must wait for a client that does not read our stderr.
	a.closing = a.tell.yield()
	w := &wire{tell: a.tell, verbose: f.verbose, notice: func(n notice, _ string) { a.refused(n) }}
	server := mcp.NewServer(nil, mcp.Info{
		Name:    "parley",
		Version: versionName(),
		Plain:   box.Handle,
	})
	if err := server.SetTools(box.Tools()); err != nil {
		return failf(exitUsage, "%s: %v", f.tools, err)
	}
	defer a.watchTools(ctx, box, server)()
	err = server.Serve(ctx, stream, &parley.Options{
		Logger:   slog.New(w),
		Trace:    &parley.Trace{Record: w.record},
		StrictID: f.strictID,
	})
	return served(ctx, err)
}

// watchTools serves what the file says from now on, until end is called.
func (a *app) watchTools(ctx context.Context, box *toolbox.Box, server *mcp.Server) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		box.Watch(ctx, func(err error) {
			if err == nil {
				err = server.SetTools(box.Tools())
			}
			if err != nil {
				a.report(a.badTools(err)) // the code is of no use to a server that goes on
				a.tell.printf("parley: the tools stay as they were")
			}
		})
	})
	return func() {
		stop()
		watching.Wait()
	}
}

package toolbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// Options set what a Box does beyond its file. Nil and the zero value are the default.
type Options struct {
	// Stderr gets each line that a tool writes to stderr and that is no report of
	// progress; runs call it side by side, and wait for it. The caller of the tool
	// gets the line anyway, as a log note. Nil: only the caller.
	Stderr func(tool, line string)

	// Started is told of each process that was started: its id, which is that of its
	// process group too, and a Go channel that is closed when nothing of the group is
	// left. Nil: nobody is told.
	Started func(pid int, gone <-chan struct{})

	// Poll is the time between two looks of Watch at the file. 0 is 500 ms.
	Poll time.Duration
}

// A Box holds the tools of a file. Its methods may be called from many goroutines at
// once.
type Box struct {
	path string
	opts Options

	tools  atomic.Pointer[tools]
	reload sync.Mutex       // held while the file is read again; guards slots
	slots  map[string]*gate // of each tool, by its name, and of those that are gone and still run
	held   gate             // bounds the output that is in memory, in bytes
	turns  turns

	ctx  context.Context // ends with Close, and with it every run
	end  context.CancelFunc
	mu   sync.Mutex // guards runs.Add against Close
	runs sync.WaitGroup
}

// Load reads a file of tools. All of it is checked at once: the error is [Faults], and
// has everything that is wrong. The caller must call Close.
func Load(path string, opts *Options) (*Box, error) {
	loaded, err := load(path)
	if err != nil {
		return nil, err
	}
	b := &Box{path: path, slots: make(map[string]*gate), held: gate{size: maxHeld}}
	if opts != nil {
		b.opts = *opts
	}
	b.opts.Poll = cmp.Or(b.opts.Poll, 500*time.Millisecond)
	b.serve(loaded)
	b.ctx, b.end = context.WithCancel(context.Background())
	return b, nil
}

// Tools returns the tools in the order of the file, as an [mcp.Server] serves them. A
// tool that has been returned can be called whatever happens to the file, until Close.
func (b *Box) Tools() []mcp.ServedTool {
	list := b.tools.Load().list
	served := make([]mcp.ServedTool, len(list))
	for i, t := range list {
		served[i] = mcp.ServedTool{Tool: t.Tool, Call: func(ctx context.Context, args message.Raw) (*mcp.CallToolResult, error) {
			text, err := b.run(ctx, t, args, mcp.Logger(ctx))
			if err != nil {
				return told(err)
			}
			result := &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(text)}}
			if t.json {
				result.StructuredContent = message.Raw(text)
			}
			return result, nil
		}}
	}
	return served
}

// Handle answers plain calls: the method is the name of a tool, and the params are its
// inputs, by name. It is a [parley.Handler]. The result is a string, or the tool's own
// JSON. Params that do not fit are refused with -32602 and the place; a tool that failed
// is an error [CodeFailed] with a [Failure]; a method that is no tool is -32601. The
// member _meta of the params, which carries a progress token or a trace, is no input. A
// note runs nothing: nobody would see what came of it, and all behind it would wait.
func (b *Box) Handle(ctx context.Context, method string, params message.Raw) (any, error) {
	if req := parley.RequestFrom(ctx); req != nil && req.IsNote() {
		return nil, errNote
	}
	t := b.tools.Load().byName[method]
	if t == nil {
		return nil, message.MethodNotFound
	}
	log := slog.New(slog.DiscardHandler)
	if c := parley.Caller(ctx); c != nil {
		log = slog.New(parley.LogHandler(c, nil))
	}
	args, err := inputsOf(params)
	if err != nil {
		return nil, plain(err)
	}
	text, err := b.run(ctx, t, args, log)
	switch {
	case err != nil:
		return nil, plain(err)
	case t.json:
		return message.Raw(text), nil
	}
	return text, nil
}

// errNote is what becomes of a note; only the log has it.
var errNote = errors.New("toolbox: a note runs no tool; make it a call")

// inputsOf returns the params without their _meta.
func inputsOf(params message.Raw) (message.Raw, error) {
	if _, ok := params.Member("_meta"); !ok {
		return params, nil
	}
	members := make(map[string]message.Raw)
	if err := params.Decode(&members); err != nil {
		return nil, &refusal{Reason: shorten(err.Error(), shownReason)}
	}
	delete(members, "_meta")
	return message.Encode(members)
}

// errClosed is what a run ends with, or does not begin for, after Close.
var errClosed = message.InternalError.Withf("the tools are shutting down")

// run runs a tool, and ends it with the Box.
func (b *Box) run(ctx context.Context, t *tool, args message.Raw, log *slog.Logger) (string, error) {
	b.mu.Lock()
	if b.ctx.Err() != nil {
		b.mu.Unlock()
		return "", errClosed
	}
	b.runs.Add(1)
	b.mu.Unlock()
	defer b.runs.Done()

	asked := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(b.ctx, stop)()
	wait := func() (leave func(), err error) { return b.enter(ctx, asked, t) }
	text, err := t.call(ctx, args, wait, watcher{started: b.opts.Started, line: func(line string) {
		log.InfoContext(ctx, line, "tool", t.Name)
		if b.opts.Stderr != nil {
			b.opts.Stderr(t.Name, line)
		}
	}})
	if err != nil && b.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return "", errClosed
	}
	return text, err
}

// Close ends every run, with SIGTERM and after a second with SIGKILL, and returns when
// nothing is left of any. Calls that come later are refused. It may be called more than
// once.
func (b *Box) Close() {
	b.mu.Lock()
	b.end()
	b.mu.Unlock()
	b.runs.Wait()
}

// Reload reads the file again and reports whether its tools are others now. Calls that
// are under way go on with the tool that they began with. If the file is bad, the error
// is [Faults] and the tools stay as they are.
func (b *Box) Reload() (changed bool, err error) {
	b.reload.Lock()
	defer b.reload.Unlock()
	next, err := load(b.path)
	if err != nil {
		return false, err
	}
	now := b.tools.Load()
	if bytes.Equal(now.text, next.text) {
		return false, nil
	}
	b.serve(next)
	return true, nil
}

// serve makes these the tools from now on. Each shares the slots of the tool that had its
// name before, so that no more run at once than the file says while calls of that go on.
func (b *Box) serve(next *tools) {
	for name, slots := range b.slots {
		if next.byName[name] == nil && slots.idle() {
			delete(b.slots, name)
		}
	}
	for _, t := range next.list {
		if b.slots[t.Name] == nil {
			b.slots[t.Name] = new(gate)
		}
		t.slots = b.slots[t.Name]
		t.slots.resize(t.concurrency)
	}
	b.tools.Store(next)
}

// Watch reloads the file when it changes, until ctx ends. It calls changed from its own
// goroutine, with nil when the tools are others now, and with [Faults] when the file is
// bad and the old tools stay. A file is read once it has been the same for two looks in
// a row, so that one that is being written is left alone.
func (b *Box) Watch(ctx context.Context, changed func(error)) {
	ticks := time.NewTicker(b.opts.Poll)
	defer ticks.Stop()
	var last os.FileInfo
	known := b.tools.Load().info // the file may have changed since
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		now, _ := os.Stat(b.path) // nil if there is none, which is a change too
		settled := same(now, last)
		last = now
		if same(now, known) || !settled {
			continue
		}
		known = now
		if others, err := b.Reload(); others || err != nil {
			changed(err)
		}
	}
}

// same reports whether nothing has happened to a file between two looks.
func same(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}

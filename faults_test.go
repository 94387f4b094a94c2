package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

func untilCtx(ctx context.Context, _ string, _ message.Raw) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// raw is a connection with h, and the far end of its pipe, whose input is dropped.
func raw(h parley.Handler, o *parley.Options) (*frame.PipeEnd, *parley.Conn) {
	far, near := frame.Pipe()
	go func() { _, _ = io.Copy(io.Discard, far) }()
	return far, parley.Connect(frame.Lines.Stream(near, near), h, o)
}

// scripted reads from in until it is closed; its writes wait for free whatever Close does.
type scripted struct {
	in         chan string
	free, gone chan struct{}
	once       sync.Once
	n          atomic.Int64
}

func newScripted() *scripted {
	return &scripted{in: make(chan string, 9), free: make(chan struct{}), gone: make(chan struct{})}
}
func (s *scripted) ReadRecord() ([]byte, error) {
	select {
	case x := <-s.in:
		return []byte(x), nil
	case <-s.gone:
		return nil, io.EOF
	}
}
func (s *scripted) WriteRecord([]byte) error { <-s.free; s.n.Add(1); return nil }
func (s *scripted) Close() error             { s.once.Do(func() { close(s.gone) }); return nil }

type noWriter struct{}

func (noWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

type late struct {
	io.Reader
	d time.Duration
}

func (l *late) Read(p []byte) (int, error) { time.Sleep(l.d); l.d = 0; return l.Reader.Read(p) }

// A batch that cancels its own member is answered once.
func TestBatchCancelsItself(t *testing.T) {
	got := serve(t, `[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}]`, nil, nil)
	if n := strings.Count(got, `"id":1`); n != 1 {
		t.Errorf("%d answers to call 1: %s", n, got)
	}
}

// A batch that finds no room is answered once.
func TestBatchRefusedByOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		c := parley.Connect(frame.Lines.Stream(near, near), untilCtx, &parley.Options{Handlers: 1, Backlog: 1, Overflow: 1})
		for i := range 3 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i)
		}
		fmt.Fprintln(far, `[{"jsonrpc":"2.0","id":77,"method":"x"}]`)
		time.Sleep(time.Second)
		_ = c.Close()
		out, _ := io.ReadAll(far)
		if n := strings.Count(string(out), `"id":77`); n != 1 {
			t.Errorf("%d answers to call 77", n)
		}
	})
}

// A result that is no JSON costs its own call, and not the answers of the whole batch.
func TestBatchWithUnwritableResult(t *testing.T) {
	h := func(_ context.Context, m string, _ message.Raw) (any, error) {
		if m == "bad" {
			return message.Raw(" "), nil
		}
		return 1, nil
	}
	got := serve(t, `[{"jsonrpc":"2.0","id":1,"method":"good"},{"jsonrpc":"2.0","id":2,"method":"bad"}]`, h, nil)
	if !strings.Contains(got, `"id":1`) || !strings.Contains(got, `"id":2`) {
		t.Errorf("answers: %q", got)
	}
}

// A result over several lines is answered on one.
func TestPrettyResult(t *testing.T) {
	h := func(_ context.Context, m string, _ message.Raw) (any, error) { return message.Raw("{\n}"), nil }
	if got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"pretty"}`, h, nil); !strings.Contains(got, `"id":1`) {
		t.Errorf("no answer, and Serve returned nil: %q", got)
	}
}

// A note over several lines does not end the connection.
func TestPrettyNote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := parleytest.Pair(t, nil, nil, nil)
		_ = a.Notify(t.Context(), "n", message.Raw("[\n]"))
		synctest.Wait()
		if err := a.Notify(t.Context(), "n", nil); err != nil {
			t.Errorf("the next note: %v", err)
		}
	})
}

// A goroutine that a handler leaves behind in a Call gets its error, after the handler too.
func TestCallLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		panicked := make(chan any, 1)
		h := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			go func() {
				defer func() { panicked <- recover() }()
				_ = parley.Caller(ctx).Call(ctx, "back", nil, nil)
			}()
			time.Sleep(time.Millisecond)
			return 1, nil
		}
		a, _ := parleytest.Pair(t, untilCtx, h, nil)
		_ = a.Call(t.Context(), "x", nil, nil)
		if v := <-panicked; v != nil {
			t.Errorf("Call panicked: %v", v)
		}
	})
}

// Calls that handlers leave behind do not free more slots than there were.
func TestSlotsAfterCallsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int64
		h := func(ctx context.Context, m string, _ message.Raw) (any, error) {
			if m == "forget" {
				go func() { _ = parley.Caller(ctx).Call(context.WithoutCancel(ctx), "back", nil, nil) }()
				time.Sleep(time.Millisecond)
				return 1, nil
			}
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return 1, nil
		}
		endA, endB := frame.Pipe()
		a := parley.Connect(frame.Lines.Stream(endA, endA), untilCtx, nil)
		b := parley.Connect(frame.Lines.Stream(endB, endB), h, &parley.Options{Handlers: 2})
		for range 5 {
			_ = a.Call(t.Context(), "forget", nil, nil)
		}
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { _ = a.Call(t.Context(), "work", nil, nil) })
		}
		all.Wait()
		if most.Load() > 2 {
			t.Errorf("%d handlers ran at once, Handlers is 2", most.Load())
		}
		_ = a.Close()
		_ = b.Close()
	})
}

type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("in MarshalJSON") }

// A panic while a result is encoded is one of the handler.
func TestPanicInResult(t *testing.T) {
	h := func(context.Context, string, message.Raw) (any, error) { return panics{}, nil }
	if got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"x"}`, h, nil); !strings.Contains(got, "-32603") {
		t.Error(got)
	}
}

type nilError struct{ s string }

func (e *nilError) Error() string { return e.s }

// So is one while an error is told.
func TestPanicInError(t *testing.T) {
	h := func(context.Context, string, message.Raw) (any, error) { return nil, (*nilError)(nil) }
	if got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"x"}`, h, nil); !strings.Contains(got, "-32603") {
		t.Error(got)
	}
}

package parley_test

import (
	"bytes"
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

// Handlers that wait in a Call are bounded by the backlog.
func TestWaitingHandlersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int64
		far, c := raw(func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			running.Add(1)
			return nil, parley.Caller(ctx).Call(ctx, "back", nil, nil)
		}, &parley.Options{Handlers: 4, Backlog: 8})
		for i := range 5000 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i)
		}
		synctest.Wait()
		if n := running.Load(); n > 4+8 {
			t.Errorf("%d handlers wait in a Call; Handlers is 4, Backlog 8", n)
		}
		_ = far.Close()
		_ = c.Close()
	})
}

// Calls that are cancelled before they begin need room for their answers too.
func TestCancelFloodNobodyReads(t *testing.T) {
	id := strings.Repeat("x", 1000)
	pairs := strings.Repeat(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"x"}`+"\n"+
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%s"}}`+"\n", id, id), 1000)
	synctest.Test(t, func(t *testing.T) {
		out := &counter{hold: make(chan struct{})} // nobody reads
		in := []io.Reader{strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"x"}` + "\n")}
		for range 100 {
			in = append(in, strings.NewReader(pairs))
		}
		before := heap()
		c := parley.Connect(frame.Lines.Stream(io.MultiReader(in...), out), untilCtx, &parley.Options{Handlers: 1, Outbound: 1 << 20, Drain: time.Hour})
		time.Sleep(time.Minute)
		synctest.Wait()
		if grown := heap() - before; grown > 16 {
			t.Errorf("it grew by %d MiB", grown)
		}
		close(out.hold)
		_ = c.Close()
	})
}

// A call that was cancelled before it began keeps no record alive.
func TestCancelledCallsKeepNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, c := raw(untilCtx, &parley.Options{Handlers: 1, BacklogBytes: 1 << 20, OverflowBytes: 1 << 20})
		before := heap()
		for i := range 200 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i)
		}
		big := strings.Repeat("x", 900<<10)
		for i := range 150 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":"c%d","method":"x","params":["%s"]}`+"\n", i, big)
			fmt.Fprintf(far, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"c%d"}}`+"\n", i)
		}
		synctest.Wait()
		if grown := heap() - before; grown > 16 {
			t.Errorf("it grew by %d MiB, the bounds are 2 MiB", grown)
		}
		_ = far.Close()
		_ = c.Close()
	})
}

func batches(t *testing.T, n int, call, junk string) {
	synctest.Test(t, func(t *testing.T) {
		far, c := raw(untilCtx, &parley.Options{Handlers: 1})
		before := heap()
		go func() {
			for i := range n {
				if _, err := fmt.Fprintf(far, "["+call+"%s]\n", i, strings.Repeat(","+junk, 999)); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		if grown := heap() - before; grown > 32 {
			t.Errorf("it grew by %d MiB, the backlog is 8 MiB", grown)
		}
		_ = far.Close()
		_ = c.Close()
	})
}

// One call of a batch does not keep the others alive.
func TestBatchMemberKeepsNoBatch(t *testing.T) {
	batches(t, 150, `{"jsonrpc":"2.0","id":%d,"method":"x","params":[1]}`, `{"jsonrpc":"2.0","id":"no","result":"`+strings.Repeat("x", 1000)+`"}`)
}

// The refusals that wait for one call of a batch count as what they are.
func TestRefusalsInBatchesAreCharged(t *testing.T) {
	batches(t, 1000, `{"jsonrpc":"2.0","id":%d,"method":"x"}`, `1`)
}

// One record always fits, a batch too.
func TestLargeBatch(t *testing.T) {
	big := strings.Repeat("x", 17<<20)
	for _, second := range []string{`"id":2,`, ``} { // a call, a note
		in := `[{"jsonrpc":"2.0","id":1,"method":"x","params":["` + big + `"]},{"jsonrpc":"2.0",` + second + `"method":"y","params":["` + big + `"]}]`
		h := func(_ context.Context, _ string, p message.Raw) (any, error) { return len(p), nil }
		if got := serve(t, in, h, nil); strings.Contains(got, "error") {
			t.Error(got)
		}
	}
}

// That a server was idle is no reason to read past a full backlog.
func TestIdleThenFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &requests{n: 100_000, line: `{"jsonrpc":"2.0","id":%d,"method":"sleep","params":{"ms":100}}` + "\n"}
		out := new(counter)
		_ = parley.Serve(t.Context(), frame.Lines.Stream(&late{in, time.Second}, out), referenceHandler(), nil)
		if out.lines != 100_000 || out.bad != 0 {
			t.Errorf("%d answers, of them %d errors", out.lines, out.bad)
		}
	})
}

// Serve tells that answers were lost.
func TestServeTellsLostAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := func(context.Context, string, message.Raw) (any, error) { time.Sleep(time.Second); return 1, nil }
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
		if err := parley.Serve(t.Context(), frame.Lines.Stream(in, noWriter{}), h, nil); !errors.Is(err, frame.ErrBroken) {
			t.Errorf("the answer is lost, and Serve returned %v", err)
		}
	})
}

// A record that is withdrawn does not stand for another one that is not written.
func TestFlushAndWithdraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted()
		c := parley.Connect(s, nil, nil)
		_ = c.Notify(t.Context(), "a", nil)
		synctest.Wait() // the writer is blocked in it
		go func() {
			if err := c.Flush(t.Context()); s.n.Load() == 0 {
				t.Errorf("Flush returned %v, and nothing is written", err)
			}
		}()
		synctest.Wait()
		c.Start(t.Context(), "b", nil).Cancel() // withdrawn
		synctest.Wait()
		close(s.free)
		_ = c.Close()
	})
}

// Flush does not wait for what will never be written.
func TestFlushAfterEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted()
		c := parley.Connect(s, nil, nil)
		for range 4 {
			_ = c.Notify(t.Context(), "a", []string{strings.Repeat("x", 60000)})
		}
		_ = c.Close() // gives up on the writer
		close(s.free)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := c.Flush(ctx); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("Flush on a closed connection: %v", err)
		}
	})
}

// A handler that outlives the connection cannot write to it.
func TestNotifyAfterEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got, release := make(chan error, 1), make(chan struct{})
		far, c := raw(func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			<-release
			got <- parley.Caller(ctx).Notify(context.WithoutCancel(ctx), "n", nil)
			return nil, nil
		}, nil)
		_, _ = far.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\n"))
		synctest.Wait()
		_ = c.Close()
		close(release)
		if err := <-got; !errors.Is(err, parley.ErrClosed) {
			t.Errorf("Notify after Done: %v", err)
		}
		_ = far.Close()
	})
}

// The hook of the end may call Close.
func TestCloseInEndHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *parley.Conn
		ready := make(chan struct{})
		_, c = raw(nil, &parley.Options{Trace: &parley.Trace{End: func(error) { <-ready; _ = c.Close() }}})
		close(ready)
		_ = c.Close() // synctest: deadlock
	})
}

// So may that of a call which the end fails.
func TestCloseInCallHook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *parley.Conn
		ready := make(chan struct{})
		far, c0 := raw(nil, &parley.Options{Trace: &parley.Trace{Call: func(parley.CallEnd) { <-ready; _ = c.Close() }}})
		c = c0
		close(ready)
		c.Start(t.Context(), "x", nil)
		synctest.Wait()
		_ = far.Close()
		_ = c.Wait() // synctest: deadlock
	})
}

// In a batch too a reply comes after the notes and the progress before it.
func TestBatchKeepsItsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done, progress atomic.Bool
		far, c := raw(func(context.Context, string, message.Raw) (any, error) {
			time.Sleep(time.Second)
			done.Store(true)
			return nil, nil
		}, nil)
		p := c.Start(parley.OnProgress(t.Context(), func(message.Raw) { progress.Store(true) }), "x", nil)
		_, _ = far.Write([]byte(`[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":5}},{"jsonrpc":"2.0","id":1,"result":1}]` + "\n"))
		_ = p.Wait(t.Context(), nil)
		if !done.Load() || !progress.Load() {
			t.Errorf("Wait returned: note done %v, progress told %v", done.Load(), progress.Load())
		}
		_ = far.Close()
		_ = c.Close()
	})
}

// Calls that all have one id cost no more than others.
func TestOneIDForAll(t *testing.T) {
	var took [2]time.Duration
	for same := range 2 {
		far, near := frame.Pipe()
		release, all := make(chan struct{}), make(chan struct{})
		h := func(context.Context, string, message.Raw) (any, error) { <-release; return 1, nil }
		c := parley.Connect(frame.Lines.Stream(near, near), h, nil)
		go func() {
			buf, n := make([]byte, 64<<10), 0
			for n < 60_000 {
				k, _ := far.Read(buf)
				n += bytes.Count(buf[:k], []byte("\n"))
			}
			close(all)
		}()
		for i := range 60_000 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i*(1-same))
		}
		began := time.Now()
		close(release)
		<-all
		took[same] = time.Since(began)
		_ = far.Close()
		_ = c.Close()
	}
	if took[1] > 5*took[0] {
		t.Errorf("60,000 ids: %v, one id: %v", took[0], took[1])
	}
}

// Notes behind a handler that waits cost no more than others.
func TestNotesBehindAStalledOne(t *testing.T) {
	var took [2]time.Duration
	for i, n := range []int{15_000, 60_000} {
		far, c := raw(func(ctx context.Context, m string, _ message.Raw) (any, error) {
			if m == "first" {
				return nil, parley.Caller(ctx).Call(ctx, "back", nil, nil)
			}
			return nil, nil
		}, nil)
		fmt.Fprintln(far, `{"jsonrpc":"2.0","method":"first"}`)
		time.Sleep(300 * time.Millisecond)
		began := time.Now()
		for range n {
			fmt.Fprintln(far, `{"jsonrpc":"2.0","method":"m"}`)
		}
		took[i] = time.Since(began)
		_ = far.Close()
		_ = c.Close()
	}
	if took[1] > 8*took[0] {
		t.Errorf("15,000 notes: %v, 60,000 notes: %v", took[0], took[1])
	}
}

// The time that one Call has waited is not that of the next.
func TestStallOfAnotherCall(t *testing.T) {
	bad := 0
	for range 1000 {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			var order []string
			h := func(ctx context.Context, m string, _ message.Raw) (any, error) {
				mu.Lock()
				order = append(order, m)
				mu.Unlock()
				if m == "n1" {
					_ = parley.Caller(ctx).Call(ctx, "a", nil, nil) // 250 ms
					_ = parley.Caller(ctx).Call(ctx, "b", nil, nil) // 100 ms
				}
				return nil, nil
			}
			other := func(ctx context.Context, m string, _ message.Raw) (any, error) {
				if m == "a" {
					time.Sleep(250 * time.Millisecond)
					return nil, nil
				}
				_ = parley.Caller(ctx).Notify(ctx, "n2", nil)
				parley.Caller(ctx).Start(context.WithoutCancel(ctx), "g", nil)
				time.Sleep(100 * time.Millisecond)
				return nil, nil
			}
			a, _ := parleytest.Pair(t, other, h, nil)
			_ = a.Notify(t.Context(), "n1", nil)
			time.Sleep(2 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			if strings.Join(order, " ") != "n1 n2 g" {
				bad++
			}
		})
	}
	if bad > 0 {
		t.Errorf("g overtook n2 in %d of 1000 runs, although the Call waited 100 ms only", bad)
	}
}

// Two sides whose note handlers note back, both out of room, go on.
func TestNotesThatNoteBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := &parley.Options{Outbound: 16 << 10, Backlog: 8, BacklogBytes: 16 << 10}
		big := []string{strings.Repeat("x", 5000)}
		var handled atomic.Int64
		h := func(ctx context.Context, m string, _ message.Raw) (any, error) {
			if m == "note" {
				_ = parley.Caller(ctx).Notify(ctx, "other", big)
				handled.Add(1)
			}
			return nil, nil
		}
		endA, endB := frame.Pipe()
		a, b := parley.Connect(frame.Lines.Stream(endA, endA), h, opts), parley.Connect(frame.Lines.Stream(endB, endB), h, opts)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		for _, c := range []*parley.Conn{a, b} {
			go func() {
				for range 200 {
					_ = c.Notify(ctx, "note", big)
				}
			}()
		}
		<-ctx.Done()
		if handled.Load() != 400 {
			t.Errorf("%d of 400 notes are handled after an hour", handled.Load())
		}
		_ = a.Close()
		_ = b.Close()
	})
}

// An agent may stream faster than its notes are handled: reading pauses while they are.
func TestStreamFasterThanHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n atomic.Int64
		h := func(context.Context, string, message.Raw) (any, error) {
			time.Sleep(100 * time.Microsecond)
			n.Add(1)
			return nil, nil
		}
		agent := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			for range 150_000 {
				if err := parley.Caller(ctx).Notify(ctx, "update", nil); err != nil {
					return nil, err
				}
			}
			return 1, nil
		}
		a, _ := parleytest.Pair(t, h, agent, nil)
		if err := a.Call(t.Context(), "prompt", nil, nil); err != nil {
			t.Errorf("%v, after %d notes", err, n.Load())
		}
	})
}

// One bad line costs one line, also while there is no room to say so for a moment.
func TestBadLineWhileFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.NewPipe(1000)
		c := parley.Connect(frame.Lines.Stream(near, near), nil, &parley.Options{Outbound: 5000})
		c.Start(t.Context(), "x", nil)
		_ = c.Notify(t.Context(), "big", []string{strings.Repeat("x", 10000)})
		_, _ = far.Write([]byte("oops\n"))
		time.Sleep(10 * time.Millisecond)
		go func() { _, _ = io.Copy(io.Discard, far) }() // it reads again after 10 ms
		time.Sleep(time.Second)
		select {
		case <-c.Done():
			t.Errorf("one bad line cost the connection: %v", c.Wait())
		default:
		}
		_ = far.Close()
		_ = c.Close()
	})
}

// Batch reports progress, and sets the error of each item.
func TestBatchHearsProgress(t *testing.T) {
	h := func(ctx context.Context, _ string, _ message.Raw) (any, error) { return 1, parley.Progress(ctx, 7) }
	a, _ := parleytest.Pair(t, nil, h, nil)
	var n atomic.Int64
	if err := a.Batch(parley.OnProgress(t.Context(), func(message.Raw) { n.Add(1) }), &parley.Item{Method: "x"}); err != nil || n.Load() != 1 {
		t.Errorf("%v, %d values", err, n.Load())
	}
	_ = a.Close()
	it := &parley.Item{Method: "x"}
	if err := a.Batch(t.Context(), it); err == nil || it.Err == nil {
		t.Errorf("Batch: %v, Item.Err: %v", err, it.Err)
	}
}

// A batch that is not written when its ctx ends never will be.
func TestWithdrawnBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted()
		c := parley.Connect(s, nil, nil)
		_ = c.Notify(t.Context(), "first", nil)
		synctest.Wait() // the writer is blocked in it
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_ = c.Batch(ctx, &parley.Item{Method: "a"}, &parley.Item{Method: "b"})
		close(s.free)
		_ = c.Close()
		if s.n.Load() != 1 {
			t.Errorf("%d records are written, 3 of them for a batch that was taken back unwritten", s.n.Load())
		}
	})
}

type noErr struct{ message.Codec }

func (noErr) Parse([]byte) (message.Message, error) { return nil, &message.ParseError{Reason: "odd"} }

// A codec may forget to say which error it means.
func TestCodecWithoutError(t *testing.T) {
	d := parley.JSONRPC
	d.Codec = noErr{message.Strict}
	if got := serve(t, "x", nil, &parley.Options{Dialect: &d}); !strings.Contains(got, "error") {
		t.Error(got)
	}
}

// The end of a call is told also if no handler has begun.
func TestHooksOfCallsWithoutHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ends atomic.Int64
		far, c := raw(untilCtx, &parley.Options{Handlers: 1, Trace: &parley.Trace{Call: func(parley.CallEnd) { ends.Add(1) }}})
		for i := range 3 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", i)
		}
		for i := range 3 {
			fmt.Fprintf(far, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`+"\n", 2-i)
		}
		synctest.Wait()
		if ends.Load() != 3 {
			t.Errorf("3 calls are answered, %d ends were told", ends.Load())
		}
		_ = far.Close()
		_ = c.Close()
	})
}

// A bad member of a batch is counted once.
func TestRefusedOnce(t *testing.T) {
	c := parley.Connect(frame.Lines.Stream(strings.NewReader(`[{"jsonrpc":"2.0","id":1,"method":"x","result":1}]`), io.Discard), nil, nil)
	if _ = c.Wait(); c.Stats().Refused != 1 {
		t.Errorf("%+v", c.Stats())
	}
}

// plain has no WriteRecords, and its fourth write fails.
type plain struct{ *scripted }

func (p plain) WriteRecord([]byte) error {
	if time.Sleep(time.Millisecond); p.n.Add(1) == 4 {
		return errors.New("boom")
	}
	return nil
}

// A call that was written is answered although the next write fails.
func TestWrittenBeforeTheBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScripted()
		c := parley.Connect(plain{s}, nil, nil)
		_ = c.Notify(t.Context(), "n", nil)
		synctest.Wait()
		p := c.Start(t.Context(), "a", nil) // these three go into one turn of the writer
		c.Start(t.Context(), "b", nil)
		c.Start(t.Context(), "c", nil)
		time.Sleep(2 * time.Second)
		s.in <- `{"jsonrpc":"2.0","id":1,"result":1}`
		if err := p.Wait(t.Context(), nil); err != nil {
			t.Errorf("call a was written, and is answered after 2 s: %v", err)
		}
		_ = c.Close()
	})
}

// A bound below zero is the default.
func TestNegativeOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, o := range []parley.Options{{Handlers: -1}, {Backlog: -1}, {BacklogBytes: -1}, {Outbound: -1}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
			if err := parley.Serve(ctx, frame.Lines.Stream(in, io.Discard), nil, &o); err != nil {
				t.Errorf("Handlers %d, Backlog %d, %d bytes, Outbound %d: %v", o.Handlers, o.Backlog, o.BacklogBytes, o.Outbound, err)
			}
			cancel()
		}
	})
}

// Inside a handler no progress is told after its Call has returned.
func TestProgressAfterCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late atomic.Int64
		h := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			var over atomic.Bool
			err := parley.Caller(ctx).Call(parley.OnProgress(ctx, func(message.Raw) {
				if over.Load() {
					late.Add(1)
				}
			}), "work", nil, nil)
			over.Store(true)
			time.Sleep(time.Second)
			return 1, err
		}
		work := func(ctx context.Context, _ string, _ message.Raw) (any, error) { return 1, parley.Progress(ctx, 1) }
		a, _ := parleytest.Pair(t, work, h, nil)
		_ = a.Notify(t.Context(), "n", nil)
		time.Sleep(time.Minute)
		if late.Load() > 0 {
			t.Errorf("%d values came after Call had returned", late.Load())
		}
	})
}

package parley_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// requests is an input of n calls, made as they are read.
type requests struct {
	n, at int
	line  string // with one %d for the id
	rest  []byte
}

func (r *requests) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.at == r.n {
			return 0, io.EOF
		}
		r.at++
		r.rest = fmt.Appendf(nil, r.line, r.at)
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// counter counts the lines that are written to it, and can be made to take none.
type counter struct {
	mu    sync.Mutex
	lines int
	bad   int           // lines that are errors
	hold  chan struct{} // while not nil and open, writes wait
}

func (c *counter) Write(p []byte) (int, error) {
	if c.hold != nil {
		<-c.hold
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines += strings.Count(string(p), "\n")
	c.bad += strings.Count(string(p), `"error"`)
	return len(p), nil
}

func (c *counter) counts() (lines, bad int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines, c.bad
}

// heap is what is alive after a collection, in MiB.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc >> 20)
}

// 5,000 calls that sleep 2 s, in one pipe: the slots are fewer, the backlog too, and all
// are answered.
func TestManySleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &requests{n: 5000, line: `{"jsonrpc":"2.0","id":%d,"method":"sleep","params":{"ms":2000}}` + "\n"}
		out := new(counter)
		if err := parley.Serve(t.Context(), frame.Lines.Stream(in, out), referenceHandler(), nil); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d calls of 2 s in one pipe: %d answers, of them %d errors", in.n, out.lines, out.bad)
		if out.lines != 5000 || out.bad != 0 {
			t.Errorf("%d answers, of them %d errors", out.lines, out.bad)
		}
	})
}

// 200,000 calls into a server whose output nobody reads do not grow it: reading pauses.
// Once somebody reads, all are answered and none is refused.
func TestNobodyReadsAnswers(t *testing.T) {
	in := &requests{n: 200_000, line: `{"jsonrpc":"2.0","id":%d,"method":"echo","params":["` + strings.Repeat("x", 1000) + `"]}` + "\n"}
	out := &counter{hold: make(chan struct{})}
	synctest.Test(t, func(t *testing.T) {
		out.hold = make(chan struct{})
		before := heap()
		conn := parley.Connect(frame.Lines.Stream(in, out), referenceHandler(), nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		grown := heap() - before
		t.Logf("%d of %d calls were read while nobody read the answers; the heap grew by %d MiB", in.at, in.n, grown)
		if grown > 48 {
			t.Errorf("it grew by %d MiB", grown)
		}
		if in.at == in.n {
			t.Error("the whole input was read")
		}
		close(out.hold)
		if err := conn.Wait(); err != nil {
			t.Error(err)
		}
	})
	if out.lines != 200_000 || out.bad != 0 {
		t.Errorf("%d answers, of them %d errors", out.lines, out.bad)
	}
}

// A side that never reads costs bounded memory, whatever is sent. A Call returns at its
// deadline although the write is blocked, and so does a Notify.
func TestPeerNeverReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedStream{free: make(chan struct{})}
		conn := parley.Connect(out, nil, &parley.Options{Outbound: 1 << 20})
		before := heap()
		big := []string{strings.Repeat("x", 100_000)}
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				for range 20 {
					ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
					if err := conn.Notify(ctx, "flood", big); err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Errorf("Notify: %v", err)
					}
					cancel()
				}
			})
		}
		all.Wait()
		began := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := conn.Call(ctx, "x", nil, nil); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("Call: %v after %v", err, time.Since(began))
		}
		grown := heap() - before
		t.Logf("400 notes of 100 kB to a side that never reads: the heap grew by %d MiB", grown)
		if grown > 16 {
			t.Errorf("it grew by %d MiB", grown)
		}
		close(out.free)
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Two peers flood each other from main, with calls that neither has room for, and both go
// on.
func TestFloodBothWays(t *testing.T) {
	opts := &parley.Options{Outbound: 16 << 10, Backlog: 8, BacklogBytes: 16 << 10}
	echo := func(_ context.Context, _ string, params message.Raw) (any, error) { return params, nil }
	a, b := parleytest.Pair(t, echo, echo, opts)
	big := []string{strings.Repeat("x", 5000)}
	var all sync.WaitGroup
	for _, c := range []*parley.Conn{a, b} {
		for range 10 {
			all.Go(func() {
				for range 50 {
					if err := c.Call(t.Context(), "echo", big, nil); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	all.Wait()
}

// The same with notes, which nobody waits for: handling them goes on although there is no
// room to write.
func TestFloodOfNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := &parley.Options{Outbound: 16 << 10, Backlog: 8, BacklogBytes: 16 << 10}
		var handled atomic.Int64
		h := func(context.Context, string, message.Raw) (any, error) { handled.Add(1); return nil, nil }
		a, b := parleytest.Pair(t, h, h, opts)
		big := []string{strings.Repeat("x", 5000)}
		var all sync.WaitGroup
		for _, c := range []*parley.Conn{a, b} {
			all.Go(func() {
				for range 1000 {
					if err := c.Notify(t.Context(), "note", big); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		synctest.Wait()
		if handled.Load() != 2000 {
			t.Errorf("%d notes were handled", handled.Load())
		}
	})
}

// A side that sends nothing but bad lines, and reads the answers only at the end: reading
// pauses, each line is answered, none ends the connection.
func TestFloodOfBadLines(t *testing.T) {
	in := &requests{n: 100_000, line: "{bad line %d\n"}
	out := new(counter)
	synctest.Test(t, func(t *testing.T) {
		out.hold = make(chan struct{})
		conn := parley.Connect(frame.Lines.Stream(in, out), nil, &parley.Options{Outbound: 64 << 10})
		time.Sleep(time.Minute)
		synctest.Wait()
		if in.at == in.n {
			t.Error("the whole input was read")
		}
		close(out.hold)
		if err := conn.Wait(); err != nil {
			t.Error(err)
		}
	})
	if out.lines != 100_000 || out.bad != 100_000 {
		t.Errorf("%d answers, of them %d errors", out.lines, out.bad)
	}
}

// Calls back that nobody answers fill every slot, and more calls come than the backlog
// holds: the answers and cancellations behind them are still read.
func TestReverseCallsFillSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := &parley.Options{Handlers: 4, Backlog: 8}
		release := make(chan struct{})
		a := func(context.Context, string, message.Raw) (any, error) { <-release; return "late", nil }
		b := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			var got string
			err := parley.Caller(ctx).Call(ctx, "back", nil, &got)
			return got, err
		}
		endA, endB := frame.Pipe()
		client := parley.Connect(frame.Lines.Stream(endA, endA), a, nil)
		server := parley.Connect(frame.Lines.Stream(endB, endB), b, opts)
		var calls []*parley.Pending
		for range 100 {
			calls = append(calls, client.Start(t.Context(), "forth", nil))
		}
		time.Sleep(time.Second)
		close(release)
		for _, p := range calls {
			var got string
			if err := p.Wait(t.Context(), &got); err != nil || got != "late" {
				t.Fatalf("got %q, %v", got, err)
			}
		}
		if err := errors.Join(client.Close(), server.Close()); err != nil {
			t.Error(err)
		}
	})
}

// A note handler waits for a reply that is behind more notes than the backlog holds.
func TestReplyBehindNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		handled := 0
		h := func(ctx context.Context, method string, _ message.Raw) (any, error) {
			handled++
			if method != "first" {
				return nil, nil
			}
			var got string
			err := parley.Caller(ctx).Call(ctx, "x", nil, &got)
			if err != nil || got != "behind" {
				t.Errorf("got %q, %v", got, err)
			}
			return nil, err
		}
		conn := parley.Connect(frame.Lines.Stream(near, near), h, nil)
		_, _ = far.Write([]byte(`{"jsonrpc":"2.0","method":"first"}` + "\n"))
		synctest.Wait()
		for range 5000 {
			if _, err := far.Write([]byte(`{"jsonrpc":"2.0","method":"more"}` + "\n")); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = far.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"behind"}` + "\n"))
		_ = far.CloseWrite()
		if err := conn.Wait(); err != nil {
			t.Error(err)
		}
		if handled != 5001 {
			t.Errorf("%d notes were handled", handled)
		}
	})
}

// 1,100 calls that end only by being cancelled, and then their cancellations: more than
// the slots and the backlog together.
func TestCancelBehindBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var in strings.Builder
		for id := range 1400 {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"sleep","params":{"ms":80000000}}`+"\n", id)
		}
		for id := range 1400 {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`+"\n", id)
		}
		out := new(counter)
		if err := parley.Serve(t.Context(), frame.Lines.Stream(strings.NewReader(in.String()), out), referenceHandler(), nil); err != nil {
			t.Fatal(err)
		}
		lines, bad := out.counts()
		t.Logf("1400 calls that end only by being cancelled: %d answers, of them %d errors", lines, bad)
		if lines != 1400 || bad != 1400 {
			t.Errorf("%d answers, of them %d errors", lines, bad)
		}
	})
}

// Past the backlog and its overflow a call is refused with the limit named, and a note
// ends the connection.
func TestOverflow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		opts := &parley.Options{Handlers: 2, Backlog: 3, Overflow: 4}
		conn := parley.Connect(frame.Lines.Stream(near, near), reference.NewMux(nil).Handle, opts)
		lines := make(chan string, 100)
		go func() {
			for out := bufio.NewScanner(far); out.Scan(); {
				lines <- out.Text()
			}
		}()
		for id := range 10 {
			_, _ = fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"sleep","params":{"ms":100000}}`+"\n", id)
		}
		time.Sleep(10 * time.Second)
		want := `{"jsonrpc":"2.0","id":9,"error":{"code":-32000,"message":"Too many calls are waiting","data":{"limit":7,"what":"waiting calls and notes"}}}`
		if got := <-lines; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		_, _ = far.Write([]byte(`{"jsonrpc":"2.0","method":"note"}` + "\n"))
		if err := conn.Wait(); !errors.Is(err, parley.ErrOverload) {
			t.Errorf("Wait: %v", err)
		}
		_ = far.Close()
	})
}

// Case 101: ten thousand notes and then an answer, to a side whose note handler blocks for
// ever. An unordered call has its answer, and the end of the stream is noticed.
func TestBlockedNoteHandlerAndFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		block := make(chan struct{})
		h := func(context.Context, string, message.Raw) (any, error) { <-block; return nil, nil }
		conn := parley.Connect(frame.Lines.Stream(near, near), h, nil)
		p := conn.Start(t.Context(), "x", nil)
		for n := range 10_000 {
			if _, err := fmt.Fprintf(far, `{"jsonrpc":"2.0","method":"note","params":[%d]}`+"\n", n); err != nil {
				t.Fatal(err)
			}
		}
		fmt.Fprintln(far, `{"jsonrpc":"2.0","id":1,"result":"through"}`)
		var got string
		if err := p.Wait(parley.Unordered(t.Context()), &got); err != nil || got != "through" {
			t.Errorf("got %q, %v", got, err)
		}
		_ = far.Close()
		if err := conn.Call(t.Context(), "y", nil, nil); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
		close(block)
		<-conn.Done()
	})
}

// A side that never reads, with a record limit of 1 MiB: whatever it sends, the memory
// stays under 64 MiB. Here: calls with a thousand unknown members each, while a call of
// ours is open and every handler is held.
func TestMemoryUnderOneMiBRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Limit(1<<20).Stream(near, near), untilCtx, nil)
		conn.Start(t.Context(), "never answered", nil)
		before := heap()
		var members strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&members, `,"%d":1`, i)
		}
		go func() { _, _ = io.Copy(io.Discard, far) }()
		grown := 0
		for id := range 6000 {
			if _, err := fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"x"%s}`+"\n", id, members.String()); err != nil {
				t.Fatal(err)
			}
			if id%1000 == 999 {
				synctest.Wait()
				grown = max(grown, heap()-before)
			}
		}
		unhandled := conn.Stats().Unhandled
		t.Logf("the heap grew by %d MiB; %d of 6000 calls were refused", grown, unhandled)
		if grown > 64 || unhandled == 0 {
			t.Errorf("it grew by %d MiB, and %d calls were refused", grown, unhandled)
		}
		_ = far.Close()
		_ = conn.Close()
	})
}

// A side that never reads, with the default bounds and records of 16 MiB: memory stays
// under 64 MiB and twice the largest record.
func TestLargeRecordsNobodyReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, nil)
		const size = 16 << 20
		big := []string{strings.Repeat("x", size)}
		before, grown, sent := heap(), 0, 0
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			if conn.Notify(ctx, "large", big) == nil {
				sent++
			}
			cancel()
			synctest.Wait()
			grown = max(grown, heap()-before)
		}
		t.Logf("%d of 10 notes of 16 MiB were queued; the heap grew by %d MiB", sent, grown)
		if grown > 64+2*size>>20 || sent == 10 {
			t.Errorf("it grew by %d MiB, and %d notes were queued", grown, sent)
		}
		_ = far.Close()
		_ = conn.Close()
	})
}

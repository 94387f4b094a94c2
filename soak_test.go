package parley_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

var soakTime = flag.Duration("soak", 2*time.Second, "how long TestSoak runs; make soak SECONDS=60 sets it")

// A soakPeer is one side of a soak: it answers and it counts.
type soakPeer struct {
	t    *testing.T
	conn *parley.Conn

	sentNotes, gotNotes atomic.Int64
	calls, failed       atomic.Int64
	corrupt             bool // a byte may be changed: what comes back may be anything
}

// handle answers echo, back and slow, and takes numbered notes.
func (p *soakPeer) handle(ctx context.Context, method string, params message.Raw) (any, error) {
	switch method {
	case "echo":
		return params, nil
	case "back":
		var result message.Raw
		err := parley.Caller(ctx).Call(ctx, "echo", params, &result)
		return result, err
	case "slow":
		_ = parley.Progress(ctx, 1)
		select {
		case <-time.After(time.Duration(rand.IntN(20)) * time.Millisecond):
		case <-ctx.Done():
		}
		return params, ctx.Err()
	case "note":
		var n [1]int64
		if err := params.Decode(&n); err == nil && p.gotNotes.Add(1) != n[0] && !p.corrupt {
			p.t.Errorf("note %d came as number %d", n[0], p.gotNotes.Load())
		}
		return nil, nil
	}
	return nil, message.MethodNotFound
}

// talk makes random calls until ctx ends or the connection does. A call that has no
// answer 10 s after its deadline is lost.
func (p *soakPeer) talk(ctx context.Context, r *rand.Rand) {
	for ctx.Err() == nil {
		want := []string{strings.Repeat("x", r.IntN(1<<r.IntN(16)))}
		method := []string{"echo", "back", "slow", "nosuch"}[r.IntN(4)]
		limit := time.Duration(1+r.IntN(2000)) * time.Millisecond
		short, cancel := context.WithTimeout(ctx, limit)
		began := time.Now()
		var got []string
		err := p.conn.Call(short, method, want, &got)
		cancel()
		p.calls.Add(1)
		if took := time.Since(began); took > limit+10*time.Second {
			p.t.Errorf("%s took %v, although its deadline was %v", method, took, limit)
		}
		var remote *message.Error
		switch {
		case errors.Is(err, parley.ErrClosed):
			p.failed.Add(1)
			return
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.As(err, &remote):
			p.failed.Add(1)
		case p.corrupt:
		case err != nil:
			p.t.Errorf("%s: %v", method, err)
		case len(got) != 1 || got[0] != want[0]:
			p.t.Errorf("%s of %d bytes came back otherwise", method, len(want[0]))
		}
	}
}

// note sends numbered notes, from one goroutine so that they have an order.
func (p *soakPeer) note(ctx context.Context, r *rand.Rand) {
	for n := int64(1); ctx.Err() == nil; n++ {
		if p.conn.Notify(ctx, "note", []int64{n}) != nil {
			return
		}
		p.sentNotes.Add(1)
		time.Sleep(time.Duration(r.IntN(3)) * time.Millisecond)
	}
}

// trouble turns faults on and off at random until ctx ends.
func trouble(ctx context.Context, r *rand.Rand, ends []*parleytest.Faults, corrupt bool) {
	for ctx.Err() == nil {
		end := ends[r.IntN(len(ends))]
		switch r.IntN(4) {
		case 0:
			end.Stall()
			time.Sleep(time.Duration(r.IntN(50)) * time.Millisecond)
			end.Resume()
		case 1:
			end.ByteByByte(true)
			time.Sleep(time.Duration(r.IntN(5)) * time.Millisecond)
			end.ByteByByte(false)
		case 2:
			if corrupt {
				end.Corrupt(r.IntN(5000))
			}
		}
		time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
	}
}

// soakRound connects two peers and lets them talk through trouble for a while. It ends
// with a cut, or in order.
func soakRound(t *testing.T, r *rand.Rand, length time.Duration) (calls, failed int64) {
	t.Helper()
	endA, endB := frame.Pipe()
	faultsA, faultsB := parleytest.NewFaults(endA), parleytest.NewFaults(endB)
	corrupt := r.IntN(4) == 0
	a, b := &soakPeer{t: t, corrupt: corrupt}, &soakPeer{t: t, corrupt: corrupt}
	greaseA, greaseB := parleytest.Grease(faultsA, r.Uint64()), parleytest.Grease(faultsB, r.Uint64())
	ready := make(chan struct{})
	wait := func(h parley.Handler) parley.Handler {
		return func(ctx context.Context, method string, params message.Raw) (any, error) {
			<-ready
			return h(ctx, method, params)
		}
	}
	a.conn = parley.Connect(frame.Lines.Stream(faultsA, closing{greaseA, faultsA}), wait(a.handle), nil)
	b.conn = parley.Connect(frame.Lines.Stream(faultsB, closing{greaseB, faultsB}), wait(b.handle), nil)
	close(ready)

	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var all sync.WaitGroup
	for _, p := range []*soakPeer{a, b} {
		for range 8 {
			one := rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))
			all.Go(func() { p.talk(ctx, one) })
		}
		one := rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))
		all.Go(func() { p.note(ctx, one) })
	}
	one := rand.New(rand.NewPCG(r.Uint64(), r.Uint64()))
	all.Go(func() { trouble(ctx, one, []*parleytest.Faults{faultsA, faultsB}, corrupt) })
	cut := r.IntN(3) == 0
	if cut {
		after := r.IntN(100_000)
		time.AfterFunc(length/2, func() { faultsA.Cut(after) })
	}
	all.Wait()
	soakEnd(t, a, b, cut || corrupt)
	return a.calls.Load() + b.calls.Load(), a.failed.Load() + b.failed.Load()
}

// soakEnd closes both sides and checks that nothing was lost, if nothing was broken.
func soakEnd(t *testing.T, a, b *soakPeer, broken bool) {
	t.Helper()
	if !broken {
		// Every note was queued before this call, and is handled before it.
		for _, p := range []*soakPeer{a, b} {
			if err := p.conn.Call(t.Context(), "echo", []int{1}, nil); err != nil {
				t.Errorf("the last call: %v", err)
			}
		}
		if a.sentNotes.Load() != b.gotNotes.Load() || b.sentNotes.Load() != a.gotNotes.Load() {
			t.Errorf("notes lost: %d and %d sent, %d and %d came",
				a.sentNotes.Load(), b.sentNotes.Load(), b.gotNotes.Load(), a.gotNotes.Load())
		}
	}
	for _, p := range []*soakPeer{a, b} {
		if err := p.conn.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}
}

// closing is a writer with somebody else's Close.
type closing struct {
	w interface{ Write([]byte) (int, error) }
	c interface{ Close() error }
}

func (c closing) Write(p []byte) (int, error) { return c.w.Write(p) }
func (c closing) Close() error                { return c.c.Close() }

// rss is the resident memory of this process in MiB, or what Go has from the system
// where that is not to be had.
func rss() int {
	debug.FreeOSMemory()
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		var kib int
		if _, after, ok := strings.Cut(string(status), "VmRSS:"); ok {
			if _, err := fmt.Sscan(after, &kib); err == nil {
				return kib >> 10
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.Sys >> 20)
}

// Random traffic with random faults, both ways: every call ends, nothing is lost or comes
// out of order, no goroutine and no memory is left behind.
func TestSoak(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, seed))
	end := time.Now().Add(*soakTime)
	var rounds, calls, failed int64
	before, goroutines := 0, runtime.NumGoroutine()
	for time.Now().Before(end) {
		c, f := soakRound(t, r, min(max(*soakTime/20, 300*time.Millisecond), 3*time.Second))
		rounds, calls, failed = rounds+1, calls+c, failed+f
		if rounds == 2 { // the first rounds warm up
			before = rss()
		}
	}
	after := rss()
	for range 100 {
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("%d rounds, %d calls, of them %d failed as they may; RSS %d MiB at the start, %d MiB at the end; %d goroutines, then %d",
		rounds, calls, failed, before, after, goroutines, runtime.NumGoroutine())
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines are left, there were %d", n, goroutines)
	}
	if rounds < 3 || calls == failed {
		t.Errorf("nothing was soaked: %d rounds, %d of %d calls failed", rounds, failed, calls)
	}
	if after > before+before/2+32 {
		t.Errorf("memory grew from %d MiB to %d MiB", before, after)
	}
}

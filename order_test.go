package parley_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

const (
	ping parley.Method[arg, int] = "ping"
	tick parley.Note[arg]        = "tick"
)

// arg is one number by position: JSON-RPC has no bare numbers as params.
type arg [1]int

// journal keeps what happened, in order.
type journal struct {
	mu  sync.Mutex
	all []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.all = append(j.all, fmt.Sprintf(format, args...))
}

func (j *journal) want(t *testing.T, want ...string) {
	t.Helper()
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Equal(j.all, want) {
		t.Errorf("got  %v\nwant %v", j.all, want)
	}
}

// Rule 2: notes are handled one at a time, in the order in which they came.
func TestNotesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []int
		running := 0
		b := parley.NewMux(tick.Handle(func(_ context.Context, n arg) error {
			if running++; running != 1 {
				t.Errorf("note %d began while another ran", n[0])
			}
			time.Sleep(time.Duration(200-n[0]) * time.Millisecond) // the first are the slowest
			got = append(got, n[0])
			running--
			return nil
		}))
		conn, _ := parleytest.Pair(t, nil, b.Handle, nil)
		for n := range 200 {
			if err := tick.Send(t.Context(), conn, arg{n}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		t.Logf("%d numbered notes were handled, in order: %v", len(got), slices.IsSorted(got))
		if len(got) != 200 || !slices.IsSorted(got) {
			t.Errorf("handled in the order %v", got)
		}
	})
}

// Rule 3: a call begins when the notes before it are done.
func TestCallAfterNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		b := parley.NewMux(
			tick.Handle(func(_ context.Context, n arg) error {
				time.Sleep(time.Second)
				log.add("note %d", n[0])
				return nil
			}),
			ping.Handle(func(_ context.Context, n arg) (int, error) {
				log.add("call %d", n[0])
				return n[0], nil
			}))
		conn, _ := parleytest.Pair(t, nil, b.Handle, nil)
		first := ping.Start(t.Context(), conn, arg{0})
		_ = tick.Send(t.Context(), conn, arg{1})
		_ = tick.Send(t.Context(), conn, arg{2})
		if _, err := ping.Call(t.Context(), conn, arg{3}); err != nil {
			t.Fatal(err)
		}
		if err := first.Wait(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		log.want(t, "call 0", "note 1", "note 2", "call 3")
	})
}

// Rule 4: outside handlers Call returns when the notes before its reply are done; inside
// a handler, and under Unordered, it returns with the reply.
func TestReplyAfterNotes(t *testing.T) {
	var log journal
	run := func(t *testing.T, with func(context.Context) context.Context) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			log = journal{}
			a := parley.NewMux(tick.Handle(func(context.Context, arg) error {
				time.Sleep(time.Second)
				log.add("note")
				return nil
			}))
			b := parley.NewMux(ping.Handle(func(ctx context.Context, n arg) (int, error) {
				return n[0], tick.Send(ctx, parley.Caller(ctx), n)
			}))
			conn, _ := parleytest.Pair(t, a.Handle, b.Handle, nil)
			if _, err := ping.Call(with(t.Context()), conn, arg{1}); err != nil {
				t.Fatal(err)
			}
			log.add("reply")
			time.Sleep(time.Minute)
		})
	}
	run(t, func(ctx context.Context) context.Context { return ctx })
	log.want(t, "note", "reply")
	run(t, parley.Unordered)
	log.want(t, "reply", "note")
}

// A note handler that blocks for ever: an ordered Call returns at its deadline, an
// unordered one at once, and the end of the input is noticed (case 101 is its kind).
func TestBlockedNoteHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		a := parley.NewMux(tick.Handle(func(context.Context, arg) error { <-free; return nil }))
		b := parley.NewMux(ping.Handle(func(ctx context.Context, n arg) (int, error) {
			return n[0], tick.Send(ctx, parley.Caller(ctx), n)
		}))
		connA, connB := parleytest.Pair(t, a.Handle, b.Handle, nil)
		if _, err := ping.Call(parley.Unordered(t.Context()), connA, arg{1}); err != nil {
			t.Errorf("unordered: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := ping.Call(ctx, connA, arg{2}); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("ordered: %v after %v", err, time.Since(began))
		}
		if err := connB.Close(); err != nil {
			t.Fatal(err)
		}
		if err := connA.Call(t.Context(), "ping", arg{3}, nil); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
		close(free)
		<-connA.Done()
	})
}

// Both sides call back, 50 deep, from calls and from notes.
func TestNestedCallbacks(t *testing.T) {
	for _, start := range []string{"call", "note"} {
		t.Run(start, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deepest := make(chan int, 1)
				h := func(ctx context.Context, method string, params message.Raw) (any, error) {
					var n arg
					if err := params.Decode(&n); err != nil {
						return nil, err
					}
					if n[0] == 50 {
						deepest <- n[0]
						return n[0], nil
					}
					return ping.Call(ctx, parley.Caller(ctx), arg{n[0] + 1})
				}
				conn, _ := parleytest.Pair(t, h, h, nil)
				if start == "note" {
					if err := tick.Send(t.Context(), conn, arg{0}); err != nil {
						t.Fatal(err)
					}
				} else if n, err := ping.Call(t.Context(), conn, arg{0}); n != 50 || err != nil {
					t.Errorf("got %d, %v", n, err)
				}
				n := <-deepest
				t.Logf("callbacks, both ways, came to depth %d", n)
				if n != 50 {
					t.Errorf("came to depth %d", n)
				}
			})
		})
	}
}

// The same when each side sends a note before it calls back: the notes are held up behind
// a handler that waits, and must not hold up the call that it waits for. docs/adr/0003.
func TestNestedCallbacksBehindNotes(t *testing.T) {
	for _, start := range []string{"call", "note"} {
		t.Run(start, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				deepest := make(chan int, 1)
				logged := 0
				h := func(ctx context.Context, method string, params message.Raw) (any, error) {
					var n arg
					if err := params.Decode(&n); err != nil || method == "log" {
						logged++
						return nil, err
					}
					if n[0] == 50 {
						deepest <- n[0]
						return n[0], nil
					}
					if err := parley.Caller(ctx).Notify(ctx, "log", n); err != nil {
						return nil, err
					}
					return ping.Call(ctx, parley.Caller(ctx), arg{n[0] + 1})
				}
				conn, _ := parleytest.Pair(t, h, h, nil)
				began := time.Now()
				if start == "note" {
					if err := tick.Send(t.Context(), conn, arg{0}); err != nil {
						t.Fatal(err)
					}
				} else if n, err := ping.Call(t.Context(), conn, arg{0}); n != 50 || err != nil {
					t.Errorf("got %d, %v", n, err)
				}
				if n := <-deepest; n != 50 || time.Since(began) > time.Second {
					t.Errorf("came to depth %d in %v", n, time.Since(began))
				}
				synctest.Wait()
				if logged != 50 {
					t.Errorf("%d notes were handled", logged)
				}
			})
		})
	}
}

// A note that is held up behind a handler which waits in a short Call keeps its place
// before the calls that came after it.
func TestNotesKeepTheirPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		a := parley.NewMux(ping.Handle(func(_ context.Context, n arg) (int, error) {
			time.Sleep(200 * time.Millisecond)
			return n[0], nil
		}))
		b := parley.NewMux(
			tick.Handle(func(ctx context.Context, n arg) error {
				if n[0] == 1 {
					_, _ = ping.Call(ctx, parley.Caller(ctx), n)
				}
				log.add("note %d", n[0])
				return nil
			}),
			ping.Handle(func(_ context.Context, n arg) (int, error) {
				log.add("call %d", n[0])
				return n[0], nil
			}))
		conn, _ := parleytest.Pair(t, a.Handle, b.Handle, nil)
		_ = tick.Send(t.Context(), conn, arg{1})
		_ = tick.Send(t.Context(), conn, arg{2})
		if _, err := ping.Call(t.Context(), conn, arg{3}); err != nil {
			t.Fatal(err)
		}
		log.want(t, "note 1", "note 2", "call 3")
	})
}

// A's call handler holds a mutex while it calls back, and B's note wants the mutex before
// it answers: the reply does not wait for the note.
func TestMutexOverCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		a := parley.NewMux(
			ping.Handle(func(ctx context.Context, n arg) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				return ping.Call(ctx, parley.Caller(ctx), arg{n[0] + 1})
			}),
			tick.Handle(func(context.Context, arg) error { mu.Lock(); defer mu.Unlock(); return nil }))
		b := parley.NewMux(ping.Handle(func(ctx context.Context, n arg) (int, error) {
			return n[0], tick.Send(ctx, parley.Caller(ctx), n)
		}))
		_, conn := parleytest.Pair(t, a.Handle, b.Handle, nil)
		if n, err := ping.Call(t.Context(), conn, arg{1}); n != 2 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	})
}

// Case 076: a handler that calls back, and a note handler that does so while another note
// is queued behind it.
func TestCallbackInsideHandlers(t *testing.T) {
	for range 100 {
		called := make(chan string, 4)
		a := parley.NewMux(ping.Handle(func(_ context.Context, n arg) (int, error) { return n[0] * 2, nil }))
		b := parley.NewMux(
			ping.Handle(func(ctx context.Context, n arg) (int, error) { return ping.Call(ctx, parley.Caller(ctx), n) }),
			tick.Handle(func(ctx context.Context, n arg) error {
				got, err := ping.Call(ctx, parley.Caller(ctx), n)
				called <- fmt.Sprint(got, err)
				return err
			}))
		conn, _ := parleytest.Pair(t, a.Handle, b.Handle, nil)
		_ = tick.Send(t.Context(), conn, arg{1})
		_ = tick.Send(t.Context(), conn, arg{2})
		if n, err := ping.Call(t.Context(), conn, arg{3}); n != 6 || err != nil {
			t.Fatalf("got %d, %v", n, err)
		}
		if first, second := <-called, <-called; first != "2 <nil>" || second != "4 <nil>" {
			t.Fatalf("the notes called back with %s and %s", first, second)
		}
	}
}

// Case 103: many goroutines write large calls and notes at once. Each record leaves
// whole, and every call is answered.
func TestConcurrentLargeCalls(t *testing.T) {
	blob := make([]byte, 10_000)
	for i := range blob {
		blob[i] = 'x'
	}
	echo := func(_ context.Context, _ string, params message.Raw) (any, error) { return params, nil }
	conn, other := parleytest.Pair(t, echo, echo, nil)
	var all sync.WaitGroup
	for g := range 50 {
		all.Go(func() {
			for i := range 20 {
				want := fmt.Sprintf("%d/%d %s", g, i, blob)
				var got []string
				to := conn
				if i%2 == 1 {
					to = other
				}
				if err := to.Call(t.Context(), "echo", []string{want}, &got); err != nil || !slices.Equal(got, []string{want}) {
					t.Errorf("call %d of goroutine %d: %v", i, g, err)
				}
				_ = to.Notify(t.Context(), "note", []int{i})
			}
		})
	}
	all.Wait()
	for _, c := range []*parley.Conn{conn, other} {
		if s := c.Stats(); s.Refused+s.Orphans+s.Late != 0 {
			t.Errorf("some records were broken: %+v", s)
		}
	}
}

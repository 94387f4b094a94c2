package parley_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A place is something to connect to that can die.
type place struct {
	dials atomic.Int64
	down  atomic.Bool
	last  atomic.Pointer[frame.PipeEnd]
}

func (p *place) dial(context.Context) (frame.Stream, error) {
	n := p.dials.Add(1)
	if p.down.Load() {
		return nil, errors.New("nobody there")
	}
	near, far := frame.Pipe()
	p.last.Store(far)
	parley.Connect(frame.Lines.Stream(far, far), func(_ context.Context, method string, _ message.Raw) (any, error) {
		return fmt.Sprint(method, " of life ", n), nil
	}, nil)
	return frame.Lines.Stream(near, near), nil
}

// A keeper makes a new connection when one ends, after a handshake, waits longer and
// longer while that fails, and starts over after one that was stable.
func TestKeeper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p place
		hands := 0
		k := parley.Keep(parley.Restart{
			Dial:      p.dial,
			Handshake: func(ctx context.Context, c *parley.Conn) error { hands++; return c.Call(ctx, "hello", nil, nil) },
		})
		call := func(want string) {
			t.Helper()
			conn, err := k.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got string
			if err := conn.Call(t.Context(), "x", nil, &got); err != nil || got != want {
				t.Errorf("got %q, %v, want %q", got, err, want)
			}
		}
		call("x of life 1")
		time.Sleep(time.Minute)
		_ = p.last.Load().Close()
		synctest.Wait()
		began := time.Now()
		call("x of life 2")
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("the first restart took %v", took)
		}

		p.down.Store(true)
		_ = p.last.Load().Close()
		before := p.dials.Load()
		time.Sleep(time.Minute)
		if n := p.dials.Load() - before; n < 5 || n > 15 {
			t.Errorf("%d dials in a minute of failures", n)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := k.Conn(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "nobody there") {
			t.Errorf("while it is down: %v", err)
		}
		p.down.Store(false)
		time.Sleep(time.Minute)
		call(fmt.Sprint("x of life ", p.dials.Load()))
		if err := k.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if _, err := k.Conn(t.Context()); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
		if hands != 3 {
			t.Errorf("%d handshakes", hands)
		}
	})
}

// A keeper gives up after so many failures in a row, a handshake that hangs included.
func TestKeeperGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dials := 0
		k := parley.Keep(parley.Restart{
			Dial: func(context.Context) (frame.Stream, error) {
				dials++
				near, _ := frame.Pipe()
				return frame.Lines.Stream(near, near), nil
			},
			Handshake: func(ctx context.Context, c *parley.Conn) error { return c.Call(ctx, "never", nil, nil) },
			Failures:  3,
		})
		<-k.Done()
		if _, err := k.Conn(t.Context()); !errors.Is(err, parley.ErrClosed) || !strings.Contains(err.Error(), "3 failures") {
			t.Errorf("Conn: %v", err)
		}
		if err := k.Close(); !errors.Is(err, context.DeadlineExceeded) || dials != 3 {
			t.Errorf("Close: %v after %d dials", err, dials)
		}
	})
}

// A keeper that is closed while it dials or waits ends at once.
func TestKeeperClosedEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, dial := range []func(context.Context) (frame.Stream, error){
			func(ctx context.Context) (frame.Stream, error) { <-ctx.Done(); return nil, ctx.Err() },
			func(context.Context) (frame.Stream, error) { return nil, io.ErrClosedPipe },
		} {
			k := parley.Keep(parley.Restart{Dial: dial, MinWait: time.Hour})
			synctest.Wait()
			began := time.Now()
			if err := k.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if time.Since(began) != 0 {
				t.Errorf("it took %v", time.Since(began))
			}
		}
	})
}

package parley_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// The end of the ctx of a Call ends the ctx of its handler, and the call at once.
func TestCancelCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		b := func(ctx context.Context, method string, _ message.Raw) (any, error) {
			if method != "wait" {
				return nil, nil
			}
			<-ctx.Done()
			ended <- ctx.Err()
			return nil, ctx.Err()
		}
		conn, _ := parleytest.Pair(t, nil, b, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := conn.Call(ctx, "wait", nil, nil)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), `"wait" (id 1)`) {
			t.Errorf("the call failed with: %v", err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the handler's ctx ended with: %v", err)
		}
		synctest.Wait()
		if s := conn.Stats(); s.Late != 1 || s.Orphans != 0 {
			t.Errorf("the late answer was counted otherwise: %+v", s)
		}
		if err := conn.Call(t.Context(), "next", nil, nil); err != nil {
			t.Errorf("the call after it: %v", err)
		}
	})
}

// What goes over the wire when a call is taken back: -32800 in a dialect that answers
// cancelled calls, nothing in one that does not; a cancellation in the same write works,
// also for a call that has not begun; one that comes too late is quiet.
func TestCancelWire(t *testing.T) {
	parleytest.Scripts(t, "testdata/cancel/answered.txtar", referenceHandler, nil)
	mcp := parley.JSONRPC
	mcp.Cancel = parley.Cancel{IDNote: parley.IDNote{Method: "notifications/cancelled", Member: "requestId"}}
	parleytest.Scripts(t, "testdata/cancel/silent.txtar", referenceHandler, &parley.Options{Dialect: &mcp})
}

// A call that is not written yet is withdrawn without a word.
func TestWithdraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &blockedStream{free: make(chan struct{})}
		conn := parley.Connect(out, nil, nil)
		first := conn.Start(t.Context(), "first", nil)
		synctest.Wait() // the writer holds the first record now
		second := conn.Start(t.Context(), "second", nil)
		second.Cancel()
		if err := second.Wait(t.Context(), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the withdrawn call: %v", err)
		}
		first.Cancel()
		close(out.free)
		if err := conn.Flush(t.Context()); err != nil {
			t.Error(err)
		}
		if got := strings.Join(out.lines(), "\n"); strings.Contains(got, "second") || !strings.Contains(got, `$/cancelRequest","params":{"id":1}`) {
			t.Errorf("on the wire: %s", got)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
}

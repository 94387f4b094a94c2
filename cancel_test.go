package parley_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
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

// Case 071: a cancellation meets the completion. 1,000 rounds, the calls at once: at most
// one answer for each, exactly one where the dialect answers cancelled calls. Case 073 is
// its two halves.
func TestCancelMeetsCompletion(t *testing.T) {
	mcp := parley.JSONRPC
	mcp.Cancel.Answered = false
	for _, d := range []parley.Dialect{parley.JSONRPC, mcp} {
		synctest.Test(t, func(t *testing.T) {
			far, near := frame.Pipe()
			conn := parley.Connect(frame.Lines.Stream(near, near), referenceHandler(), &parley.Options{Dialect: &d})
			answers := make(map[string]int)
			reading := make(chan struct{})
			go func() {
				defer close(reading)
				for rec := range frame.Lines.Records(far) {
					msg, err := message.Strict.Parse(rec)
					if reply, ok := msg.(*message.Response); ok && err == nil {
						answers[reply.ID.String()]++
					}
				}
			}()
			for id := range 1000 {
				fmt.Fprintf(far, `{"jsonrpc":"2.0","id":%d,"method":"sleep","params":{"ms":5}}`+"\n", id)
				time.Sleep(time.Duration(4000+rand.IntN(3)*1000) * time.Microsecond)
				fmt.Fprintf(far, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`+"\n", id)
			}
			fmt.Fprintln(far, `{"jsonrpc":"2.0","id":"last","method":"nil"}`)
			time.Sleep(time.Second)
			_ = far.CloseWrite()
			if err := conn.Wait(); err != nil {
				t.Error(err)
			}
			<-reading
			silent := 0
			for id := range 1000 {
				switch n := answers[fmt.Sprint(id)]; {
				case n > 1, n == 0 && d.Cancel.Answered:
					t.Errorf("call %d was answered %d times", id, n)
				case n == 0:
					silent++
				}
			}
			t.Logf("answered = %v: of 1000 races %d ended without an answer, none with two", d.Cancel.Answered, silent)
			if answers[`"last"`] != 1 {
				t.Error("the last call was not answered")
			}
			if !d.Cancel.Answered && (silent == 0 || silent == 1000) {
				t.Errorf("%d calls were not answered: the race was not met", silent)
			}
		})
	}
}

// Case 050: an answer after its call was given up is dropped, and the connection is as
// good as before.
func TestAnswerAfterTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := func(_ context.Context, method string, _ message.Raw) (any, error) {
			if method == "slow" {
				time.Sleep(300 * time.Millisecond) // it does not look at its ctx
			}
			return method, nil
		}
		conn, _ := parleytest.Pair(t, nil, b, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if err := conn.Call(ctx, "slow", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("slow: %v", err)
		}
		time.Sleep(time.Second)
		for range 20 {
			if err := conn.Call(t.Context(), "fast", nil, nil); err != nil {
				t.Errorf("fast: %v", err)
			}
		}
		if s := conn.Stats(); s.Late != 1 {
			t.Errorf("counted: %+v", s)
		}
	})
}

// Case 076, third part: the handler of a note cancels a call of its own side, and the end
// of a call is told while it does.
func TestNoteHandlerCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *parley.Pending
		started := make(chan struct{})
		a := func(context.Context, string, message.Raw) (any, error) {
			<-started
			p.Cancel()
			return nil, nil
		}
		b := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			if err := parley.Caller(ctx).Notify(ctx, "stop it", nil); err != nil {
				return nil, err
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		conn, _ := parleytest.Pair(t, a, b, nil)
		p = conn.Start(t.Context(), "x", nil)
		close(started)
		if err := p.Wait(t.Context(), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the call: %v", err)
		}
	})
}

// Case 105: progress for a call that has ended, or that never was, reaches no call and
// breaks nothing.
func TestProgressAfterAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, &parley.Options{Dialect: spread()})
		events := 0
		ctx := parley.OnProgress(t.Context(), func(message.Raw) { events++ })
		first, second := conn.Start(ctx, "a", nil), conn.Start(t.Context(), "b", nil)
		synctest.Wait()
		for _, line := range []string{
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"total":2}}`,
			`{"jsonrpc":"2.0","id":1,"result":"done"}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":2,"total":2}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":[],"progress":1}}`,
			`{"jsonrpc":"2.0","method":"notifications/progress"}`,
			`{"jsonrpc":"2.0","id":2,"result":"two"}`,
		} {
			fmt.Fprintln(far, line)
		}
		var one, two string
		if err := errors.Join(first.Wait(t.Context(), &one), second.Wait(t.Context(), &two)); err != nil || one+two != "donetwo" || events != 1 {
			t.Errorf("got %q, %q and %d events, %v", one, two, events, err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		_ = far.Close()
	})
}

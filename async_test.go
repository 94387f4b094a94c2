package parley_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

const (
	prompt    parley.Note[arg]                = "prompt"
	interrupt parley.Method[arg, message.Raw] = "interrupt"
)

// A turn that is the handler of a note can be stopped by a call that comes behind it,
// and the notes behind it are handled, in their order.
func TestAsyncLetsWhatIsBehindBegin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		stop := make(chan struct{})
		agent := parley.NewMux(
			prompt.Handle(func(ctx context.Context, n arg) error {
				log.add("prompt %d", n[0])
				parley.Async(ctx)
				parley.Async(ctx) // a second time changes nothing
				<-stop
				log.add("stopped %d", n[0])
				return nil
			}),
			tick.Handle(func(_ context.Context, n arg) error {
				log.add("tick %d", n[0])
				return nil
			}),
			interrupt.Handle(func(context.Context, arg) (message.Raw, error) {
				log.add("interrupt")
				close(stop)
				return nil, nil
			}))
		c, _ := parleytest.Pair(t, nil, agent.Handle, nil)
		for _, err := range []error{
			prompt.Send(t.Context(), c, arg{1}), tick.Send(t.Context(), c, arg{1}), tick.Send(t.Context(), c, arg{2}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := interrupt.Call(t.Context(), c, arg{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		log.want(t, "prompt 1", "tick 1", "tick 2", "interrupt", "stopped 1")
	})
}

// The end of the input waits for a handler that goes on: what it still sends is written.
func TestAsyncHoldsTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := frame.Pipe()
		served := make(chan error, 1)
		go func() {
			agent := parley.NewMux(prompt.Handle(func(ctx context.Context, n arg) error {
				parley.Async(ctx)
				time.Sleep(5 * time.Second)
				return tick.Send(ctx, parley.Caller(ctx), n)
			}))
			served <- parley.Serve(t.Context(), frame.Lines.Stream(far, far), agent.Handle, nil)
		}()
		peer := frame.Lines.Stream(near, near)
		if err := peer.WriteRecord([]byte(`{"jsonrpc":"2.0","method":"prompt","params":[7]}`)); err != nil {
			t.Fatal(err)
		}
		if err := near.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		rec, err := peer.ReadRecord()
		if want := `{"jsonrpc":"2.0","method":"tick","params":[7]}`; err != nil || string(rec) != want {
			t.Errorf("got %s, %v; want %s", rec, err, want)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// As many go on at once as there are handlers; then the next note waits.
func TestAsyncIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int64
		agent := parley.NewMux(prompt.Handle(func(ctx context.Context, _ arg) error {
			parley.Async(ctx)
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			return nil
		}))
		c, _ := parleytest.Pair(t, nil, agent.Handle, &parley.Options{Handlers: 3})
		for n := range 10 {
			if err := prompt.Send(t.Context(), c, arg{n}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Minute)
		if most.Load() != 3 || running.Load() != 0 {
			t.Errorf("at most %d went on at once, and %d still do; want 3 and 0", most.Load(), running.Load())
		}
	})
}

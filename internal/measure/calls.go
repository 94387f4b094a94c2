package measure

import (
	"context"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// handler answers the two methods that are measured.
func handler() parley.Handler {
	return parley.NewMux(
		echo.Handle(func(_ context.Context, doc document) (document, error) { return doc, nil }),
		nothing.Handle(func(context.Context, message.Raw) (message.Raw, error) { return nil, nil }),
	).Handle
}

// A turnstile is a stream in memory that lets one call through at a time: it gives out
// the next when the one before it is answered.
type turnstile struct {
	rec      []byte
	left     int           // calls to come; of the goroutine that reads
	answered chan struct{} // has room for one
}

func newTurnstile(rec []byte, calls int) *turnstile {
	t := &turnstile{rec: rec, left: calls, answered: make(chan struct{}, 1)}
	t.answered <- struct{}{} // the first need not wait
	return t
}

// ReadRecord returns the call once more. The record is the same each time, which nobody
// notices: a peer changes no byte of what it reads.
func (t *turnstile) ReadRecord() ([]byte, error) {
	<-t.answered
	if t.left == 0 {
		return nil, io.EOF
	}
	t.left--
	return t.rec, nil
}

// WriteRecord drops an answer.
func (t *turnstile) WriteRecord([]byte) error {
	t.answered <- struct{}{}
	return nil
}

// WriteRecords takes as many as a stream over a pipe would: the peer treats the two
// alike.
func (t *turnstile) WriteRecords(_ context.Context, recs []frame.Record) error {
	for range recs {
		t.answered <- struct{}{}
	}
	return nil
}

// Close has nothing to close.
func (t *turnstile) Close() error { return nil }

// A couple is a client and a server in this process, joined by two pipes of the system
// as a parent and its child are.
type couple struct {
	client *parley.Conn
	served chan error // has room for what Serve returns
}

func newCouple() (*couple, error) {
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirIn.Close(), ourOut.Close())
	}
	c := &couple{served: make(chan error, 1)}
	go func() {
		c.served <- parley.Serve(context.Background(), frame.Lines.Stream(theirIn, theirOut), handler(), nil)
	}()
	c.client = parley.Connect(frame.Lines.Stream(ourIn, ourOut), nil, nil)
	return c, nil
}

// close ends both sides. The server ends because its input does.
func (c *couple) close() error { return errors.Join(c.client.Close(), <-c.served) }

// calls is the op of a typed call, of which at most window are open at once.
func (c *couple) calls(ctx context.Context, doc document, window int) op {
	return func(n int) error {
		var left atomic.Int64
		left.Store(int64(n))
		ends := make(chan error, window) // one from each goroutine
		for range window {
			go func() {
				var err error
				for err == nil && left.Add(-1) >= 0 {
					_, err = echo.Call(ctx, c.client, doc)
				}
				ends <- err
			}()
		}
		var errs []error
		for range window {
			errs = append(errs, <-ends)
		}
		return errors.Join(errs...)
	}
}

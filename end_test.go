package parley_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// blockedStream takes no record until it is freed, and has no input until it is closed.
type blockedStream struct {
	free chan struct{}
	mu   sync.Mutex
	recs []string
}

func (s *blockedStream) ReadRecord() ([]byte, error) { <-s.free; return nil, io.EOF }

func (s *blockedStream) WriteRecord(rec []byte) error {
	<-s.free
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recs = append(s.recs, string(rec))
	return nil
}

func (s *blockedStream) Close() error { return nil }

func (s *blockedStream) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.recs
}

// Case 089, from memory: the input ends at once, and every answer comes. 100 rounds.
func TestOneShot(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":1,"method":"nil"}
{"jsonrpc":"2.0","id":2,"method":"sleep","params":{"ms":15}}
{"jsonrpc":"2.0","id":3,"method":"echo","params":["z"]}`
	for range 100 {
		if got := serve(t, in, referenceHandler(), nil); strings.Count(got, `"result"`) != 3 {
			t.Fatalf("we wrote %q", got)
		}
	}
}

// After the end of the input a handler that never ends is given up after Drain without
// progress: its ctx ends, the call is answered, Serve says ErrDrain.
func TestDrainGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := func(ctx context.Context, method string, _ message.Raw) (any, error) {
			if method == "steps" { // progress: each answer restarts the clock
				time.Sleep(9 * time.Second)
				return nil, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"steps"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"hang"}`)
		var out bytes.Buffer
		began := time.Now()
		err := parley.Serve(t.Context(), frame.Lines.Stream(in, &out), h, nil)
		if !errors.Is(err, parley.ErrDrain) {
			t.Errorf("Serve returned %v", err)
		}
		if took := time.Since(began); took < 19*time.Second || took > 25*time.Second {
			t.Errorf("it took %v", took)
		}
		want := `{"jsonrpc":"2.0","id":1,"result":null}
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error: shutting down"}}
`
		if out.String() != want {
			t.Errorf("we wrote %s", out.String())
		}
	})
}

// A slow reader is not a dead one: as long as bytes go out, every answer is written, a
// large one too that takes far longer than Drain.
func TestDrainThroughSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const size = 5 << 20
		out := slowWriter(func(n int) { time.Sleep(time.Duration(n) * time.Second / (20 << 10)) }) // 20 KiB/s
		in := strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"blob","params":{"bytes":%d}}`+"\n", size) +
			`{"jsonrpc":"2.0","id":2,"method":"nil"}`)
		began := time.Now()
		if err := parley.Serve(t.Context(), frame.Lines.Stream(in, out), referenceHandler(), nil); err != nil {
			t.Errorf("Serve: %v after %v", err, time.Since(began))
		}
		if took := time.Since(began); took < 4*time.Minute {
			t.Errorf("all was written in %v", took)
		}
	})
}

// slowWriter is told how many bytes come, and takes its time.
type slowWriter func(n int)

func (w slowWriter) Write(p []byte) (int, error) { w(len(p)); return len(p), nil }

// When the other side goes, calls that wait fail at once, and so do later ones.
func TestPeerDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, nil)
		p := conn.Start(t.Context(), "x", nil)
		synctest.Wait()
		began := time.Now()
		_ = far.Close()
		if err := p.Wait(t.Context(), nil); !errors.Is(err, parley.ErrClosed) || !errors.Is(err, io.EOF) {
			t.Errorf("the open call: %v", err)
		}
		if err := conn.Call(t.Context(), "y", nil, nil); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("a later call: %v", err)
		}
		if err := conn.Wait(); err != nil {
			t.Errorf("Wait: %v", err)
		}
		if err := conn.Notify(t.Context(), "z", nil); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("a later note: %v", err)
		}
		if time.Since(began) > 0 {
			t.Errorf("it took %v", time.Since(began))
		}
	})
}

// Close ends handlers by their ctx, answers what they leave, and is bounded although one
// of them ignores its ctx and the other side does not read.
func TestCloseIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.NewPipe(100)
		release := make(chan struct{})
		h := func(context.Context, string, message.Raw) (any, error) { <-release; return nil, nil }
		conn := parley.Connect(frame.Lines.Stream(near, near), h, nil)
		go func() { _, _ = far.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"x"}` + "\n")) }()
		for range 100 {
			_ = conn.Notify(t.Context(), "flood", nil)
		}
		p := conn.Start(t.Context(), "never", nil)
		synctest.Wait()
		began := time.Now()
		err := conn.Close()
		if err == nil || !strings.Contains(err.Error(), "1 handlers still run") {
			t.Errorf("Close returned %v", err)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("Close took %v", took)
		}
		if err := p.Wait(t.Context(), nil); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("the open call: %v", err)
		}
		close(release)
		_ = far.Close()
	})
}

// The ctx of Serve ends it.
func TestServeContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		defer far.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := parley.Serve(ctx, frame.Lines.Stream(near, near), nil, nil)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

// An answer that was written just before the end counts, although our own writing fails.
func TestAnswerThenEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.NewPipe(10)
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, nil)
		first := conn.Start(t.Context(), "first", nil)
		line := make([]byte, 100)
		if _, err := io.ReadAtLeast(far, line, len(`{"jsonrpc":"2.0","id":1,"method":"first"}`)); err != nil {
			t.Fatal(err)
		}
		_ = conn.Notify(t.Context(), "more than the pipe holds", nil)
		if _, err := far.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"last words"}` + "\n")); err != nil {
			t.Fatal(err)
		}
		_ = far.Close()
		var got string
		if err := first.Wait(t.Context(), &got); err != nil || got != "last words" {
			t.Errorf("got %q, %v", got, err)
		}
		<-conn.Done()
	})
}

// Wait and Flush are safe at any time, and Close may be called again and at once.
func TestCloseAgain(t *testing.T) {
	conn, _ := parleytest.Pair(t, nil, nil, nil)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := conn.Flush(t.Context()); err != nil {
		t.Errorf("Flush after Close with nothing to write: %v", err)
	}
	if err := conn.Wait(); err != nil {
		t.Error(err)
	}
}

// The loss of the output while the last answers are written is told.
func TestOutputLostInDrain(t *testing.T) {
	full := errors.New("no space left on device")
	out := failingWriter{full}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"nil"}` + "\n")
	err := parley.Serve(t.Context(), frame.Lines.Stream(in, out), referenceHandler(), nil)
	if !errors.Is(err, full) || !errors.Is(err, parley.ErrClosed) {
		t.Errorf("Serve returned %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

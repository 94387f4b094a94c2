package spawn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A stuckWriter blocks in Write until it is freed.
type stuckWriter chan struct{}

func (w stuckWriter) Write(p []byte) (int, error) {
	<-w
	return len(p), nil
}

// A failingWriter fails every Write.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

// Case 095: a child that writes 256 KiB to stderr before each answer gets through
// ten calls, whatever becomes of its stderr.
func TestNoiseNeverBlocks(t *testing.T) {
	stuck := make(stuckWriter)
	defer close(stuck)
	tests := []struct {
		does string
		to   io.Writer
		args []string
		tail string
	}{
		{"nobody looks at it", nil, nil, "a line of log\n"},
		{"nobody looks at it, and it has no newline", nil, []string{"long"}, "nnn"},
		{"the writer keeps up", io.Discard, nil, "a line of log\n"},
		{"the writer is stuck", stuck, nil, "a line of log\n"},
		{"the writer fails", failingWriter{}, nil, "a line of log\n"},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			cmd := as(t, "noise", tt.args...)
			cmd.Stderr = tt.to
			c := start(t, cmd)
			soon(t, 20*time.Second, "ten noisy calls", func() {
				for i := range 10 {
					write(t, c, fmt.Sprint(i))
					if got := read(t, c); got != fmt.Sprint(i) {
						t.Errorf("got %q, want %d", got, i)
					}
				}
			})
			c.CloseWrite()
			if err := c.Wait(); err != nil {
				t.Fatal(err)
			}
			if got := c.Tail(); len(got) != defaultTail || !strings.HasSuffix(got, tt.tail) {
				t.Errorf("the tail has %d bytes and ends with %q", len(got), got[max(0, len(got)-20):])
			}
		})
	}
}

// A writer that keeps up gets every byte, and has it when Wait returns.
func TestStderrIsCopied(t *testing.T) {
	var got bytes.Buffer
	cmd := as(t, "exit", "1", "", "some\nlast words")
	cmd.Stderr, cmd.Tail = &got, 5
	c := start(t, cmd)
	if err := c.Wait(); err == nil {
		t.Error("Wait returns nil")
	}
	c.Close()
	if diff := cmp.Diff("some\nlast words", got.String()); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	if got := c.Tail(); got != "words" {
		t.Errorf("a tail of 5 bytes is %q", got)
	}
}

// The tail is the end of what was written, whatever the pieces.
func TestTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(-1, 40).Draw(t, "limit")
		tail, all := tail{limit: limit}, ""
		for _, p := range rapid.SliceOf(rapid.StringOfN(rapid.RuneFrom([]rune("ab\n")), 0, 100, -1)).Draw(t, "pieces") {
			tail.add([]byte(p))
			all += p
		}
		if want := all[max(0, len(all)-max(0, limit)):]; tail.String() != want {
			t.Fatalf("got %q, want %q", tail.String(), want)
		}
		if len(tail.kept) > 2*max(0, limit) {
			t.Fatalf("%d bytes are held for a tail of %d", len(tail.kept), limit)
		}
	})
}

// A gate lets writes through one token at a time and records them.
type gate struct {
	tokens chan struct{}
	got    bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.tokens
	return g.got.Write(p)
}

// A writer that stops loses bytes only after a full buffer has waited for it, holds
// up the child once, and finds the gap marked where it is.
func TestRelayDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &gate{tokens: make(chan struct{})}
		r := newRelay(w)
		go r.run()
		r.put([]byte("first "))
		synctest.Wait() // the writer holds "first "
		full := bytes.Repeat([]byte("x"), relayLimit)
		r.put(full)

		begin := time.Now()
		r.put([]byte("lost"))
		if waited := time.Since(begin); waited != relayPatience {
			t.Errorf("the first lost bytes wait %v, want %v", waited, relayPatience)
		}
		begin = time.Now()
		r.put([]byte(" as well"))
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("the next lost bytes wait %v, want 0", waited)
		}

		close(w.tokens)
		synctest.Wait()
		r.put([]byte("last"))
		r.finish()
		<-r.done
		want := "first " + string(full) + "\n[12 bytes of stderr dropped here: the reader was too slow]\nlast"
		if diff := cmp.Diff(want, w.got.String()); diff != "" {
			t.Errorf("the copy (-want +got):\n%s", diff)
		}
	})
}

// A slowWriter takes half of the time that it may.
type slowWriter struct{ bytes.Buffer }

func (w *slowWriter) Write(p []byte) (int, error) {
	time.Sleep(relayPatience / 2)
	return w.Buffer.Write(p)
}

// A writer that is only slow loses nothing: the child waits for it a little.
func TestRelayWaitsForSlowWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w slowWriter
		r := newRelay(&w)
		go r.run()
		var want bytes.Buffer
		for i := range 100 {
			p := bytes.Repeat([]byte{byte('a' + i%26)}, 32<<10)
			want.Write(p)
			r.put(p)
		}
		r.finish()
		<-r.done
		if !bytes.Equal(want.Bytes(), w.Bytes()) {
			t.Errorf("%d bytes arrived of %d", w.Len(), want.Len())
		}
	})
}

// After abandon no Write begins, and putting costs no time.
func TestRelayAbandon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &gate{tokens: make(chan struct{})}
		r := newRelay(w)
		go r.run()
		r.put([]byte("first"))
		synctest.Wait()
		r.abandon()
		begin := time.Now()
		for range 100 {
			r.put(make([]byte, 32<<10))
		}
		if waited := time.Since(begin); waited != 0 {
			t.Errorf("putting waits %v, want 0", waited)
		}
		close(w.tokens)
		<-r.done
		if got := w.got.String(); got != "first" {
			t.Errorf("%q was written, want %q", got, "first")
		}
	})
}

package frame

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

// stuck returns a stream whose out is blocked in a write, until free is called.
func stuck(t *testing.T, closeFrees bool) (s Stream, free func(), written *[]error) {
	gate := make(chan struct{})
	open := sync.OnceFunc(func() { close(gate) })
	out := &fakeWriter{log: new(log), name: "out", write: func(p []byte) (int, error) {
		<-gate
		return 0, os.ErrClosed
	}}
	if closeFrees {
		out.close = func() error { open(); return nil }
	}
	s = Lines.Stream(strings.NewReader("in\n"), out)
	written = new([]error)
	go func() {
		err := s.WriteRecord([]byte("stuck"))
		*written = append(*written, err)
	}()
	synctest.Wait()
	return s, open, written
}

func TestStreamWaitsForItsTurnNoLongerThanTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, free, _ := stuck(t, false)
		defer free()
		ctx, cancel := context.WithCancel(t.Context())
		var err error
		go func() { err = s.(ManyWriter).WriteRecords(ctx, []Record{{[]byte("late")}}) }()
		synctest.Wait()
		if err != nil {
			t.Fatalf("did not wait: %v", err)
		}
		cancel()
		synctest.Wait()
		if err != context.Canceled {
			t.Errorf("got %v", err)
		}
	})
}

func TestStreamWritesNothingForAnEndedContext(t *testing.T) {
	var l log
	s := Lines.Stream(nil, &fakeWriter{log: &l, name: "out"}).(ManyWriter)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // the turn is free each time, so that chance would let some through
		if err := s.WriteRecords(ctx, []Record{{[]byte("late")}}); err != context.Canceled {
			t.Errorf("got %v", err)
		}
	}
	if len(l.calls) != 0 {
		t.Errorf("%q", l.calls)
	}
}

func TestStreamCloseFreesABlockedWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, written := stuck(t, true)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if len(*written) != 1 || !errors.Is((*written)[0], ErrClosed) || !errors.Is((*written)[0], os.ErrClosed) {
			t.Errorf("the writer got %v", *written)
		}
	})
}

func TestStreamCloseFreesWhoWaitsBehindABlockedWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, free, written := stuck(t, false)
		defer free()
		var waiting error
		go func() { waiting = s.WriteRecord([]byte("behind")) }()
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if waiting != ErrClosed {
			t.Errorf("the waiting writer got %v", waiting)
		}
		if len(*written) != 0 {
			t.Errorf("out did not hold its writer: %v", *written)
		}
	})
}

func TestStreamCloseFreesABlockedReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, _ := Pipe()
		s := Lines.Stream(a, a)
		var err error
		go func() { _, err = s.ReadRecord() }()
		synctest.Wait()
		_ = s.Close()
		synctest.Wait()
		if !errors.Is(err, ErrClosed) || !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the reader got %v", err)
		}
	})
}

// uncomparable has a dynamic type for which == panics.
type uncomparable struct {
	*fakeWriter
	_ []int
}

func TestStreamCloseClosesOutAndThenIn(t *testing.T) {
	var l log
	one, two := errors.New("one"), errors.New("two")
	out := &fakeWriter{log: &l, name: "out", close: func() error { return one }}
	in := &fakeWriter{log: &l, name: "in", close: func() error { return two }}
	for _, c := range []struct {
		sentence string
		in       io.Reader
		out      io.Writer
		want     []string
		err      []error
	}{
		{"out and in", in, out, []string{"out closes", "in closes"}, []error{one, two}},
		{"one value for both is closed once", out, out, []string{"out closes"}, []error{one}},
		{"what cannot be closed is left alone", strings.NewReader(""), new(bytes.Buffer), nil, nil},
		{"values that cannot be compared count as two", uncomparable{fakeWriter: in}, uncomparable{fakeWriter: in}, []string{"in closes", "in closes"}, []error{two}},
		{"nothing at all", nil, nil, nil, nil},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			l.calls = nil
			s := Lines.Stream(c.in, c.out)
			for range 2 { // the second Close changes nothing and says the same
				err := s.Close()
				if (err == nil) != (c.err == nil) {
					t.Errorf("got %v", err)
				}
				for _, want := range c.err {
					if !errors.Is(err, want) {
						t.Errorf("%v does not hold %v", err, want)
					}
				}
			}
			if diff := cmp.Diff(c.want, l.calls); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestStreamAfterClose(t *testing.T) {
	var out bytes.Buffer
	s := Lines.Stream(strings.NewReader("a\nb\n"), &out)
	if _, err := s.ReadRecord(); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	if rec, err := s.ReadRecord(); rec != nil || err != ErrClosed {
		t.Errorf("ReadRecord gives %q, %v", rec, err)
	}
	if err := s.WriteRecord([]byte("a")); err != ErrClosed {
		t.Errorf("WriteRecord gives %v", err)
	}
	if err := s.(ManyWriter).WriteRecords(t.Context(), []Record{{[]byte("a")}}); err != ErrClosed || out.Len() > 0 {
		t.Errorf("WriteRecords gives %v and writes %q", err, &out)
	}
}

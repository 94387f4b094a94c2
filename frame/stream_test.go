package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A log records every call on the fake readers and writers that share it.
type log struct{ calls []string }

// A fakeWriter is the out of a stream under test.
type fakeWriter struct {
	*log
	name  string
	write func(p []byte) (int, error) // nil: take everything
	close func() error                // nil: no error
}

func (w *fakeWriter) Write(p []byte) (int, error) {
	w.calls = append(w.calls, w.name+" writes "+string(p))
	if w.write == nil {
		return len(p), nil
	}
	return w.write(p)
}

func (w *fakeWriter) Read([]byte) (int, error) { return 0, io.EOF }

func (w *fakeWriter) Close() error {
	w.calls = append(w.calls, w.name+" closes")
	if w.close == nil {
		return nil
	}
	return w.close()
}

func TestStreamWritesARecordInOneWrite(t *testing.T) {
	var l log
	s := Lines.Stream(nil, &fakeWriter{log: &l, name: "out"})
	for _, r := range []string{"a", "b\r", "c\nd", "e"} {
		err := s.WriteRecord([]byte(r))
		if refused := strings.Contains(r, "\n"); errors.Is(err, ErrNewline) != refused || (err != nil) != refused {
			t.Errorf("%q: %v", r, err)
		}
	}
	want := []string{"out writes a\n", "out writes b\r\r\n", "out writes e\n"}
	if diff := cmp.Diff(want, l.calls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A large record goes out in pieces with nothing between them, and each is counted, so
// that a slow reader can be told from a dead one.
func TestStreamWritesALargeRecordInPieces(t *testing.T) {
	var sizes []int
	var s Stream
	out := writeFunc(func(p []byte) (int, error) {
		if got := s.(Counter).Written(); len(sizes) != int(got)/maxPiece {
			t.Errorf("%d bytes are counted after %d writes", got, len(sizes))
		}
		sizes = append(sizes, len(p))
		return len(p), nil
	})
	s = Lines.Stream(nil, out)
	rec := bytes.Repeat([]byte("x"), 2*maxPiece+9)
	if err := s.WriteRecord(rec); err != nil {
		t.Fatal(err)
	}
	if want := []int{maxPiece, maxPiece, 10}; !slices.Equal(sizes, want) {
		t.Errorf("writes of %v bytes, want %v", sizes, want)
	}
	if got := s.(Counter).Written(); got != int64(len(rec)+1) {
		t.Errorf("%d bytes are counted", got)
	}
}

type writeFunc func(p []byte) (int, error)

func (f writeFunc) Write(p []byte) (int, error) { return f(p) }

func TestStreamWritesManyRecordsInOneWrite(t *testing.T) {
	forEach(t, func(t *testing.T, f Framing) {
		var l log
		s := f.Stream(nil, &fakeWriter{log: &l, name: "out"}).(ManyWriter)
		recs := []Record{{[]byte(`{"a":`), nil, []byte("1}")}, {[]byte("[2]")}}
		for range 2 { // the second time into the same buffer
			if err := s.WriteRecords(t.Context(), recs); err != nil {
				t.Fatal(err)
			}
		}
		once := "out writes " + appended(t, f, `{"a":1}`, "[2]")
		if diff := cmp.Diff([]string{once, once}, l.calls); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
}

func TestStreamWritesNoneOfManyIfOneIsRefused(t *testing.T) {
	var l log
	s := Lines.Stream(nil, &fakeWriter{log: &l, name: "out"})
	recs := []Record{{[]byte("a")}, {[]byte("b"), []byte("\n")}, {[]byte("c")}}
	err := s.(ManyWriter).WriteRecords(t.Context(), recs)
	if !errors.Is(err, ErrNewline) || !strings.Contains(err.Error(), "record 2 of 3") {
		t.Errorf("got %v", err)
	}
	if err := s.(ManyWriter).WriteRecords(t.Context(), nil); err != nil {
		t.Errorf("no records: %v", err)
	}
	if err := s.WriteRecord([]byte("d")); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	if diff := cmp.Diff([]string{"out writes d\n"}, l.calls); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestStreamIsBrokenByAFailedWrite(t *testing.T) {
	full := errors.New("disk full")
	for _, c := range []struct {
		sentence string
		write    func(p []byte) (int, error)
		want     error
		text     string
	}{
		{"a write that fails", func([]byte) (int, error) { return 0, full }, full, "0 of 5 bytes"},
		{"a write that stops half-way", func([]byte) (int, error) { return 2, full }, full, "2 of 5 bytes"},
		{"a write that stops without saying why", func([]byte) (int, error) { return 2, nil }, io.ErrShortWrite, "2 of 5 bytes"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			var l log
			s := Lines.Stream(strings.NewReader("in\n"), &fakeWriter{log: &l, name: "out", write: c.write})
			for range 2 {
				err := s.WriteRecord([]byte("text"))
				if !errors.Is(err, ErrBroken) || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("got %v", err)
				}
			}
			if len(l.calls) != 1 {
				t.Errorf("out was written to again: %q", l.calls)
			}
			if got, err := s.ReadRecord(); string(got) != "in" || err != nil {
				t.Errorf("reading gives %q, %v", got, err)
			}
		})
	}
}

// mark3labs/mcp-go#796: parallel writes larger than a pipe mix their bytes.
func TestStreamKeepsRecordsOfManyWritersWhole(t *testing.T) {
	const writers, records = 50, 20
	forEach(t, func(t *testing.T, f Framing) {
		a, b := Pipe()
		s := f.Stream(a, a)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range records {
					if err := s.WriteRecord(testRecord(w, i)); err != nil {
						t.Error(err)
					}
				}
			})
		}
		go func() {
			wg.Wait()
			_ = s.Close()
		}()
		next := make([]int, writers)
		for rec, err := range f.Records(b) {
			if err != nil {
				t.Fatal(err)
			}
			var w, i int
			if _, err := fmt.Sscanf(string(rec[:20]), "[%d,%d,", &w, &i); err != nil {
				t.Fatal(err)
			}
			if i != next[w] || !bytes.Equal(rec, testRecord(w, i)) {
				t.Fatalf("record %d of writer %d came as %d, damaged or out of order", next[w], w, i)
			}
			next[w]++
		}
		if slices.Min(next) != records {
			t.Errorf("records are missing: %v", next)
		}
	})
}

// testRecord returns a record of more than 10 kB that tells who wrote it.
func testRecord(writer, number int) []byte {
	return fmt.Appendf(nil, `[%d,%d,"%s"]`, writer, number, strings.Repeat(string(rune('a'+writer%26)), 10_000))
}

func TestStreamTellsWhereItIs(t *testing.T) {
	s := Lines.Limit(3).Stream(strings.NewReader("\none\nthree\ntwo\n"), nil)
	for _, want := range []Pos{{1, 2, 1}, {2, 3, 5}, {3, 4, 11}} {
		_, err := s.ReadRecord()
		if got := s.(Positioner).Pos(); got != want {
			t.Errorf("at %v, want %v (%v)", got, want, err)
		}
	}
	if _, err := s.ReadRecord(); err != io.EOF {
		t.Errorf("got %v at the end", err)
	}
}

func TestStreamLetsGoOfALargeBuffer(t *testing.T) {
	s := Lines.Stream(nil, io.Discard).(*stream)
	for _, c := range []struct{ size, most int }{{100, 1000}, {maxScratch / 2, maxScratch}, {2 * maxScratch, maxScratch}} {
		if err := s.WriteRecord(bytes.Repeat([]byte("x"), c.size)); err != nil {
			t.Fatal(err)
		}
		if cap(s.scratch) > c.most || cap(s.scratch) == 0 || len(s.scratch) != 0 {
			t.Errorf("after a record of %d bytes the buffer has %d of %d", c.size, len(s.scratch), cap(s.scratch))
		}
	}
}

// A stream must work over what programs really have: descriptors.
func TestStreamOverFiles(t *testing.T) {
	in, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	theirIn, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := Lines.Stream(in, out), Lines.Stream(theirIn, theirOut)
	want := object(300_000) // more than a pipe holds
	go func() {
		rec, err := theirs.ReadRecord()
		if err == nil {
			err = theirs.WriteRecord(rec)
		}
		if err != nil {
			t.Error(err)
		}
	}()
	if err := ours.WriteRecord([]byte(want)); err != nil {
		t.Fatal(err)
	}
	if got, err := ours.ReadRecord(); string(got) != want || err != nil {
		t.Errorf("%d bytes came back, %v", len(got), err)
	}
	blocked := make(chan error)
	go func() {
		_, err := ours.ReadRecord()
		blocked <- err
	}()
	if err := ours.Close(); err != nil {
		t.Error(err)
	}
	if err := <-blocked; !errors.Is(err, ErrClosed) {
		t.Errorf("the blocked reader got %v", err)
	}
	if _, err := theirs.ReadRecord(); err != io.EOF {
		t.Errorf("the other side got %v", err)
	}
	if err := theirs.Close(); err != nil {
		t.Error(err)
	}
}

package frame

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"
)

func TestPipeCarriesBothWays(t *testing.T) {
	a, b := Pipe()
	for _, c := range []struct {
		from, to *PipeEnd
		text     string
	}{{a, b, "there"}, {b, a, "and back"}, {a, b, "and there"}} {
		if n, err := c.from.Write([]byte(c.text)); n != len(c.text) || err != nil {
			t.Fatalf("Write gave %d, %v", n, err)
		}
		got := make([]byte, 100)
		if n, err := c.to.Read(got); string(got[:n]) != c.text || err != nil {
			t.Fatalf("Read gave %q, %v; want %q", got[:n], err, c.text)
		}
	}
}

// Whatever the capacity and the cuts, what is read is what was written.
func TestPipeKeepsEveryByte(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewPipe(rapid.IntRange(-1, 20).Draw(t, "capacity"))
		writes := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 50)).Draw(t, "writes")
		go func() {
			for _, p := range writes {
				_, _ = a.Write(p)
			}
			_ = a.CloseWrite()
		}()
		var got []byte
		p := make([]byte, rapid.IntRange(1, 30).Draw(t, "read size"))
		for {
			n, err := b.Read(p)
			got = append(got, p[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if want := bytes.Join(writes, nil); !bytes.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

func TestPipeIsBounded(t *testing.T) {
	for _, c := range []struct {
		make func() (a, b *PipeEnd)
		want int
	}{
		{Pipe, 64 << 10},
		{func() (a, b *PipeEnd) { return NewPipe(10) }, 10},
		{func() (a, b *PipeEnd) { return NewPipe(0) }, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			a, b := c.make()
			var n int
			var err error
			done := false
			go func() {
				n, err = a.Write(make([]byte, c.want+5))
				done = true
			}()
			synctest.Wait()
			if done {
				t.Fatalf("a pipe for %d bytes took %d", c.want, n)
			}
			if _, err := io.ReadFull(b, make([]byte, 5)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if !done || n != c.want+5 || err != nil {
				t.Errorf("after a read of 5 bytes: done %v, %d bytes, %v", done, n, err)
			}
		})
	}
}

// io.Reader asks for this: a read into nothing says nothing about the stream.
func TestPipeReadIntoNothing(t *testing.T) {
	a, b := Pipe()
	for _, text := range []string{"", "text"} {
		if _, err := b.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if n, err := a.Read(nil); n != 0 || err != nil {
			t.Errorf("with %q in the pipe: %d, %v", text, n, err)
		}
	}
}

func TestPipeCloseLeavesWhatWasWritten(t *testing.T) {
	for name, end := range map[string]func(*PipeEnd) error{"Close": (*PipeEnd).Close, "CloseWrite": (*PipeEnd).CloseWrite} {
		a, b := Pipe()
		if _, err := a.Write([]byte("last words")); err != nil {
			t.Fatal(err)
		}
		for range 2 { // closing twice is allowed
			if err := end(a); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := io.ReadAll(b); string(got) != "last words" || err != nil {
			t.Errorf("%s: the other end reads %q, %v", name, got, err)
		}
		if n, err := a.Write([]byte("x")); n != 0 || err != io.ErrClosedPipe {
			t.Errorf("%s: writing afterwards gives %d, %v", name, n, err)
		}
	}
}

func TestPipeCloseWriteLeavesTheOtherDirection(t *testing.T) {
	a, b := Pipe()
	_ = a.CloseWrite()
	if _, err := b.Write([]byte("answer")); err != nil {
		t.Fatal(err)
	}
	_ = b.CloseWrite()
	if got, err := io.ReadAll(a); string(got) != "answer" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestPipeAfterClose(t *testing.T) {
	a, b := Pipe()
	if _, err := b.Write([]byte("too late")); err != nil {
		t.Fatal(err)
	}
	_ = a.Close()
	for name, do := range map[string]func([]byte) (int, error){
		"Read of the closed end": a.Read, "Write of the closed end": a.Write, "Write of the other end": b.Write,
	} {
		for _, p := range [][]byte{make([]byte, 3), nil} {
			if n, err := do(p); n != 0 || err != io.ErrClosedPipe {
				t.Errorf("%s with %d bytes gives %d, %v", name, len(p), n, err)
			}
		}
	}
	if n, err := b.Read(make([]byte, 3)); n != 0 || err != io.EOF {
		t.Errorf("Read of the other end gives %d, %v", n, err)
	}
}

func TestPipeCloseFreesTheBlocked(t *testing.T) {
	type end = func(a, b *PipeEnd) error
	closeA := func(a, _ *PipeEnd) error { return a.Close() }
	closeB := func(_, b *PipeEnd) error { return b.Close() }
	read := func(a *PipeEnd) (int, error) { return a.Read(make([]byte, 1)) }
	write := func(a *PipeEnd) (int, error) { return a.Write(make([]byte, 9)) }
	for _, c := range []struct {
		sentence string
		do       func(*PipeEnd) (int, error)
		close    end
		n        int
		err      error
	}{
		{"a read ends with its own end", read, closeA, 0, io.ErrClosedPipe},
		{"a read ends with the other end", read, closeB, 0, io.EOF},
		{"a read ends when the other end writes no more", read, func(_, b *PipeEnd) error { return b.CloseWrite() }, 0, io.EOF},
		{"a write ends with its own end", write, closeA, 4, io.ErrClosedPipe},
		{"a write ends with the other end", write, closeB, 4, io.ErrClosedPipe},
		{"a write ends with its own CloseWrite", write, func(a, _ *PipeEnd) error { return a.CloseWrite() }, 4, io.ErrClosedPipe},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := NewPipe(4)
				var n int
				err := errors.New("still blocked")
				go func() { n, err = c.do(a) }()
				synctest.Wait()
				_ = c.close(a, b)
				synctest.Wait()
				if n != c.n || err != c.err {
					t.Errorf("got %d, %v; want %d, %v", n, err, c.n, c.err)
				}
			})
		})
	}
}

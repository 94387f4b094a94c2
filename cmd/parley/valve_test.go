package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestValveKeepsAll(t *testing.T) {
	// A reader that keeps up, however slowly, gets every line in order.
	synctest.Test(t, func(t *testing.T) {
		var got, want bytes.Buffer
		v := newValve(writerFunc(func(p []byte) (int, error) {
			time.Sleep(valvePatience / 2)
			return got.Write(p)
		}))
		for i := range 100_000 {
			line := fmt.Appendf(nil, "line %d\n", i)
			want.Write(line)
			v.Write(line)
		}
		v.end()
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes came through, want %d", got.Len(), want.Len())
		}
	})
}

func TestValveLetsGo(t *testing.T) {
	// A reader that stops costs the writer its patience once, and finds the gap marked.
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		v := newValve(w)
		line := []byte(strings.Repeat("x", 1<<10) + "\n")
		began := time.Now()
		const lines = 1000
		for range lines {
			v.Write(line)
		}
		if took := time.Since(began); took != valvePatience {
			t.Errorf("the writer was held up for %v, want %v", took, valvePatience)
		}
		read := make(chan string)
		go func() {
			text, _ := io.ReadAll(r)
			read <- string(text)
		}()
		synctest.Wait() // the reader is there again, and has what waited
		v.Write([]byte("back\n"))
		v.end()
		w.Close()
		text := <-read
		came := strings.Count(text, "x\n")
		gap := fmt.Sprintf("parley: %d lines are missing here: stderr was not read\nback\n", lines-came)
		if !strings.HasSuffix(text, gap) || came == 0 || came == lines {
			t.Errorf("%d lines came, and then %q; want %q", came, text[max(0, len(text)-100):], gap)
		}
	})
}

func TestValveEndIsBounded(t *testing.T) {
	// The end does not wait for a reader that never reads.
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		v := newValve(w)
		v.Write([]byte("one\n"))
		synctest.Wait() // run is stuck with it
		began := time.Now()
		v.end()
		if took := time.Since(began); took != valveEnd {
			t.Errorf("the end took %v, want %v", took, valveEnd)
		}
		r.Close() // lets run go
		<-v.done
	})
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

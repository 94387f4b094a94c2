package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
)

// A progress shows on a terminal how much of a file has been read. It is one line that
// is written over again and again, and is gone in the end.
type progress struct {
	to    io.Writer // nil: nothing is shown
	width int
	size  int64 // of the file, in bytes
	total int64 // bytes to read, in all passes
	done  int64

	started time.Time
	drawn   time.Time
	line    int // the columns that are to be cleared
}

// Nothing is shown of what is over soon, and no more often than an eye follows.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// newProgress returns a progress over a file that is read a few times, on out if that is
// a terminal.
func newProgress(out io.Writer, getenv func(string) string, size, passes int64) *progress {
	p := &progress{size: size, total: max(size*passes, 1), started: time.Now()}
	if look := term.LookOf(out, getenv); look.Terminal {
		p.to, p.width = out, look.Width
	}
	return p
}

// add notes that n more bytes have been read. show says whether the line may be drawn
// now; it may not while results go to the same terminal.
func (p *progress) add(n int, show bool) {
	p.done += int64(n)
	if p.to == nil || !show {
		return
	}
	now := time.Now()
	if now.Sub(p.started) < progressAfter || now.Sub(p.drawn) < progressEvery {
		return
	}
	p.drawn = now
	p.draw()
}

func (p *progress) draw() {
	done := min(p.done, p.total)
	label := fmt.Sprintf("reading %3d %% of %d MB ", 100*done/p.total, p.size/1e6)
	room := max(p.width-len(label)-1, 1)
	bar := measure.Bar(float64(p.total), float64(done), float64(p.total), room)
	p.line = len(label) + room
	_, _ = io.WriteString(p.to, "\r"+label+bar) // who cannot see it does not miss it
}

// clear takes the line away.
func (p *progress) clear() {
	if p.line > 0 {
		_, _ = io.WriteString(p.to, "\r"+strings.Repeat(" ", p.line)+"\r")
		p.line = 0
	}
}

// A countedReader tells a progress what is read through it.
type countedReader struct {
	in   io.Reader
	to   *progress
	show bool
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.to.add(n, r.show)
	return n, err
}

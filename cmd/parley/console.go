package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/parley-rpc/parley/internal/term"
)

// A console is the one way to stderr. Many goroutines write there at once: a child's
// own stderr, wire lines, warnings, errors. What is told is one line each and starts
// at the start of one, whatever a child left unfinished.
//
// Text of a peer cannot play tricks on who reads it: it is escaped in every line that
// is told, and in a child's stderr if that goes to a terminal. A child's stderr in a
// file or a pipe stays as it is.
type console struct {
	terminal bool
	raw      io.Writer // for lines of ours

	mu   sync.Mutex // held over writes, so that lines do not mix
	to   io.Writer  // for a child's stderr
	last byte       // the last byte that went out
}

func newConsole(stderr io.Writer, terminal bool) *console {
	c := &console{terminal: terminal, raw: stderr, to: stderr, last: '\n'}
	if terminal {
		c.to = term.NewWriter(stderr)
	}
	return c
}

// yield lets nobody wait any more for whoever reads stderr. It is for a server, which
// starts no child, so that raw is all that there is. What it returns writes what waits;
// what is told after that may be lost.
func (c *console) yield() (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := newValve(c.raw)
	c.raw = v
	return v.end
}

// Write passes on what a child or a help text says.
func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(p) > 0 {
		c.last = p[len(p)-1]
	}
	return c.to.Write(p)
}

// printf tells something in a line of its own.
func (c *console) printf(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var line bytes.Buffer
	if c.last != '\n' {
		line.WriteByte('\n')
	}
	line.WriteString(term.Escape(fmt.Sprintf(format, args...)))
	line.WriteByte('\n')
	c.last = '\n'
	_, _ = c.raw.Write(line.Bytes()) // there is nowhere left to tell that this failed
}

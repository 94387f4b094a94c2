package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// valveRoom is how many bytes may wait for a slow reader.
	valveRoom = 256 << 10
	// valvePatience is how long a full valve holds up whoever writes.
	valvePatience = 100 * time.Millisecond
	// valveEnd is how long the last of it may take to be written.
	valveEnd = 250 * time.Millisecond
)

// A valve is the stderr of a server. Many clients start a server and never read what it
// says there: 64 KiB later the pipe is full, and a server that insisted on telling would
// answer no more. So a valve writes in a goroutine of its own. A reader that keeps up
// gets every line; one that does not loses some, with a line that says how many. Package
// spawn does the same for the other side, where we are the one that starts the server.
type valve struct {
	to   io.Writer
	wake chan struct{} // capacity 1: there is something for run to do
	room chan struct{} // capacity 1: run has emptied buf
	done chan struct{} // closed by run

	mu    sync.Mutex
	buf   []byte // whole lines that wait; at most valveRoom, but one line always fits
	lost  int    // lines dropped after buf
	ended bool
}

func newValve(to io.Writer) *valve {
	v := &valve{to: to, wake: make(chan struct{}, 1), room: make(chan struct{}, 1), done: make(chan struct{})}
	go v.run()
	return v
}

// Write takes one line and never fails. It must not be called by two goroutines at once.
func (v *valve) Write(line []byte) (int, error) {
	timer := time.NewTimer(valvePatience)
	defer timer.Stop()
	for waiting := true; !v.put(line, waiting); {
		select {
		case <-v.room:
		case <-timer.C:
			waiting = false
		}
	}
	return len(line), nil
}

// put reports whether the line is dealt with. Once a line is lost all are, until the
// reader moves: that keeps the gap one, and whoever writes waits for it once.
func (v *valve) put(line []byte, waiting bool) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case len(v.buf) == 0, v.lost == 0 && len(v.buf)+len(line) <= valveRoom:
		v.buf = append(v.gapLocked(), line...)
		poke(v.wake)
	case v.lost > 0, !waiting:
		v.lost++
	default:
		return false
	}
	return true
}

// gapLocked returns buf with a line about what was lost behind it.
func (v *valve) gapLocked() []byte {
	if v.lost == 0 {
		return v.buf
	}
	lost := v.lost
	v.lost = 0
	return fmt.Appendf(v.buf, "parley: %d lines are missing here: stderr was not read\n", lost)
}

// run writes what was put, until the end.
func (v *valve) run() {
	defer close(v.done)
	for {
		<-v.wake
		v.mu.Lock()
		if v.ended {
			v.buf = v.gapLocked()
		}
		lines, ended := v.buf, v.ended
		v.buf = nil
		v.mu.Unlock()
		poke(v.room)
		_, _ = v.to.Write(lines) // there is nowhere left to tell that this failed
		if ended {
			return
		}
	}
}

// end writes what waits. A reader that does not read is left behind with the process.
func (v *valve) end() {
	v.mu.Lock()
	v.ended = true
	v.mu.Unlock()
	poke(v.wake)
	select {
	case <-v.done:
	case <-time.After(valveEnd):
	}
}

// poke leaves a token in c unless one is there.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

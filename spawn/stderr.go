package spawn

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// copyStderr starts to read the child's stderr.
func (c *Child) copyStderr() {
	if c.copy != nil {
		go c.copy.run()
	}
	go c.drain()
}

// drain reads the child's stderr to its end. Nothing it calls blocks for long.
func (c *Child) drain() {
	defer close(c.drained)
	buf := make([]byte, 32<<10)
	for {
		n, err := c.stderr.Read(buf)
		c.tail.add(buf[:n])
		if c.copy != nil {
			c.copy.put(buf[:n])
		}
		if err != nil {
			break
		}
	}
	if c.copy != nil {
		c.copy.finish()
	}
}

// A tail keeps the last bytes of a stream.
type tail struct {
	limit int // in bytes; less than 0 keeps none

	mu   sync.Mutex
	kept []byte // at most twice limit, so that a byte is moved once on average
}

func (t *tail) add(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	limit := max(t.limit, 0)
	p = p[max(0, len(p)-limit):]
	if len(t.kept)+len(p) > 2*limit {
		n := copy(t.kept, t.kept[max(0, len(t.kept)-limit):])
		t.kept = t.kept[:n]
	}
	t.kept = append(t.kept, p...)
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return wholeRunes(string(t.kept[max(0, len(t.kept)-max(t.limit, 0)):]))
}

const (
	relayLimit    = 256 << 10              // bytes that wait for a slow writer
	relayPatience = 100 * time.Millisecond // how long a full relay holds up the child
)

// A relay copies bytes to a writer that may be slow or stuck. One goroutine puts,
// one runs. A writer that keeps up gets every byte. One that lets a full buffer
// wait for relayPatience loses what comes until it takes the buffer, and finds a
// line in the copy, where the gap is, that says how much.
type relay struct {
	to    io.Writer
	wake  chan struct{} // capacity 1: there is something for run to do
	taken chan struct{} // capacity 1: run has emptied buf
	done  chan struct{} // closed by run when it ends

	mu    sync.Mutex
	buf   []byte // waits for the writer; at most relayLimit
	spare []byte // empty; takes turns with buf
	lost  int64  // bytes dropped after buf
	ended bool   // nothing more will be put
	dead  bool   // the writer failed or was given up; nothing more is written
}

func newRelay(to io.Writer) *relay {
	return &relay{
		to:    to,
		wake:  make(chan struct{}, 1),
		taken: make(chan struct{}, 1),
		done:  make(chan struct{}),
	}
}

// put queues p for the writer, or drops what finds no room in time.
func (r *relay) put(p []byte) {
	for {
		p = p[r.add(p):]
		if len(p) == 0 {
			return
		}
		if !within(relayPatience, r.taken) {
			break
		}
	}
	r.mu.Lock()
	r.lost += int64(len(p))
	r.mu.Unlock()
}

// add queues as much of p as has room and returns how much is dealt with. Once
// bytes are lost, all are until the writer moves: the gap stays one, and the child
// waits for it once.
func (r *relay) add(p []byte) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.dead:
		return len(p)
	case r.lost > 0:
		r.lost += int64(len(p))
		return len(p)
	}
	n := min(len(p), relayLimit-len(r.buf))
	r.buf = append(r.buf, p[:n]...)
	poke(r.wake)
	return n
}

// finish says that nothing more will be put.
func (r *relay) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	poke(r.wake)
}

// abandon lets no further Write begin. One that is stuck stays so, and run with it.
func (r *relay) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dead = true
	poke(r.wake)
}

// run writes what was put until the end, or until the writer fails.
func (r *relay) run() {
	defer close(r.done)
	for {
		p, more := r.take()
		if len(p) > 0 {
			if _, err := r.to.Write(p); err != nil {
				r.abandon()
			}
		} else if more {
			<-r.wake
		}
		if !more {
			return
		}
	}
}

// take empties the buffer and reports whether more may come.
func (r *relay) take() (p []byte, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return nil, false
	}
	p, r.buf, r.spare = r.buf, r.spare[:0], r.buf
	if r.lost > 0 {
		p = fmt.Appendf(p, "\n[%d bytes of stderr dropped here: the reader was too slow]\n", r.lost)
		r.lost, r.spare = 0, p
	}
	poke(r.taken)
	return p, !r.ended
}

// poke leaves a token in c unless one is there.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

package frame

import (
	"io"
	"sync"
)

// pipeCapacity is how many bytes each direction of a [Pipe] holds: as many as a
// pipe of the operating system does on Linux.
const pipeCapacity = 64 << 10

// Pipe returns the two ends of a duplex pipe in memory: what is written to one
// can be read from the other. Each direction holds 64 KiB, and a write of more
// waits for the reader.
func Pipe() (a, b *PipeEnd) { return NewPipe(pipeCapacity) }

// NewPipe is [Pipe] with room for capacity bytes in each direction. Less than one
// counts as one.
func NewPipe(capacity int) (a, b *PipeEnd) {
	there, back := newHalf(max(1, capacity)), newHalf(max(1, capacity))
	return &PipeEnd{in: back, out: there}, &PipeEnd{in: there, out: back}
}

// A PipeEnd is one end of a [Pipe]. It behaves like a pair of pipes between two
// processes, without any: nothing in it needs real time or a goroutine, so that
// it works in a bubble of testing/synctest. All methods may be called at the same
// time. As in the operating system, two writes that do not fit may mix.
type PipeEnd struct {
	in, out *half
}

// Read reads what the other end has written, and waits until there is some. It
// returns io.EOF when everything has been read and the other end will write no
// more, and io.ErrClosedPipe after Close of this end.
func (e *PipeEnd) Read(p []byte) (int, error) { return e.in.read(p) }

// Write writes all of p, and waits for room where there is none. It returns
// io.ErrClosedPipe, and how much it has written, once this end no longer writes
// or the other no longer reads.
func (e *PipeEnd) Write(p []byte) (int, error) { return e.out.write(p) }

// CloseWrite ends one direction: the other end reads what was written before, and
// then io.EOF. This end can still read. It always returns nil.
func (e *PipeEnd) CloseWrite() error {
	e.out.endWriting()
	return nil
}

// Close ends both directions. The other end reads what was written before, and
// then io.EOF; its writes fail. Whatever is blocked on either side returns. Close
// always returns nil.
func (e *PipeEnd) Close() error {
	e.out.endWriting()
	e.in.endReading()
	return nil
}

// A half is one direction of a pipe: a ring of bytes.
type half struct {
	mu       sync.Mutex
	changed  sync.Cond // of mu; tells everybody who waits of any change below
	capacity int
	ring     []byte // made by the first write
	first    int    // where the oldest byte is
	count    int    // how many bytes there are
	noWriter bool   // nothing will be written any more
	noReader bool   // nothing will be read any more
}

// newHalf returns an empty direction.
func newHalf(capacity int) *half {
	h := &half{capacity: capacity}
	h.changed.L = &h.mu
	return h
}

// read takes up to len(p) bytes out of the ring.
func (h *half) read(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for !h.noReader && !h.noWriter && h.count == 0 && len(p) > 0 {
		h.changed.Wait()
	}
	switch {
	case h.noReader:
		return 0, io.ErrClosedPipe
	case len(p) == 0:
		return 0, nil
	case h.count == 0:
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && h.count > 0 { // twice at most: to the end of the ring, and from its start
		m := copy(p[n:], h.ring[h.first:min(h.first+h.count, h.capacity)])
		h.first = (h.first + m) % h.capacity
		h.count -= m
		n += m
	}
	h.changed.Broadcast()
	return n, nil
}

// write puts all of p into the ring, as room comes.
func (h *half) write(p []byte) (n int, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		for !h.noReader && !h.noWriter && h.count == h.capacity && n < len(p) {
			h.changed.Wait()
		}
		if h.noReader || h.noWriter {
			return n, io.ErrClosedPipe
		}
		if n == len(p) {
			return n, nil
		}
		if h.ring == nil {
			h.ring = make([]byte, h.capacity)
		}
		free := (h.first + h.count) % h.capacity
		m := copy(h.ring[free:min(free+h.capacity-h.count, h.capacity)], p[n:])
		h.count += m
		n += m
		h.changed.Broadcast()
	}
}

// endWriting lets the reader find the end behind what there is.
func (h *half) endWriting() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noWriter = true
	h.changed.Broadcast()
}

// endReading lets go of what nobody will read.
func (h *half) endReading() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.noReader = true
	h.ring, h.first, h.count = nil, 0, 0
	h.changed.Broadcast()
}

package parleytest

import (
	"io"
	"sync"
)

// Faults is one end of a byte stream on which faults can be turned on and off while it
// is used. What it reads and writes passes through to the end that it wraps. It works
// with the fake clock of testing/synctest, and its methods may be called at any time.
type Faults struct {
	end io.ReadWriteCloser

	mu      sync.Mutex
	changed sync.Cond // of mu
	stalled bool
	single  bool
	closed  bool
	cut     int // bytes until reading ends; -1: never
	corrupt int // bytes until one is changed; -1: never
}

// NewFaults returns end without any fault yet.
func NewFaults(end io.ReadWriteCloser) *Faults {
	f := &Faults{end: end, cut: -1, corrupt: -1}
	f.changed.L = &f.mu
	return f
}

// Stall stops the reading, as if the other side were silent and ours did not look, until
// Resume. What the other side writes then fills the pipe.
func (f *Faults) Stall() { f.set(func() { f.stalled = true }) }

// Resume ends a Stall.
func (f *Faults) Resume() { f.set(func() { f.stalled = false }) }

// ByteByByte makes each read return one byte at most, or no longer.
func (f *Faults) ByteByByte(on bool) { f.set(func() { f.single = on }) }

// Cut ends the stream after so many more bytes were read, in the middle of a record if
// need be. Both sides then see what the death of the other looks like.
func (f *Faults) Cut(after int) { f.set(func() { f.cut = after }) }

// Corrupt changes one byte, so many bytes from now, into another that is no line end.
func (f *Faults) Corrupt(after int) { f.set(func() { f.corrupt = after }) }

func (f *Faults) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	f.changed.Broadcast()
}

// Read reads as the faults allow.
func (f *Faults) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.stalled && !f.closed {
		f.changed.Wait()
	}
	if f.cut == 0 {
		_ = f.closeLocked()
		return 0, io.EOF
	}
	if f.single {
		p = p[:min(len(p), 1)]
	}
	if f.cut > 0 {
		p = p[:min(len(p), f.cut)]
	}
	f.mu.Unlock()
	n, err := f.end.Read(p)
	f.mu.Lock()
	for f.stalled && !f.closed { // the stall came while we read
		f.changed.Wait()
	}
	if f.cut > 0 {
		f.cut -= min(n, f.cut)
	}
	if f.corrupt >= 0 {
		if f.corrupt < n {
			p[f.corrupt] = other(p[f.corrupt])
		}
		f.corrupt -= n
	}
	return n, err
}

// other is a byte that b is not, and no line end, so that a line stays one line.
func other(b byte) byte {
	if b^0x20 == '\n' {
		return '#'
	}
	return b ^ 0x20
}

// Write passes p through.
func (f *Faults) Write(p []byte) (int, error) { return f.end.Write(p) }

// Close closes the end, and ends a Stall.
func (f *Faults) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closeLocked()
}

func (f *Faults) closeLocked() error {
	f.closed = true
	f.changed.Broadcast()
	return f.end.Close()
}

package frame

import (
	"bytes"
	"io"
)

// Sizes of the buffer of a [Reader]. It starts small, because most streams carry
// little, and grows once when a read fills it.
const (
	smallBuffer = 4 << 10
	largeBuffer = 64 << 10
)

// maxEmptyReads is how often in a row the underlying reader may return neither
// bytes nor an error, as in package bufio.
const maxEmptyReads = 100

// bom is the byte order mark in UTF-8.
var bom = []byte("\xEF\xBB\xBF")

// A Reader is a bounded buffer over an io.Reader, from which [Framing.Read] takes
// records. It is for one goroutine at a time.
//
// Every framing takes all that the buffer holds before it asks for more. So each
// byte is looked at once, and the buffer never has to move its content.
type Reader struct {
	in     io.Reader
	buf    []byte // made by the first fill
	lo, hi int    // buf[lo:hi] has been read from in and not been taken yet
	err    error  // what in returned last; holds once buf[lo:hi] is empty
	failed error  // the *FramingError that ended the stream

	pos     Pos   // of what Read returned last
	taken   int64 // bytes taken so far: the offset of buf[lo] in the stream
	lines   int64 // lines taken so far; only Lines counts them
	started bool  // skipBOM has run
	inside  bool  // Seq: RS has been taken and its element is next
}

// NewReader returns a Reader over in. It reads ahead as far as its buffer goes,
// 64 KiB at most.
func NewReader(in io.Reader) *Reader { return &Reader{in: in} }

// Pos returns where the record began that Read returned last, or the thing that
// it skipped or failed on.
func (r *Reader) Pos() Pos { return r.pos }

// window returns the bytes that have been read and not been taken, at least one.
// It reads only when there are none. The bytes are good until the next window.
func (r *Reader) window() ([]byte, error) {
	if r.lo == r.hi {
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
	return r.buf[r.lo:r.hi], nil
}

// take marks the first n bytes of the window as used.
func (r *Reader) take(n int) {
	r.lo += n
	r.taken += int64(n)
}

// fill adds at least one byte to the window or returns the error of in.
func (r *Reader) fill() error {
	if r.lo == r.hi {
		if full := r.hi == len(r.buf); full && len(r.buf) < largeBuffer {
			r.buf = make([]byte, nextBuffer(len(r.buf)))
		}
		r.lo, r.hi = 0, 0
	}
	n, err := r.readIn(r.buf[r.hi:])
	r.hi += n
	return err
}

// nextBuffer returns the size of the buffer that follows one of n bytes.
func nextBuffer(n int) int {
	if n == 0 {
		return smallBuffer
	}
	return largeBuffer
}

// readIn reads from in, and returns bytes or an error but never both: an error
// that comes with bytes is kept for the next call, and every one after it.
func (r *Reader) readIn(p []byte) (int, error) {
	for range maxEmptyReads {
		if r.err != nil {
			return 0, r.err
		}
		var n int
		if n, r.err = r.in.Read(p); n > 0 {
			return n, nil
		}
	}
	r.err = io.ErrNoProgress
	return 0, r.err
}

// skipBOM drops a byte order mark at the start of the stream, even if it arrives
// in pieces. It reads on only while what has arrived may still become one.
func (r *Reader) skipBOM() {
	if r.started {
		return
	}
	r.started = true
	for r.hi < len(bom) && bytes.HasPrefix(bom, r.buf[:r.hi]) {
		if r.fill() != nil {
			return // the error is sticky: whoever reads next finds it
		}
	}
	if bytes.HasPrefix(r.buf[:r.hi], bom) {
		r.take(len(bom))
	}
}

// readFull fills p, first from the window and then from in without a detour over
// the buffer where that saves a copy. It returns how much of p it filled.
func (r *Reader) readFull(p []byte) (n int, err error) {
	for n < len(p) {
		var m int
		if r.lo == r.hi && len(p)-n >= largeBuffer {
			if m, err = r.readIn(p[n:]); err != nil {
				return n, err
			}
			r.taken += int64(m)
		} else {
			b, err := r.window()
			if err != nil {
				return n, err
			}
			m = copy(p[n:], b)
			r.take(m)
		}
		n += m
	}
	return n, nil
}

// mark counts a record, or a thing skipped, that began at offset, and returns its
// place.
func (r *Reader) mark(offset int64) Pos {
	r.pos = Pos{Record: r.pos.Record + 1, Line: r.lines, Offset: offset}
	return r.pos
}

// end delivers the record that g holds and last completes, or reports that it is
// over the limit of f.
func (r *Reader) end(f Framing, g *gather, last []byte, offset int64) ([]byte, error) {
	if g.size+int64(len(last)) > f.MaxRecord() {
		g.add(last)
		return nil, r.skip(f, g, offset, ErrTooLong)
	}
	r.mark(offset)
	return g.join(last), nil
}

// skip makes the error for what g has seen.
func (r *Reader) skip(f Framing, g *gather, offset int64, why error) error {
	return &SkipError{
		Framing: f,
		Pos:     r.mark(offset),
		Size:    g.size,
		Limit:   f.MaxRecord(),
		Head:    g.head(),
		Err:     why,
	}
}

// fail ends the stream with an error that every later Read returns.
func (r *Reader) fail(f Framing, offset int64, msg string, why error) error {
	r.failed = &FramingError{Framing: f, Pos: r.mark(offset), Msg: msg, Err: why}
	return r.failed
}

// isSpace reports whether c is white space in JSON (RFC 8259, section 2).
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// spaces returns how many bytes at the start of b are white space.
func spaces(b []byte) int {
	for i, c := range b {
		if !isSpace(c) {
			return i
		}
	}
	return len(b)
}

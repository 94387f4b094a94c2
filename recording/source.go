package recording

import (
	"io"
	"slices"
)

// sniffRoom is how many bytes are looked at to find the shape. It is more than any line
// that people write by hand, and less than anybody waits for.
const sniffRoom = 64 << 10

// sniffPiece is how much is asked for at a time, so that a short input costs little.
const sniffPiece = 4 << 10

// maxEmptyReads is how often in a row the input may give neither bytes nor an error, as
// in package bufio.
const maxEmptyReads = 100

// A source is an input whose first bytes can be looked at before they are read.
type source struct {
	in    io.Reader
	head  []byte // what was looked at
	given int    // bytes of head that have been read
	err   error  // what in returned while it was looked at
}

// more looks further ahead, by at least one byte. It reports false when the head is all
// that there will be.
func (s *source) more() bool {
	for range maxEmptyReads {
		if s.err != nil || len(s.head) >= sniffRoom {
			return false
		}
		room := min(sniffPiece, sniffRoom-len(s.head))
		s.head = slices.Grow(s.head, room)
		var n int
		n, s.err = s.in.Read(s.head[len(s.head) : len(s.head)+room])
		s.head = s.head[:len(s.head)+n]
		if n > 0 {
			return true
		}
	}
	return false
}

// Read gives the head and then the rest. After that nobody looks ahead any more.
func (s *source) Read(p []byte) (int, error) {
	if s.given < len(s.head) {
		return s.give(p, len(s.head)), nil
	}
	s.head, s.given = nil, 0
	if s.err != nil {
		return 0, s.err
	}
	return s.in.Read(p)
}

// give gives what has not been read of the first bytes of the head, up to an end.
func (s *source) give(p []byte, end int) int {
	n := copy(p, s.head[s.given:end])
	s.given += n
	return n
}

// A prelude is the text that a stream begins with, before it is known what the stream is.
// It gives each line when it is there. Where the stream turns out to be lines, the prelude
// is all of it; else it ends where the stream begins.
type prelude struct {
	*source
	raw   bool // as in sniff
	found *found
}

// Read gives whole lines.
func (p prelude) Read(b []byte) (int, error) {
	for {
		switch {
		case !p.found.open && p.found.isLines():
			return p.source.Read(b)
		case p.given < p.found.text:
			return p.give(b, p.found.text), nil
		case !p.found.open:
			return 0, io.EOF
		}
		// The head can be no other protocol any more: that is told by the very first bytes.
		*p.found, _ = p.sniff(p.raw)
	}
}

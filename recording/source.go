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
	in   io.Reader
	head []byte // looked at and not read yet
	err  error  // what in returned while it was looked at
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

// Read gives the head and then the rest.
func (s *source) Read(p []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(p, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	s.head = nil
	if s.err != nil {
		return 0, s.err
	}
	return s.in.Read(p)
}

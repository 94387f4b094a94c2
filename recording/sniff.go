package recording

import (
	"bytes"
	"errors"
	"io"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
)

// found is what the first bytes of a recording say about it.
type found struct {
	shape   Shape
	framing frame.Framing
	why     string
}

// sniff looks at the input until there is no doubt left, and no further: whoever has
// written one line and waits for something is not kept waiting. Where the input ends or
// breaks in doubt, the best guess counts, and whoever reads next meets the same end. raw
// says that the shape is known to be ShapeRaw. The error is a [*dialect.ForeignError].
func (s *source) sniff(raw bool) (found, error) {
	seen := 0 // bytes at the last look
	for {
		all := !s.more()
		// Each look starts over, and many small pieces must not cost their square. A line
		// end is worth a look at once, since it is what most doubts end with.
		if !all && len(s.head)-seen < seen/16 && bytes.IndexByte(s.head[seen:], '\n') < 0 {
			continue
		}
		seen = len(s.head)
		if f, ok, err := look(s.head, all, raw); ok || err != nil {
			return f, err
		}
	}
}

// look tells what head says. It reports false if that may change with the bytes that
// follow; all says that there are no more to be had, and leaves no doubt.
func look(head []byte, all, raw bool) (f found, ok bool, err error) {
	guess, err := dialect.SniffFraming(head)
	if err != nil && !errors.Is(err, dialect.ErrShort) {
		return found{}, false, err
	}
	ok = all || err == nil
	f = found{shape: ShapeRaw, framing: guess.Framing, why: guess.Why}
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if raw || len(start) == 0 {
		return f, ok, nil
	}
	line, _, whole := bytes.Cut(start, []byte{'\n'})
	several := ok && f.framing == frame.Concat
	switch {
	case start[0] == '[' && several && staysOpen(line):
		return found{ShapeArray, frame.Concat, "it begins with an array that goes over several lines"}, true, nil
	case start[0] != '{' || several:
		return f, ok, nil
	case (whole || all) && isEntry(line, whole):
		return found{ShapeTranscript, frame.Lines, "the first line is an object with dir and raw"}, true, nil
	}
	// Lines are settled with the end of the first, which may still become an entry.
	return f, whole && ok || all, nil
}

// isEntry reports whether line is that of a transcript. A line too long to be looked at
// as a whole may lack its raw, which is the long part of it.
func isEntry(line []byte, whole bool) bool {
	var rec Record
	text, known := rec.fill(line)
	if _, process := processes[rec.Process]; rec.Process != "" && !process && !rec.Timed {
		return false // any event may have a dir and a raw of its own
	}
	if whole {
		return known && isString(text) && jsonx.Valid(line)
	}
	return known && (isString(text) || len(text) == 0 && rec.Timed)
}

// staysOpen reports whether line begins an array and does not end it.
func staysOpen(line []byte) bool {
	e := elements{in: bytes.NewReader(line)}
	_, _ = io.Copy(io.Discard, &e) // a fault is for whoever reads the array
	return e.state != beforeArray && e.state != afterArray
}

package frame

import (
	"bytes"
	"io"
)

// readLines returns the next line that is not blank.
func (f Framing) readLines(r *Reader) ([]byte, error) {
	for {
		if rec, err := f.readLine(r); rec != nil || err != nil {
			return rec, err
		}
	}
}

// readLine reads one line, and returns nil for a blank one.
//
// LF is the only boundary. In UTF-8 the byte 0x0A is part of no other character,
// so that cutting before decoding is safe; and a JSON string may hold U+2028 or
// U+0085 raw, so that cutting there is not.
func (f Framing) readLine(r *Reader) ([]byte, error) {
	g := newGather(f)
	offset := r.taken
	blank := true
	for {
		b, err := r.window()
		if err != nil && (err != io.EOF || g.size == 0) {
			return nil, err
		}
		// At the end of the input, b is empty and a line that has begun ends here.
		end := bytes.IndexByte(b, '\n')
		text := b
		if end >= 0 {
			text = b[:end]
		}
		// This is the one thing that must be known of a line too long to be held.
		blank = blank && isBlank(text)
		if end < 0 && err == nil {
			g.add(text)
			r.take(len(text))
			continue
		}
		r.lines++
		if end >= 0 {
			r.take(end + 1)
			text = g.trim(text, '\r')
		}
		if blank {
			return nil, nil // at any length: a peer may keep a line alive with spaces
		}
		return r.end(f, &g, text, offset)
	}
}

// isBlank reports whether b holds nothing but space, tab and CR. Other control
// bytes are not blank: they are an error, and the codec shall see it. It looks no
// further than the first byte of nearly every line.
func isBlank(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// appendLine appends a record and its LF. It refuses what Read would cut in two or
// pass over. It could turn LF into a space instead, but only who knows JSON can
// tell whether that changes what the record says.
func appendLine(dst []byte, parts [][]byte) ([]byte, error) {
	start := len(dst)
	dst = appendAll(dst, parts)
	rec := dst[start:]
	if i := bytes.IndexByte(rec, '\n'); i >= 0 {
		return dst[:start], &RefusedError{Framing: Lines, Offset: i, Err: ErrNewline}
	}
	if isBlank(rec) {
		return dst[:start], &RefusedError{Framing: Lines, Err: ErrBlank}
	}
	if bytes.HasPrefix(rec, bom) {
		return dst[:start], &RefusedError{Framing: Lines, Err: ErrBOM}
	}
	if rec[len(rec)-1] == '\r' {
		dst = append(dst, '\r') // Read drops one CR before LF: this one
	}
	return append(dst, '\n'), nil
}

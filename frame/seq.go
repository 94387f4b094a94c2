package frame

import (
	"bytes"
	"io"
)

// rs is the record separator, which begins an element (RFC 7464, section 2.2). It
// is illegal in a JSON string, so that it always is a point to resume at.
const rs = 0x1E

// readSeq returns the next element that is not blank. Nothing in a sequence is bad
// framing, because the next RS is always good to go on from (RFC 7464, section
// 2.3).
func (f Framing) readSeq(r *Reader) ([]byte, error) {
	for {
		if !r.inside {
			if err := f.skipStray(r); err != nil {
				return nil, err
			}
		}
		if rec, err := f.readElement(r); rec != nil || err != nil {
			return rec, err
		}
	}
}

// skipStray takes everything up to the next RS, and that too. It reports what is
// not white space, once for each stretch of it.
func (f Framing) skipStray(r *Reader) error {
	g := gather{keep: HeadSize} // no limit applies: all that is wanted is the head
	offset := r.taken
	for {
		b, err := r.window()
		if err != nil && (err != io.EOF || g.size == 0) {
			return err
		}
		// At the end of the input, b is empty and a stretch that has begun ends here.
		text, _, found := bytes.Cut(b, []byte{rs})
		if g.size == 0 {
			n := spaces(text)
			r.take(n)
			text = text[n:]
			offset = r.taken
		}
		g.add(text)
		r.take(len(text))
		if found {
			r.take(1)
			r.inside = true
		}
		switch done := found || err != nil; {
		case done && g.size > 0:
			return r.skip(f, &g, offset, ErrStray)
		case done:
			return nil
		}
	}
}

// readElement reads one element, whose RS has been taken, and returns nil for a
// blank one.
//
// By RFC 7464, section 2.1, the next RS ends an element. A live peer sends that
// only with its next record, which may be never; so an element ends already at
// the LF behind its value. What follows until the next RS belongs to no element.
func (f Framing) readElement(r *Reader) ([]byte, error) {
	var e element
	g := newGather(f)
	offset := r.taken
	for {
		b, err := r.window()
		if err != nil && err != io.EOF {
			return nil, err
		}
		text, _, found := bytes.Cut(b, []byte{rs})
		n, done := e.scan(text)
		r.take(n)
		if done {
			// The rest of the window is left for skipStray.
			r.inside = false
			return r.end(f, &g, text[:n-1], offset)
		}
		if !found && err == nil {
			g.add(text)
			continue
		}
		if found {
			r.take(1)
		}
		r.inside = found
		switch {
		case e.phase == before:
			return nil, nil
		case e.phase == within && e.lex.state == inScalar:
			// 12 may be what is left of 123: section 2.4 has it dropped.
			g.add(text)
			return nil, r.skip(f, &g, offset, ErrTruncated)
		}
		return r.end(f, &g, g.trim(text, '\n'), offset)
	}
}

// An element follows the bytes of one element, to find the LF that ends it. It is
// a machine of its own, so that appendElement can ask it what Read would do.
type element struct {
	lex   lexer
	phase phase
}

// A phase says how far an element has come.
type phase uint8

const (
	before phase = iota // nothing but white space has come
	within              // a value has begun
	behind              // it has ended, and only white space has come after it
	beyond              // this is no single value; only RS ends the element
)

// scan reads on in text and returns how many bytes it has read: all of them, or
// those up to and with the LF that ends the element.
func (e *element) scan(text []byte) (n int, done bool) {
	for n < len(text) && e.phase != beyond {
		switch e.phase {
		case before:
			n += spaces(text[n:])
			if n < len(text) {
				e.phase = within
			}
		case within:
			m, verdict := e.lex.scan(text[n:])
			n += m
			switch verdict {
			case lexDone:
				e.phase = behind
			case lexBad:
				e.phase = beyond
			case lexMore:
			}
		case behind:
			c := text[n]
			n++
			if c == '\n' {
				return n, true
			}
			if !isSpace(c) {
				e.phase = beyond
			}
		case beyond: // what the loop stops at
		}
	}
	return len(text), false
}

// appendElement appends RS, a record and LF. It refuses a record that holds a mark
// that Read would obey. A record that is no JSON is not refused: the other side
// can recover from it, and a relay must be able to pass it on. But it arrives only
// with the RS of the next one, as nothing else shows its end.
func appendElement(dst []byte, parts [][]byte) ([]byte, error) {
	start := len(dst)
	dst = append(dst, rs)
	dst = appendAll(dst, parts)
	rec := dst[start+1:]
	if i := bytes.IndexByte(rec, rs); i >= 0 {
		return dst[:start], &RefusedError{Framing: Seq, Offset: i, Err: ErrSeparator}
	}
	if spaces(rec) == len(rec) {
		return dst[:start], &RefusedError{Framing: Seq, Err: ErrBlank}
	}
	var e element
	if n, done := e.scan(rec); done {
		return dst[:start], &RefusedError{Framing: Seq, Offset: n - 1, Err: ErrNotValue}
	}
	return append(dst, '\n'), nil
}

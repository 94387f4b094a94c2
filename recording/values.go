package recording

import (
	"bytes"
	"io"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
)

// values reads JSON values end to end, as frame.Concat does, where nobody has promised that
// there is nothing else: text that is no value costs its line. An object that is faulty and
// ends on its line is a value, for what it holds is a matter of the codec.
type values struct {
	in    io.Reader // what read reads; nil if bytes come by add
	limit int64     // bytes of a value

	buf   []byte
	chunk []byte
	lo    int   // buf[lo:] has not been given yet, and begins with a value or with text
	at    int   // buf[lo:at] has been looked at
	cut   int64 // bytes that are no longer between the head of a long value and buf[at]
	lex   lexer // of what begins at lo

	pos     frame.Pos // of buf[lo]; its Record is that of the one before
	started bool      // a byte order mark would have been dropped
	err     error     // what in returned
}

// A horizon says what comes behind the bytes that are there.
type horizon uint8

const (
	moreComes  horizon = iota // more of them
	pieceEnds                 // more, but a line of text does not go on in it
	inputEnded                // nothing
)

// read returns the next value or text of in. It returns a [*frame.FramingError] where the
// input ends inside a value.
func (v *values) read() (Record, error) {
	for {
		beyond := moreComes
		if v.err == io.EOF {
			beyond = inputEnded
		}
		if rec, ok := v.next(beyond); ok {
			return rec, nil
		}
		if v.err == io.EOF && v.at > v.lo {
			v.pos.Record++
			v.err = &frame.FramingError{
				Framing: frame.Concat.Limit(v.limit), Pos: v.pos, Msg: "the input ended inside a value", Err: io.ErrUnexpectedEOF,
			}
		}
		if v.err != nil {
			return Record{}, v.err
		}
		v.fill()
	}
}

// fill reads on in the input.
func (v *values) fill() {
	if v.chunk == nil {
		v.chunk = make([]byte, sniffRoom)
	}
	for range maxEmptyReads {
		var n int
		n, v.err = v.in.Read(v.chunk)
		v.add(v.chunk[:n])
		if n > 0 || v.err != nil {
			return
		}
	}
	v.err = io.ErrNoProgress
}

// add takes in more bytes, which the caller may use again. What next has returned before is
// no longer good.
func (v *values) add(text []byte) {
	v.buf = v.buf[:copy(v.buf, v.buf[v.lo:])]
	v.at -= v.lo
	v.lo = 0
	v.buf = append(v.buf, text...)
}

// next returns the next value or text, as far as bytes are there. It reports false if it
// takes more of them, or if the input has ended inside a value.
func (v *values) next(beyond horizon) (Record, bool) {
	if !v.start(beyond) {
		return Record{}, false
	}
	for {
		v.at += v.lex.plain(v.buf[v.at:])
		if v.at == len(v.buf) {
			return v.last(beyond)
		}
		switch v.lex.step(v.buf[v.at]) {
		case stepMore:
			v.at++
		case stepDone:
			v.at++
			return v.value(), true
		case stepBehind:
			if v.sound() {
				return v.value(), true
			}
			v.lex.fault()
		case stepFault:
			if v.lex.faulty {
				return v.text(v.at - v.lo), true
			}
			line := bytes.LastIndexByte(v.buf[v.lo:v.at], '\n') + 1
			if line > 0 && v.cut == 0 {
				n, _ := v.resume(line)
				return v.text(n), true
			}
			v.lex.fault()
		}
	}
}

// last is next where no byte is left to look at.
func (v *values) last(beyond horizon) (Record, bool) {
	switch {
	case beyond != moreComes && v.lex.faulty:
		return v.text(v.at - v.lo), true
	case beyond == inputEnded && v.lex.inScalar() && v.sound():
		return v.value(), true
	case beyond == inputEnded && v.lex.inScalar():
		return v.text(v.at - v.lo), true
	case beyond == inputEnded && v.cut == 0:
		if n, ok := v.resume(len(v.buf) - v.lo); ok {
			return v.text(n), true
		}
	}
	// Of a value that is too long, no more is kept than an error shows.
	if v.size() > max(v.limit, frame.HeadSize) {
		head := v.lo + frame.HeadSize
		v.cut += int64(v.at - head)
		v.buf, v.at = v.buf[:head], head
	}
	return Record{}, false
}

// start passes over white space, and reports whether something else is there.
func (v *values) start(beyond horizon) bool {
	if !v.started {
		const mark = "\xEF\xBB\xBF"
		if n := len(v.buf); n < len(mark) && string(v.buf) == mark[:n] && beyond != inputEnded {
			return false
		}
		v.started = true
		if bytes.HasPrefix(v.buf, []byte(mark)) {
			v.pass(len(mark))
		}
	}
	for v.at == v.lo && v.lo < len(v.buf) && isSpace(v.buf[v.lo]) {
		v.pass(1)
	}
	return v.lo < len(v.buf)
}

// pass goes on behind the first n bytes.
func (v *values) pass(n int) {
	v.pos.Offset += int64(n) + v.cut
	v.lo += n
	v.at, v.cut = v.lo, 0
	v.lex = lexer{open: v.lex.open[:0]}
}

// size is how many bytes the value has so far.
func (v *values) size() int64 { return int64(v.at-v.lo) + v.cut }

// sound reports whether a number or a literal is one, and not the beginning of a text such
// as a date.
func (v *values) sound() bool { return v.cut > 0 || jsonx.Valid(v.buf[v.lo:v.at]) }

// resume returns where to go on, in bytes from lo, if the value that begins there is none and
// goes over several lines: at the first line that is a value by itself, or at the end of
// what is given. It reports whether there is such a line.
func (v *values) resume(end int) (n int, found bool) {
	text := v.buf[v.lo : v.lo+end]
	for at := bytes.IndexByte(text, '\n') + 1; at > 0 && at < end; {
		line, _, ended := bytes.Cut(text[at:], []byte("\n"))
		if start := bytes.TrimLeft(line, " \t"); len(start) > 0 && (start[0] == '{' || start[0] == '[') && jsonx.Valid(line) {
			return at, true
		}
		at += len(line) + 1
		if !ended {
			break
		}
	}
	return end, false
}

// value returns what has been looked at as a record.
func (v *values) value() Record {
	if v.size() > v.limit {
		return v.skip(v.at-v.lo, frame.ErrTooLong)
	}
	v.pos.Record++
	rec := Record{Raw: v.buf[v.lo:v.at], Pos: v.pos}
	v.pass(v.at - v.lo)
	return rec
}

// text returns the first n bytes as a record that is none.
func (v *values) text(n int) Record { return v.skip(n, frame.ErrStray) }

// skip returns the first n bytes, and what was cut of them, as a record that cannot be
// delivered.
func (v *values) skip(n int, why error) Record {
	v.pos.Record++
	text := bytes.TrimRight(v.buf[v.lo:v.lo+n], "\r\n")
	rec := Record{Raw: text[:min(len(text), frame.HeadSize)], Pos: v.pos}
	rec.Err = &frame.SkipError{
		Framing: frame.Concat.Limit(v.limit),
		Pos:     v.pos,
		Size:    int64(len(text)) + v.cut,
		Limit:   v.limit,
		Head:    bytes.Clone(rec.Raw),
		Err:     why,
	}
	v.pass(n)
	return rec
}

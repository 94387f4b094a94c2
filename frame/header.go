package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxBlock is how many bytes a block of header fields may have. Two short fields
// are known, so that anything longer is not a header.
const maxBlock = 8 << 10

// Names of the fields that the LSP base protocol knows. They follow HTTP, where a
// name means the same in any case (RFC 9110, section 5.1).
var (
	contentLength = []byte("content-length")
	contentType   = []byte("content-type")
)

// appendHeader appends the header of a record of size bytes, and the record. It
// writes no Content-Type: UTF-8 is the default, and some readers know only the one
// field.
func appendHeader(dst []byte, size int, parts [][]byte) []byte {
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(size), 10)
	dst = append(dst, "\r\n\r\n"...)
	return appendAll(dst, parts)
}

// readHeader reads a header block and the body that it announces.
func (f Framing) readHeader(r *Reader) ([]byte, error) {
	size, err := f.readBlock(r)
	if err != nil {
		return nil, err
	}
	offset := r.taken
	if size > f.MaxRecord() {
		return nil, f.discard(r, size)
	}
	// The length is only a claim, so memory follows what has arrived.
	body := make([]byte, min(size, pieceSize))
	n, err := r.readFull(body)
	for err == nil && int64(n) < size {
		grown := make([]byte, min(size, 2*int64(len(body))))
		copy(grown, body)
		body = grown
		var m int
		m, err = r.readFull(body[n:])
		n += m
	}
	if err != nil {
		return nil, f.cutOff(r, err, offset, "body")
	}
	r.mark(offset)
	return body, nil
}

// discard reads over a body that is longer than the limit. Its length is known, so
// that this is a bad record and not bad framing.
func (f Framing) discard(r *Reader, size int64) error {
	g := gather{keep: HeadSize}
	offset := r.taken
	for g.size < size {
		b, err := r.window()
		if err != nil {
			return f.cutOff(r, err, offset, "body")
		}
		b = b[:min(int64(len(b)), size-g.size)]
		g.add(b)
		r.take(len(b))
	}
	return r.skip(f, &g, offset, ErrTooLong)
}

// readBlock reads the fields of a header and the blank line behind them, and
// returns the length of the body. It returns io.EOF where no header has begun.
func (f Framing) readBlock(r *Reader) (size int64, err error) {
	offset := r.taken
	size = -1
	for begun := false; ; {
		// Stray text need not end in LF, so its first byte must do: a wait for the
		// rest could last for ever.
		if b, err := r.window(); err == nil && !startsField(b[0]) {
			return 0, f.stray(r, r.taken, b)
		}
		at := r.taken
		line, err := r.shortLine(maxBlock - (at - offset))
		switch {
		case errors.Is(err, ErrTooLong):
			return 0, r.fail(f, offset, fmt.Sprintf("a header of more than %d bytes: %s", maxBlock, quote(line)), nil)
		case err == io.EOF && !begun && isBlank(line):
			return 0, io.EOF
		case err != nil:
			return 0, f.cutOff(r, err, offset, "header")
		case !begun && isBlank(line):
			offset = r.taken // blank lines before a header do not count
			continue
		case len(line) > 0:
			begun = true
			if size, err = f.field(r, at, line, size); err != nil {
				return 0, err
			}
		case size < 0:
			return 0, r.fail(f, offset, "a header without Content-Length", nil)
		default:
			return size, nil
		}
	}
}

// field reads one header field, which began at offset, and returns the length of
// the body as far as it is known: size before this field, -1 if nobody said.
func (f Framing) field(r *Reader, offset int64, line []byte, size int64) (int64, error) {
	// No text that a program prints must pass for a field, so that the name is held
	// to its grammar: a space in it, or a line that continues another, is stray.
	name, value, found := bytes.Cut(line, []byte(":"))
	if !found || !isToken(name) {
		return 0, f.stray(r, offset, line)
	}
	value = bytes.Trim(value, " \t")
	switch {
	case bytes.EqualFold(name, contentLength):
		// ParseUint takes digits only, where ParseInt takes a sign.
		n, err := strconv.ParseUint(string(value), 10, 63)
		if err != nil {
			return 0, r.fail(f, offset, "Content-Length "+quote(value)+" is not a number of bytes", nil)
		}
		// Two lengths that agree do no harm. Of two that do not, each would give
		// other records, and which is right nobody can tell.
		if size >= 0 && int64(n) != size {
			return 0, r.fail(f, offset, fmt.Sprintf("Content-Length is both %d and %d", size, n), nil)
		}
		return int64(n), nil
	case bytes.EqualFold(name, contentType) && !isUTF8(value):
		return 0, r.fail(f, offset, "Content-Type "+quote(value)+" is not UTF-8", nil)
	}
	return size, nil
}

// isUTF8 reports whether a media type has charset utf-8 or utf8 or none at all;
// the base protocol asks readers to take both spellings.
func isUTF8(mediaType []byte) bool {
	for _, param := range bytes.Split(mediaType, []byte(";"))[1:] {
		name, value, _ := bytes.Cut(param, []byte("="))
		if !bytes.EqualFold(bytes.TrimSpace(name), []byte("charset")) {
			continue
		}
		value = bytes.Trim(value, ` "'`+"\t")
		if !bytes.EqualFold(value, []byte("utf-8")) && !bytes.EqualFold(value, []byte("utf8")) {
			return false
		}
	}
	return true
}

// shortLine returns the next line without its end, good until the next read. With
// an error it returns what it has of the line. A line of more than room bytes is
// ErrTooLong.
func (r *Reader) shortLine(room int64) ([]byte, error) {
	var held []byte // what came before the window; most lines need none
	for {
		b, err := r.window()
		if err != nil {
			return held, err
		}
		before, _, ok := bytes.Cut(b, []byte{'\n'})
		part := b
		if ok {
			part = before
		}
		if int64(len(held)+len(part)) > room {
			return append(held, part[:min(len(part), quoteSize)]...), ErrTooLong
		}
		r.take(len(part))
		if !ok {
			held = append(held, part...)
			continue
		}
		r.take(1) // the LF; part stays good, because taking moves nothing
		if len(held) > 0 {
			part = append(held, part...)
		}
		return bytes.TrimSuffix(part, []byte("\r")), nil
	}
}

// stray ends the stream at text that is no header field.
func (f Framing) stray(r *Reader, offset int64, text []byte) error {
	msg := "stray text " + quote(text) + " instead of a header; is something printing to stdout?"
	return r.fail(f, offset, msg, ErrStray)
}

// cutOff returns the error for an input that ended inside of a record with err.
func (f Framing) cutOff(r *Reader, err error, offset int64, inside string) error {
	if err != io.EOF {
		return err
	}
	return r.fail(f, offset, "the input ended inside a "+inside, io.ErrUnexpectedEOF)
}

// startsField reports whether a line of a header block may start with c.
func startsField(c byte) bool { return isTokenByte(c) || isSpace(c) }

// isToken reports whether b may be the name of a field (RFC 9110, section 5.6.2).
func isToken(b []byte) bool {
	for _, c := range b {
		if !isTokenByte(c) {
			return false
		}
	}
	return len(b) > 0
}

// isTokenByte reports whether c may stand in the name of a field.
func isTokenByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0
}

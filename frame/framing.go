package frame

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// DefaultLimit is the length in bytes of the largest record that a framing reads
// when [Framing.Limit] says nothing else.
const DefaultLimit = 64 << 20

// HeadSize is how many bytes of a skipped record [SkipError.Head] keeps at most.
const HeadSize = 64 << 10

// A Framing says how records are marked in a stream of bytes. It is a small
// comparable value; the zero value is [Lines] with [DefaultLimit].
type Framing struct {
	kind  kind
	limit int64 // 0 stands for DefaultLimit, so that equal framings compare equal
}

// A kind is one of the four ways to mark a record.
type kind uint8

const (
	lines kind = iota
	header
	concat
	seq
)

// names holds the name of each kind, as [ByName] and [Framing.String] use them.
var names = [...]string{lines: "lines", header: "header", concat: "concat", seq: "seq"}

// The framings. They are described where they are implemented and in the
// documentation of [Framing.Read].
var (
	Lines  = Framing{kind: lines}
	Header = Framing{kind: header}
	Concat = Framing{kind: concat}
	Seq    = Framing{kind: seq}
)

// ByName returns the framing called "lines", "header", "concat" or "seq". The
// error for any other name lists these.
func ByName(name string) (Framing, error) {
	if k := slices.Index(names[:], name); k >= 0 {
		return Framing{kind: kind(k)}, nil
	}
	return Framing{}, fmt.Errorf("frame: no framing is called %q; use one of %s", name, strings.Join(names[:], ", "))
}

// String returns the name of the framing, as [ByName] takes it.
func (f Framing) String() string { return names[f.kind] }

// Limit returns the same framing with n bytes as the length of the largest record
// that it reads. Zero or less stands for [DefaultLimit].
func (f Framing) Limit(n int64) Framing {
	if n <= 0 || n == DefaultLimit {
		n = 0
	}
	f.limit = n
	return f
}

// MaxRecord returns the length in bytes of the largest record that f reads.
func (f Framing) MaxRecord() int64 {
	if f.limit == 0 {
		return DefaultLimit
	}
	return f.limit
}

// Append appends rec with its marks to dst and returns the longer slice. When the
// framing cannot carry rec, Append returns dst as it was and a [*RefusedError].
// What is refused:
//
//   - Lines: a record that holds LF, is blank (nothing but space, tab and CR) or
//     starts with a byte order mark. Read drops such things, so that they would
//     not arrive. A record that ends in CR gets one CR more.
//   - Header: nothing.
//   - Concat: what is not exactly one JSON value as far as its boundaries go:
//     white space around it, two values, a value without an end.
//   - Seq: a record that holds RS (0x1E), is blank, or has an LF after its value
//     has ended.
func (f Framing) Append(dst, rec []byte) ([]byte, error) { return f.appendParts(dst, rec) }

// appendParts is [Framing.Append] for a record that comes in parts.
func (f Framing) appendParts(dst []byte, parts ...[]byte) ([]byte, error) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	dst = slices.Grow(dst, size+marksSize)
	switch f.kind {
	case header:
		return appendHeader(dst, size, parts), nil
	case concat:
		return appendValue(dst, parts)
	case seq:
		return appendElement(dst, parts)
	default:
		return appendLine(dst, parts)
	}
}

// marksSize is room for the marks of any framing; the longest are Header's.
const marksSize = len("Content-Length: 9223372036854775807\r\n\r\n")

// appendAll appends the parts to dst as if they were one.
func appendAll(dst []byte, parts [][]byte) []byte {
	for _, p := range parts {
		dst = append(dst, p...)
	}
	return dst
}

// Read returns the next record of r without its marks. The record belongs to the
// caller. Read returns io.EOF at the end of the input, a [*SkipError] when it
// passed over something and stands at the next record, a [*FramingError] when the
// stream cannot be read any further, and otherwise the error of the underlying
// reader.
//
//   - Lines: LF alone ends a line; one CR before it is dropped. CR, VT, FF,
//     U+0085, U+2028 and U+2029 end nothing. Blank lines are passed over.
//   - Header: field names in any case and order; only Content-Length is needed. A
//     charset other than UTF-8 is bad framing. Lines may end in LF alone.
//   - Concat: an object, an array or a string is delivered with its last byte; a
//     number or a literal with the first byte after it, or the end of the input.
//   - Seq: RS begins an element. An element is delivered at the LF after its
//     value, or, if it is not one value, at the next RS, whole. A number or a
//     literal without white space after it is skipped as truncated (RFC 7464,
//     section 2.4). Text outside of elements is skipped as stray.
//
// A byte order mark at the very start of the stream is dropped.
func (f Framing) Read(r *Reader) ([]byte, error) {
	if r.failed != nil {
		return nil, r.failed
	}
	r.skipBOM()
	switch f.kind {
	case header:
		return f.readHeader(r)
	case concat:
		return f.readValue(r)
	case seq:
		return f.readSeq(r)
	default:
		return f.readLines(r)
	}
}

// Records returns the records of in, one after the other. It yields each
// [*SkipError] in its place and goes on; it yields any other error and stops; it
// does not yield io.EOF. Ranging over the sequence again goes on behind the
// record where the range before stopped.
func (f Framing) Records(in io.Reader) iter.Seq2[[]byte, error] {
	r := NewReader(in)
	return func(yield func([]byte, error) bool) {
		for {
			rec, err := f.Read(r)
			if err == io.EOF || !yield(rec, err) {
				return
			}
			if _, skipped := errors.AsType[*SkipError](err); err != nil && !skipped {
				return
			}
		}
	}
}

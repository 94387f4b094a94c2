package frame

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Why a record was not delivered: the Err of a [SkipError].
var (
	// ErrTooLong means that the record is longer than [Framing.MaxRecord].
	ErrTooLong = errors.New("the record is longer than the limit")

	// ErrTruncated means that a number or a literal in a JSON text sequence is
	// not followed by white space, so that its end may be missing (RFC 7464,
	// section 2.4).
	ErrTruncated = errors.New("the record may have lost its end")

	// ErrStray means text that belongs to no record. It is the Err of a
	// [FramingError] too, where the framing cannot resume behind such text.
	ErrStray = errors.New("text outside of any record")
)

// Why a record cannot be written: the Err of a [RefusedError].
var (
	ErrNewline   = errors.New("it holds a line feed")
	ErrBlank     = errors.New("it is blank")
	ErrBOM       = errors.New("it starts with a byte order mark")
	ErrSeparator = errors.New("it holds a record separator (0x1E)")
	ErrNotValue  = errors.New("it is not exactly one JSON value")
)

var (
	// ErrClosed is returned by a [Stream] after its Close.
	ErrClosed = errors.New("frame: the stream is closed")

	// ErrBroken means that a write failed, this one or one before it, perhaps
	// inside a record, so that nothing can be written any more. It comes with the
	// cause. Reading is not touched by it.
	ErrBroken = errors.New("frame: a write failed and nothing more can be written")
)

// A Pos is a place in a stream of records.
type Pos struct {
	Record int64 // 1 for the first; counts what was delivered and what was skipped
	Line   int64 // 1 for the first; counts every line, the blank ones too; 0 if the framing is not Lines
	Offset int64 // bytes before the first byte of the record itself, marks left aside
}

// String returns the place in words, as the errors of this package print it.
func (p Pos) String() string {
	s := "record " + strconv.FormatInt(p.Record, 10)
	if p.Line > 0 {
		s += ", line " + strconv.FormatInt(p.Line, 10)
	}
	return s + ", offset " + strconv.FormatInt(p.Offset, 10)
}

// A SkipError reports one record that could not be delivered. The reader stands
// behind it: call Read again for the next.
type SkipError struct {
	Framing Framing
	Pos     Pos
	Size    int64  // length in bytes of what was skipped, marks left aside
	Limit   int64  // Framing.MaxRecord, in bytes
	Head    []byte // the first bytes of it, at most HeadSize; the caller's to keep
	Err     error  // ErrTooLong, ErrTruncated or ErrStray
}

// Error says what was skipped, where it began, and what to do about it.
func (e *SkipError) Error() string {
	s := fmt.Sprintf("frame: %v: %v: skipped %d bytes: %v", e.Framing, e.Pos, e.Size, e.Err)
	switch {
	case errors.Is(e.Err, ErrTooLong):
		return s + fmt.Sprintf(" of %d bytes; send less at a time or raise the limit", e.Limit)
	case errors.Is(e.Err, ErrStray):
		return s + ": " + quote(e.Head) + "; is something printing to stdout?"
	default:
		return s + ": " + quote(e.Head)
	}
}

// Unwrap returns e.Err.
func (e *SkipError) Unwrap() error { return e.Err }

// A FramingError reports bad framing. The stream has no point to resume at, so
// that every later Read returns the same error.
type FramingError struct {
	Framing Framing
	Pos     Pos    // Offset is where the thing begins that is wrong
	Msg     string // what is wrong
	Err     error  // io.ErrUnexpectedEOF, ErrStray, or nil
}

// Error says what is wrong and where.
func (e *FramingError) Error() string {
	return fmt.Sprintf("frame: %v: %v: %s", e.Framing, e.Pos, e.Msg)
}

// Unwrap returns e.Err.
func (e *FramingError) Unwrap() error { return e.Err }

// A RefusedError reports a record that a framing cannot carry. No byte of it was
// written, and other records may be written after it.
type RefusedError struct {
	Framing Framing
	Offset  int   // bytes of the record before what it is refused for
	Err     error // ErrNewline, ErrBlank, ErrBOM, ErrSeparator or ErrNotValue
}

// Error says why the record is refused and what to do about it.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("frame: %v: record refused: %v at byte %d; %s", e.Framing, e.Err, e.Offset, remedies[e.Err])
}

// Unwrap returns e.Err.
func (e *RefusedError) Unwrap() error { return e.Err }

// remedies says for each refusal what the caller can do.
var remedies = map[error]string{
	ErrNewline:   "turn LF outside of strings into spaces and escape it inside them",
	ErrBlank:     "write only records that say something",
	ErrBOM:       "write UTF-8 without a byte order mark",
	ErrSeparator: `escape it as \u001e`,
	ErrNotValue:  "trim white space around the value and write two values as two records",
}

// quoteSize is how many bytes of stray text an error shows.
const quoteSize = 40

// quote returns the first line of b in quotes, or its first [quoteSize] bytes,
// with everything escaped that a terminal could obey.
func quote(b []byte) string {
	line, rest, _ := strings.Cut(string(b[:min(len(b), quoteSize+1)]), "\n")
	if len(line) > quoteSize || rest != "" {
		return strconv.QuoteToASCII(line[:min(len(line), quoteSize)]) + "…"
	}
	return strconv.QuoteToASCII(line)
}

package recording

import (
	"fmt"
	"io"

	"github.com/parley-rpc/parley/frame"
)

// elements reads one JSON array as its elements, end to end: the outer brackets become
// spaces and the commas between the elements line feeds. So [values] can read the elements
// one at a time, and as no byte moves, its offsets are those of the array.
type elements struct {
	in     io.Reader
	loose  bool  // that it is an array is a guess: where it is none any more, it is values
	broken bool  // it is none any more
	late   error // what is to be said of that at the end of the input
	state  elementState
	depth  int64 // brackets that are open, the outer one aside
	taken  int64 // bytes read so far
	number int64 // of the element that was begun last
	err    error // where the array is at fault, and what in returned; stays
}

// An elementState says what may come next.
type elementState uint8

const (
	beforeArray  elementState = iota // white space, a byte order mark, the bracket
	firstElement                     // an element, or the end of an empty array
	nextElement                      // an element, since a comma came
	inScalar                         // more of a number or a literal
	inNested                         // more of an array or an object, outside of strings
	inString
	inEscape     // the byte after a backslash in a string
	afterElement // a comma, or the end of the array
	afterArray   // nothing but white space
)

// Read gives the elements and what stands between them.
func (e *elements) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	n, err := e.in.Read(p)
	if err == io.EOF && e.state != afterArray {
		err = nil
		if n == 0 {
			err = e.cut()
		}
	}
	for i, c := range p[:n] {
		shown, ok := c, true
		if !e.broken {
			shown, ok = e.step(c)
		}
		switch {
		case !ok && e.loose:
			e.leave(c)
			shown = c
		case !ok:
			e.err = e.fault(e.taken, e.wanted(c))
			return i, e.err
		}
		p[i] = shown
		e.taken++
	}
	if n == 0 && err != nil {
		e.err = err
	}
	return n, err
}

// leave goes on behind the array, at a byte that does not belong to it. What stands behind
// its end is no fault of the array.
func (e *elements) leave(c byte) {
	e.broken = true
	if e.state != afterArray {
		e.late = e.fault(e.taken, e.wanted(c))
	}
}

// step takes one byte and returns what it becomes. It reports false if the byte cannot
// stand there.
func (e *elements) step(c byte) (shown byte, ok bool) {
	switch e.state {
	case inString:
		switch c {
		case '\\':
			e.state = inEscape
		case '"':
			e.close()
		}
		return c, true
	case inEscape:
		e.state = inString
		return c, true
	case inNested:
		switch c {
		case '"':
			e.state = inString
		case '[', '{':
			e.depth++
		case ']', '}':
			e.depth--
			e.close()
		}
		return c, true
	default:
		return e.between(c)
	}
}

// close goes on behind a string or a bracket: inside of what is still open, or behind
// the element.
func (e *elements) close() {
	e.state = inNested
	if e.depth == 0 {
		e.state = afterElement
	}
}

// between is step where the array itself goes on.
func (e *elements) between(c byte) (shown byte, ok bool) {
	if e.state == inScalar && (isSpace(c) || c == ',' || c == ']') {
		e.state = afterElement
	}
	switch {
	case isSpace(c) && e.state != inScalar:
		return c, true
	case e.state == beforeArray && e.taken < 3 && c == "\xEF\xBB\xBF"[e.taken]:
		return c, true // package frame drops it
	case e.state == beforeArray && c == '[':
		e.state = firstElement
		return ' ', true
	case e.state == afterElement && c == ',':
		e.state = nextElement
		return '\n', true
	case (e.state == afterElement || e.state == firstElement) && c == ']':
		e.state = afterArray
		return ' ', true
	case e.state == firstElement || e.state == nextElement:
		return c, e.begin(c)
	}
	// More of a number or a literal. Whether it is a good one is for others to say.
	return c, e.state == inScalar && c != '"' && c != '[' && c != '{' && c != '}' && c != ':'
}

// begin takes the first byte of an element.
func (e *elements) begin(c byte) bool {
	switch c {
	case ',', ']', '}', ':':
		return false
	case '"':
		e.state = inString
	case '[', '{':
		e.state, e.depth = inNested, 1
	default:
		e.state = inScalar
	}
	e.number++
	return true
}

// wanted says what is missing where the byte c stands.
func (e *elements) wanted(c byte) string {
	want := "a comma or the end of the array"
	switch e.state {
	case beforeArray:
		want = "an array"
	case afterArray:
		want = "nothing behind the array"
	case firstElement, nextElement:
		want = "a value"
	default:
	}
	return fmt.Sprintf("want %s, got %q", want, c)
}

// cut is the error for an input that ends before the array does.
func (e *elements) cut() error {
	if e.broken || e.state == beforeArray {
		return io.EOF // late says it, or an input with nothing in it is an empty recording
	}
	err := e.fault(e.taken, "the input ended inside the array")
	err.Err = io.ErrUnexpectedEOF
	return err
}

// fault is the error for an array that cannot be read any further.
func (e *elements) fault(offset int64, msg string) *frame.FramingError {
	number := e.number
	switch e.state {
	case inScalar, inNested, inString, inEscape:
	default:
		number++ // the fault stands where an element could
	}
	return &frame.FramingError{Framing: frame.Concat, Pos: frame.Pos{Record: number, Offset: offset}, Msg: msg}
}

// isSpace reports whether c is white space in JSON (RFC 8259, section 2).
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

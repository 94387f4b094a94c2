package frame

import "io"

// readValue returns the next value. Between values there may be white space.
//
// There is no mark between records here but the grammar itself. So whoever loses
// count of the brackets has lost the stream: what cannot start a value, and an
// input that ends inside one, are bad framing and not one bad record. A value over
// the limit is no such case, because the lexer needs no memory to find its end.
func (f Framing) readValue(r *Reader) ([]byte, error) {
	if err := r.skipSpaces(); err != nil {
		return nil, err
	}
	var lex lexer
	g := newGather(f)
	offset := r.taken
	for {
		b, err := r.window()
		switch {
		case err == io.EOF && lex.state == inScalar:
			// Only here may a number end without anything behind it.
			return r.end(f, &g, nil, offset)
		case err != nil:
			return nil, f.cutOff(r, err, offset, "value")
		}
		n, verdict := lex.scan(b)
		switch verdict {
		case lexBad:
			msg := "stray text " + quote(b) + " instead of a value; is something printing to stdout?"
			return nil, r.fail(f, offset, msg, ErrStray)
		case lexDone:
			r.take(n)
			return r.end(f, &g, b[:n], offset)
		case lexMore:
			g.add(b)
			r.take(n)
		}
	}
}

// skipSpaces takes white space until something else stands in the window.
func (r *Reader) skipSpaces() error {
	for {
		b, err := r.window()
		if err != nil {
			return err
		}
		n := spaces(b)
		r.take(n)
		if n < len(b) {
			return nil
		}
	}
}

// appendValue appends a value and an LF, which keeps numbers and literals apart.
// A reader of values gives back neither white space around a value nor two values
// as one, so that appendValue refuses both.
func appendValue(dst []byte, parts [][]byte) ([]byte, error) {
	start := len(dst)
	dst = appendAll(dst, parts)
	rec := dst[start:]
	var lex lexer
	n, verdict := lex.scan(rec)
	// The LF that follows ends a number or a literal, which else may go on.
	whole := verdict == lexDone && n == len(rec) || verdict == lexMore && lex.state == inScalar
	if !whole {
		return dst[:start], &RefusedError{Framing: Concat, Offset: n, Err: ErrNotValue}
	}
	return append(dst, '\n'), nil
}

// A lexer finds the end of one JSON value, in constant memory. It knows strings
// and counts brackets; whether the value is good JSON is not its question. So
// `{]` is a value here, and the codec has to refuse it.
type lexer struct {
	depth int64 // brackets that are open
	state lexState
}

// A lexState says what the next byte belongs to.
type lexState uint8

const (
	atStart   lexState = iota // nothing has come yet
	inScalar                  // a number or a literal, which does not show its own end
	inBracket                 // an object or an array, outside of strings
	inString
	inEscape // the byte after a backslash in a string
)

// A verdict is what scan found.
type verdict uint8

const (
	lexMore verdict = iota // all bytes belong to the value, and it may go on
	lexDone                // the value has ended
	lexBad                 // no value starts like this
)

// scan reads on in b and returns how many of its bytes belong to the value. A byte
// that ends a number or a literal is not one of them, unlike the closing bracket or
// quote of the other values. After lexDone the lexer is used up.
func (l *lexer) scan(b []byte) (n int, v verdict) {
	for i := range b {
		c := b[i]
		switch l.state {
		case atStart:
			if !l.start(c) {
				return i, lexBad
			}
		case inScalar:
			if endsScalar(c) {
				return i, lexDone
			}
		case inEscape:
			l.state = inString
		case inString:
			if c == '\\' {
				l.state = inEscape
			} else if c == '"' {
				if l.depth == 0 {
					return i + 1, lexDone
				}
				l.state = inBracket
			}
		case inBracket:
			switch c {
			case '"':
				l.state = inString
			case '{', '[':
				l.depth++
			case '}', ']':
				if l.depth--; l.depth == 0 {
					return i + 1, lexDone
				}
			}
		}
	}
	return len(b), lexMore
}

// start takes the first byte of a value, and reports whether it can be that (RFC
// 8259, section 3). For literals it takes the first letters of true, false and
// null alone, so that most words that somebody prints are caught here, where the
// error can quote them.
func (l *lexer) start(c byte) bool {
	switch c {
	case '{', '[':
		l.state, l.depth = inBracket, 1
	case '"':
		l.state = inString
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 't', 'f', 'n':
		l.state = inScalar
	default:
		return false
	}
	return true
}

// endsScalar reports whether c cannot be part of a number or a literal. Any other
// byte is left for the codec to complain about, which costs one record where bad
// framing costs the stream.
func endsScalar(c byte) bool {
	switch c {
	case '{', '}', '[', ']', ':', ',', '"':
		return true
	}
	return isSpace(c)
}

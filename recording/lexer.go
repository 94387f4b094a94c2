package recording

// maxDepth is how many brackets may be open in one value.
const maxDepth = 10_000

// A lexer finds the end of one JSON value and the first byte that no JSON can have there.
// That is more than frame.Concat asks for, which counts brackets: who has only guessed that
// values stand end to end must not wait behind half a bracket for ever. What is inside of
// strings, numbers and literals is for the codec to say, as far as their end is clear.
type lexer struct {
	state lexState
	open  []byte // the brackets that are open
	rest  string // of the literal that has begun
	name  bool   // the string is the name of a member

	// Behind a fault the brackets are counted all the same, since an object that ends on
	// its line says more as a whole than as text.
	faulty bool
}

// A lexState says what the next byte may be.
type lexState uint8

const (
	wantValue     lexState = iota // a value
	wantElement                   // a value, or the end of an empty array
	wantName                      // the name of a member
	wantFirstName                 // the same, or the end of an empty object
	wantColon
	wantComma // a comma, or the closing bracket
	lexString
	lexEscape // the byte after a backslash in a string
	lexNumber
	lexLiteral
)

// A step is what one byte was to the value.
type step uint8

const (
	stepMore   step = iota // part of it, and it goes on
	stepDone               // its last byte
	stepBehind             // the first byte behind it
	stepFault              // no part of any value; when the lexer is faulty, the end of the line
)

// step reads on by one byte. After stepDone and stepBehind the lexer is used up.
func (l *lexer) step(c byte) step {
	if l.faulty {
		return l.count(c)
	}
	switch l.state {
	case lexEscape:
		l.state = lexString
		return faultIf(c < ' ')
	case lexString:
		switch {
		case c == '\\':
			l.state = lexEscape
		case c == '"' && l.name:
			l.state = wantColon
		case c == '"':
			return l.ended()
		}
		return faultIf(c < ' ')
	case lexLiteral:
		if l.rest != "" {
			fits := c == l.rest[0]
			l.rest = l.rest[1:]
			return faultIf(!fits)
		}
	case lexNumber:
		if c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E' {
			return stepMore
		}
	default:
		return l.between(c)
	}
	// A number or a literal ends before this byte.
	switch {
	case !endsScalar(c):
		return stepFault
	case l.ended() == stepDone:
		return stepBehind
	}
	return l.between(c)
}

// plain returns how many bytes at the start of text step would take for more of a string.
// Most bytes are such.
func (l *lexer) plain(text []byte) int {
	if l.state != lexString {
		return 0
	}
	for i, c := range text {
		if c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return len(text)
}

func faultIf(bad bool) step {
	if bad {
		return stepFault
	}
	return stepMore
}

// between takes a byte outside of strings, numbers and literals.
func (l *lexer) between(c byte) step {
	switch {
	case isSpace(c):
		return stepMore
	case l.state == wantValue, l.state == wantElement && c != ']':
		return l.begin(c)
	case c == '"' && (l.state == wantName || l.state == wantFirstName):
		l.state, l.name = lexString, true
	case c == ':' && l.state == wantColon:
		l.state = wantValue
	case c == ',' && l.state == wantComma:
		l.state = wantValue
		if l.innermost() == '{' {
			l.state = wantName
		}
	case c == ']' && (l.state == wantElement || l.state == wantComma && l.innermost() == '['),
		c == '}' && (l.state == wantFirstName || l.state == wantComma && l.innermost() == '{'):
		l.open = l.open[:len(l.open)-1]
		return l.ended()
	default:
		return stepFault
	}
	return stepMore
}

// begin takes the first byte of a value.
func (l *lexer) begin(c byte) step {
	switch {
	case (c == '{' || c == '[') && len(l.open) == maxDepth:
		return stepFault
	case c == '{':
		l.open, l.state = append(l.open, c), wantFirstName
	case c == '[':
		l.open, l.state = append(l.open, c), wantElement
	case c == '"':
		l.state, l.name = lexString, false
	case c == '-' || c >= '0' && c <= '9':
		l.state = lexNumber
	case c == 't':
		l.state, l.rest = lexLiteral, "true"[1:]
	case c == 'f':
		l.state, l.rest = lexLiteral, "false"[1:]
	case c == 'n':
		l.state, l.rest = lexLiteral, "null"[1:]
	default:
		return stepFault
	}
	return stepMore
}

// ended goes on behind a value: it is done, unless it is inside of another.
func (l *lexer) ended() step {
	l.state = wantComma
	if len(l.open) == 0 {
		return stepDone
	}
	return stepMore
}

// innermost is the bracket that was opened last.
func (l *lexer) innermost() byte { return l.open[len(l.open)-1] }

// count is step behind a fault.
func (l *lexer) count(c byte) step {
	switch {
	case c == '\n':
		return stepFault
	case l.state == lexEscape:
		l.state = lexString
	case l.state == lexString && c == '\\':
		l.state = lexEscape
	case c == '"' && l.state != lexString:
		l.state = lexString
	case c == '"':
		l.state = wantComma
	case l.state == lexString, len(l.open) == 0:
	case (c == '{' || c == '[') && len(l.open) < maxDepth:
		l.open = append(l.open, c)
	case c == '}', c == ']':
		l.open = l.open[:len(l.open)-1]
		if len(l.open) == 0 {
			return stepDone
		}
	}
	return stepMore
}

// fault goes on in a value that is faulty, before the byte that is at fault.
func (l *lexer) fault() {
	l.faulty = true
	if len(l.open) > 0 && l.open[0] != '{' {
		l.open = l.open[:0] // brackets are what many logs begin with
	}
}

// inScalar reports whether a number or a literal has begun that stands alone.
func (l *lexer) inScalar() bool {
	return len(l.open) == 0 && (l.state == lexNumber || l.state == lexLiteral)
}

// endsScalar reports whether c may stand right behind a number or a literal.
func endsScalar(c byte) bool {
	switch c {
	case '{', '}', '[', ']', ':', ',', '"':
		return true
	}
	return isSpace(c)
}

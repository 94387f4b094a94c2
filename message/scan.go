package message

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// maxDepth is how many arrays and objects may be open at once in a record.
// encoding/json has the same bound.
const maxDepth = 10_000

// A scanner goes over a record once and checks it against RFC 8259. Its methods return
// false at the first fault, which is then in fault and why. It allocates nothing and
// never calls itself, so that depth costs bits of a fixed array and not stack.
//
//	object ── member ── name ── str        one member of an envelope, noted by name
//	             └───── value ┬ scalar     anything else, checked and passed over
//	                          └ nested     arrays and objects, without recursion
//
// Every method begins at the byte it is about, white space already behind it, and ends
// at the byte after.
type scanner struct {
	text  []byte
	at    int    // the next byte
	fault int    // the offset of the fault
	why   string // what the fault is, in words; "" while there is none
	deep  int    // the offset of the first value beyond maxDepth, 0 if there is none
}

// fail notes a fault. It returns false, for the caller to return.
func (s *scanner) fail(at int, why string) bool {
	s.fault, s.why = at, why
	return false
}

// unexpected fails at the next byte, or at the end of the text.
func (s *scanner) unexpected(why string) bool {
	if s.at == len(s.text) {
		why = "the text ends too early"
	}
	return s.fail(s.at, why)
}

// peek returns the next byte, 0 at the end. No byte of valid text is 0.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// space goes to the next byte that is not white space (RFC 8259, section 2). Most of
// the time there is none, and the first comparison says so.
func (s *scanner) space() {
	for s.at < len(s.text) && s.text[s.at] <= ' ' {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// end checks that nothing follows but white space.
func (s *scanner) end() bool {
	s.space()
	if s.at < len(s.text) {
		return s.fail(s.at, "text after the end of the value")
	}
	return true
}

// value goes past one value, inside which at most limit arrays and objects may be open
// at once.
func (s *scanner) value(limit int) bool {
	c := s.peek()
	if c != '{' && c != '[' {
		return s.scalar(c)
	}
	// One word has room for 64 levels, which is more than nearly all values have.
	start := s.at
	var one [1]uint64
	switch s.nested(limit, one[:]) {
	case scanned:
		return true
	case faulty:
		return false
	case full:
	}
	s.at = start
	return s.deepValue(limit)
}

// deepValue is value for the rare one that is more than 64 levels deep. It starts over,
// so that all others do without clearing a big array.
func (s *scanner) deepValue(limit int) bool {
	var all [(maxDepth + 63) / 64]uint64
	return s.nested(limit, all[:]) == scanned
}

// A progress is how far a scan of nested values came.
type progress uint8

const (
	scanned progress = iota // to the end of the value
	faulty                  // to a fault
	full                    // to a depth that the stack has no bit for
)

// nested goes past one value that is an array or an object. The bits of stack say of
// each open one whether it is an object: bit open-1 belongs to the innermost. Stack is
// the memory that a recursive scanner would take from the goroutine's stack, an eighth
// of a byte a level instead of a frame.
func (s *scanner) nested(limit int, stack []uint64) progress {
	open := 0
	for {
		// A value begins here, whether it is the first of an array or object, one behind
		// a comma, or the one that was asked for.
		switch c := s.peek(); c {
		case '{', '[':
			if open == limit {
				if !s.skip() {
					return faulty
				}
				break
			}
			if open == 64*len(stack) {
				return full
			}
			bit := uint64(1) << (open & 63)
			stack[open>>6] &^= bit
			if c == '{' {
				stack[open>>6] |= bit
			}
			open++
			s.at++
			s.space()
			if s.peek() == c+2 {
				break // it is empty: } is { + 2, and ] is [ + 2
			}
			if c == '{' {
				if _, ok := s.name(); !ok {
					return faulty
				}
			}
			continue
		default:
			if !s.scalar(c) {
				return faulty
			}
		}
		// A value ends here. If it was the last of its array or object, that ends as
		// well, and perhaps the one around it.
		switch open = s.leave(open, stack); {
		case open == 0:
			return scanned
		case open < 0:
			return faulty
		}
	}
}

// skip goes past an array or object that is too deep to check, and notes that there is
// one. It only reads strings and counts brackets: enough to come to the rest of the
// record, where the id may be.
func (s *scanner) skip() bool {
	if s.deep == 0 {
		s.deep = s.at
	}
	for open := 0; s.at < len(s.text); {
		switch s.text[s.at] {
		case '"':
			if !s.str() {
				return false
			}
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		s.at++
		if open == 0 {
			return true
		}
	}
	return s.unexpected("")
}

// leave goes past the ends of arrays and objects up to the next value, and past its
// name if it has one. It returns how many are still open, -1 after a fault.
func (s *scanner) leave(open int, stack []uint64) int {
	for open > 0 {
		s.space()
		inObject := stack[(open-1)>>6]>>((open-1)&63)&1 != 0
		switch c := s.peek(); {
		case c == ',':
			s.at++
			s.space()
			if inObject {
				if _, ok := s.name(); !ok {
					return -1
				}
			}
			return open
		case inObject && c == '}', !inObject && c == ']':
			s.at++
			open--
		default:
			s.unexpected("want a comma, or the end of the array or object")
			return -1
		}
	}
	return 0
}

// name goes past the name of a member and its colon, to the value. It returns the end
// of the name.
func (s *scanner) name() (end int, ok bool) {
	if s.peek() != '"' {
		return 0, s.unexpected("want a name in quotes")
	}
	if !s.str() {
		return 0, false
	}
	end = s.at
	s.space()
	if s.peek() != ':' {
		return 0, s.unexpected("want a colon after the name")
	}
	s.at++
	s.space()
	return end, true
}

// scalar goes past a value that is no array and no object; c is its first byte.
func (s *scanner) scalar(c byte) bool {
	switch c {
	case '"':
		return s.str()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		end, ok := scanNumber(s.text, s.at)
		s.at = end
		return ok || s.unexpected("this number is not JSON")
	}
	return s.unexpected("want a value")
}

// literal goes past true, false or null, which are written in just one way.
func (s *scanner) literal(word string) bool {
	rest := s.text[s.at:]
	if len(rest) < len(word) || string(rest[:len(word)]) != word {
		return s.fail(s.at, "this word is not JSON")
	}
	s.at += len(word)
	return true
}

// str goes past a string (RFC 8259, section 7). Strings are most of the bytes of most
// records, so this is where the speed of Parse is made or lost.
func (s *scanner) str() bool {
	text, start := s.text, s.at+1
	i := start
	// high collects the top bits of the bytes. It may see some behind the end of the
	// string, which costs a check that was not needed, and no more.
	var high uint64
	for {
		// Eight bytes at a time, as long as all of them just stand for themselves.
		for i+8 <= len(text) {
			word := binary.LittleEndian.Uint64(text[i:])
			high |= word
			if stop := stops(word); stop != 0 {
				i += bits.TrailingZeros64(stop) / 8
				break
			}
			i += 8
		}
		if i >= len(text) {
			return s.fail(len(text), "the text ends inside a string")
		}
		switch c := text[i]; {
		case c == '"':
			s.at = i + 1
			return high&highBits == 0 || s.utf8(start, i)
		case c == '\\':
			n := escape(text[i:])
			if n == 0 {
				return s.fail(i, "this escape is not JSON")
			}
			i += n
		case c < ' ':
			return s.fail(i, "a control character in a string must be escaped")
		default: // one of the last seven bytes of the record
			high |= uint64(c)
			i++
		}
	}
}

// utf8 checks text[from:to]. It is quicker to find the end of the string first, and to
// do this only if needed.
func (s *scanner) utf8(from, to int) bool {
	if utf8.Valid(s.text[from:to]) {
		return true
	}
	for from < to { // look again for the offset
		r, n := utf8.DecodeRune(s.text[from:to])
		if r == utf8.RuneError && n == 1 {
			break
		}
		from += n
	}
	return s.fail(from, "this byte is not UTF-8")
}

// The lowest and the highest bit of each byte of a word.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// stops marks the bytes of a word that do not stand for themselves in a string: the
// quote, the backslash and the control characters. A mark is the highest bit of its
// byte. A byte x below 128 is 0 if x-1 has that bit and x has not; the same with 32 finds
// the control characters. The lowest mark is exact; a borrow can only set false ones
// above a true one.
func stops(word uint64) uint64 {
	quote := word ^ '"'*lowBits
	backslash := word ^ '\\'*lowBits
	return ((quote-lowBits)&^quote | (backslash-lowBits)&^backslash | (word-' '*lowBits)&^word) & highBits
}

// escape returns the length of the escape that text begins with, 0 if it is none. A
// surrogate without its partner is one: the grammar allows it, and a relay has to keep
// it.
func escape(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u': // and four hexadecimal digits
		if len(text) >= 6 && isHex(text[2]) && isHex(text[3]) && isHex(text[4]) && isHex(text[5]) {
			return 6
		}
	}
	return 0
}

// isHex reports whether c is a hexadecimal digit; the bit 0x20 makes a letter small.
func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

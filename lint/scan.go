package lint

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// A scan looks once over text that is known to be JSON, for what the ledger, which has
// parsed it, does not look for: names that an object has twice, and how deep it goes.
// It runs over every record, so that it keeps hashes and no names, and allocates
// nothing. What it finds is looked at again by a [tour].
type scan struct {
	seed  maphash.Seed
	names []uint64 // the hashes of the names so far of every open object, outermost first
	opens []int    // for each open value: where its names begin, or isArray
}

// isArray stands in opens for an array, which has no names.
const isArray = -1

// run goes over the text. twice says that an object seems to have a name twice: the
// hashes are equal, and the names most likely too. deepest is how many arrays and objects
// are open at once.
func (s *scan) run(text []byte) (twice bool, deepest int) {
	s.names, s.opens = s.names[:0], s.opens[:0]
	name := false // the next string is a name
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			end := stringEnd(text, i)
			if name {
				s.names = append(s.names, s.hash(text[i+1:end]))
				name = false
			}
			i = end
		case '{':
			s.opens = append(s.opens, len(s.names))
			deepest = max(deepest, len(s.opens))
			name = true
		case '[':
			s.opens = append(s.opens, isArray)
			deepest = max(deepest, len(s.opens))
		case ',':
			name = len(s.opens) > 0 && s.opens[len(s.opens)-1] != isArray
		case '}', ']':
			name = false
			if len(s.opens) == 0 {
				return twice, deepest // no JSON after all
			}
			if from := s.opens[len(s.opens)-1]; from != isArray {
				twice = twice || hasTwo(s.names[from:])
				s.names = s.names[:from]
			}
			s.opens = s.opens[:len(s.opens)-1]
		}
	}
	return twice, deepest
}

// hash returns the hash of a name, which stands between its quotes.
func (s *scan) hash(name []byte) uint64 {
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(unescape(name))
	}
	return maphash.Bytes(s.seed, name)
}

// few is up to how many names are compared each with each.
const few = 16

// hasTwo reports whether two of the hashes are equal. It may reorder them.
func hasTwo(hashes []uint64) bool {
	if len(hashes) > few {
		slices.Sort(hashes)
		for i, h := range hashes[1:] {
			if h == hashes[i] {
				return true
			}
		}
		return false
	}
	for i, h := range hashes {
		if slices.Contains(hashes[:i], h) {
			return true
		}
	}
	return false
}

// stringEnd returns the offset of the quote that ends the string at text[at], or the end
// of the text.
func stringEnd(text []byte, at int) int {
	for i := at + 1; ; {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return len(text)
		}
		i += n
		// An odd number of backslashes before it makes the quote a part of the string.
		slashes := 0
		for text[i-1-slashes] == '\\' {
			slashes++ // ends at the opening quote at the latest
		}
		if slashes%2 == 0 {
			return i
		}
		i++
	}
}

// valueEnd returns the offset behind the JSON value at the start of text, white space
// before it included. It counts brackets and knows strings; whether the value is good
// JSON is for others to say. It is false if the value does not end, or does not begin
// with a bracket or a quote.
func valueEnd(text []byte) (end int, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i = stringEnd(text, i); i == len(text) {
				return i, false
			}
			if depth == 0 {
				return i + 1, true
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1, depth == 0
			}
		default:
			if depth == 0 && !isSpace(c) {
				return i, false
			}
		}
	}
	return len(text), false
}

// isSpace reports whether c is white space in JSON (RFC 8259, section 2).
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

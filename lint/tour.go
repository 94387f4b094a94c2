package lint

import (
	"strconv"
	"strings"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// A tour goes over text that is known to be JSON and knows at each stop, which is a name
// or the start of a value, where it is. It is for records that have a fault: what it
// costs does not matter.
type tour struct {
	text []byte
	at   int // the next byte
	path []step
}

// A step is an array or an object on the way to where a tour is.
type step struct {
	object bool
	index  int    // of the element
	name   string // of the member
	names  map[string]bool
}

// A stop is where a tour halts.
type stop struct {
	at    int
	name  bool // it is a name, and not a value
	again bool // a name that the object has had before
}

// next goes to the next stop. It is false at the end.
func (t *tour) next() (s stop, ok bool) {
	for t.at < len(t.text) {
		c := t.text[t.at]
		top := t.top()
		switch {
		case isSpace(c), c == ':':
			t.at++
		case c == ',':
			t.at++
			if top != nil {
				top.index++
				top.name = ""
			}
		case c == '}', c == ']':
			t.at++
			if top == nil {
				return stop{}, false
			}
			t.path = t.path[:len(t.path)-1]
		case c == '"' && top != nil && top.object && !t.afterColon():
			s = stop{at: t.at, name: true}
			end := stringEnd(t.text, t.at)
			top.name = unescape(t.text[t.at+1 : end])
			s.again = top.names[top.name]
			top.names[top.name] = true
			t.at = min(end+1, len(t.text))
			return s, true
		default:
			s = stop{at: t.at}
			t.value(c)
			return s, true
		}
	}
	return stop{}, false
}

// afterColon reports whether the next string is a value and no name.
func (t *tour) afterColon() bool {
	i := t.at - 1
	for i >= 0 && isSpace(t.text[i]) {
		i--
	}
	return i >= 0 && t.text[i] == ':'
}

// value goes into the array or object that begins here, and past any other value.
func (t *tour) value(c byte) {
	switch c {
	case '{':
		t.path = append(t.path, step{object: true, names: make(map[string]bool)})
		t.at++
	case '[':
		t.path = append(t.path, step{})
		t.at++
	case '"':
		t.at = min(stringEnd(t.text, t.at)+1, len(t.text))
	default:
		for t.at++; t.at < len(t.text); t.at++ {
			if c := t.text[t.at]; isSpace(c) || c == ',' || c == '}' || c == ']' {
				return
			}
		}
	}
}

func (t *tour) top() *step {
	if len(t.path) == 0 {
		return nil
	}
	return &t.path[len(t.path)-1]
}

// pointer returns the JSON pointer of the name or value where the tour halted last; that
// of an array or object is given before its first element is reached.
func (t *tour) pointer() string {
	path := t.path
	if n := len(path); n > 0 && t.at > 0 && (t.text[t.at-1] == '{' || t.text[t.at-1] == '[') && path[n-1].fresh() {
		path = path[:n-1] // it has just been entered
	}
	var p strings.Builder
	for _, s := range path {
		p.WriteByte('/')
		if s.object {
			p.WriteString(escapeToken(s.name))
		} else {
			p.WriteString(strconv.Itoa(s.index))
		}
	}
	return p.String()
}

// fresh reports whether nothing inside has been seen.
func (s *step) fresh() bool { return s.index == 0 && s.name == "" && len(s.names) == 0 }

// tokens are the escapes of a JSON pointer (RFC 6901, section 3).
var tokens = strings.NewReplacer("~", "~0", "/", "~1")

func escapeToken(name string) string { return tokens.Replace(name) }

// elementPointer returns the pointer of a message of a batch.
func elementPointer(index int) string { return "/" + strconv.Itoa(index) }

// pointerAt returns the pointer of the value, or of the name, that holds the byte at an
// offset of the text.
func pointerAt(text []byte, offset int) string {
	last := -1
	for t, i := (tour{text: text}), 0; ; i++ {
		s, ok := t.next()
		if !ok || s.at > offset {
			break
		}
		last = i
	}
	t := tour{text: text}
	for range last + 1 {
		t.next()
	}
	return t.pointer()
}

// offsetOf returns the offset of the value that a pointer names, 0 if there is none.
func offsetOf(text []byte, pointer string) int {
	if pointer == "" {
		return 0
	}
	depth := strings.Count(pointer, "/")
	for t := (tour{text: text}); ; {
		s, ok := t.next()
		if !ok {
			return 0
		}
		// An array or object that begins here is on the path already. Elsewhere there is
		// no need to look at a pointer, which is as long as the text is deep.
		here := len(t.path) == depth || len(t.path) == depth+1
		if here && !s.name && t.pointer() == pointer {
			return s.at
		}
	}
}

// repeated returns the first name that an object has had before.
func repeated(text []byte) (at int, pointer string, ok bool) {
	for t := (tour{text: text}); ; {
		s, more := t.next()
		if !more {
			return 0, "", false
		}
		if s.again {
			return s.at, t.pointer(), true
		}
	}
}

// tooDeep returns the first value inside of more arrays and objects than limit.
func tooDeep(text []byte, limit int) (at int) {
	for t := (tour{text: text}); ; {
		s, ok := t.next()
		if !ok {
			return 0
		}
		if len(t.path) > limit {
			return s.at
		}
	}
}

// unescape returns what stands between the quotes of a string.
func unescape(inside []byte) string {
	quoted := make([]byte, 0, len(inside)+2)
	quoted = append(append(append(quoted, '"'), inside...), '"')
	text, err := jsonx.Unquote(quoted)
	if err != nil {
		return string(inside)
	}
	return text
}

// lastToken returns the last name of a pointer, as it is in the text.
func lastToken(pointer string) string {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}

package message

import (
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// errNotObject says that a value has no members.
var errNotObject = errors.New("message: only an object has members")

// Member returns the value of the first member of r that has the name, and whether r is
// an object that has one. Nothing is copied. Names match exactly, after unescaping.
func (r Raw) Member(name string) (Raw, bool) {
	at, _, ok := r.member(name)
	return at.of(r), ok && at.to > 0
}

// Set returns r with value in the place that path names, a member of a member of … r. All
// other bytes stay as they are; r itself is not changed. Objects that the path needs and
// that are absent are made, r among them; a value on the way that is no object is an
// error.
func (r Raw) Set(value Raw, path ...string) (Raw, error) {
	if len(path) == 0 {
		return value, nil
	}
	if r.IsZero() {
		r = Raw("{}")
	}
	at, room, ok := r.member(path[0])
	if !ok {
		return nil, fmt.Errorf("%w: no place for %q in %.40q", errNotObject, path[0], r)
	}
	if at.to > 0 {
		inner, err := at.of(r).Set(value, path[1:]...)
		if err != nil {
			return nil, err
		}
		return splice(r, at, inner), nil
	}
	inner, err := Raw(nil).Set(value, path[1:]...)
	if err != nil {
		return nil, err
	}
	var added Raw
	if room.empty {
		added = jsonx.AppendQuote(nil, path[0])
	} else {
		added = jsonx.AppendQuote(Raw(","), path[0])
	}
	added = append(append(added, ':'), inner...)
	return splice(r, span{room.at, room.at}, added), nil
}

// splice returns text with another piece in the place of the span.
func splice(text Raw, at span, piece Raw) Raw {
	out := make(Raw, 0, len(text)-(at.to-at.from)+len(piece))
	out = append(out, text[:at.from]...)
	out = append(out, piece...)
	return append(out, text[at.to:]...)
}

// room is where a new member of an object goes: behind its last value.
type room struct {
	at    int
	empty bool
}

// member looks for a member of the object r. The span is empty if there is none, and ok
// is false if r is no object.
func (r Raw) member(name string) (at span, end room, ok bool) {
	s := scanner{text: r}
	s.space()
	if s.peek() != '{' {
		return span{}, room{}, false
	}
	s.at++
	end = room{at: s.at, empty: true}
	s.space()
	for s.peek() == '"' {
		start := s.at
		nameEnd, ok := s.name()
		if !ok {
			return span{}, end, false
		}
		value := s.at
		if !s.value(maxDepth) {
			return span{}, end, false
		}
		end = room{at: s.at}
		if unquote(r[start:nameEnd]) == name {
			return span{value, s.at}, end, true
		}
		s.space()
		if s.peek() == ',' {
			s.at++
			s.space()
		}
	}
	return span{}, end, s.peek() == '}'
}

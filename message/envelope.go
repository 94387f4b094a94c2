package message

import (
	"bytes"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// maxExtra is how many members that are not of the envelope a message may have, and so
// may its error. Each costs several times its length in memory, so there has to be a
// bound.
const maxExtra = 1024

// A field is a member that a vocabulary knows.
type field uint8

// The fields of a message (JSON-RPC 2.0, sections 4 and 5).
const (
	fieldVersion field = iota
	fieldID
	fieldMethod
	fieldParams
	fieldResult
	fieldError
	fieldCount
	fieldNone = fieldCount // a member that the vocabulary does not know
)

// The fields of an error (section 5.1). They share their numbers with those of a
// message, as no object is both.
const (
	fieldCode field = iota
	fieldMessage
	fieldData
)

// A vocabulary says which names are fields. It is a number and not a map or a function,
// since a switch on a []byte neither allocates nor lets the record escape.
type vocabulary uint8

const (
	ofMessage vocabulary = iota
	ofError
)

// field returns the field with the given name. Names match exactly, upper and lower
// case included (JSON-RPC 2.0, section 3).
func (v vocabulary) field(name []byte) field {
	if v == ofError {
		switch string(name) {
		case "code":
			return fieldCode
		case "message":
			return fieldMessage
		case "data":
			return fieldData
		}
		return fieldNone
	}
	switch string(name) {
	case "jsonrpc":
		return fieldVersion
	case "id":
		return fieldID
	case "method":
		return fieldMethod
	case "params":
		return fieldParams
	case "result":
		return fieldResult
	case "error":
		return fieldError
	}
	return fieldNone
}

// longestEscaped is the length of the longest field name with each of its characters as
// an escape. A name that is longer and has escapes is no field.
const longestEscaped = len(`"jsonrpc"`) * len(`\u006a`)

// quoted is field for a name that is still in quotes and may have escapes. A reader that
// compared the text as it stands would not see the second method of
// {"method":"a","m\u0065thod":"b"}, and the peer behind it would run that one.
func (v vocabulary) quoted(name []byte) field {
	if bytes.IndexByte(name, '\\') < 0 {
		return v.field(name[1 : len(name)-1])
	}
	if len(name) > longestEscaped {
		return fieldNone
	}
	var room [longestEscaped]byte
	plain, err := jsonx.AppendUnquote(room[:0], name)
	if err != nil {
		return fieldNone
	}
	return v.field(plain)
}

// A span is a stretch of a record. Its end is 0 while the record has not been read that
// far.
type span struct{ from, to int }

// of returns the stretch of text. Its capacity ends with it, so that an append to it
// cannot run into the rest of the record.
func (p span) of(text []byte) Raw { return Raw(text[p.from:p.to:p.to]) }

// An extra is a member that is no field: its name, in quotes, and its value.
type extra struct{ name, value span }

// An envelope is what a scan found in one object: where each field is. It knows no
// types yet, and holds offsets only, so that a record which turns out to be faulty at
// its end has cost nothing until then.
type envelope struct {
	words  vocabulary
	text   []byte // the record; set here, so that the methods below need no other
	at     int    // the offset of the object
	fields [fieldCount]span
	seen   uint8    // a bit for each field whose name was read
	twice  uint8    // a bit for each field whose name was read again
	again  int      // the offset of the first such name
	extras int      // how many others there are, at most maxExtra
	many   bool     // there were more
	few    [4]extra // the first of them, so that most messages need no more
	rest   []extra
}

// reset readies e for the object at the given offset of text. It keeps the room that
// earlier members of a batch needed.
func (e *envelope) reset(text []byte, at int) {
	*e = envelope{words: e.words, text: text, at: at, rest: e.rest[:0]}
}

// has reports whether the name of a field was read. Its value may be missing where the
// text breaks off.
func (e *envelope) has(f field) bool { return e.seen&(1<<f) != 0 }

// begin notes that a field's name was read, at the given offset, and that its value
// begins at value.
func (e *envelope) begin(f field, name, value int) {
	if !e.has(f) {
		e.seen |= 1 << f
		e.fields[f] = span{from: value}
		return
	}
	if e.twice == 0 {
		e.again = name
	}
	e.twice |= 1 << f
}

// finish notes where a field's value ends. Of a name that is given twice the first value
// stays; the message is refused anyway.
func (e *envelope) finish(f field, value span) {
	if e.fields[f].from == value.from {
		e.fields[f].to = value.to
	}
}

// add notes a member that is no field.
func (e *envelope) add(x extra) {
	switch {
	case e.extras < len(e.few):
		e.few[e.extras] = x
	case e.extras < maxExtra:
		e.rest = append(e.rest, x)
	default:
		e.many = true
		return
	}
	e.extras++
}

// members returns the members that are no fields, in the order they came.
func (e *envelope) members() []Member {
	if e.extras == 0 {
		return nil
	}
	members := make([]Member, 0, e.extras)
	for _, x := range e.few[:min(e.extras, len(e.few))] {
		members = append(members, x.of(e.text))
	}
	for _, x := range e.rest {
		members = append(members, x.of(e.text))
	}
	return members
}

// of returns the member that x stands for in text.
func (x extra) of(text []byte) Member {
	return Member{Name: unquote(x.name.of(text)), Value: x.value.of(text)}
}

// unquote returns what a string says that is known to be valid.
func unquote(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	text, _ := jsonx.Unquote(quoted) // fails only on text that is no string
	return text
}

// object goes past the object at s.at and notes its members in e. Inside the object at
// most limit arrays and objects may be open. After a fault, e has what was read up to
// there.
func (s *scanner) object(e *envelope, limit int) bool {
	e.reset(s.text, s.at)
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return true
	}
	for {
		if !s.member(e, limit) {
			return false
		}
		s.at++ // a comma or the end
		if s.text[s.at-1] == '}' {
			return true
		}
		s.space()
	}
}

// member goes past one member of the object and notes it in e. It ends at the comma or
// brace behind it: until that is seen, the text may have broken off inside a number,
// and half a number is another number.
func (s *scanner) member(e *envelope, limit int) bool {
	start := s.at
	end, ok := s.name()
	if !ok {
		return false
	}
	name := span{start, end}
	f := e.words.quoted(s.text[name.from:name.to])
	value := span{from: s.at}
	// The name alone makes a record a request or a response, so it is noted even if the
	// text breaks off inside the value.
	if f != fieldNone {
		e.begin(f, name.from, value.from)
	}
	if !s.value(limit) {
		return false
	}
	value.to = s.at
	s.space()
	if c := s.peek(); c != ',' && c != '}' {
		return s.unexpected("want a comma or the end of the object")
	}
	if f != fieldNone {
		e.finish(f, value)
	} else {
		e.add(extra{name, value})
	}
	return true
}

// raw returns the text of a field's value, absent if the field is.
func (e *envelope) raw(f field) Raw {
	if !e.has(f) {
		return nil
	}
	return e.fields[f].of(e.text)
}

// kind says what the object is, by the members that it has. A result or an error makes
// it a reply even if much else is wrong, because such a record must not be answered.
func (e *envelope) kind() Kind {
	reply := e.has(fieldResult) || e.has(fieldError)
	switch {
	case e.has(fieldMethod) && reply:
		return KindHybrid
	case reply:
		return KindReply
	case !e.has(fieldMethod):
		return KindUnknown
	case e.has(fieldID):
		return KindCall
	}
	// Without an id it is a note only if the method is a string: what is "not a valid
	// Request object" is answered with id null (JSON-RPC 2.0, the examples of section 7).
	if at := e.fields[fieldMethod].from; at < len(e.text) && e.text[at] == '"' {
		return KindNote
	}
	return KindUnknown
}

// id returns the id, absent unless it was read to its end and is of a type that an id
// may have. Of two ids neither can be trusted.
func (e *envelope) id() ID {
	p := e.fields[fieldID]
	if p.to == 0 || e.twice&(1<<fieldID) != 0 {
		return ID{}
	}
	switch e.text[p.from] {
	case '{', '[', 't', 'f':
		return ID{} // section 4 has strings, numbers and null
	}
	return idOf(e.text[p.from:p.to])
}

package message

import "bytes"

// EachMember goes once over text, which has to be one JSON object, and calls each with
// its members in the order they stand there: the offset of the value in text, the name
// without quotes and escapes, and the value. It is for codecs of envelopes that are not
// JSON-RPC's. Nothing is copied but names with escapes, and a name that is given twice
// comes twice.
//
// A member is reported before the text behind it has been read, so what each noted counts
// only if EachMember returns nil. Otherwise it returns what Parse would: -32700 for text
// that is not JSON or not UTF-8, without a kind; -32600 for another value than an object,
// and, with the limit as its data, for a value more than 10,000 levels deep. Of an object
// that is too deep each has seen every member.
func EachMember(text []byte, each func(at int, name []byte, value Raw)) *ParseError {
	s := scanner{text: text}
	s.space()
	start, c := s.at, s.peek()
	switch {
	case start == len(text):
		s.fail(start, "the record is empty")
		return s.refusal()
	case c != '{':
		if !s.value(maxDepth) || !s.end() {
			return s.refusal()
		}
		kind := KindUnknown
		if c == '[' {
			kind = KindBatch
		}
		if s.deep > 0 {
			return tooDeep(ID{}, kind, s.deep)
		}
		return refuse(ID{}, kind, start, "the record is "+typeOf(c)+", want an object")
	case !s.eachMember(each) || !s.end():
		return s.refusal()
	case s.deep > 0:
		return tooDeep(ID{}, KindUnknown, s.deep)
	}
	return nil
}

// eachMember goes past the object at s.at, which is the first level of the text. Like
// member, it reports nothing before it sees what ends the value.
func (s *scanner) eachMember(each func(at int, name []byte, value Raw)) bool {
	s.at++
	s.space()
	if s.peek() == '}' {
		s.at++
		return true
	}
	for {
		name := span{from: s.at}
		end, ok := s.name()
		if !ok {
			return false
		}
		name.to = end
		value := span{from: s.at}
		if !s.value(maxDepth - 1) {
			return false
		}
		value.to = s.at
		s.space()
		c := s.peek()
		if c != ',' && c != '}' {
			return s.unexpected("want a comma or the end of the object")
		}
		each(value.from, plainName(name.of(s.text)), value.of(s.text))
		s.at++
		if c == '}' {
			return true
		}
		s.space()
	}
}

// plainName returns what a name says that is known to be valid, without a copy if it
// stands there as it is.
func plainName(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	return []byte(unquote(quoted))
}

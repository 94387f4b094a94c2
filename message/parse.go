package message

import "fmt"

// maxBatch is how many messages a batch may have. A batch of [1,1,1…] costs fifty times
// its length in memory, so there has to be a bound. The peer's own limit is lower and
// can be set; this one only protects Parse.
const maxBatch = 65_536

// The refusals of records that pass a limit name it, so that the peer can tell what to
// change.
var (
	errTooDeep  = overLimit(maxDepth, "depth")
	errTooMany  = overLimit(maxBatch, "batch")
	errTooBroad = overLimit(maxExtra, "members")
)

// overLimit returns InvalidRequest with the limit as data.
func overLimit(limit int, what string) *Error {
	return InvalidRequest.With(Raw(fmt.Sprintf(`{"limit":%d,"what":%q}`, limit, what)))
}

// Parse reads a record in one pass. Nothing is made of it before the pass has come to
// its end, except for the members of a batch.
func (c codec) Parse(rec []byte) (Message, error) {
	s := scanner{text: rec}
	s.space()
	switch s.peek() {
	case '{':
		// The object itself is the first level.
		var e envelope
		if !s.object(&e, maxDepth-1) || !s.end() {
			return nil, s.refusal()
		}
		m, refused := c.build(&e, s.deep)
		if refused != nil {
			return nil, refused
		}
		return m, nil
	case '[':
		return c.parseBatch(&s)
	}
	// What is left is no message. It is checked all the same: a string is refused as
	// a request (-32600), half a string as text (-32700).
	start := s.at
	if start == len(rec) {
		s.fail(start, "the record is empty")
		return nil, s.refusal()
	}
	if !s.value(maxDepth) || !s.end() {
		return nil, s.refusal()
	}
	return nil, refuse(ID{}, KindUnknown, start, "the record is "+typeOf(rec[start])+", want an object")
}

// refusal returns the fault of the text that the scanner came to, without a kind or an
// id: what was read before the fault may be as wrong.
func (s *scanner) refusal() *ParseError {
	return &ParseError{Err: ParseFailed, Offset: int64(s.fault), Reason: s.why}
}

// refuse returns the refusal of valid JSON that is no message. The reason says what is
// there and what is wanted instead.
func refuse(id ID, kind Kind, at int, reason string) *ParseError {
	return &ParseError{Err: InvalidRequest, ID: id, Kind: kind, Offset: int64(at), Reason: reason}
}

// parseBatch reads the array at s.at. Its members are made as they are read; if the
// text turns out to be faulty after them, they are dropped.
func (c codec) parseBatch(s *scanner) (Message, error) {
	var (
		batch Batch
		e     envelope
		start = s.at
		count = 0
	)
	s.at++
	s.space()
	if s.peek() == ']' {
		// Section 6 has one error for it, not an array of none.
		s.at++
		if !s.end() {
			return nil, s.refusal()
		}
		return nil, refuse(ID{}, KindBatch, start, "the batch is empty")
	}
	for more := true; more; {
		// Members over the limit are read for their grammar alone.
		m, ok := c.batchMember(s, &e, count < maxBatch)
		if !ok {
			return nil, s.refusal()
		}
		if m != nil { // a refused one is a *ParseError, in its place
			batch = append(batch, m)
		}
		count++
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case ']':
			s.at++
			more = false
		default:
			s.unexpected("want a comma or the end of the batch")
			return nil, s.refusal()
		}
	}
	if !s.end() {
		return nil, s.refusal()
	}
	if count > maxBatch {
		p := refuse(ID{}, KindBatch, start, fmt.Sprintf("the batch has %d members, want at most %d", count, maxBatch))
		p.Err = errTooMany
		return nil, p
	}
	return batch, nil
}

// batchMember goes past one member of a batch and, if keep is set, returns the message
// that it is. It reports false after a fault of the text; what is wrong with the
// message is a message.
func (c codec) batchMember(s *scanner, e *envelope, keep bool) (Message, bool) {
	start := s.at
	s.deep = 0 // a member that is too deep spoils none but itself
	object := s.peek() == '{'
	// The array is one level, and the object another.
	switch {
	case object && !s.object(e, maxDepth-2), !object && !s.value(maxDepth-1):
		return nil, false
	case !keep:
		return nil, true
	case !object && s.deep > 0:
		return tooDeep(ID{}, KindUnknown, s.deep), true
	case !object:
		return refuse(ID{}, KindUnknown, start, "a member of the batch is "+typeOf(s.text[start])+", want an object"), true
	}
	m, refused := c.build(e, s.deep)
	if refused != nil {
		return refused, true
	}
	return m, true
}

// tooDeep returns the refusal of a message with a value beyond maxDepth.
func tooDeep(id ID, kind Kind, at int) *ParseError {
	p := refuse(id, kind, at, fmt.Sprintf("more than %d arrays and objects are open", maxDepth))
	p.Err = errTooDeep
	return p
}

// build makes a message of an envelope, or says why it is none. The text is known to be
// valid; deep is the offset of a value in it that is beyond maxDepth, or 0.
func (c codec) build(e *envelope, deep int) (Message, *ParseError) {
	id, kind := e.id(), e.kind()
	// First what makes the whole object doubtful, then one member after the other.
	switch {
	case deep > 0:
		return nil, tooDeep(id, kind, deep)
	case kind == KindHybrid:
		return nil, refuse(id, kind, e.at, "the object has a method and also a result or an error")
	case e.twice != 0:
		return nil, refuse(id, kind, e.again, "a member of the envelope is given twice")
	case e.many:
		p := refuse(id, kind, e.at, fmt.Sprintf("the object has more than %d unknown members", maxExtra))
		p.Err = errTooBroad
		return nil, p
	}
	// Which fault is named does not depend on the order of the members in the text.
	if at, fault := e.badVersion(c.bare); fault != "" {
		return nil, refuse(id, kind, at, fault)
	}
	if id.IsZero() && e.has(fieldID) {
		at := e.fields[fieldID].from
		return nil, refuse(id, kind, at, "id is "+typeOf(e.text[at])+", want a string, a number or null")
	}
	if kind == KindReply {
		r, at, fault := e.response(id, c.bare)
		if fault != "" {
			return nil, refuse(id, kind, at, fault)
		}
		return r, nil
	}
	r, at, fault := e.request(id)
	if fault != "" {
		return nil, refuse(id, kind, at, fault)
	}
	return r, nil
}

// badVersion checks the member jsonrpc, which "MUST be exactly" the string 2.0
// (JSON-RPC 2.0, section 4).
func (e *envelope) badVersion(bare bool) (at int, fault string) {
	text := e.raw(fieldVersion)
	switch {
	case string(text) == `"2.0"`:
		return 0, ""
	case text == nil && bare:
		return 0, ""
	case text == nil:
		return e.at, `jsonrpc is missing, want "2.0"`
	case text[0] == '"' && unquote(text) == "2.0":
		return 0, "" // with escapes; it is the string that counts, not its spelling
	}
	return e.fields[fieldVersion].from, `jsonrpc is ` + shown(text) + `, want "2.0"`
}

// request makes a call or a note, or says where and why it cannot.
func (e *envelope) request(id ID) (r *Request, at int, fault string) {
	// An object with nothing of a message but perhaps an id still gets an answer, with
	// that id: its sender is waiting for something.
	method := e.raw(fieldMethod)
	if method == nil {
		return nil, e.at, "the object has no method, result or error"
	}
	if method[0] != '"' {
		return nil, e.fields[fieldMethod].from, "method is " + typeOf(method[0]) + ", want a string"
	}
	params := e.raw(fieldParams)
	if params != nil {
		switch params[0] {
		case '{', '[':
		case 'n':
			// Section 4.2 wants an array or an object, but many clients write null
			// where they have none.
			params = nil
		default:
			return nil, e.fields[fieldParams].from, "params is " + typeOf(params[0]) + ", want an array or an object"
		}
	}
	return &Request{ID: id, Method: unquote(method), Params: params, Extra: e.members()}, 0, ""
}

// typeOf names the type of the value that begins with c, for a reason.
func typeOf(c byte) string {
	switch c {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

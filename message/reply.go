package message

// response makes a reply, or says where and why it cannot. Whatever is wrong with one,
// it is never answered; the reasons are for the caller whose call fails by it, and so
// they show what the peer wrote.
func (e *envelope) response(id ID, bare bool) (r *Response, at int, fault string) {
	result, failure := e.raw(fieldResult), e.raw(fieldError)
	if bare && result != nil && failure != nil {
		// Version 1.0 wants both members in every response, the one that does not apply
		// being null.
		switch {
		case string(failure) == "null":
			failure = nil
		case string(result) == "null":
			result = nil
		}
	}
	// What is wrong with an error is shown at the start of it, where a reader looks.
	at = e.fields[fieldError].from
	switch {
	case !e.has(fieldID):
		// The call that it settles cannot be found, so its text is all there is.
		return nil, e.at, "the response has no id: " + shown(e.text[e.at:])
	case result != nil && failure != nil:
		return nil, at, "the response has a result and also an error: " + shown(failure)
	}
	r = &Response{ID: id, Result: result, Extra: e.members()}
	if params := e.raw(fieldParams); params != nil {
		// A response has no such member, so here it is one that nobody knows.
		r.Extra = append(r.Extra, Member{Name: "params", Value: params})
	}
	if failure != nil {
		// A response that fails its call has to say so in a form that can be matched.
		if r.Error, fault = parseError(failure); fault != "" {
			return nil, at, fault + ": " + shown(failure)
		}
	}
	return r, 0, ""
}

// parseError reads an error object (JSON-RPC 2.0, section 5.1), whose text is known to
// be valid JSON. If it is none, fault says why. A missing message is let pass: the code
// alone says enough to fail the call with.
func parseError(text Raw) (err *Error, fault string) {
	if text[0] != '{' {
		return nil, "error is " + typeOf(text[0]) + ", want an object"
	}
	// The text was checked as a part of its record; this pass is for the offsets.
	e := envelope{words: ofError}
	s := scanner{text: text}
	s.object(&e, maxDepth)
	switch {
	case e.twice != 0:
		return nil, "a member of the error is given twice"
	case e.many:
		return nil, "the error has too many unknown members"
	case !e.has(fieldCode):
		return nil, "the error has no code"
	}
	err = &Error{Extra: e.members(), Data: e.raw(fieldData)}
	code, ok := integerOf(e.raw(fieldCode))
	if !ok {
		return nil, "the code of the error is not an integer"
	}
	err.Code = Code(code)
	if message := e.raw(fieldMessage); message != nil {
		switch message[0] {
		case '"':
			err.Message = unquote(message)
		case 'n':
			// As good as missing: some servers write all members of a struct.
		default:
			return nil, "the message of the error is not a string"
		}
	}
	return err, ""
}

// integerOf returns a JSON value if it is an integer. Engines that have one type of
// number write -32601.0, which is an integer by its value.
func integerOf(text Raw) (int64, bool) {
	if n, ok := canonicalInt(text); ok {
		return n, true
	}
	if end, ok := scanNumber(text, 0); !ok || end != len(text) {
		return 0, false // not a number at all
	}
	d, ok := parseDecimal(string(text))
	if !ok {
		return 0, false
	}
	return d.integer()
}

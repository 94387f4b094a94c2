package claude

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

// Codec turns the records into messages and back; see the package's documentation. What
// it refuses is a [*message.ParseError]: -32700 for text that is not JSON, else -32600
// with the kind and the id that the record claims.
var Codec message.Codec = codec{}

type codec struct{}

func (codec) String() string { return "claude" }

// The types of the records that are more than notes.
const (
	typeRequest   = "control_request"
	typeResponse  = "control_response"
	typeCancel    = string(ControlCancelRequest)
	typeKeepAlive = "keep_alive"
)

// maxExtra is how many members that are not of the envelope a control message may have,
// as in JSON-RPC: each costs several times its length in memory.
const maxExtra = 1024

var errTooBroad = message.InvalidRequest.With(message.Raw(fmt.Sprintf(`{"limit":%d,"what":"members"}`, maxExtra)))

// The members that the envelopes of the protocol have. A found has an index into each.
var (
	ofRecord = []string{recType: "type", recID: "request_id", recRequest: "request", recResponse: "response"}
	ofAnswer = []string{ansSubtype: "subtype", recID: "request_id", ansResponse: "response", ansError: "error"}
	ofAsked  = []string{askSubtype: "subtype"}
)

const (
	recType = iota
	recID
	recRequest
	recResponse
)

const (
	ansSubtype = iota
	_          // the id, where a record has it too
	ansResponse
	ansError
)

const askSubtype = 0

// A found holds what one pass over an object found of the members that it looks for.
type found struct {
	names  []string
	values [4]message.Raw // absent if the member is
	at     [4]int         // their offsets in the object
	twice  uint8          // a bit for each that is there again
	others int            // how many members it did not look for
}

func (f *found) take(at int, name []byte, value message.Raw) {
	for i, n := range f.names {
		if n != string(name) {
			continue
		}
		if f.values[i] != nil {
			f.twice |= 1 << i
			return
		}
		f.values[i], f.at[i] = value, at
		return
	}
	f.others++
}

// isTwice reports whether the object has a member more than once.
func (f *found) isTwice(member int) bool { return f.twice&(1<<member) != 0 }

// Parse goes over the record once, which checks all of it, and once more over what a
// control message encloses, for the members there.
func (codec) Parse(rec []byte) (message.Message, error) {
	f := found{names: ofRecord}
	if bad := message.EachMember(rec, f.take); bad != nil {
		// Of text that is not JSON nothing can be trusted. One that is too deep was read
		// to its end, and its claim decides whether a call fails by it.
		if !errors.Is(bad, message.ParseFailed) && f.values[recType] != nil {
			bad.Kind, bad.ID = f.claim()
		}
		return nil, bad
	}
	kind, ok := textOf(f.values[recType])
	switch {
	case f.values[recType] == nil:
		return nil, f.refuse(recType, "the record has no type")
	case !ok:
		return nil, f.refuse(recType, "type is not a string")
	case f.isTwice(recType):
		return nil, f.refuse(recType, "type is given twice")
	}
	switch string(kind) {
	case typeKeepAlive:
		return nil, nil
	case typeRequest:
		return f.request(rec)
	case typeResponse:
		return f.response(rec)
	case typeCancel:
		return f.cancel(rec)
	}
	return &message.Request{Method: known(kind), Params: trim(rec)}, nil
}

// Peek tells what the first bytes of a record claim that it is, for one that is too long
// to keep. The id of an answer is found if it stands before what is long in it, as all
// that is known writes it.
func (codec) Peek(prefix []byte) (message.Kind, message.ID) {
	f := found{names: ofRecord}
	_ = message.EachMember(prefix, f.take) // the text breaks off, and what came before counts
	if kind, _ := textOf(f.values[recType]); string(kind) != typeResponse || f.values[recResponse] != nil {
		return f.claim()
	}
	a := found{names: ofAnswer}
	if _, answer, ok := bytes.Cut(prefix, []byte(`"response":`)); ok {
		_ = message.EachMember(answer, a.take)
	}
	return message.KindReply, a.id()
}

// claim says what the record claims to be, and the id that it claims.
func (f *found) claim() (message.Kind, message.ID) {
	kind, ok := textOf(f.values[recType])
	switch {
	case !ok, f.isTwice(recType):
		return message.KindUnknown, message.ID{}
	case string(kind) == typeRequest:
		return message.KindCall, f.id()
	case string(kind) == typeResponse:
		a := found{names: ofAnswer}
		if !f.isTwice(recResponse) {
			_ = message.EachMember(f.values[recResponse], a.take)
		}
		return message.KindReply, a.id()
	}
	return message.KindNote, message.ID{}
}

// refuse returns the refusal of the record for what is wrong with one of its members.
func (f *found) refuse(member int, reason string) *message.ParseError {
	kind, id := f.claim()
	return &message.ParseError{
		Err: message.InvalidRequest, ID: id, Kind: kind, Offset: int64(f.at[member]), Reason: reason,
	}
}

// tooBroad returns the refusal of a control message with too many unknown members.
func (f *found) tooBroad() *message.ParseError {
	bad := f.refuse(recType, fmt.Sprintf("the record has more than %d unknown members", maxExtra))
	bad.Err = errTooBroad
	return bad
}

// request makes a call of a control_request.
func (f *found) request(rec []byte) (message.Message, error) {
	body := f.values[recRequest]
	asked := found{names: ofAsked}
	if bad := f.badID(recID, f.values[recID]); bad != nil {
		return nil, bad
	}
	switch {
	case f.isTwice(recID), f.isTwice(recRequest):
		return nil, f.refuse(recRequest, "a member of the control_request is given twice")
	case body == nil:
		return nil, f.refuse(recRequest, "the control_request has no request")
	case body[0] != '{':
		return nil, f.refuse(recRequest, "request is not an object")
	case f.others > maxExtra:
		return nil, f.tooBroad()
	}
	_ = message.EachMember(body, asked.take) // its text is valid, as a part of the record
	subtype, ok := textOf(asked.values[askSubtype])
	switch {
	case !ok:
		return nil, f.refuse(recRequest, "request has no subtype that is a string")
	case asked.twice != 0:
		return nil, f.refuse(recRequest, "subtype is given twice")
	}
	r := &message.Request{ID: f.id(), Method: known(subtype), Params: body}
	if f.others > 0 || f.values[recResponse] != nil {
		r.Extra = without(rec, "type", "request_id", "request")
	}
	return r, nil
}

// response makes a reply of a control_response.
func (f *found) response(rec []byte) (message.Message, error) {
	body := f.values[recResponse]
	a := found{names: ofAnswer}
	switch {
	case body == nil:
		return nil, f.refuse(recResponse, "the control_response has no response")
	case body[0] != '{':
		return nil, f.refuse(recResponse, "response is not an object")
	}
	_ = message.EachMember(body, a.take) // its text is valid, as a part of the record
	if bad := f.badID(recResponse, a.values[recID]); bad != nil {
		return nil, bad
	}
	switch {
	case f.isTwice(recResponse), a.twice != 0:
		return nil, f.refuse(recResponse, "a member of the control_response is given twice")
	case f.others+a.others > maxExtra:
		return nil, f.tooBroad()
	}
	r := &message.Response{ID: a.id()}
	if f.others > 0 || f.values[recID] != nil || f.values[recRequest] != nil {
		r.Extra = without(rec, "type", "response")
	}
	subtype, _ := textOf(a.values[ansSubtype])
	switch string(subtype) {
	case "success":
		if r.Result = a.values[ansResponse]; r.Result == nil {
			r.Result = message.Raw("null")
		}
		if a.others > 0 || a.values[ansError] != nil {
			rest := without(body, "subtype", "request_id", "response")
			r.Extra = append(r.Extra, message.Member{Name: besides, Value: object(rest)})
		}
		return r, nil
	case "error":
		text, ok := textOf(a.values[ansError])
		if !ok {
			return nil, f.refuse(recResponse, "the error of the control_response is not a string")
		}
		r.Error = message.NewError(CodeControlError, string(text))
		if a.others > 0 || a.values[ansResponse] != nil {
			r.Error.Extra = without(body, "subtype", "request_id", "error")
		}
		return r, nil
	}
	return nil, f.refuse(recResponse, `response has no subtype that is "success" or "error"`)
}

// besides is the extra member of a reply that holds what a success has beside its
// response. The wire has it one level deeper than the other extra members, where no
// other member can have this name.
const besides = "response"

// cancel makes the note of a control_cancel_request. Its params are the record, where who
// looks for the call finds the id.
func (f *found) cancel(rec []byte) (message.Message, error) {
	if bad := f.badID(recID, f.values[recID]); bad != nil {
		return nil, bad
	}
	if f.isTwice(recID) {
		return nil, f.refuse(recID, "request_id is given twice")
	}
	return &message.Request{Method: typeCancel, Params: trim(rec)}, nil
}

// badID refuses the record if the text is no id of the protocol, a string.
func (f *found) badID(member int, text message.Raw) *message.ParseError {
	switch {
	case text == nil:
		return f.refuse(member, "request_id is missing")
	case text[0] != '"':
		return f.refuse(member, "request_id is not a string")
	}
	return nil
}

// id returns the request_id. A number is no id of the protocol, but it says which call is
// meant. Of two ids neither can be trusted.
func (f *found) id() message.ID {
	text := f.values[recID]
	if text == nil || f.isTwice(recID) {
		return message.ID{}
	}
	id, _ := message.ParseID(text) // absent if it is an object or the like
	return id
}

// textOf returns what a JSON string says, without a copy if it has no escapes.
func textOf(value message.Raw) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1], true
	}
	text, err := jsonx.AppendUnquote(nil, value)
	return text, err == nil
}

// trim returns the value that a record holds, without the white space around it.
func trim(rec []byte) message.Raw {
	return slices.Clip(message.Raw(bytes.Trim(rec, " \t\r\n")))
}

// without returns the members of an object but for those with the given names. It is a
// pass of its own, because nearly no record needs one.
func without(text []byte, names ...string) (rest []message.Member) {
	_ = message.EachMember(text, func(_ int, name []byte, value message.Raw) {
		if !slices.Contains(names, string(name)) {
			rest = append(rest, message.Member{Name: string(name), Value: value})
		}
	})
	return rest
}

// object returns the members as an object.
func object(members []message.Member) message.Raw {
	text := message.Raw{'{'}
	for i, m := range members {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(jsonx.AppendQuote(text, m.Name), ':'), m.Value...)
	}
	return append(text, '}')
}

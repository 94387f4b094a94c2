package claude

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

// Append writes m on one line, except for the Raw in it, which is written as it is and
// not checked. It refuses what the protocol cannot carry: batches, ids that are neither
// strings nor integers, and params that are no object. Of an error only the message is
// written, and the text of its code if that is empty.
func (codec) Append(dst []byte, m message.Message) ([]byte, error) {
	out, err := write(dst, m)
	if err != nil {
		return dst, fmt.Errorf("claude: cannot write %w", err)
	}
	return out, nil
}

func write(dst []byte, m message.Message) ([]byte, error) {
	switch m := m.(type) {
	case *message.Request:
		switch {
		case m == nil:
		case m.IsNote():
			return writeNote(dst, m)
		default:
			return writeRequest(dst, m)
		}
	case *message.Response:
		if m != nil {
			return writeResponse(dst, m)
		}
	case message.Batch:
		return nil, errors.New("a batch: the protocol has none")
	case *message.ParseError:
		return nil, errors.New("a ParseError: it is no message")
	}
	return nil, errors.New("a nil message")
}

// writeRequest writes a call as a control_request.
func writeRequest(dst []byte, r *message.Request) ([]byte, error) {
	dst = append(dst, `{"type":"control_request","request_id":`...)
	dst, err := appendID(dst, r.ID)
	if err == nil {
		dst = append(dst, `,"request":`...)
		dst, err = appendNamed(dst, "subtype", r.Method, r.Params)
	}
	if err == nil {
		dst, err = appendExtra(dst, r.Extra, "type", "request_id", "request")
	}
	if err != nil {
		return nil, fmt.Errorf("request %q: %w", r.Method, err)
	}
	return append(dst, '}'), nil
}

// writeResponse writes a reply as a control_response. A result of null is left out, as
// the agent does it.
func writeResponse(dst []byte, r *message.Response) ([]byte, error) {
	dst = append(dst, `{"type":"control_response","response":{"subtype":`...)
	if r.Error != nil {
		dst = append(dst, `"error","request_id":`...)
	} else {
		dst = append(dst, `"success","request_id":`...)
	}
	dst, err := appendID(dst, r.ID)
	if err == nil {
		if r.Error != nil {
			dst, err = appendFailure(dst, r)
		} else {
			dst, err = appendSuccess(dst, r)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("response %s: %w", r.ID, err)
	}
	return append(dst, '}'), nil
}

// appendSuccess writes what a success has behind its id, to the end of the members of
// the record.
func appendSuccess(dst []byte, r *message.Response) ([]byte, error) {
	if !r.Result.IsZero() && string(r.Result) != "null" {
		dst = append(append(dst, `,"response":`...), r.Result...)
	}
	extra := r.Extra
	i := slices.IndexFunc(extra, func(m message.Member) bool { return m.Name == besides })
	if i >= 0 {
		text := extra[i].Value
		if bad := message.EachMember(text, func(int, []byte, message.Raw) {}); bad != nil {
			return nil, fmt.Errorf("the extra member %q has to be an object: %w", besides, bad)
		}
		var err error
		if dst, err = appendExtra(dst, without(text), "subtype", "request_id", "response"); err != nil {
			return nil, err
		}
		extra = slices.Delete(slices.Clone(extra), i, i+1)
	}
	return appendExtra(append(dst, '}'), extra, "type", "response")
}

// appendFailure is appendSuccess for an error.
func appendFailure(dst []byte, r *message.Response) ([]byte, error) {
	if !r.Result.IsZero() {
		return nil, errors.New("it has both a result and an error")
	}
	text := r.Error.Message
	if text == "" && r.Error.Code != CodeControlError {
		text = r.Error.Code.String()
	}
	dst = jsonx.AppendQuote(append(dst, `,"error":`...), text)
	dst, err := appendExtra(dst, r.Error.Extra, "subtype", "request_id", "error")
	if err != nil {
		return nil, err
	}
	return appendExtra(append(dst, '}'), r.Extra, "type", "response")
}

// writeNote writes a note as the record that its params are.
func writeNote(dst []byte, r *message.Request) ([]byte, error) {
	params, err := r.Params, error(nil)
	switch {
	case r.Method == typeRequest, r.Method == typeResponse, r.Method == typeKeepAlive:
		err = errors.New("a record of this type is no note")
	case len(r.Extra) > 0:
		err = errors.New("it has extra members; the params of a note are the record, so put them there")
	case r.Method == typeCancel:
		params, err = stringID(params)
	}
	if err == nil {
		dst, err = appendNamed(dst, "type", r.Method, params)
	}
	if err != nil {
		return nil, fmt.Errorf("note %q: %w", r.Method, err)
	}
	return dst, nil
}

// stringID returns the params of a cancellation with their id as the wire has it.
func stringID(params message.Raw) (message.Raw, error) {
	text, _ := params.Member("request_id")
	id, err := message.ParseID(text)
	if err != nil || id.IsString() {
		return params, err
	}
	quoted, err := appendID(nil, id)
	if err != nil {
		return nil, err
	}
	return params.Set(quoted, "request_id")
}

// appendID writes an id, which is a string on this wire.
func appendID(dst []byte, id message.ID) ([]byte, error) {
	if id.IsString() {
		return id.Append(dst), nil
	}
	if n, ok := id.Integer(); !ok || id != message.IntID(n) {
		return nil, fmt.Errorf("the id %q is neither a string nor an integer", id)
	}
	return append(id.Append(append(dst, '"')), '"'), nil
}

// appendNamed writes params, an object with its name in it: verbatim if it has that member,
// else with the member in front.
func appendNamed(dst []byte, member, name string, params message.Raw) ([]byte, error) {
	rest := bytes.TrimLeft(params, " \t\r\n")
	switch {
	case len(rest) == 0, string(rest) == "null":
		rest = []byte("{}")
	case rest[0] != '{':
		return nil, errors.New("params is not an object")
	}
	if own, ok := message.Raw(rest).Member(member); ok {
		if text, ok := textOf(own); !ok || string(text) != name {
			return nil, fmt.Errorf("params has the %s %.40q", member, own)
		}
		return append(dst, rest...), nil
	}
	dst = append(dst, '{')
	dst = append(jsonx.AppendQuote(dst, member), ':')
	dst = jsonx.AppendQuote(dst, name)
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	if len(rest) > 0 && rest[0] != '}' {
		dst = append(dst, ',')
	}
	return append(dst, rest...), nil
}

// appendExtra writes members that are not of the envelope, each behind a comma. One with
// a name of the envelope would make it a duplicate.
func appendExtra(dst []byte, members []message.Member, taken ...string) ([]byte, error) {
	for _, m := range members {
		switch {
		case slices.Contains(taken, m.Name):
			return nil, fmt.Errorf("the extra member %q has a name of the envelope", m.Name)
		case m.Value.IsZero():
			return nil, fmt.Errorf("the extra member %q has no value", m.Name)
		}
		dst = append(jsonx.AppendQuote(append(dst, ','), m.Name), ':')
		dst = append(dst, m.Value...)
	}
	return dst, nil
}

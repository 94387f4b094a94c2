package message

import (
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// Append writes m on one line, except for the Raw in it, which is written as it is. Raw
// is not checked: what Parse or Encode made is valid, and text from elsewhere is its
// owner's affair. Only what costs nothing to see is refused: params that are no array
// or object, and a value without any text.
func (c codec) Append(dst []byte, m Message) ([]byte, error) {
	out, err := c.append(dst, m)
	if err != nil {
		return dst, fmt.Errorf("message: cannot write %w", err)
	}
	return out, nil
}

// append is Append, but for what comes around the error and back with it. A member of a
// batch is written by it, too.
func (c codec) append(dst []byte, m Message) ([]byte, error) {
	switch m := m.(type) {
	case *Request:
		if m != nil {
			return c.request(dst, m)
		}
	case *Response:
		if m != nil {
			return c.response(dst, m)
		}
	case Batch:
		return c.batch(dst, m)
	case *ParseError:
		return nil, errors.New("a ParseError: it is no message (write its Reply)")
	}
	return nil, errors.New("a nil message")
}

// request writes a call or a note (JSON-RPC 2.0, section 4). The id comes early, so that
// a reader that gives up on long params has seen it.
func (c codec) request(dst []byte, r *Request) ([]byte, error) {
	dst = append(dst, c.head...)
	if !r.IsNote() {
		dst = append(dst, `"id":`...)
		dst = r.ID.Append(dst)
		dst = append(dst, ',')
	}
	// Any string is a method, the empty one included.
	dst = append(dst, `"method":`...)
	dst = jsonx.AppendQuote(dst, r.Method)
	switch first(r.Params) {
	case '{', '[':
		dst = append(dst, `,"params":`...)
		dst = append(dst, r.Params...)
	case 'n':
		// The specification does not have null here; some servers refuse it, and
		// leaving it out says the same.
	default:
		if !r.Params.IsZero() {
			return nil, fmt.Errorf("request %q: params is %s, want an array or an object", r.Method, shown(r.Params))
		}
	}
	dst, err := appendMembers(dst, r.Extra, func(name string) bool {
		return ofMessage.field([]byte(name)) != fieldNone
	})
	if err != nil {
		return nil, fmt.Errorf("request %q: %w", r.Method, err)
	}
	return append(dst, '}'), nil
}

// response writes a reply (section 5). It always has exactly one of result and error, and
// an id: to leave out a result that is null is the classic mistake here.
func (c codec) response(dst []byte, r *Response) ([]byte, error) {
	if r.Error != nil && !r.Result.IsZero() {
		return nil, fmt.Errorf("response %s: it has both a result and an error", r.ID)
	}
	id := r.ID
	if id.IsZero() {
		id = NullID // the member is required (JSON-RPC 2.0, section 5)
	}
	dst = append(dst, c.head...)
	dst = append(dst, `"id":`...)
	dst = id.Append(dst)
	var err error
	switch {
	case r.Error != nil:
		dst = append(dst, `,"error":`...)
		dst, err = appendError(dst, r.Error)
	case r.Result.IsZero():
		dst = append(dst, `,"result":null`...) // nothing is a result, too
	default:
		dst = append(dst, `,"result":`...)
		dst, err = appendRaw(dst, r.Result)
	}
	if err == nil {
		dst, err = appendMembers(dst, r.Extra, func(name string) bool {
			// A response has no params of its own, so they may be among the others.
			f := ofMessage.field([]byte(name))
			return f != fieldNone && f != fieldParams
		})
	}
	if err != nil {
		return nil, fmt.Errorf("response %s: %w", r.ID, err)
	}
	return append(dst, '}'), nil
}

// batch writes an array of messages (section 6).
func (c codec) batch(dst []byte, b Batch) ([]byte, error) {
	if len(b) == 0 {
		return nil, errors.New("an empty batch: it would be refused (JSON-RPC 2.0, section 6)")
	}
	for i, m := range b {
		if i == 0 {
			dst = append(dst, '[')
		} else {
			dst = append(dst, ',')
		}
		// Section 6 has requests in a batch, and responses in the answer to one.
		if _, ok := m.(Batch); ok {
			return nil, errors.New("a batch inside a batch")
		}
		var err error
		if dst, err = c.append(dst, m); err != nil {
			return nil, fmt.Errorf("member %d of a batch: %w", i, err)
		}
	}
	return append(dst, ']'), nil
}

// appendError writes an error object (section 5.1).
func appendError(dst []byte, e *Error) ([]byte, error) {
	// Both members are required, even if the message is empty.
	dst = append(dst, `{"code":`...)
	dst = IntID(int64(e.Code)).Append(dst)
	dst = append(dst, `,"message":`...)
	dst = jsonx.AppendQuote(dst, e.Message)
	if !e.Data.IsZero() {
		dst = append(dst, `,"data":`...)
		var err error
		if dst, err = appendRaw(dst, e.Data); err != nil {
			return nil, err
		}
	}
	dst, err := appendMembers(dst, e.Extra, func(name string) bool {
		return ofError.field([]byte(name)) != fieldNone
	})
	if err != nil {
		return nil, err
	}
	return append(dst, '}'), nil
}

// appendMembers appends members that are not of the envelope, each behind a comma. One
// with the name of a member that is written elsewhere would make it a duplicate.
func appendMembers(dst []byte, members []Member, taken func(name string) bool) ([]byte, error) {
	for _, m := range members {
		if taken(m.Name) {
			return nil, fmt.Errorf("the extra member %q has a name of the envelope", m.Name)
		}
		dst = append(dst, ',')
		dst = jsonx.AppendQuote(dst, m.Name)
		dst = append(dst, ':')
		var err error
		if dst, err = appendRaw(dst, m.Value); err != nil {
			return nil, fmt.Errorf("the extra member %q: %w", m.Name, err)
		}
	}
	return dst, nil
}

// appendRaw writes a value that must be there.
func appendRaw(dst []byte, r Raw) ([]byte, error) {
	if first(r) == 0 {
		return nil, errors.New("a value without any text")
	}
	return append(dst, r...), nil
}

// first returns the first byte of r that is not white space, 0 if there is none.
func first(r Raw) byte {
	s := scanner{text: r}
	s.space()
	return s.peek()
}

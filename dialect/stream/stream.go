package stream

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

// Dialect is plain JSON Lines. It has no calls, so also nothing to cancel, and its
// Words are nil: any name will do.
var Dialect = parley.Dialect{
	Name:     "stream",
	Framing:  frame.Lines,
	Codec:    Codec,
	BadInput: parley.SilentOnBadInput,
	NoBatch:  true,
}

// Event is the method of a record that has no name of its own.
const Event = "event"

// namedBy are the members that may name an object, the first of them that is a string.
var namedBy = [...]string{"type", "event", "kind", "level"}

// Codec turns a record into a note, and the params of a note into a record. An array is
// an event like any other value, and no batch.
var Codec message.Codec = codec{}

type codec struct{}

func (codec) String() string { return "stream" }

// Append writes the params of a note as they are. It refuses everything else, and a note
// without params.
func (codec) Append(dst []byte, m message.Message) ([]byte, error) {
	var why string
	switch m := m.(type) {
	case *message.Request:
		switch {
		case m == nil:
			why = "a nil message"
		case !m.IsNote():
			why = fmt.Sprintf("request %q: a stream of events has no calls", m.Method)
		case m.Params.IsZero():
			why = fmt.Sprintf("note %q: it has no params, and they are the record", m.Method)
		case len(m.Extra) > 0:
			why = fmt.Sprintf("note %q: it has extra members, and its params alone are the record", m.Method)
		default:
			return append(dst, m.Params...), nil
		}
	case *message.Response:
		why = "a response: a stream of events has no calls"
	case message.Batch:
		why = "a batch: each event is a record"
	default:
		why = fmt.Sprintf("a %T", m)
	}
	return dst, errors.New("stream: cannot write " + why)
}

// Parse goes over the record once, which checks all of it.
func (codec) Parse(rec []byte) (message.Message, error) {
	note := &message.Request{Method: Event, Params: trim(rec)}
	var found [len(namedBy)]message.Raw
	bad := message.EachMember(rec, func(_ int, name []byte, value message.Raw) {
		for i, n := range namedBy {
			if n == string(name) && found[i] == nil && value[0] == '"' {
				found[i] = value
				return
			}
		}
	})
	switch {
	case bad == nil:
	case errors.Is(bad, message.ParseFailed), !bad.Err.Data.IsZero(): // data tells of a limit
		return nil, bad
	default: // valid, and no object
		return note, nil
	}
	for _, text := range found {
		if text != nil {
			note.Method = plain(text)
			break
		}
	}
	return note, nil
}

// plain returns what a string says that is known to be valid.
func plain(quoted message.Raw) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	text, _ := jsonx.Unquote(quoted)
	return text
}

// trim returns the value that a record holds, without the white space around it.
func trim(rec []byte) message.Raw {
	return slices.Clip(message.Raw(bytes.Trim(rec, " \t\r\n")))
}

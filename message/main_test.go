package message

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// sameMessages compares messages with cmp: ids by ==, and an absent Raw or list of
// members as no different from an empty one.
var sameMessages = cmp.Options{cmpopts.EquateComparable(ID{}), cmpopts.EquateEmpty()}

// outcome tells in a few words what Parse made of a record:
//
//	call 1 echo [1] · note x · reply 1 "ok" · reply 1 error 5 no · [note x, -32600 unknown] · -32600 reply 1
func outcome(m Message, err error) string {
	if err != nil {
		var p *ParseError
		if !errors.As(err, &p) {
			return fmt.Sprintf("an error that is no ParseError: %v", err)
		}
		return outcome(p, nil)
	}
	switch m := m.(type) {
	case *Request:
		if m.IsNote() {
			return strings.TrimSpace("note " + m.Method + " " + m.Params.String())
		}
		return strings.TrimSpace("call " + m.ID.String() + " " + m.Method + " " + m.Params.String())
	case *Response:
		if m.Error != nil {
			return strings.TrimSpace(fmt.Sprintf("reply %v error %d %s", m.ID, m.Error.Code, m.Error.Message))
		}
		return "reply " + m.ID.String() + " " + m.Result.String()
	case Batch:
		var all []string
		for _, member := range m {
			all = append(all, outcome(member, nil))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case *ParseError:
		return strings.TrimSpace(fmt.Sprintf("%d %v %v", m.Err.Code, m.Kind, m.ID))
	}
	return fmt.Sprintf("a message of type %T", m)
}

// parseRequest parses a record that has to be a request.
func parseRequest(t testing.TB, c Codec, rec string) *Request {
	t.Helper()
	m, err := c.Parse([]byte(rec))
	r, ok := m.(*Request)
	if !ok {
		t.Fatalf("Parse(%s) = %T, %v; want a request", rec, m, err)
	}
	return r
}

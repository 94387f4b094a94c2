package claude_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// same compares messages: ids by ==, and no members as an empty list of them.
var same = cmp.Options{cmpopts.EquateComparable(message.ID{}), cmpopts.EquateEmpty()}

// transcripts returns the records of each transcript.
func transcripts(t testing.TB) map[string][]dialecttest.Record {
	t.Helper()
	all := make(map[string][]dialecttest.Record)
	for _, name := range []string{"die", "full", "initerr", "native", "noinit"} {
		all[name] = dialecttest.Transcript(t, "agentsdk-"+name)
	}
	return all
}

// outcome tells in a few words what Parse made of a record: `call "a" interrupt`, `note
// user`, `reply "a" {}`, `reply "a" error boom`, `-32600 reply "a"`, `ignored`.
func outcome(m message.Message, err error) string {
	var bad *message.ParseError
	switch {
	case errors.As(err, &bad):
		return strings.TrimSpace(fmt.Sprintf("%d %v %v", bad.Err.Code, bad.Kind, bad.ID))
	case err != nil:
		return "an error that is no ParseError: " + err.Error()
	}
	switch m := m.(type) {
	case nil:
		return "ignored"
	case *message.Request:
		if m.IsNote() {
			return "note " + m.Method + extras(m.Extra)
		}
		return "call " + m.ID.String() + " " + m.Method + extras(m.Extra)
	case *message.Response:
		if m.Error != nil {
			return "reply " + m.ID.String() + " error " + m.Error.Message + extras(m.Error.Extra) + extras(m.Extra)
		}
		return "reply " + m.ID.String() + " " + m.Result.String() + extras(m.Extra)
	}
	return fmt.Sprintf("a %T", m)
}

func extras(members []message.Member) (text string) {
	for _, m := range members {
		text += " +" + m.Name + "=" + m.Value.String()
	}
	return text
}

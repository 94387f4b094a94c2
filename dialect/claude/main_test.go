package claude_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/parley-rpc/parley/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// same compares messages: ids by ==, and no members as an empty list of them.
var same = cmp.Options{cmpopts.EquateComparable(message.ID{}), cmpopts.EquateEmpty()}

// A line is a line of a transcript.
type line struct{ Dir, Raw string }

// transcripts returns the lines between client and agent of each transcript.
func transcripts(t testing.TB) map[string][]line {
	t.Helper()
	files, err := filepath.Glob("../../testdata/transcripts/agentsdk-*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	all := map[string][]line{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var l line
			if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(l.Dir, "->") {
				all[filepath.Base(name)] = append(all[filepath.Base(name)], l)
			}
		}
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

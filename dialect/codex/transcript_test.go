package codex_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/message"
)

// A recorded is a line of a transcript of real programs.
type recorded struct {
	Dir string `json:"dir"`
	Raw string `json:"raw"`
}

// from is the side that wrote the record.
func (r recorded) from() parley.Side {
	switch r.Dir {
	case "c2s":
		return parley.SideClient
	case "s2c":
		return parley.SideServer
	}
	return parley.SideUnknown // stderr, or how the process ended
}

// transcript returns the records of a transcript that one of the sides wrote.
func transcript(t *testing.T, file string) []recorded {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []recorded
	for line := range bytes.Lines(text) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if r.from() != parley.SideUnknown {
			all = append(all, r)
		}
	}
	return all
}

// A shape decodes what belongs to a method into its Go types and encodes it again.
type shape struct {
	params, result func(message.Raw) (message.Raw, error)
}

func again[T any](raw message.Raw) (message.Raw, error) {
	var v T
	if err := raw.Decode(&v); err != nil {
		return nil, err
	}
	return message.Encode(v)
}

func call[P, R any](parley.Method[P, R]) shape { return shape{again[P], again[R]} }
func note[P any](parley.Note[P]) shape         { return shape{params: again[P]} }

// shapes are the methods of the transcripts.
var shapes = map[string]shape{
	"initialize":                            call(codex.Initialize),
	"initialized":                           note(codex.Initialized),
	"thread/start":                          call(codex.ThreadStart),
	"thread/resume":                         call(codex.ThreadResume),
	"thread/loaded/list":                    call(codex.ThreadLoadedList),
	"turn/start":                            call(codex.TurnStart),
	"turn/interrupt":                        call(codex.TurnInterrupt),
	"item/commandExecution/requestApproval": call(codex.CommandApproval),
	"thread/started":                        note(codex.ThreadStarted),
	"thread/status/changed":                 note(codex.ThreadStatusChanged),
	"thread/tokenUsage/updated":             note(codex.ThreadTokenUsageUpdated),
	"turn/started":                          note(codex.TurnStarted),
	"turn/completed":                        note(codex.TurnCompleted),
	"item/started":                          note(codex.ItemStarted),
	"item/completed":                        note(codex.ItemCompleted),
	"item/agentMessage/delta":               note(codex.AgentMessageDelta),
	"serverRequest/resolved":                note(codex.Resolved),
	"account/rateLimits/updated":            note(codex.AccountRateLimitsUpdated),
	"remoteControl/status/changed":          note(codex.RemoteControlStatusChanged),
	"configWarning":                         note(codex.ConfigWarning),
	"warning":                               note(codex.Warning),
}

// items are the Go types of the items in the transcripts.
var items = map[codex.ItemType]func(message.Raw) (message.Raw, error){
	codex.ItemUserMessage:      again[codex.UserMessage],
	codex.ItemAgentMessage:     again[codex.AgentMessage],
	codex.ItemCommandExecution: again[codex.CommandExecution],
}

// unfit are what the transcripts have of methods and params that are wrong on purpose.
var unfit = []string{`"no/such"`, `"threadId":5`, `"params":[]`, `"thread/resume","params":{}`}

// Conversations between a client and the app-server are in the words of the dialect, each from
// the side that the table says, and survive the Go types whole.
func TestTranscripts(t *testing.T) {
	// So many records of the client are wrong on purpose and are refused.
	for file, bad := range map[string]int{
		"turn-accept": 0, "turn-decline": 0, "turn-rpcerror": 0, "turn-never": 0, "malformed": 17,
	} {
		asked := make(map[string]shape) // by side and id
		refused := 0
		for _, r := range transcript(t, "../../testdata/transcripts/codex-"+file+".jsonl") {
			m, err := codex.Dialect.Codec.Parse([]byte(r.Raw))
			if err != nil && r.from() == parley.SideServer {
				t.Errorf("%s: the server wrote %s: %v", file, r.Raw, err)
			} else if err != nil {
				refused++
			}
			switch m := m.(type) {
			case *message.Request:
				if slices.ContainsFunc(unfit, func(part string) bool { return strings.Contains(r.Raw, part) }) {
					continue
				}
				checkWord(t, r, m)
				asked[fmt.Sprint(r.from(), m.ID)] = shapes[m.Method]
				if !m.Params.IsZero() {
					checkKept(t, r.Raw, m.Params, shapes[m.Method].params)
				}
				if text, ok := m.Params.Member("item"); ok {
					checkItem(t, r.Raw, text)
				}
			case *message.Response:
				if s := asked[fmt.Sprint(r.from().Other(), m.ID)]; m.Error == nil && s.result != nil {
					checkKept(t, r.Raw, m.Result, s.result)
				}
			}
		}
		if refused != bad {
			t.Errorf("%s: %d records of the client were refused, want %d", file, refused, bad)
		}
	}
}

// checkItem fails the test if an item loses a member on its way through its own Go type.
func checkItem(t *testing.T, record string, text message.Raw) {
	t.Helper()
	var item codex.Item
	if err := text.Decode(&item); err != nil {
		t.Fatal(err)
	}
	checkKept(t, record, text, items[item.Type])
}

// The table has every method of the client that the app-server names when it is asked for one
// that it does not know.
func TestMethodsOfTheServer(t *testing.T) {
	named := regexp.MustCompile("`([^`]+)`")
	methods := 0
	for _, r := range transcript(t, "../../testdata/transcripts/codex-malformed.jsonl") {
		if !strings.Contains(r.Raw, "unknown variant") {
			continue
		}
		for _, match := range named.FindAllStringSubmatch(r.Raw, -1)[1:] { // the first is what was asked
			methods++
			if !slices.ContainsFunc(codex.Dialect.Words, func(w parley.Word) bool {
				return w.Method == match[1] && !w.Note && w.From == parley.SideClient
			}) {
				t.Errorf("the app-server has a method %s, which the table does not", match[1])
			}
		}
	}
	if methods < 150 {
		t.Errorf("the transcript names %d methods", methods)
	}
}

// checkWord fails the test if the dialect does not know the request from that side.
func checkWord(t *testing.T, r recorded, m *message.Request) {
	t.Helper()
	known := slices.ContainsFunc(codex.Dialect.Words, func(w parley.Word) bool {
		return w.Method == m.Method && w.Note == m.IsNote() && (w.From == r.from() || w.From == parley.SideUnknown)
	})
	if !known {
		t.Errorf("the %s sent %s, which the table does not say", r.from(), r.Raw)
	}
}

// checkKept fails the test if a value loses a member on its way through the Go types. A
// member that is null counts as absent, as it does in the protocol.
func checkKept(t *testing.T, record string, was message.Raw, through func(message.Raw) (message.Raw, error)) {
	t.Helper()
	if through == nil {
		t.Errorf("%s: shapes does not have its method", record)
		return
	}
	is, err := through(was)
	if err != nil {
		t.Errorf("%s: %v", record, err)
		return
	}
	if diff := cmp.Diff(plain(t, was), plain(t, is)); diff != "" {
		t.Errorf("%s: changed on its way through the types (-was +is)\n%s", record, diff)
	}
}

// plain is the value without its members that are null.
func plain(t *testing.T, raw message.Raw) any {
	t.Helper()
	var v any
	if err := raw.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return withoutNull(v)
}

func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = withoutNull(member); member == nil {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNull(v[i])
		}
	}
	return v
}

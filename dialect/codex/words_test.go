package codex_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
)

// The table of words and the typed constants say the same.
func TestWords(t *testing.T) {
	dialecttest.Words(t, &codex.Dialect, map[string]parley.Side{
		"From the client": parley.SideClient,
		"From the server": parley.SideServer,
	})
}

// conversations are transcripts, each with how many of its records are bad on purpose.
var conversations = map[string]int{
	"codex-turn-accept": 0, "codex-turn-decline": 0, "codex-turn-rpcerror": 0, "codex-turn-never": 0, "codex-malformed": 17,
}

// What clients and the app-server say to each other is in the words of the dialect, and survives the Go
// types whole.
func TestTranscripts(t *testing.T) {
	dialecttest.Conversations{
		Dialect: &codex.Dialect,
		Files:   conversations,
		Unfit:   []string{`"no/such"`, `"threadId":5`, `"params":[]`, `"thread/resume","params":{}`},
		Types: []dialecttest.Type{
			dialecttest.Call(codex.Initialize),
			dialecttest.Note(codex.Initialized),
			dialecttest.Call(codex.ThreadStart),
			dialecttest.Call(codex.ThreadLoadedList),
			dialecttest.Call(codex.TurnStart),
			dialecttest.Call(codex.TurnInterrupt),
			dialecttest.Call(codex.CommandApproval),
			dialecttest.Note(codex.ThreadStarted),
			dialecttest.Note(codex.ThreadStatusChanged),
			dialecttest.Note(codex.ThreadTokenUsageUpdated),
			dialecttest.Note(codex.TurnStarted),
			dialecttest.Note(codex.TurnCompleted),
			dialecttest.Note(codex.ItemStarted),
			dialecttest.Note(codex.ItemCompleted),
			dialecttest.Note(codex.AgentMessageDelta),
			dialecttest.Note(codex.Resolved),
			dialecttest.Note(codex.AccountRateLimitsUpdated),
			dialecttest.Note(codex.RemoteControlStatusChanged),
			dialecttest.Note(codex.ConfigWarning),
			dialecttest.Note(codex.Warning),
		},
	}.Check(t)
}

// The items in those conversations survive their own Go types whole.
func TestItemsOfTranscripts(t *testing.T) {
	types := map[codex.ItemType]func(*testing.T, message.Raw){
		codex.ItemUserMessage:      dialecttest.Said[codex.UserMessage],
		codex.ItemAgentMessage:     dialecttest.Said[codex.AgentMessage],
		codex.ItemCommandExecution: dialecttest.Said[codex.CommandExecution],
	}
	tried := make(map[codex.ItemType]bool)
	for name := range conversations {
		for _, r := range dialecttest.Transcript(t, name) {
			params, _ := message.Raw(r.Raw).Member("params")
			text, ok := params.Member("item")
			if !ok {
				continue
			}
			var item codex.Item
			if err := text.Decode(&item); err != nil || types[item.Type] == nil {
				t.Fatalf("%s: there is no type for the item %s (%v)", name, text, err)
			}
			types[item.Type](t, text)
			tried[item.Type] = true
		}
	}
	if len(tried) != len(types) {
		t.Errorf("the transcripts have items of %v only", tried)
	}
}

// The table has every method of the client that the app-server names when it is asked for one
// that it does not know.
func TestMethodsOfTheServer(t *testing.T) {
	named := regexp.MustCompile("`([^`]+)`")
	methods := 0
	for _, r := range dialecttest.Transcript(t, "codex-malformed") {
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

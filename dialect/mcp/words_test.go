package mcp_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/dialecttest"
)

// The table of words and the typed constants say the same.
func TestWords(t *testing.T) {
	dialecttest.Words(t, &mcp.Dialect, map[string]parley.Side{
		"What a client":    parley.SideClient,
		"What a server":    parley.SideServer,
		"What either side": parley.SideUnknown,
	})
}

// What waits for a person is the same in both eras: a question to the user, and what the user may refuse.
func TestWaits(t *testing.T) {
	want := map[string]parley.Wait{"elicitation/create": parley.WaitInput, "sampling/createMessage": parley.WaitApproval}
	for _, d := range []parley.Dialect{mcp.Dialect, mcp.Legacy, mcp.Modern} {
		dialecttest.Sound(t, &d)
		if diff := cmp.Diff(want, d.Waits); diff != "" {
			t.Errorf("%s: what waits for a person (-want +got)\n%s", d.Name, diff)
		}
	}
}

// The methods of each era, as the specification lists them.
func TestErasHaveTheirWords(t *testing.T) {
	legacyOnly := []string{
		"initialize", "logging/setLevel", "notifications/elicitation/complete", "notifications/initialized",
		"notifications/roots/list_changed", "notifications/tasks/status", "ping", "resources/subscribe",
		"resources/unsubscribe", "tasks/list", "tasks/result",
	}
	modernOnly := []string{
		"notifications/subscriptions/acknowledged", "notifications/tasks", "server/discover",
		"subscriptions/listen", "tasks/update",
	}
	legacy, modern := methods(mcp.Legacy), methods(mcp.Modern)
	without := func(a, b map[string]parley.Word) []string {
		only := maps.Clone(a)
		maps.DeleteFunc(only, func(method string, _ parley.Word) bool { _, both := b[method]; return both })
		return slices.Sorted(maps.Keys(only))
	}
	if diff := cmp.Diff(legacyOnly, without(legacy, modern)); diff != "" {
		t.Errorf("the words that only the legacy era has (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(modernOnly, without(modern, legacy)); diff != "" {
		t.Errorf("the words that only the modern era has (-want +got):\n%s", diff)
	}
	for method, word := range methods(mcp.Dialect) {
		l, inLegacy := legacy[method]
		m, inModern := modern[method]
		switch {
		case !inLegacy && !inModern:
			t.Errorf("%s is of no era", method)
		case inLegacy && inModern && l.From != m.From:
			if word.From != parley.SideUnknown {
				t.Errorf("%s comes from the %v, and the eras do not agree on that", method, word.From)
			}
		case inLegacy && word != l, inModern && word != m:
			t.Errorf("%s is %+v, and its era has it otherwise", method, word)
		}
	}
}

func methods(d parley.Dialect) map[string]parley.Word {
	words := make(map[string]parley.Word)
	for _, word := range d.Words {
		words[word.Method] = word
	}
	return words
}

// What real programs say to each other is in the words of the older era, and survives the Go types whole.
func TestTranscripts(t *testing.T) {
	dialecttest.Conversations{
		Dialect: &mcp.Legacy,
		Files:   map[string]int{"codex-as-mcp-client": 0, "mcp-malformed-1d71": 14, "mcp-malformed-63d9": 14},
		Unfit:   []string{`"no/such"`, `"method":"ping","params":[1]`},
		Types: []dialecttest.Type{
			dialecttest.Call(mcp.Initialize),
			dialecttest.Note(mcp.Initialized),
			dialecttest.Call(mcp.Ping),
			dialecttest.Asked(mcp.ListTools),
			dialecttest.Note(mcp.ToolsChanged),
			dialecttest.Call(mcp.CallTool),
		},
	}.Check(t)
}

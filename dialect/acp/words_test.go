package acp_test

import (
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/internal/dialecttest"
)

// The table of words and the typed constants say the same.
func TestWords(t *testing.T) {
	dialecttest.Words(t, &acp.Dialect, map[string]parley.Side{
		"From the client": parley.SideClient,
		"From the agent":  parley.SideServer,
		"From either":     parley.SideUnknown,
	})
}

// What the SDK's client and agent say to each other is in the words of the dialect, and survives the
// Go types whole.
func TestTranscripts(t *testing.T) {
	dialecttest.Conversations{
		Dialect: &acp.Dialect,
		Files:   map[string]int{"acp-short": 0, "acp-malformed": 14},
		Unfit:   []string{`"no/such"`, `{"cwd":5}`, `"params":[1]`},
		Types: []dialecttest.Type{
			dialecttest.Call(acp.Initialize),
			dialecttest.Call(acp.SessionNew),
			dialecttest.Call(acp.Prompt),
			dialecttest.Note(acp.Cancel),
			dialecttest.Note(acp.SessionUpdate),
			dialecttest.Call(acp.RequestPermission),
			dialecttest.Call(acp.ReadTextFile),
		},
	}.Check(t)
}

package claude_test

import (
	"testing"

	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/internal/dialecttest"
)

// The table of words and the typed constants say the same.
func TestWords(t *testing.T) { dialecttest.Words(t, &claude.Dialect, nil) }

// What the transcripts carry is in the words of the dialect and fits the types of the constants, which have
// only the members that matter.
func TestTypesFitTranscripts(t *testing.T) {
	dialecttest.Conversations{
		Dialect: &claude.Dialect,
		Files: map[string]int{
			"agentsdk-die": 0, "agentsdk-full": 3, "agentsdk-initerr": 0, "agentsdk-native": 0, "agentsdk-noinit": 0,
		},
		Unfit:   []string{`"no_such_subtype"`, `"wholly_unknown"`},
		Partial: true,
		Types: []dialecttest.Type{
			dialecttest.Note(claude.User),
			dialecttest.Note(claude.Assistant),
			dialecttest.Note(claude.System),
			dialecttest.Note(claude.Result),
			dialecttest.Note(claude.StreamEvent),
			dialecttest.Call(claude.Initialize),
			dialecttest.Call(claude.CanUseTool),
			dialecttest.Call(claude.HookCallback),
			dialecttest.Call(claude.MCPMessage),
			dialecttest.Call(claude.Elicitation),
			dialecttest.Call(claude.Interrupt),
			dialecttest.Call(claude.SetPermissionMode),
			dialecttest.Call(claude.SetModel),
			dialecttest.Call(claude.SetMaxThinkingTokens),
			dialecttest.Call(claude.MCPStatus),
			dialecttest.Asked(claude.GetContextUsage),
			dialecttest.Note(claude.ControlCancelRequest),
		},
	}.Check(t)
}

//go:build claude

// Package claude tests an agent that is written with parley, examples/agent, against the Claude Agent SDK. README.md
// says why it stands apart from the other tests of interop, and how to run it.
package claude

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// patience bounds a test that should take a second, on a machine that is busy with others.
const patience = time.Minute

func TestMain(m *testing.M) {
	if os.Getenv(recordTo) != "" {
		os.Exit(record())
	}
	goleak.VerifyTestMain(m)
}

// TestClaudeTurns is one conversation of the SDK with our agent, seen from the side of the SDK (turns.mjs) and in the
// recording of what passed between the two.
func TestClaudeTurns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recording.jsonl")
	printed := converse(t, file)
	t.Run("summary", func(t *testing.T) { compare(t, printed, seen) })
	t.Run("pairs", func(t *testing.T) { pairs(t, file) })
	t.Run("ledger", func(t *testing.T) { debts(t, file) })
	t.Run("lint", func(t *testing.T) { faults(t, file) })
}

// seen is what the script sees. The SDK gives the callbacks what the agent has asked, and the user what came of it.
const seen = `{
	"turns": [
		{"said": "hello", "heard": ["assistant", {"type": "text", "text": "hello"}], "subtype": "success", "failed": false, "result": "hello"},
		{
			"said": "Bash {\"command\":\"ls\"}",
			"heard": ["assistant", {"type": "text", "text": "Bash got {\"command\":\"ls\",\"timeout\":5}"}],
			"subtype": "success", "failed": false, "result": "Bash got {\"command\":\"ls\",\"timeout\":5}"
		},
		{
			"said": "Bash {\"command\":\"rm -rf /\"}",
			"heard": ["assistant", {"type": "text", "text": "not that"}],
			"subtype": "success", "failed": false, "result": "not that"
		},
		{
			"said": "mcp__calc__add {\"a\":2,\"b\":3}",
			"heard": ["assistant", {"type": "text", "text": "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"5\"}]},\"jsonrpc\":\"2.0\",\"id\":3}"}],
			"subtype": "success", "failed": false, "result": "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"5\"}]},\"jsonrpc\":\"2.0\",\"id\":3}"
		},
		{
			"said": "mcp__calc__nosuch {}",
			"heard": ["assistant", {"type": "text", "text": "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"MCP error -32602: Tool nosuch not found\"}],\"isError\":true},\"jsonrpc\":\"2.0\",\"id\":3}"}],
			"subtype": "success", "failed": false, "result": "{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"MCP error -32602: Tool nosuch not found\"}],\"isError\":true},\"jsonrpc\":\"2.0\",\"id\":3}"
		},
		{
			"said": "mcp__nosuch__add {}", "heard": [],
			"subtype": "error_during_execution", "failed": true, "errors": ["SDK MCP server not found: nosuch (code -32000)"]
		},
		{
			"said": "Wait {}", "heard": [],
			"subtype": "error_during_execution", "failed": true, "errors": ["parley: call \"can_use_tool\" (id \"17\"): context canceled"]
		},
		{
			"said": "mcp__calc__slow {}", "heard": [],
			"subtype": "error_during_execution", "failed": true, "errors": ["parley: call \"mcp_message\" (id \"22\"): context canceled"]
		},
		{"said": "still there?", "heard": ["assistant", {"type": "text", "text": "still there?"}], "subtype": "success", "failed": false, "result": "still there?"}
	],
	"permissions": [
		{"name": "Bash", "input": {"command": "ls"}},
		{"name": "Bash", "input": {"command": "rm -rf /"}},
		{"name": "mcp__calc__add", "input": {"a": 2, "b": 3}},
		{"name": "mcp__calc__nosuch", "input": {}},
		{"name": "mcp__nosuch__add", "input": {}},
		{"name": "Wait", "input": {}},
		{"name": "mcp__calc__slow", "input": {}}
	],
	"hooks": [
		{"event": "PreToolUse", "name": "Bash", "input": {"command": "ls"}, "id": "toolu_1"},
		{"event": "PreToolUse", "name": "Bash", "input": {"command": "rm -rf /"}, "id": "toolu_1"}
	],
	"tools": [{"add": [2, 3]}],
	"interrupts": [{"still_queued": []}, {"still_queued": []}],
	"aborted": ["Wait", "slow"],
	"refused": "Method not found"
}`

// compare compares what a script has printed with JSON text.
func compare(t *testing.T, printed []byte, text string) {
	t.Helper()
	var got, want any
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("the script printed %q: %v", printed, err)
	}
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the script saw something else (-want +got):\n%s", diff)
	}
}

// converse runs the script, has its conversation with the agent recorded in a file, and returns what it prints.
func converse(t *testing.T, file string) []byte {
	t.Helper()
	if _, err := os.Stat("node_modules/@anthropic-ai/claude-agent-sdk/package.json"); err != nil {
		t.Fatalf("%v: run npm ci --omit=optional in interop/claude (make interop-claude does)", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "turns.mjs", self)
	cmd.Stderr = t.Output()
	cmd.WaitDelay = time.Second // for the agent, which ends when the script does
	// No setting and no key of whoever runs the test gets to the SDK.
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + t.TempDir(),
		recordTo + "=" + file,
		recordAgent + "=" + agent(t),
	}
	printed, err := cmd.Output()
	if err != nil {
		t.Fatalf("turns.mjs: %v", err)
	}
	return printed
}

// agent builds the example from the tree that this test stands in, and returns its path.
func agent(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "agent")
	cmd := exec.Command("go", "build", "-o", path, "./examples/agent")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s in the root of the repository: %v\n%s", cmd, err, out)
	}
	return path
}

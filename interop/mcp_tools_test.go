package interop

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/recording"
)

// toolsFile are tools that do each one thing which a client can see. The pauses are for the SDKs, which drop a report that
// they read in one piece with the result.
const toolsFile = `tools:
  - name: greet
    description: Says a name
    input: { name: { type: string } }
    run: [printf, "%s", "{name}"]
  - name: numbers
    description: Says a number as JSON
    input: { n: { type: integer, default: 3, minimum: 1 } }
    output: json
    output_schema: { type: object, properties: { n: { type: integer } }, required: [n] }
    run: [printf, '{{"n":%s}}', "{n}"]
  - name: count
    description: Reports progress
    progress: true
    run: [sh, -c, "for i in 1 2 3; do echo progress $i/3 step $i >&2; sleep 0.1; done; echo counted"]
  - name: fail
    description: Fails
    run: [sh, -c, "echo broken >&2; exit 3"]
  - name: grumble
    description: Logs
    run: [sh, -c, "echo grumble >&2; sleep 0.1; echo done"]
  - name: wait
    description: Waits to be cancelled
    progress: true
    run: [sh, -c, "echo progress 1/2 begun >&2; sleep 60"]
`

// writeTools writes the tools into a file that others may not write, as parley wants it.
func writeTools(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(file, []byte(toolsFile), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestClientsOfTools has the TypeScript SDKs of MCP list and call the tools of a file, in both eras, and see the file
// change.
func TestClientsOfTools(t *testing.T) {
	script(t, "mcp-tools.mjs", "@modelcontextprotocol/sdk")
	installed(t, "@modelcontextprotocol/client/package.json")
	for _, test := range []struct {
		which     string
		cancelled []string
	}{
		{"v1", []string{"tools/call"}},
		{"v2", []string{"tools/call"}},
		{mcp.Version20260728, []string{"tools/call", "subscriptions/listen"}},
	} {
		t.Run(test.which, func(t *testing.T) {
			t.Parallel()
			r, file := recordIn(t), writeTools(t)
			server := r.command(parleyBinary, "serve", "--tools", file)
			compare(t, summary(t, filepath.Join("js", "mcp-tools.mjs"), slices.Concat([]string{test.which, file}, server)...), toolsSaid)
			r.audit(t, outcome{Failed: []string{"tools/call"}, Cancelled: test.cancelled})
		})
	}
}

// toolsSaid is what every client sees of the tools.
const toolsSaid = `{
	"tools": [
		"count: Reports progress", "fail: Fails", "greet: Says a name: name", "grumble: Logs",
		"numbers: Says a number as JSON", "wait: Waits to be cancelled"
	],
	"hostile": {
		"Bob": "Bob", "$(id)": "$(id)", "; rm -rf x": "; rm -rf x", "{name}": "{name}",
		"two\nlines": "two\nlines", "列出 😀": "列出 😀",
		"-rf": "refused"
	},
	"structured": {"n": 7}, "default": {"n": 3},
	"fail": true, "wrongType": true, "missing": true, "unknownTool": -32602,
	"count": {"text": "counted\n"},
	"progress": [
		{"progress": 1, "total": 3, "message": "step 1"},
		{"progress": 2, "total": 3, "message": "step 2"},
		{"progress": 3, "total": 3, "message": "step 3"}
	],
	"logs": [["info", "grumble"]],
	"cancelled": "cancelled",
	"late": {"text": "late\n"}, "now": 1,
	"odd": []
}`

// TestInspectorOfTools has the MCP Inspector look at the tools of examples/tools.yaml.
func TestInspectorOfTools(t *testing.T) {
	inspectBoth(t, []inspection{
		{name: "tools", args: []string{"--method", "tools/list"}, want: `["count", "countdown", "date", "disk", "git_log", "search"]`},
		{
			name: "a tool with JSON", args: toolArgs("count", "text=two words"),
			want: `{"content": [{"type": "text", "text": "{\"lines\":0,\"words\":2,\"bytes\":9}"}],
				"structuredContent": {"lines": 0, "words": 2, "bytes": 9}}`,
		},
		{name: "a tool that reports progress", args: toolArgs("countdown", "steps=2"), want: texts(`done in 2 steps\n`)},
		{name: "an argument that does not fit", args: toolArgs("countdown", "steps=0"), exit: 5},
	}, parleyBinary, "serve", "--tools", filepath.Join("..", "examples", "tools.yaml"))
}

// isProbe says whether a record belongs to the question with which parley finds the era of a server, our first call. It
// is no part of an outcome: a legacy server refuses it, or is not there yet after 5 s, and then it is taken back.
func isProbe(rec recording.Record) bool {
	var m struct {
		ID     int             `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(rec.Raw, &m); err != nil {
		return false // the auditors say what it is
	}
	if rec.From == parley.SideServer {
		return m.Method == "" && m.ID == 1
	}
	var taken struct {
		RequestID int `json:"requestId"`
	}
	_ = json.Unmarshal(m.Params, &taken) // params of another kind name no request
	return m.Method == string(mcp.Discover) || m.Method == string(mcp.Cancelled) && taken.RequestID == 1
}

// A usage is a run of parley on an MCP server of other people.
type usage struct {
	args   []string
	exit   int
	prints string // a part of its output; all of it if whole
	whole  bool
	stderr string // a part of that
}

// run runs parley on a server, and looks back at what was said.
func (u usage) run(t *testing.T, server ...string) {
	t.Helper()
	r := recordIn(t)
	cmd := exec.CommandContext(bounded(t), parleyBinary, slices.Concat(u.args, []string{"--"}, r.command(server...))...)
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit status tells
	if code := cmd.ProcessState.ExitCode(); code != u.exit {
		t.Fatalf("%s: exit status %d, want %d\n%s%s", cmd, code, u.exit, &stdout, &stderr)
	}
	if out := stdout.String(); u.whole && out != u.prints || !strings.Contains(out, u.prints) {
		t.Errorf("%s printed\n%s\nwant %q (all of it: %v)", cmd, out, u.prints, u.whole)
	}
	if !strings.Contains(stderr.String(), u.stderr) {
		t.Errorf("%s: stderr is\n%s\nwant %q in it", cmd, &stderr, u.stderr)
	}
	r.auditPast(t, isProbe, outcome{})
}

// TestToolCommands has parley list, describe and call work on the reference servers of MCP. All are of the
// legacy era.
func TestToolCommands(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte("first\nsecond\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("MEMORY_FILE_PATH", filepath.Join(folder, "memory.jsonl"))
	server := func(name string) string { return installed(t, "@modelcontextprotocol/"+name+"/dist/index.js") }
	for _, test := range []struct {
		name   string
		server []string
		usages []usage // one after the other
	}{
		{"server-everything", []string{"node", server("server-everything")}, []usage{
			{args: []string{"list"}, prints: "\nget-sum(a: number, b: number) - Returns the sum of two numbers\n"},
			{args: []string{"describe", "get-sum"}, prints: "\n  a  number, required  First number\n"},
			{args: []string{"call", "--tool", "get-sum", "a=2", "b=40"}, prints: "The sum of 2 and 40 is 42.\n", whole: true},
			{args: []string{"call", "--tool", "nosuch"}, exit: 1, stderr: `no tool "nosuch"`},
			{
				args:   []string{"call", "--tool", "trigger-elicitation-request", "--answer", `elicitation/create={"action":"decline"}`},
				prints: "declined",
			},
		}},
		{"server-filesystem", []string{"node", server("server-filesystem"), folder}, []usage{
			{args: []string{"list"}, prints: "read_text_file(path: string, tail?: number, head?: number) - Read the complete"},
			{args: []string{"describe", "write_file"}, prints: "write_file(path: string, content: string)\n"},
			{
				args:   []string{"call", "--tool", "write_file", "path=" + filepath.Join(folder, "b.txt"), "content=列出\nb"},
				prints: "Successfully wrote",
			},
			{args: []string{"call", "--tool", "read_text_file", "path=" + filepath.Join(folder, "b.txt")}, prints: "列出\nb\n", whole: true},
			{args: []string{"call", "--tool", "read_text_file", "path=" + filepath.Join(folder, "a.txt"), "head=1"}, prints: "first\n", whole: true},
			{args: []string{"call", "--tool", "read_text_file", "path=/etc/passwd"}, exit: 1, stderr: "Access denied"},
		}},
		{"server-memory", []string{"node", server("server-memory")}, []usage{
			{args: []string{"list"}, prints: "search_nodes(query: string) - Search for nodes in the knowledge graph based on a query\n"},
			{args: []string{"describe", "search_nodes"}, prints: "  entities[].name           string, required"},
			{
				args:   []string{"call", "--tool", "create_entities", `entities:=[{"name":"Ada","entityType":"person","observations":["wrote a program"]}]`},
				prints: "wrote a program",
			},
			{args: []string{"call", "--tool", "search_nodes", "query=ada"}, prints: `"name": "Ada"`},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, u := range test.usages {
				t.Run(strings.Join(u.args, " "), func(t *testing.T) { u.run(t, test.server...) })
			}
		})
	}
}

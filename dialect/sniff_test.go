package dialect_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// spoken says which dialect each transcript is in, by the beginning of its name.
var spoken = []struct {
	prefix, dialect string
	framing         frame.Framing
}{
	{"agentsdk-", "claude", frame.Lines},
	{"codex-as-mcp-client", "mcp-legacy", frame.Lines},
	{"codex-", "codex", frame.Lines},
	{"acp-", "acp", frame.Lines},
	{"mcp-", "mcp-legacy", frame.Lines},
	{"deb-ovsdb", "jsonrpc", frame.Concat},
	{"deb-snapserver", "jsonrpc", frame.Lines},
}

// The dialect of every transcript is known from its first record on, whichever side is
// heard, and however many follow. A sure guess stays as it is.
func TestSniffTranscripts(t *testing.T) {
	views := map[string][]string{
		"client": clientDirs, "server": serverDirs, "both": slices.Concat(clientDirs, serverDirs),
	}
	for _, name := range transcripts(t) {
		i := slices.IndexFunc(spoken, func(s struct {
			prefix, dialect string
			framing         frame.Framing
		}) bool {
			return strings.HasPrefix(filepath.Base(name), s.prefix)
		})
		if i < 0 {
			t.Fatalf("%s: nobody says what is spoken there", name)
		}
		want := spoken[i]
		for view, dirs := range views {
			all := records(t, name, want.framing, dirs...)
			if len(all) == 0 {
				t.Errorf("%s: no records of %s", name, view)
			}
			sure := ""
			for n := 1; n <= len(all); n++ {
				g := dialect.Sniff(want.framing, all[:n])
				if g.Dialect.Name != want.dialect || g.Dialect.Framing != want.framing {
					t.Errorf("%s, %s, %d records: %s over %v (%s), want %s", name, view, n, g.Dialect.Name, g.Dialect.Framing, g.Why, want.dialect)
					break
				}
				if sure != "" && (!g.Sure || g.Dialect.Name != sure) {
					t.Errorf("%s, %s: after %d records it was %s for sure, and then %s", name, view, n-1, sure, g.Why)
				}
				if g.Sure {
					sure = g.Dialect.Name
				}
			}
			// Whoever spoke a dialect with words was heard to do so, but for the agent of
			// ACP that refused everything.
			if wordless := want.dialect == "jsonrpc" || view == "server" && strings.Contains(name, "acp-malformed"); (sure == "") != wordless {
				t.Errorf("%s, %s: sure of %q", name, view, sure)
			}
		}
	}
}

// Noise of a program that prints before it speaks changes nothing, and neither does the
// place where one begins to listen: whatever is sure is right.
func TestSniffAnywhere(t *testing.T) {
	type stream struct {
		name, want string
		framing    frame.Framing
		records    [][]byte
	}
	var streams []stream
	for _, name := range transcripts(t) {
		for _, s := range spoken {
			if strings.HasPrefix(filepath.Base(name), s.prefix) {
				streams = append(streams, stream{name, s.dialect, s.framing, records(t, name, s.framing, slices.Concat(clientDirs, serverDirs)...)})
				break
			}
		}
	}
	noise := rapid.SampledFrom([]string{"", "Starting server...", "{nope", "\x1b[31mERROR\x1b[0m", "42", "null", "[]", "{}", `{"level":"info","msg":"up"}`, "\xff\xfe"})
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(streams).Draw(t, "stream")
		from := rapid.IntRange(0, len(s.records)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(s.records)).Draw(t, "to")
		var heard [][]byte
		for _, line := range rapid.SliceOfN(noise, 0, 4).Draw(t, "noise") {
			heard = append(heard, []byte(line))
		}
		heard = append(heard, s.records[from:to]...)
		g := dialect.Sniff(s.framing, heard)
		if g.Sure && strings.TrimSuffix(g.Dialect.Name, "-legacy") != strings.TrimSuffix(s.want, "-legacy") {
			t.Fatalf("%s[%d:%d]: %s (%s)", s.name, from, to, g.Dialect.Name, g.Why)
		}
		if from == 0 && g.Dialect.Name != s.want {
			t.Fatalf("%s[:%d] behind noise: %s (%s)", s.name, to, g.Dialect.Name, g.Why)
		}
	})
}

var sniffTests = []struct {
	rule    string
	framing frame.Framing
	records []string
	want    string // name and why, with "for sure" if it is
}{
	{
		"Claude's control messages and events", frame.Lines,
		[]string{`{"type":"control_request","request_id":"a","request":{"subtype":"initialize"}}`, `{"type":"stream_event","event":{"type":"x"},"session_id":"s"}`},
		"claude for sure: control_request and stream_event records: Claude's stream-json",
	},
	{
		"half a control message is no proof", frame.Lines, []string{`{"type":"control_request"}`},
		"claude: control_request records: Claude's stream-json",
	},
	{
		"a user who names no conversation may be anybody's", frame.Lines, []string{`{"type":"user","message":{"role":"user","content":"x"}}`},
		"claude: user records: Claude's stream-json",
	},
	{
		"Codex leaves jsonrpc out", frame.Lines, []string{`{"id":2,"method":"thread/start","params":{}}`},
		"codex for sure: messages without the member jsonrpc, and thread/start: Codex app-server",
	},
	{
		"a method of Codex with jsonrpc is no proof", frame.Lines, []string{`{"jsonrpc":"2.0","id":2,"method":"thread/start","params":{}}`},
		"codex: thread/start: Codex app-server",
	},
	{
		"a note of a Codex to come", frame.Lines, []string{`{"method":"shiny/new","params":{},"emittedAtMs":1}`},
		"codex: messages without the member jsonrpc, and the member emittedAtMs: Codex app-server",
	},
	{
		"MCP says its version as a date", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`},
		`mcp-legacy for sure: initialize with protocolVersion "2025-06-18": MCP, legacy era`,
	},
	{
		"what is no date is not shown, and is no proof", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\u001b[2J"}}`},
		`mcp-legacy: initialize with protocolVersion: MCP, legacy era`,
	},
	{
		"in the modern era every request says it", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`},
		"mcp-modern for sure: _meta with io.modelcontextprotocol/protocolVersion: MCP, modern era",
	},
	{
		"some methods have no era", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a"}}`},
		"mcp for sure: tools/call: MCP",
	},
	{
		"a client that asks as in the modern era and goes on as in the legacy one has both", frame.Lines,
		[]string{`{"jsonrpc":"2.0","id":0,"method":"server/discover"}`, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`},
		`mcp for sure: server/discover and initialize with protocolVersion "2025-11-25": MCP, both eras`,
	},
	{
		"models that invent a header do not make MCP another protocol", frame.Header, []string{`{"jsonrpc":"2.0","id":0,"method":"tools/list"}`},
		"mcp for sure: tools/list: MCP",
	},
	{
		"a tool of nobody's is MCP's for now", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"tools/sharpen"}`},
		"mcp: methods of tools/…: MCP",
	},
	{
		"ACP says its version as a number", frame.Lines,
		[]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`, `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{}}`},
		"acp for sure: initialize with protocolVersion 1 and session/prompt: ACP",
	},
	{
		"what MCP and ACP both have tells neither", frame.Lines, []string{`{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":{}}`},
		"jsonrpc: JSON-RPC 2.0 messages and no method that a dialect knows: plain JSON-RPC",
	},
	{
		"LSP has a header and documents", frame.Header, []string{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{}}`},
		"lsp for sure: Content-Length framing and textDocument/didOpen: LSP",
	},
	{
		"an editor says who it is", frame.Header, []string{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":1,"rootUri":null,"capabilities":{}}}`},
		"lsp for sure: Content-Length framing and initialize with an editor's process or folders: LSP",
	},
	{
		"and a language server what it can do", frame.Header, []string{`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"hoverProvider":true}}}`},
		"lsp for sure: Content-Length framing and a result with a language server's capabilities: LSP",
	},
	{
		"a header alone is no proof", frame.Header.Limit(1000), []string{`{"jsonrpc":"2.0","id":1,"result":null}`},
		"lsp: Content-Length framing, and no method that a dialect knows: perhaps LSP",
	},
	{
		"a debugger has a header too, and no JSON-RPC", frame.Header, []string{`{"seq":1,"type":"request","command":"initialize"}`},
		"stream: objects without id, method, result or error: a stream of events",
	},
	{
		"cancelling and progress in LSP's words are everybody's", frame.Lines, []string{`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`},
		"jsonrpc: JSON-RPC 2.0 messages and no method that a dialect knows: plain JSON-RPC",
	},
	{
		"a batch is what is in it", frame.Lines, []string{`[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`},
		"mcp for sure: tools/list: MCP",
	},
	{
		"events", frame.Lines, []string{`{"level":"info","msg":"up"}`, `{"type":"user"}`},
		"stream: objects without id, method, result or error: a stream of events",
	},
	{"numbers", frame.Lines, []string{`1`, `[2]`}, "stream: JSON values that are no objects: a stream of events"},
	{
		"a message behind events makes them noise", frame.Lines, []string{`{"level":"info"}`, `{"jsonrpc":"2.0","id":1,"method":"echo"}`},
		"jsonrpc: JSON-RPC 2.0 messages and no method that a dialect knows: plain JSON-RPC",
	},
	{"only noise", frame.Lines, []string{"Starting server...", "", "{nope"}, "jsonrpc: no record that is JSON: nothing is known, so plain JSON-RPC"},
	{"nothing", frame.Seq, nil, "jsonrpc: no record that is JSON: nothing is known, so plain JSON-RPC"},
}

func TestSniff(t *testing.T) {
	for _, test := range sniffTests {
		var recs [][]byte
		for _, r := range test.records {
			recs = append(recs, []byte(r))
		}
		g := dialect.Sniff(test.framing, recs)
		got := g.Dialect.Name
		if g.Sure {
			got += " for sure"
		}
		if got += ": " + g.Why; got != test.want || g.Dialect.Framing != test.framing {
			t.Errorf("%s:\n got %s (%v)\nwant %s", test.rule, got, g.Dialect.Framing, test.want)
		}
	}
}

// The cases of others: a turn of Claude's (122), one that begins with a line of 300 kB
// (124), calls to a tool (075), and a peer that leaves jsonrpc out (126), which the plain
// codec would refuse.
func TestSniffCases(t *testing.T) {
	lines := func(name string) [][]byte {
		text, err := os.ReadFile("../testdata/cases/observed/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	}
	tools := strings.Repeat(`"mcp__server__tool_with_quite_a_long_name",`, 7000)
	long := []byte(`{"type":"system","subtype":"init","session_id":"s","tools":[` + tools + `"x"]}`)
	for want, recs := range map[string][][]byte{
		"claude":  lines("122-stdin-closed-at-first-result.in"),
		"claude ": {long},
		"mcp":     lines("075-observer-shows-cancelled.in"),
		"jsonrpc": lines("126-no-jsonrpc-member.in"),
	} {
		for n := 1; n <= len(recs); n++ {
			g := dialect.Sniff(frame.Lines, recs[:n])
			if g.Dialect.Name != strings.TrimSpace(want) {
				t.Errorf("%d records of %s: %s (%s)", n, want, g.Dialect.Name, g.Why)
			}
			if want == "jsonrpc" && g.Dialect.Codec != message.Bare {
				t.Errorf("%d records of case 126: the codec is %v", n, g.Dialect.Codec)
			}
		}
	}
}

// Whatever is read, Sniff says something in plain words about it, and nothing in them
// could move the cursor of a terminal.
func FuzzSniff(f *testing.F) {
	for _, test := range sniffTests {
		f.Add([]byte(strings.Join(test.records, "\n")))
	}
	names := dialect.Names()
	f.Fuzz(func(t *testing.T, text []byte) {
		g := dialect.Sniff(frame.Lines, bytes.Split(text, []byte("\n")))
		if !slices.Contains(names, g.Dialect.Name) || g.Why == "" {
			t.Fatalf("%q: %+v", text, g)
		}
		if fmt.Sprintf("%+q", g.Why) != fmt.Sprintf("%+q", strings.ToValidUTF8(g.Why, "")) || strings.ContainsFunc(g.Why, func(r rune) bool { return r < ' ' || r == 0x7F }) {
			t.Fatalf("%q: %q", text, g.Why)
		}
	})
}

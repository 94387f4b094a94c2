package lint_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// The cases are from public bug reports; each file is what one program wrote.
func TestCases(t *testing.T) {
	tests := []struct {
		sentence, file string
		want           []string // LINE rule severity
	}{
		{"two lines of a banner are no messages, and the answer behind them is one", "001-banner-before-handshake", []string{"1 stray-text error", "2 stray-text error"}},
		{"CRLF is fine", "016-crlf-terminated-requests", nil},
		{"a mark at the start is a warning", "018-bom-before-first-request", []string{"1 byte-order-mark warning"}},
		{"blank lines are fine", "020-blank-lines-between-requests", nil},
		{"a message over five lines is one finding", "022-pretty-printed-request", []string{"1 pretty-printed error"}},
		{"two values on a line are one finding", "024-two-values-on-one-line", []string{"1 two-values error"}},
		{"line separators are legal", "026-line-separator-inside-string", []string{"1 line-separator info"}},
		{"bytes that are no UTF-8", "028-ff-fe-line-then-valid", []string{"1 not-utf8 error"}},
		{"NaN is no JSON", "032-nan-in-request", []string{"1 not-json error"}},
		{"ids that do not come back as they were", "034-id-two-to-53-plus-one", []string{"1 id-beyond-2-53 warning", "2 id-fraction warning"}},
		{"0 and the empty string are ids", "038-id-zero-and-empty-string", nil},
		{"answers in any order, of a recording that has no requests", "048-responses-out-of-order", nil},
		{"an answer needs an id", "054-client-gets-idless-or-null-id-error", []string{"2 answer-without-id error", "3 answer-without-id error"}},
		{"no message at all", "055-empty-batch", []string{"1 not-a-message error"}},
		{"an error is an object with a code and a message", "061-error-member-of-wrong-type", []string{"1 error-shape error", "2 error-shape error", "3 error-shape error", "4 error-shape error"}},
		{"null is no array and no object, and many write it", "065-missing-and-null-params", []string{"2 params-type warning"}},
		{"names match exactly", "067-method-and-capital-method", []string{"1 unknown-member warning", "2 neither-result-nor-error error", "3 unknown-member warning", "3 unknown-member warning"}},
		{"depth is counted", "069-twenty-thousand-arrays", []string{"1 deep-nesting error"}},
		{"a last line without its end", "091-last-line-without-newline", []string{"2 no-final-newline warning"}},
		{"stream-json is no bad JSON-RPC, and who waits is named", "122-stdin-closed-at-first-result", []string{"3 never-answered info", "5 never-answered info"}},
		{"a first line of 300 kB is a message like any other", "124-init-line-over-256k", []string{"1 long-record info"}},
		{"the dialect is named for a missing member, and not each line flagged", "126-no-jsonrpc-member", []string{"1 jsonrpc-missing error", "2 jsonrpc-wrong error", "3 jsonrpc-wrong error"}},
		{"the handshake comes first and once", "128-handshake-order", []string{"1 before-handshake warning", "3 second-handshake warning", "5 unknown-method warning"}},
		{"each bad line is one finding", "130-one-bad-line-then-good", []string{"1 not-json error", "2 not-json error", "3 stray-text error", "4 not-a-message error"}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			// Those that a peer plays stand by themselves.
			text, err := os.ReadFile(filepath.Join("..", "testdata", "cases", tt.file+".in"))
			if errors.Is(err, fs.ErrNotExist) {
				text, err = os.ReadFile(filepath.Join("..", "testdata", "cases", "observed", tt.file+".in"))
			}
			if err != nil {
				t.Fatal(err)
			}
			findings, _ := lintText(t, bytes.NewReader(text), nil)
			var got []string
			for _, f := range findings {
				// That the other direction is missing is a part of these files.
				if strings.HasSuffix(f.Message, "who is not in this recording") && !strings.HasPrefix(tt.file, "122") {
					continue
				}
				got = append(got, fmt.Sprintf("%d %s %v", f.Line, f.Rule.ID, f.Severity))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s\n%s", tt.sentence, diff, show(findings))
			}
		})
	}
}

// What a fault is taken for.
func TestExplanations(t *testing.T) {
	const note = `{"jsonrpc":"2.0","method":"note"}` + "\n"
	call := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"a"}` + "\n" }
	answer := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":1}` + "\n" }
	tests := []struct {
		sentence, in string
		dialect      string
		want         []string // each a part of a finding, in order
	}{
		{"the byte, its place and the code page", "{\"jsonrpc\":\"2.0\",\"method\":\"a\x93b\"}\n", "", []string{"byte 93 at byte 28 of the record: likely windows-1252"}},
		{"a character that was cut", "{\"jsonrpc\":\"2.0\",\"method\":\"a\xe6\xb1\"}\n", "", []string{"the start of a character that is cut off"}},
		{"UTF-16 without a mark, once", "{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n\x00{\x00\"\x00a\x00\"\x00:\x001\x00}\x00\n\x00", "", []string{"every second byte is NUL, the first at byte 1"}},
		{"big-endian UTF-16", "\xfe\xff\x00{\x00}\x00\n", "", []string{"FE FF"}},
		{"words of Python", `{"jsonrpc":"2.0","method":"a","params":[None]}` + "\n", "", []string{"a word of Python"}},
		{"an object of JavaScript", `{"jsonrpc":"2.0","method":"a","params":[undefined]}` + "\n", "", []string{"a word of JavaScript"}},
		{"a raw control character", "{\"jsonrpc\":\"2.0\",\"method\":\"a\tb\"}\n", "", []string{`it must be written as \u0009`}},
		{"the rest of a header stream is silent", "Content-Length: 33\r\n\r\n" + strings.TrimSpace(note) + "Content-Length: 33\r\n\r\n" + note, "", nil},
		{"a date in brackets is a log line", "[2026-11-30 12:00:00] started\n" + note, "", []string{`text that is no JSON: "[2026-11-30 12:00:00] started"`}},
		{"an object in a log line is no message", `done {"took":12}` + "\n" + note, "", []string{"(stray-text)"}},
		{"colours behind a message", strings.TrimSpace(note) + "\x1b[0m\n", "", []string{"(ansi-escapes)"}},
		{"three on a line", strings.Repeat(strings.TrimSpace(note), 3) + "\n", "", []string{"3 values on line 1"}},
		{"what was refused counts as asked", "log: " + call("1") + answer("1"), "", []string{"(glued-text)"}},
		{"a value over lines that is no message", "{\n\"level\":\"info\"\n}\n" + note, "", []string{"value spans lines 1-3"}},
		{"an open brace does not swallow what follows", "{\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":{\n" + note + note, "", []string{"1+40: error: not JSON: the text ends too early"}},
		{"an array of messages that lost its end", "[\n" + note + note, "", []string{"1+1: error: not JSON"}},
		{"brackets that fit around nonsense", "[\n01\n]\n" + note, "", []string{"not JSON, though its brackets fit, on lines 1-3"}},
		{"everybody leaves it out", `{"id":1,"method":"a"}` + "\n" + `{"id":1,"result":1}` + "\n", "jsonrpc", []string{"every message leaves jsonrpc out (2 messages): this is the codex dialect; run with --dialect codex"}},
		{"an answer to nothing, in a recording of both sides", call("1") + answer("1") + answer("2"), "", []string{"id 2 answers no request"}},
		{"and one before anything was asked", answer("7") + call("1") + answer("1"), "", []string{"info: id 7 answers no request in this recording"}},
		{"an id that two requests have", call("1") + call("1"), "", []string{"warning: id 1 is that of another request that is open", "never answered", "never answered"}},
		{"the batch names the member", `[{"jsonrpc":"2.0","method":7},{"jsonrpc":"2.0","id":null,"method":"a"}]` + "\n", "", []string{"+27: error: method is a number, want a string (method-type) /0/method", "+52: warning: the id of a request is null (id-null) /1/id", "never answered"}},
		{"methods of one's own", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\n" + answer("0") + `{"jsonrpc":"2.0","method":"_zed.dev/x"}` + "\n", "acp", nil},
		{"a permission that was left when the turn was cancelled", `{"t":1,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":1}}"}
{"t":2,"dir":"s2c","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1}}"}
{"t":3,"dir":"s2c","raw":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"s\"}}"}
{"t":4,"dir":"c2s","raw":"{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s\"}}"}
`, "acp", []string{"was cancelled on line 4 and is never answered by the client (cancel-not-answered)"}},
		{"the host skips a stray line of Claude, and it is an error all the same", "debug on\n" + `{"type":"system","subtype":"init","session_id":"s"}` + "\n", "claude", []string{"error: text that is no JSON"}},
		{"a control message without its id", `{"type":"control_request","request":{"subtype":"interrupt"}}` + "\n", "claude", []string{"no message of the claude dialect: request_id is missing"}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			options := map[string]string{"dialect": tt.dialect}
			if strings.HasPrefix(tt.in, "Content-Length") {
				options["framing"] = "lines"
				tt.want = []string{"(wrong-framing)"}
			}
			findings, _ := lintText(t, strings.NewReader(tt.in), options)
			got := show(findings)
			if len(findings) != len(tt.want) {
				t.Fatalf("%d findings, want %d:\n%s", len(findings), len(tt.want), got)
			}
			for i, line := range strings.Split(strings.TrimSpace(got), "\n") {
				if i < len(tt.want) && !strings.Contains(line, tt.want[i]) {
					t.Errorf("got  %s\nwant %s", line, tt.want[i])
				}
			}
		})
	}
}

// Other framings have records and no lines, and bad framing is told.
func TestFramings(t *testing.T) {
	const good, bad = `{"jsonrpc":"2.0","method":"note"}`, `{"jsonrpc":"1.0","method":"note"}`
	header := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	tests := []struct{ sentence, framing, in, want string }{
		{"MCP has no headers", "header", header(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), "1+22: error: Content-Length headers, and the mcp dialect is lines (wrong-framing)\n"},
		{"a body behind a header", "header", header(good) + header(bad), "2+88: error: jsonrpc is \"1.0\", want \"2.0\" (jsonrpc-wrong) /jsonrpc\n"},
		{"lines where a header should be", "header", good + "\n", "1+0: error: the header framing ends here: stray text "},
		{"a body that is cut off", "header", header(good)[:40], "1+22: error: the input ended inside a body (not-json)\n"},
		{"values end to end", "concat", good + bad, "2+44: error: jsonrpc is \"1.0\", want \"2.0\" (jsonrpc-wrong) /jsonrpc\n"},
		{"text among them", "concat", good + "oops", "2+33: error: the concat framing ends here: stray text "},
		{"text outside of a sequence", "seq", "log\x1e" + good + "\n", "1+0: error: text outside of any record: \"log\" (stray-text)\n"},
		{"a number that may be cut", "seq", "\x1e12", "1+1: error: the number or word may have lost its end"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			findings, _ := lintText(t, strings.NewReader(tt.in), map[string]string{"framing": tt.framing})
			if got := show(findings); !strings.HasPrefix(got, tt.want) || len(findings) != 1 {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// Of each rule so many findings come, and then how many more there were.
func TestMaxFindings(t *testing.T) {
	l := lint.New(&lint.Options{MaxFindings: 2})
	var got []lint.Finding
	for i := range int64(2002) {
		got = append(got, l.Record(recording.Record{Raw: []byte("oops"), Pos: frame.Pos{Record: i + 1, Line: i + 1, Offset: 5 * i}})...)
	}
	got = append(got, l.End()...)
	want := `1+0: error: text that is no JSON: "oops" (stray-text)
2+5: error: text that is no JSON: "oops" (stray-text)
2002+10005: error: and 2,000 more: text that is no JSON at all (stray-text)
`
	if diff := cmp.Diff(want, show(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if bad, warnings, infos := l.Counts(); bad != 2002 || warnings+infos != 0 {
		t.Errorf("Counts() = %d, %d, %d, want 2002, 0, 0", bad, warnings, infos)
	}
	if again := l.End(); again != nil {
		t.Errorf("a second End finds %s", show(again))
	}
}

// A request that is open for a long time is found at its line, and settled ones cost
// nothing.
func TestLongOpen(t *testing.T) {
	l := lint.New(nil)
	n := int64(0)
	feed := func(from parley.Side, text string) {
		n++
		if got := l.Record(recording.Record{From: from, Raw: []byte(text), Pos: frame.Pos{Record: n, Line: n + 10, Offset: 100 * n}}); len(got) > 0 {
			t.Fatal(show(got))
		}
	}
	feed(parley.SideClient, `{"jsonrpc":"2.0","id":"old","method":"a"}`)
	for i := range 20_000 {
		feed(parley.SideClient, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"b"}`, i))
		feed(parley.SideServer, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":1}`, i))
	}
	want := "11+100: error: call \"old\" (a) is never answered by the server (never-answered)\n"
	if diff := cmp.Diff(want, show(l.End())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Rules that are disabled report nothing, at whatever time they would.
func TestDisable(t *testing.T) {
	var all []string
	for _, r := range lint.Rules {
		all = append(all, r.ID)
	}
	for name, s := range examples(t) {
		bad, _ := s.file("bad")
		in := lint.NewInput(bytes.NewReader(input(bad)))
		r := lint.NewReader(in, nil)
		l := lint.New(&lint.Options{Disable: all, Input: in, Framing: r.Framing(), Shape: r.Shape()})
		var got []lint.Finding
		for rec := range r.All() {
			got = append(got, l.Record(rec)...)
		}
		if got = append(got, l.End()...); len(got) > 0 {
			t.Errorf("%s: %s", name, show(got))
		}
	}
}

// A batch of nothing but faults takes no time that grows with its square, and is told in
// part.
func TestHugeBatch(t *testing.T) {
	text := "[" + strings.Repeat("1,", 60_000) + "1]\n"
	findings, counted := lintText(t, strings.NewReader(text), map[string]string{"dialect": "jsonrpc"})
	last := findings[len(findings)-1]
	if counted != 102 || !strings.Contains(last.Message, "were not looked at") || last.Pointer != "/100" {
		t.Errorf("%d findings, the last %s", counted, show(findings[len(findings)-1:]))
	}
}

package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// A fault is an input and what lint says of it.
type fault struct {
	sentence string
	in       string
	options  string   // KEY=VALUE, with spaces between
	want     []string // each a part of a finding, with its advice behind it, in order
}

// blamed checks that lint says of each input what is wanted, however the bytes come.
func blamed(t *testing.T, faults []fault) {
	for _, tt := range faults {
		t.Run(tt.sentence, func(t *testing.T) {
			options := make(map[string]string)
			for pair := range strings.FieldsSeq(tt.options) {
				key, value, _ := strings.Cut(pair, "=")
				options[key] = value
			}
			findings, _ := lintText(t, strings.NewReader(tt.in), options)
			again, _ := lintText(t, iotest.OneByteReader(strings.NewReader(tt.in)), options)
			if diff := cmp.Diff(places(findings), places(again)); diff != "" {
				t.Errorf("at once, and byte by byte (-at once +byte by byte):\n%s", diff)
			}
			if len(findings) != len(tt.want) {
				t.Fatalf("%d findings, want %d:\n%s", len(findings), len(tt.want), show(findings))
			}
			for i, f := range findings {
				if got := strings.TrimSpace(show(findings[i:i+1])) + " fix: " + f.Fix; !strings.Contains(got, tt.want[i]) {
					t.Errorf("got  %s\nwant %s", got, tt.want[i])
				}
			}
		})
	}
}

// places are the rules and places of findings.
func places(findings []lint.Finding) (all []string) {
	for _, f := range findings {
		all = append(all, fmt.Sprintf("%d+%d %s %s", f.Line, f.Offset, f.Rule.ID, f.Pointer))
	}
	return all
}

// headed is a body behind its header.
func headed(body string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
}

const (
	aNote   = `{"jsonrpc":"2.0","method":"note"}`
	aCall   = `{"jsonrpc":"2.0","id":1,"method":"a"}`
	answer1 = `{"jsonrpc":"2.0","id":1,"result":1}`
	notNote = `{"jsonrpc":"1.0","method":"note"}`
)

// What stands between the bodies of the header framing is looked at too.
func TestHeaders(t *testing.T) {
	const logLine = "WARN: disk full\n"
	blamed(t, []fault{
		{"a log line glued to a body passes for a field", headed(aCall) + logLine + headed(answer1), "",
			[]string{`2+59: error: text after a message, where it passes for a header: "WARN: disk full" (glued-text) fix: log to stderr`}},
		{"and so does each of several", headed(aCall) + logLine + logLine + headed(answer1), "", []string{
			"(glued-text)", `2+75: error: text that passes for a header: "WARN: disk full" (stray-text) fix: log to stderr`}},
		{"before the first header too", "level: info\r\n" + headed(aNote), "framing=header", []string{`1+0: error: text that passes for a header: "level: info" (stray-text)`}},
		{"and in one that is there already", "Content-Length: 33\r\n" + logLine + "\r\n" + aNote, "", []string{`1+20: error: text that passes for a header`}},
		{"what is named like a field and ends like one was meant as one", "Content-Length: 33\r\nX-Trace: 7\r\n\r\n" + aNote, "",
			[]string{`1+20: warning: "X-Trace: 7": the base protocol has no such field (header-line)`}},
		{"Content-Type is one, in any case and order", "content-TYPE: application/vscode-jsonrpc\r\ncontent-length: 33\r\n\r\n" + aNote, "framing=header", nil},
		{"LF alone is told once", strings.ReplaceAll(headed(aNote)+headed(aNote), "\r\n", "\n"), "",
			[]string{"1+0: warning: a line of a header ends in LF alone, want CR LF; it is told once (header-line)"}},
		{"be it that of the empty line only", "Content-Length: 33\r\n\n" + aNote, "", []string{"1+20: warning: a line of a header ends in LF alone"}},
		{"a body that was printed with a newline", headed(aNote) + "\r\n" + headed(aNote) + "\n" + headed(aNote), "",
			[]string{"2+55: warning: an empty line before a header, and a header begins where the body before it ends; it is told once (header-line)"}},
		{"an empty line at the end is no fault of a header", headed(aNote) + "\n", "", nil},
		{"a mark at the start is no part of a name", "\xEF\xBB\xBF" + headed(aNote), "framing=header", []string{"(byte-order-mark)"}},
		{"text after the last message, of which the reader makes a header that is cut off", headed(aNote) + logLine, "", []string{"2+55: error: text after a message"}},
		{"text that swallows a header", headed(aNote) + "WARN: x " + headed(aNote), "", []string{
			"2+55: error: text after a message", "error: the header framing ends here: a header without Content-Length (wrong-framing) fix: log to stderr"}},
		{"a header that is cut off, though its lines end in LF", headed(aNote) + "Content-Length: 3\n", "", []string{
			"(header-line)", "2+55: error: the input ended inside a header (not-json)"}},
		{"a print that is no field ends the framing, and is a print", headed(aNote) + "oops here\n", "",
			[]string{"error: the header framing ends here: stray text \"oops here\" instead of a header; is something printing to stdout? (wrong-framing) fix: log to stderr"}},
		{"and so is one among values end to end", aNote + "oops\n", "framing=concat", []string{"(wrong-framing) fix: log to stderr"}},
		{"a body may hold what looks like a header", headed(`{"jsonrpc":"2.0",` + "\n\nX: 1\n" + `"method":"a"}`), "", []string{"not JSON"}},
	})
}

// Marks of another framing are told once, and what stands between them is read.
func TestForeignMarks(t *testing.T) {
	const banner, events = "Server starting\n", "event: message\r\ndata: " + aNote + "\r\n\r\n"
	const told = "Content-Length headers: the header framing is spoken here, in a stream that is read as lines (wrong-framing)"
	pretty := "{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"note\"\n}"
	hover := `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`
	blamed(t, []fault{
		{"a banner before LSP: the headers are meant", banner + headed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`) + headed(answer1), "dialect=lsp framing=lines",
			[]string{"1+0: error: text that is no JSON", "2+16: error: " + told + " fix: say --framing header, and print nothing to stdout"}},
		{"before MCP they are not", banner + headed(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`), "dialect=mcp framing=lines",
			[]string{"(stray-text)", told + " fix: write each message on a line of its own, without a header"}},
		{"where nobody knows, both are said", headed(aCall) + headed(answer1), "framing=lines",
			[]string{told + " fix: if the headers are meant, as in LSP, say --framing header"}},
		{"what a body says is told all the same, at its place", headed(aNote) + headed(notNote), "framing=lines",
			[]string{told, `5+88: error: jsonrpc is "1.0", want "2.0" (jsonrpc-wrong) /jsonrpc`}},
		{"and text behind one", headed(aNote) + "oops\n" + headed(aNote), "framing=lines", []string{told, `text after a message: "oops" (glued-text)`}},
		{"a body over several lines is fine there", headed(pretty) + headed(pretty), "framing=lines", []string{told}},
		{"who owes whom is known", banner + headed(hover) + headed(answer1) + headed(answer1), "dialect=lsp framing=lines",
			[]string{"(stray-text)", told, "8+205: error: the request of line 4 was answered before on line 6 (second-answer)", "(before-handshake)"}},
		{"a type before the length is a header as well", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + headed(aNote), "framing=lines", []string{told}},
		{"a sentence about lengths is no header", "Content-Length: not known yet\n" + aNote + "\n", "framing=lines", []string{"(stray-text)"}},
		{"an event stream is told once, at its first line", "event: message\r\nid: 7\r\n\r\ndata: " + aNote + "\r\n\r\n" + events + ": ping\r\n\r\n", "",
			[]string{"1+0: error: the fields of an event stream (SSE), as an HTTP server sends it: its messages stand behind data: (wrong-framing) fix: pass on what stands behind data:"}},
		{"or at the first data with a message", "data: " + aNote + "\n\ndata:" + aNote + "\n\n", "", []string{"1+0: error: the fields of an event stream (SSE)"}},
		{"the messages in it are read", events + "data: " + notNote + "\n\n", "", []string{"(SSE)", `4+76: error: jsonrpc is "1.0"`}},
		{"data of another kind is not", "event: endpoint\ndata: /messages?id=1\n\n" + events, "", []string{"(SSE)"}},
		{"a log line that looks like a field is one if no data follows", "event: started\nid: 7\n" + aNote + "\n", "", []string{`1+0: error: text that is no JSON: "event: started" (stray-text)`, `2+15: error: text that is no JSON: "id: 7"`}},
		{"be it at the end", aNote + "\nevent: stopped\n", "", []string{"(stray-text)"}},
		{"or one of many", strings.Repeat("event: x\n", 10), "", []string{"1+0", "2+9", "3+18", "4+27", "5+36", "6+45", "7+54", "8+63", "9+72", "10+81"}},
	})
}

// The text of a record, and what it is taken for.
func TestTexts(t *testing.T) {
	const cut = "{\n \"jsonrpc\":\"2.0\",\n \"method\":\"a\",\n \"params\":{\n"
	deep := `{"jsonrpc":"2.0","method":"a","params":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + "}\n"
	utf16 := func(s string) string { // little-endian
		return strings.Join(strings.Split(s, ""), "\x00") + "\x00"
	}
	utf32 := func(s string) string { return strings.Join(strings.Split(s, ""), "\x00\x00\x00") + "\x00\x00\x00" }
	blamed(t, []fault{
		{"a message that is too deep for anybody is that and nothing else, even alone", deep, "", []string{"1+10038: error: more than 10000 arrays and objects are open (deep-nesting) fix: send the value flat"}},
		{"and in any dialect", deep, "dialect=claude", []string{"(deep-nesting)"}},
		{"a value over lines that is cut off is one fault", cut, "", []string{"1+1: error: not JSON: the value that begins here goes on to line 4 and has no end; was it cut off? (not-json)"}},
		{"also where messages follow it", cut + aNote + "\n" + notNote + "\n", "", []string{"goes on to line 4", `6+92: error: jsonrpc is "1.0"`}},
		{"or stand in it", "[\n" + aNote + "\n,\n" + aNote + "\n,\n", "framing=lines", []string{"1+1: error: not JSON: the value that begins here goes on to line 5"}},
		{"be they over several lines", "[\n{\n\"jsonrpc\":\"2.0\",\"id\":1,\n\"method\":\"a\"\n}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}\n", "",
			[]string{"1+1: error: not JSON: the text ends too early", "2+2: error: message spans lines 2-5 (pretty-printed)"}},
		{"what is no message is a piece of it", "{\"a\":[\n{\"b\":1},\n{\"b\":2}\n", "dialect=jsonrpc", []string{"goes on to line 3"}},
		{"a blank line is no piece", "{\"a\":[\n\n" + aNote + "\n" + aNote + "\n", "", []string{"1+6: error: not JSON: the text ends too early"}},
		{"NULs are no UTF-16, however many", strings.Repeat("\x00", 100) + "\n" + aNote + "\n", "", []string{"1+0: error: 100 NUL bytes and nothing else (stray-text) fix: append to the file"}},
		{"nor are those before a message", strings.Repeat("\x00", 40) + aNote + "\n", "", []string{"1+0: error: 40 NUL bytes before a message (glued-text) fix: append to the file"}},
		{"UTF-32 is not UTF-16", utf32(aNote + "\n" + aNote + "\n"), "", []string{"1+0: error: not UTF-8: three of four bytes are NUL, the first at byte 1: this is UTF-32; later lines of it are not reported again (not-utf8)"}},
		{"nor with its mark", "\xFF\xFE\x00\x00" + utf32(aNote+"\n"), "", []string{"FF FE 00 00, the byte order mark of UTF-32"}},
		{"every line of UTF-16 comes from one cause, also one with letters of another kind", utf16(aNote+"\n") + "{\x00\"\x00" + strings.Repeat("\xe9\x5d", 20) + "\n\x00", "", []string{"this is UTF-16"}},
		{"what is bad in another way is told", utf16(aNote + "\n")[:68] + "\n" + "{\"a\":\"\xe9\"}\n", "", []string{"this is UTF-16", "byte E9 at byte 6"}},
		{"FF FE before text without NULs is no mark", "\xFF\xFE" + aNote + "\n", "", []string{"byte FF at byte 0"}},
		{"2^53 itself is read for its neighbour", `{"jsonrpc":"2.0","id":9007199254740992,"method":"a"}` + "\n", "", []string{"id 9007199254740992 is at or beyond 2^53, where integers are not exact in a float64", "never answered"}},
		{"-0 comes back as 0", `{"jsonrpc":"2.0","id":-0,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","id":-0,"result":1}` + "\n", "", []string{"id -0 comes back as 0 from JavaScript"}},
		{"null for params is what many write", `{"jsonrpc":"2.0","method":"a","params":null}` + "\n", "", []string{"1+39: warning: params is null"}},
	})
}

// Of each rule so many findings come, and then one that is as bad as the worst of the
// others.
func TestWorstOfTheRest(t *testing.T) {
	tests := []struct{ sentence, third, want string }{
		{"infos end in an info", `{"jsonrpc":"2.0","method":"note","x3":1}`, "3+0: info: and 1 more"},
		{"and with a warning among them in a warning", `{"jsonrpc":"2.0","method":"note","ID":1}`, "3+0: warning: and 1 more"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			l := lint.New(&lint.Options{MaxFindings: 2})
			for i, text := range []string{`{"jsonrpc":"2.0","method":"note","x1":1}`, `{"jsonrpc":"2.0","method":"note","x2":1}`, tt.third} {
				l.Record(recording.Record{Raw: []byte(text), Pos: frame.Pos{Record: int64(i + 1), Line: int64(i + 1)}})
			}
			if got := show(l.End()); !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %swant %s", got, tt.want)
			}
		})
	}
}

// Of more open requests than fit, the oldest are forgotten, and so it is said. Answers to
// them are no errors.
func TestForgotten(t *testing.T) {
	const fit, more = 65_536, 3
	l := lint.New(&lint.Options{MaxFindings: 1})
	n := int64(0)
	feed := func(text string) []lint.Finding {
		n++
		return l.Record(recording.Record{Raw: []byte(text), Pos: frame.Pos{Record: n, Line: n}})
	}
	for i := range fit + more {
		feed(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"a"}`, i))
	}
	if got, want := show(feed(`{"jsonrpc":"2.0","id":0,"result":1}`)), "65540+22: info: id 0 answers no request that is still known (answer-to-nothing) /id\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
	want := `4+0: info: call 3 (a) is never answered by the server, who is not in this recording (never-answered)
65540+0: info: and 65,535 more: a request that is never answered (never-answered)
65540+0: info: 3 requests did not fit: more are open than lint follows, and whether the oldest of them were answered is not known (never-answered)
`
	if diff := cmp.Diff(want, show(l.End())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

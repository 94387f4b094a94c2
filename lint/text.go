package lint

import (
	"bytes"
	"fmt"

	"github.com/parley-rpc/parley/frame"
)

// The rules about the text of a record. Of the first nine a refused record gets one, by
// [pass.badText] and [pass.skipped].
var textRules = []*Rule{
	notJSON, notUTF8, byteOrderMark, prettyPrinted, twoValues, strayText, gluedText, ansiEscapes,
	wrongFraming, headerLine, overLimit, duplicateMember, noNewline, lineSeparator, deepNesting, longRecord,
}

var notJSON = &Rule{
	ID: "not-json", Severity: Error, Title: "a record that is not JSON",
	Doc: sentence(
		"The record begins like a message and is none: a comma too many, single quotes, NaN, a control character inside a",
		"string, or its end is missing. A peer answers -32700 with id null or drops it, so that whoever sent it as a call",
		"waits for ever. Some readers even end the connection."),
	Fix:    "write messages with a JSON library, and each whole, in one write",
	Source: "JSON-RPC 2.0, section 5.1; RFC 8259",
}

var notUTF8 = &Rule{
	ID: "not-utf8", Severity: Error, Title: "bytes that are not UTF-8",
	Doc: sentence(
		"JSON between programs is UTF-8. Other bytes come from a console with a legacy code page, from a shell that writes",
		"UTF-16 when it redirects, or from a character that was cut in two. Strict readers refuse the record or end;",
		"lenient ones put U+FFFD in place of the text, and nobody notices."),
	Fix: "make the program write UTF-8: PYTHONUTF8=1 or PYTHONIOENCODING=utf-8 in its environment, chcp 65001 in its " +
		"console, $OutputEncoding in PowerShell",
	Source: "RFC 8259, section 8.1; NDJSON 1.0.0; MCP and ACP, stdio",
}

var byteOrderMark = &Rule{
	ID: "byte-order-mark", Severity: Warning, Title: "a byte order mark before a message",
	Doc: sentence(
		"Programs on Windows put EF BB BF in front of what they write. parley drops it at the very start of a stream, and",
		"many readers do not: to them the first message, most often the handshake, is not JSON. In the middle of a stream",
		"it is an error, since there nobody drops it."),
	Fix:    `write UTF-8 without a mark: in .NET new UTF8Encoding(false), in Python encoding="utf-8" and not "utf-8-sig"`,
	Source: "RFC 8259, section 8.1",
}

var prettyPrinted = &Rule{
	ID: "pretty-printed", Severity: Error, Title: "a message over several lines",
	Doc: sentence(
		"In a stream of lines a message must not hold a line feed, though JSON allows one between its tokens. A reader takes",
		"each line for a message of its own and refuses every one. The whole value is reported once."),
	Fix:    "print without indentation; parley convert turns what there is into lines",
	Source: "NDJSON 1.0.0; MCP and ACP, stdio",
}

var twoValues = &Rule{
	ID: "two-values", Severity: Error, Title: "several values on one line",
	Doc: sentence(
		"Two messages stand end to end without a line feed between them. Readers refuse both, or take the first and drop the",
		"rest. If the stream is meant to have no line feeds at all, its framing is concat."),
	Fix:    "end each message with a line feed; if values stand end to end on purpose, say --framing concat",
	Source: "NDJSON 1.0.0",
}

var strayText = &Rule{
	ID: "stray-text", Severity: Error, Title: "text that is no JSON at all",
	Doc: sentence(
		"A banner, a log line or a print that was left in the code goes to the stream that carries the messages. Some hosts",
		"skip such lines, others show an error or drop the connection, so that the server fails on some machines only."),
	Fix:    "log to stderr; in a parley server stdio.Claim keeps prints away from the stream",
	Source: "MCP, stdio: a server must not write anything to stdout that is no message",
}

var gluedText = &Rule{
	ID: "glued-text", Severity: Error, Title: "text before or after a message",
	Doc: sentence(
		"The line holds a message and something else: a log prefix, a prompt, a print without a newline that the next",
		"message was written behind. The message is refused with it."),
	Fix:    "log to stderr, and write each message and its line feed in one write",
	Source: "NDJSON 1.0.0; MCP, stdio",
}

var ansiEscapes = &Rule{
	ID: "ansi-escapes", Severity: Error, Title: "colours of a terminal among the messages",
	Doc: sentence(
		"The line has ANSI escapes, so that it is the output of a logger or a progress bar that takes stdout for a terminal."),
	Fix:    "send the log to stderr, and set NO_COLOR=1 in the environment of the program",
	Source: "MCP, stdio: a server must not write anything to stdout that is no message",
}

var wrongFraming = &Rule{
	ID: "wrong-framing", Severity: Error, Title: "the marks of another framing",
	Doc: sentence(
		"The records are marked in another way than the reader expects: Content-Length headers or the fields of an event",
		"stream (SSE) among lines, or lines where a header should be. It is reported once. From then on the marks are taken",
		"off, and what stands between them is read."),
	Fix:    "LSP frames by headers; MCP, ACP, Codex and Claude by lines; --framing names the one that is there",
	Source: "LSP, base protocol; MCP and ACP, stdio",
}

var headerLine = &Rule{
	ID: "header-line", Severity: Warning, Title: "a header that is not as the base protocol has it",
	Doc: sentence(
		"Content-Length and Content-Type are the fields that there are, each ends in CR LF, as does the empty line behind",
		"them, and nothing stands between a body and the next header. Readers that take less than that wait for ever, or",
		"lose the header. A field of another name that looks like the output of a logger is glued-text or stray-text. Lines",
		"that end in LF alone are reported once, and so are empty lines before a header."),
	Fix:    `write "Content-Length: N\r\n\r\n" and then the N bytes of the body, in one write and without translating newlines`,
	Source: "LSP, base protocol, header part",
}

var overLimit = &Rule{
	ID: "over-limit", Severity: Error, Title: "a record over the limit",
	Doc:    "The record is longer than --limit and was passed over, so that nothing in it was looked at.",
	Fix:    "send less at a time, or raise --limit",
	Source: "parley, docs/limits.md",
}

var duplicateMember = &Rule{
	ID: "duplicate-member", Severity: Error, Title: "an object with a name twice",
	Doc: sentence(
		"Which of the two values counts differs between libraries: most take the last, some the first, strict ones refuse.",
		"A proxy that checks one and a server that runs the other is how requests are smuggled. Names inside params and",
		"results are looked at too."),
	Fix:    "write each name once",
	Source: "RFC 7493, section 2.3; RFC 8259, section 4",
	record: func(p *pass) {
		if !p.twice {
			return
		}
		if at, pointer, ok := repeated(p.text); ok {
			p.report(at, pointer, "the name "+quoted(lastToken(pointer))+" stands in its object twice")
		}
	},
}

var noNewline = &Rule{
	ID: "no-final-newline", Severity: Warning, Title: "no newline at the end",
	Doc: sentence(
		"The last line does not end in a line feed. Readers that wait for one never see it, and a reader cannot know that",
		"it is whole."),
	Fix:    "end every message with a line feed, the last one too",
	Source: "NDJSON 1.0.0",
	end: func(p *pass) {
		in := p.input
		if in == nil || in.size == 0 || in.last == '\n' || p.transcript || p.framing.String() != frame.Lines.String() || p.bad || p.marks != ownMarks {
			return
		}
		p.place.offset = in.size
		p.report(0, "", "no newline at end")
	},
}

var lineSeparator = &Rule{
	ID: "line-separator", Severity: Info, Title: "a line separator in a string that is not escaped",
	Doc: sentence(
		"U+2028 and U+2029 may stand in a JSON string as they are. Some readers end a line there (Python's splitlines,",
		"JavaScript's readline), and the message is lost."),
	Fix:    `escape them as \u2028 and \u2029`,
	Source: "RFC 8259, section 7, allows them; NDJSON 1.0.0 has LF only",
	record: func(p *pass) {
		// E2 80 begins many marks of punctuation, and A8 and A9 behind it these two.
		for at := 0; ; at++ {
			n := bytes.Index(p.text[at:], []byte("\xE2\x80"))
			if n < 0 {
				return
			}
			if at += n; at+2 < len(p.text) && (p.text[at+2] == 0xA8 || p.text[at+2] == 0xA9) {
				p.report(at, pointerAt(p.text, at), fmt.Sprintf("U+20%X stands in a string unescaped", p.text[at+2]-0x80))
				return
			}
		}
	},
}

// mostDeep is how deep a message may nest before that is reported. Bounds of parsers
// begin there: 128 in Rust's serde_json; parley's own is 10,000.
const mostDeep = 128

var deepNesting = &Rule{
	ID: "deep-nesting", Severity: Warning, Title: "a message that nests deeply",
	Doc: sentence(
		"More than 128 arrays and objects are open at once. serde_json, which Codex and other peers in Rust read with,",
		"refuses that; parsers that call themselves may overflow their stack. Beyond 10,000, parley refuses it as well,",
		"and it is an error."),
	Fix:    "send the value flat, or as text inside a string",
	Source: "RFC 8259, section 9",
	record: func(p *pass) {
		if p.deepest > mostDeep {
			at := tooDeep(p.text, mostDeep)
			p.report(at, "", fmt.Sprintf("%s arrays and objects are open at once", thousands(int64(p.deepest))))
		}
	},
}

// peerLimits are how long a line common peers read, the longest first.
var peerLimits = []struct {
	bytes int
	text  string
	peers string
}{
	{10 << 20, "10 MiB", "the MCP SDK for TypeScript closes the connection"},
	{1 << 20, "1 MiB", "the Claude Agent SDK for Python refuses it by default"},
	{64 << 10, "64 KiB", "Go's bufio.Scanner and Python's asyncio streams stop there by default"},
}

var longRecord = &Rule{
	ID: "long-record", Severity: Info, Title: "a record beyond the limit of common peers",
	Doc: sentence(
		"Some peers read lines of 64 KiB (Go's bufio.Scanner, Python's asyncio streams), of 1 MiB (the Claude Agent SDK for",
		"Python) or of 10 MiB (the MCP SDK for TypeScript) at most, unless somebody set another limit. The first record",
		"beyond each of these is reported."),
	Fix:    "send less at a time, or make sure that the other side has raised its limit",
	Source: "the documentation of these peers",
	record: func(p *pass) {
		if len(p.text) <= peerLimits[len(peerLimits)-1].bytes {
			return
		}
		for i, limit := range peerLimits {
			if len(p.text) <= limit.bytes {
				continue
			}
			if p.first("long" + limit.text) {
				p.report(0, "", fmt.Sprintf("%s bytes, more than %s: %s", thousands(int64(len(p.text))), limit.text, limit.peers))
			}
			for _, lower := range peerLimits[i+1:] { // said with the higher one
				p.first("long" + lower.text)
			}
			return
		}
	},
}

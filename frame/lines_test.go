package frame

import (
	"strings"
	"testing"
)

func TestLinesRead(t *testing.T) {
	testRead(t, Lines, []readCase{
		{"LF ends a line and is no part of it", "a\nb\n",
			[]outcome{rec("a", 1, 1, 0), rec("b", 2, 2, 2), eof(2, 2, 2)}},
		{"a last line without LF counts (circonus-labs/nad#23)", "a\nb",
			[]outcome{rec("a", 1, 1, 0), rec("b", 2, 2, 2), eof(2, 2, 2)}},
		{"one CR before LF is dropped (modelcontextprotocol/go-sdk#665)", "a\r\nb\r\r\n\r\n",
			[]outcome{rec("a", 1, 1, 0), rec("b\r", 2, 2, 3), eof(2, 2, 3)}},
		{"a CR that no LF follows stays", "a\rb\nc\r",
			[]outcome{rec("a\rb", 1, 1, 0), rec("c\r", 2, 2, 4), eof(2, 2, 4)}},
		{"VT, FF, RS and the Unicode line ends are text (openai/codex#33617)", "a\v\f\x1e\u0085\u2028\u2029b\n",
			[]outcome{rec("a\v\f\x1e\u0085\u2028\u2029b", 1, 1, 0), eof(1, 1, 0)}},
		{"blank lines are passed over but counted (agentclientprotocol/python-sdk#87)", "\n   \na\n\r\n\t\nb\n\n \r",
			[]outcome{rec("a", 1, 3, 5), rec("b", 2, 6, 11), eof(2, 6, 11)}},
		{"white space around a record stays", "  a\t \n",
			[]outcome{rec("  a\t ", 1, 1, 0), eof(1, 1, 0)}},
		{"a byte order mark is dropped at the start alone (modelcontextprotocol/kotlin-sdk#956)", "\uFEFFa\n\uFEFFb\n",
			[]outcome{rec("a", 1, 1, 3), rec("\uFEFFb", 2, 2, 5), eof(2, 2, 5)}},
		{"half a byte order mark is text", "\xEF\xBBa\n",
			[]outcome{rec("\xEF\xBBa", 1, 1, 0), eof(1, 1, 0)}},
		{"half a byte order mark is text even where the input ends", "\xEF\xBB",
			[]outcome{rec("\xEF\xBB", 1, 1, 0), eof(1, 1, 0)}},
		{"bytes that are not UTF-8 are delivered (modelcontextprotocol/python-sdk#2302)", "\xff\xfe\nok\n",
			[]outcome{rec("\xff\xfe", 1, 1, 0), rec("ok", 2, 2, 3), eof(2, 2, 3)}},
		{"a character in three reads stays whole (anthropics/claude-code)", "[\"汉字 – ok\"]\n",
			[]outcome{rec("[\"汉字 – ok\"]", 1, 1, 0), eof(1, 1, 0)}},
		{"a line of 70 kB is one record (mark3labs/mcp-go#588)", object(70_000) + "\n{}\n",
			[]outcome{rec(object(70_000), 1, 1, 0), rec("{}", 2, 2, 70_001), eof(2, 2, 70_001)}},
	})
}

func TestLinesOverTheLimit(t *testing.T) {
	long := strings.Repeat("x", 5000)
	testRead(t, Lines.Limit(1000), []readCase{
		{"a long line costs one line (rust-mcp-stack/rust-mcp-sdk#151)", "a\n" + long + "\nb\n",
			[]outcome{rec("a", 1, 1, 0), skip(ErrTooLong, long, 2, 2, 2), rec("b", 3, 3, 5003), eof(3, 3, 5003)}},
		{"the CR of a long line is not counted", long + "\r\nb\r\n",
			[]outcome{skip(ErrTooLong, long, 1, 1, 0), rec("b", 2, 2, 5002), eof(2, 2, 5002)}},
		{"a line that fits without its CR fits", long[:1000] + "\r\n",
			[]outcome{rec(long[:1000], 1, 1, 0), eof(1, 1, 0)}},
		{"of two CR one counts", long[:1000] + "\r\r\n",
			[]outcome{skip(ErrTooLong, long[:1000]+"\r", 1, 1, 0), eof(1, 1, 0)}},
		{"a byte order mark does not count", "\uFEFF" + long[:1000] + "\n",
			[]outcome{rec(long[:1000], 1, 1, 3), eof(1, 1, 3)}},
		{"a long last line without LF is reported", long,
			[]outcome{skip(ErrTooLong, long, 1, 1, 0), eof(1, 1, 0)}},
		{"a blank line is passed over at any length", strings.Repeat(" ", 200_000) + "\r\nb\n",
			[]outcome{rec("b", 1, 2, 200_002), eof(1, 2, 200_002)}},
	})
}

// Under a limit of more than the head, the CR is the one byte over the limit that
// must be held until the LF tells what it is.
func TestLinesCRBehindARecordAtTheLimit(t *testing.T) {
	text := strings.Repeat("x", 2*HeadSize)
	testRead(t, Lines.Limit(2*HeadSize), []readCase{
		{"a CR that is part of the boundary does not count", text + "\r\n" + text + "\r\n",
			[]outcome{rec(text, 1, 1, 0), rec(text, 2, 2, 2*HeadSize+2), eof(2, 2, 2*HeadSize+2)}},
	})
}

func TestLinesAppend(t *testing.T) {
	for _, c := range []struct{ rec, want string }{
		{"a", "a\n"},
		{"a\r", "a\r\r\n"}, // so that reading gives one CR back
		{"a\rb", "a\rb\n"},
		{" a", " a\n"},
		{"\u2028", "\u2028\n"},
		{"a\uFEFF", "a\uFEFF\n"},
	} {
		if got := appended(t, Lines, c.rec); got != c.want {
			t.Errorf("Append(%q) = %q, want %q", c.rec, got, c.want)
		}
	}
	testRefuse(t, Lines, []refusal{
		{"a record with LF would be two", "a\nb", ErrNewline, 1},
		{"a record that ends in LF would lose it", "a\n", ErrNewline, 1},
		{"an empty record would not arrive", "", ErrBlank, 0},
		{"a blank record would not arrive", " \t\r", ErrBlank, 0},
		{"a byte order mark would not arrive", "\uFEFFa", ErrBOM, 0},
	})
}

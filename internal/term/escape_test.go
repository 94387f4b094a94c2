package term_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/internal/term"
)

func TestEscape(t *testing.T) {
	tests := []struct{ sentence, in, line, text string }{
		{"plain text stays", `{"a": 1}`, `{"a": 1}`, `{"a": 1}`},
		{"letters of any script stay", "列出 größer", "列出 größer", "列出 größer"},
		{"the joiner of an emoji stays", "👩\u200d💻", "👩\u200d💻", "👩\u200d💻"},
		{"a colour cannot be set", "\x1b[31mred", `\u001b[31mred`, `\u001b[31mred`},
		{"C1 has an escape of its own", "\u009b31m", `\u009b31m`, `\u009b31m`},
		{"DEL and NUL are controls", "\x7f\x00", `\u007f\u0000`, `\u007f\u0000`},
		{"a line stays one", "a\nb\tc", `a\nb\tc`, "a\nb\tc"},
		{"CRLF ends a line of a text", "a\r\nb", `a\r\nb`, "a\r\nb"},
		{"CR alone would overwrite the line", "good\rbad", `good\rbad`, `good\rbad`},
		{"the reading direction cannot be turned", "a\u202eb\u2066c", `a\u202eb\u2066c`, `a\u202eb\u2066c`},
		{"what breaks lines elsewhere", "a\u2028b\u0085", `a\u2028b\u0085`, `a\u2028b\u0085`},
		{"what has no shape is seen", "a\u200bb\ufeff", `a\u200bb\ufeff`, `a\u200bb\ufeff`},
		{"tags beyond the BMP become a pair", "a\U000E0041", `a\udb40\udc41`, `a\udb40\udc41`},
		{"bytes that are no UTF-8", "a\xffb\xc3", `a\xffb\xc3`, `a\xffb\xc3`},
		{"U+FFFD itself is a character", "a\ufffd", "a\ufffd", "a\ufffd"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if diff := cmp.Diff(tt.line, term.Escape(tt.in)); diff != "" {
				t.Errorf("Escape (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.text, term.EscapeText(tt.in)); diff != "" {
				t.Errorf("EscapeText (-want +got):\n%s", diff)
			}
		})
	}
}

// A terminal gets nothing to obey, whatever comes, and JSON that is escaped says what
// it said before.
func FuzzEscape(f *testing.F) {
	for _, seed := range []string{"", "\x1b[2J", "\"\u202e\u009b\"", "\xf0\x9f", "a\r\n\tb", `{"a":"` + "\U000E0041" + `"}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := term.Escape(s)
		if strings.ContainsAny(line, "\n\r\t\x1b\x7f\u009b\u202e") || !utf8.ValidString(line) {
			t.Errorf("Escape(%q) = %q", s, line)
		}
		if again := term.Escape(line); again != line {
			t.Errorf("Escape changes its own result: %q, then %q", line, again)
		}
		var before, after any
		if utf8.ValidString(s) && !strings.Contains(s, "\r") && json.Unmarshal([]byte(s), &before) == nil {
			if err := json.Unmarshal([]byte(term.EscapeText(s)), &after); err != nil {
				t.Errorf("EscapeText(%q) is no JSON any more: %v", s, err)
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("EscapeText(%q) says something else (-before +after):\n%s", s, diff)
			}
		}
	})
}

// However a text is cut into writes, what comes out is what would come out of one.
func TestWriterInPieces(t *testing.T) {
	const in = "größer 👩\u200d💻\r\nwait\r\x1b[31m\U000E0041\n"
	var out strings.Builder
	if _, err := io.Copy(term.NewWriter(&out), iotest.OneByteReader(strings.NewReader(in))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(term.EscapeText(in), out.String()); diff != "" {
		t.Errorf("byte by byte (-want +got):\n%s", diff)
	}
}

package term

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape returns s on one line, with everything escaped that a terminal could obey,
// or that could make the text look like another one: controls, line breaks, marks
// that turn the reading direction, characters without a shape. They are escaped as
// in a JSON string (\u001b, \n), so that the strings in JSON text say what they
// said. Bytes that are not UTF-8 become \xNN.
//
// The joiners U+200C and U+200D stay: Persian and many emoji cannot be written
// without them.
func Escape(s string) string { return escape(s, unsafeInLine) }

// EscapeText is Escape for text of many lines: LF and tab stay, and so does a CR
// before LF. JSON text in which no CR stands alone stays JSON.
func EscapeText(s string) string { return escape(s, unsafeInText) }

// unsafeInLine reports whether r may not be shown as it is.
func unsafeInLine(r rune, _ string) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7F
	case r == '\u200C' || r == '\u200D':
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// unsafeInText is unsafeInLine where rest, the text from r on, may have lines.
func unsafeInText(r rune, rest string) bool {
	if r == '\n' || r == '\t' || strings.HasPrefix(rest, "\r\n") {
		return false
	}
	return unsafeInLine(r, rest)
}

func escape(s string, unsafe func(r rune, rest string) bool) string {
	var out strings.Builder
	done := 0 // s[:done] is in out
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if broken := r == utf8.RuneError && size == 1; broken || unsafe(r, s[i:]) {
			out.WriteString(s[done:i])
			done = i + size
			if broken {
				r = -1
			}
			out.WriteString(escapeOf(r, s[i]))
		}
		i += size
	}
	if done == 0 {
		return s
	}
	return out.String() + s[done:]
}

// escapeOf is what stands for r, or for the byte b if that is no character.
func escapeOf(r rune, b byte) string {
	switch {
	case r < 0:
		return `\x` + hex(uint64(b), 2)
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r > 0xFFFF: // a surrogate pair, as JSON has no other way
		r -= 0x10000
		return `\u` + hex(uint64(0xD800+r>>10), 4) + `\u` + hex(uint64(0xDC00+r&0x3FF), 4)
	}
	return `\u` + hex(uint64(r), 4)
}

func hex(n uint64, digits int) string {
	text := strconv.FormatUint(n, 16)
	return strings.Repeat("0", max(0, digits-len(text))) + text
}

// NewWriter returns a writer that passes on to w what is written to it, escaped as
// by [EscapeText]. A character that comes in pieces is held back until it is whole.
// It is for one goroutine at a time.
func NewWriter(w io.Writer) io.Writer { return &writer{to: w} }

type writer struct {
	to   io.Writer
	held []byte // the first bytes of a character, or a CR
}

// Write reports all of p as written unless the writer below fails.
func (w *writer) Write(p []byte) (int, error) {
	text := slices.Concat(w.held, p)
	whole := len(text) - unfinished(text)
	w.held = text[whole:]
	if _, err := io.WriteString(w.to, EscapeText(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfinished returns how many bytes at the end of text may belong to something that
// has not come yet.
func unfinished(text []byte) int {
	for n := 1; n <= min(len(text), utf8.UTFMax-1); n++ {
		tail := text[len(text)-n:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) || string(tail) == "\r" {
				return n
			}
			return 0
		}
	}
	return 0
}

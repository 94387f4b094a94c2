package jsonx

import "bytes"

// A span is a stretch of text, from its first byte to the one after its last.
type span struct{ from, to int }

// breaks are the characters that Unicode counts as the end of a line, and JSON does not
// (RFC 8259, section 7). Each can stand only inside a string.
var breaks = [...]struct{ char, escape string }{
	{"\u0085", `\u0085`},
	{"\u2028", `\u2028`},
	{"\u2029", `\u2029`},
}

// nextBreak returns the offset of a line break in text, -1 if there is none. It costs
// next to nothing on ASCII.
func nextBreak(text []byte) int {
	next := -1
	for _, b := range breaks {
		if i := bytes.Index(text, []byte(b.char)); i >= 0 && (next < 0 || i < next) {
			next = i
		}
	}
	return next
}

// escapeBreaks returns text with the line breaks outside the kept spans as escapes. The
// spans are in order. It may return text itself; it never writes to it.
func escapeBreaks(text []byte, kept []span) []byte {
	if nextBreak(text) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+len(text)/8)
	at := 0
	for _, k := range kept {
		out = appendEscaped(out, text[at:k.from])
		out = append(out, text[k.from:k.to]...)
		at = k.to
	}
	return appendEscaped(out, text[at:])
}

// appendEscaped appends text with all its line breaks as escapes.
func appendEscaped(dst, text []byte) []byte {
	for len(text) > 0 {
		if text[0] == 0xC2 || text[0] == 0xE2 { // the first byte of all three
			if esc, n := breakAt(text); n > 0 {
				dst = append(dst, esc...)
				text = text[n:]
				continue
			}
		}
		dst = append(dst, text[0])
		text = text[1:]
	}
	return dst
}

// breakAt returns the escape and the length in bytes of the line break that text begins
// with.
func breakAt(text []byte) (escape string, n int) {
	for _, b := range breaks {
		if len(text) >= len(b.char) && string(text[:len(b.char)]) == b.char {
			return b.escape, len(b.char)
		}
	}
	return "", 0
}

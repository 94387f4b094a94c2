package main

import (
	"bufio"
	"bytes"

	"github.com/parley-rpc/parley/frame"
)

// sniffRoom is how many bytes of white space may stand before the first record for its
// framing to be found; after more, the framing is lines.
const sniffRoom = 4 << 10

// sniff tells the framing of r by its first bytes, without taking any: RS begins an
// element of a JSON text sequence (RFC 7464, section 2.2), "Content-" a header (LSP,
// "Base Protocol"), anything else a line. It looks no further than it has to, so that
// whoever writes one byte and waits is not kept waiting. An input that ends or breaks
// is lines too: whoever reads next meets the same end.
func sniff(r *bufio.Reader) frame.Framing {
	const field = "content-"
	for n := 1; n <= sniffRoom; n++ {
		head, err := r.Peek(n)
		start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
		switch {
		case len(start) > 0 && start[0] == 0x1E:
			return frame.Seq
		case len(start) == len(field) && bytes.EqualFold(start, []byte(field)):
			return frame.Header
		case len(start) > 0 && !isPrefixFold(field, start) && !isPrefixFold("\xEF\xBB\xBF", head), err != nil:
			return frame.Lines
		}
	}
	return frame.Lines
}

// isPrefixFold reports whether text begins with prefix, in whatever case.
func isPrefixFold(text string, prefix []byte) bool {
	return len(prefix) <= len(text) && bytes.EqualFold([]byte(text[:len(prefix)]), prefix)
}

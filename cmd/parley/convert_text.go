package main

import (
	"bytes"
	"io"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// encodings are the values of --from-encoding. JSON is UTF-8 (RFC 8259, section 8.1),
// which needs no decoder; the others are what shells and editors of some systems write
// when nobody tells them.
var encodings = map[string]encoding.Encoding{
	// PowerShell redirects into UTF-16, with a mark that tells the byte order. A text
	// without one is of the order that nearly all machines have.
	"utf-16":       unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	"utf-16le":     unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	"utf-16be":     unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"gbk":          simplifiedchinese.GBK,
	"windows-1252": charmap.Windows1252,
}

// encodingNames are in the order of help, the default first.
var encodingNames = []string{"utf-8", "utf-16", "utf-16le", "utf-16be", "gbk", "windows-1252"}

// decoded returns in as UTF-8.
func decoded(name string, in io.Reader) io.Reader {
	e, ok := encodings[name]
	if !ok {
		return in
	}
	return transform.NewReader(in, e.NewDecoder())
}

// lostIn returns the offset of the first U+FFFD in a text that was decoded, -1 if there
// is none. A decoder writes it for what it cannot read. One that was in the input
// already is no better: somebody before us could not read what stood there.
func lostIn(name string, text []byte) int {
	if encodings[name] == nil {
		return -1
	}
	return bytes.Index(text, []byte("\uFFFD"))
}

package lint

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
)

// However the bytes come, a margin finds the same lines, and none inside a body that the
// framing reads.
func FuzzMargin(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}WARN: x\nContent-Length: 2\n\n{}\n"), uint8(3))
	f.Add([]byte("\xEF\xBB\xBFa: b\r\ncontent-length:3\r\nX-Y: z\r\n\r\n:\n:\r\n\r\nContent-Length: 0\r\n\r\n"), uint8(1))
	f.Add([]byte("\n\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n1oops"), uint8(7))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		whole, pieces := newMargin(), newMargin()
		whole.feed(text)
		for rest := text; len(rest) > 0; {
			n := min(int(size)+1, len(rest))
			pieces.feed(rest[:n])
			rest = rest[n:]
		}
		if diff := cmp.Diff(whole.odd, pieces.odd, cmp.AllowUnexported(oddLine{}), cmp.Comparer(func(a, b *Rule) bool { return a == b })); diff != "" {
			t.Errorf("at once, and in pieces (-at once +pieces):\n%s", diff)
		}
		r := frame.NewReader(bytes.NewReader(text))
		for {
			body, err := frame.Header.Read(r)
			if err != nil {
				break
			}
			from := r.Pos().Offset
			for _, o := range whole.odd {
				if from <= o.offset && o.offset < from+int64(len(body)) {
					t.Errorf("%q at %d is a part of the body at %d", o.text, o.offset, from)
				}
			}
		}
	})
}

// The NULs of wide text say what it is; NULs without text between them say nothing.
func TestWide(t *testing.T) {
	const text = `{"jsonrpc":"2.0","method":"note"}`
	spread := func(before, behind int) (out []byte) {
		for _, c := range []byte(text) {
			out = append(out, make([]byte, before)...)
			out = append(out, c)
			out = append(out, make([]byte, behind)...)
		}
		return out
	}
	tests := []struct {
		sentence string
		text     []byte
		want     string
	}{
		{"little-endian UTF-16", spread(0, 1), "UTF-16"},
		{"big-endian UTF-16", spread(1, 0), "UTF-16"},
		{"little-endian UTF-32", spread(0, 3), "UTF-32"},
		{"big-endian UTF-32", spread(3, 0), "UTF-32"},
		{"a line that begins behind the first byte of a line feed", append([]byte{0}, spread(0, 1)...), "UTF-16"},
		{"or behind that of UTF-32", append([]byte{0, 0, 0}, spread(0, 3)...), "UTF-32"},
		{"the mark of UTF-32 begins like that of UTF-16", []byte("\xFF\xFE\x00\x00"), "UTF-32"},
		{"a mark alone", []byte("\xFE\xFF"), "UTF-16"},
		{"text", []byte(text), ""},
		{"nothing but NULs", make([]byte, 64), ""},
		{"NULs before text", append(make([]byte, 30), text...), ""},
		{"a NUL here and there", []byte("a\x00bcd\x00ef"), ""},
		{"two NULs in a row", bytes.Repeat([]byte("ab\x00\x00"), 16), ""},
		{"nothing", nil, ""},
	}
	for _, tt := range tests {
		if got, sign := wide(tt.text); got != tt.want || (got != "") != (sign != "") {
			t.Errorf("%s: %q by %q, want %q", tt.sentence, got, sign, tt.want)
		}
	}
}

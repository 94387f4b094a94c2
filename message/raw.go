package message

import (
	"bytes"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// A DecodeError is the error of [Raw.Decode] and [Encode]. It has the place in the
// value, as a JSON pointer and as an offset, and the reason.
type DecodeError = jsonx.Error

// Raw is JSON text, kept byte for byte: no digit, escape, order or white space of it
// changes on the way from Parse to Append. No text at all means that the value is
// absent, which is not the same as null.
//
// As a field of another value, Raw takes and gives its text verbatim, save that the
// white space between its tokens is dropped when that value is encoded. Use the tag
// omitzero to leave an absent one out.
type Raw []byte

// null is the JSON text of nothing.
var null = Raw("null")

// IsZero reports whether the value is absent.
func (r Raw) IsZero() bool { return len(r) == 0 }

// String returns the text as it is.
func (r Raw) String() string { return string(r) }

// MarshalJSON returns the text, and null for an absent value.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r.IsZero() {
		return null, nil
	}
	return r, nil
}

// UnmarshalJSON copies the text.
func (r *Raw) UnmarshalJSON(text []byte) error {
	*r = append((*r)[:0:0], text...)
	return nil
}

// Decode reads the value into v, a pointer. Member names match exactly, members without
// a field are ignored, a member given twice is an error, and a lone surrogate becomes
// U+FFFD. A [*Raw] receives a copy of the text. The error is a [*DecodeError] and says
// where ("/a/0: want an integer, got a string"). An absent value leaves v as it is.
func (r Raw) Decode(v any) error {
	if r.IsZero() {
		return nil
	}
	if raw, ok := v.(*Raw); ok && raw != nil {
		return raw.UnmarshalJSON(r)
	}
	return jsonx.Unmarshal(r, v)
}

// Encode returns the JSON text of v: UTF-8 on one line, without HTML escaping. Only
// U+0085, U+2028 and U+2029 are escaped beyond what JSON asks for, since some line
// readers break there. Bytes of a Go string that are not UTF-8 become U+FFFD, maps are
// written in the order of their keys, and nil is null.
//
// A Raw or a *Raw is returned as it is, unchecked and not copied; an absent one is
// null. A Raw inside v is checked and keeps its tokens.
func Encode(v any) (Raw, error) {
	switch r := v.(type) {
	case nil:
		return bytes.Clone(null), nil
	case *Raw:
		if r == nil {
			return bytes.Clone(null), nil
		}
		return Encode(*r)
	case Raw:
		if r.IsZero() {
			return bytes.Clone(null), nil
		}
		return r, nil
	}
	text, err := jsonx.MarshalKeeping[Raw](v)
	return Raw(text), err
}

// OneLine appends record to dst, with each LF and CR outside a string turned into a
// space. JSON means the same afterwards. A relay does this before it writes a record
// that came in another framing as a line: without it one record could carry two into
// the lines. A string cannot hold either character (RFC 8259, section 7); in a record
// that is not JSON they may stay, and frame.Lines refuses it.
func OneLine(dst, record []byte) []byte {
	from := len(dst)
	dst = append(dst, record...)
	out := dst[from:]
	if bytes.IndexByte(out, '\n') < 0 && bytes.IndexByte(out, '\r') < 0 {
		return dst
	}
	quoted := false
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++ // whatever is escaped, it does not end the string
		case !quoted && (c == '\n' || c == '\r'):
			out[i] = ' '
		}
	}
	return dst
}

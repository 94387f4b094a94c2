package jsonx

import (
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encoding holds the options of every Marshal. Duplicate names and invalid UTF-8 are
// let through because they can only stand in JSON text of others that is passed on; Go
// strings come out clean either way.
var encoding = json.JoinOptions(
	json.Deterministic(true),
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
	jsontext.PreserveRawStrings(true),
)

// decoding holds the options of every Unmarshal. The library counts lone surrogates as
// invalid UTF-8.
var decoding = jsontext.AllowInvalidUTF8(true)

// Marshal returns the JSON text of v on one line. The error is an [*Error].
func Marshal(v any) ([]byte, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, err
	}
	return escapeBreaks(text, nil), nil
}

// MarshalKeeping is Marshal for values that may hold JSON text of type R. Marshal would
// escape the three line breaks in that text too; here it keeps them, as the text of
// somebody else.
func MarshalKeeping[R ~[]byte](v any) ([]byte, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, err
	}
	if nextBreak(text) < 0 {
		return text, nil
	}
	// Only now does it matter which parts of the text are an R. Line breaks of this
	// kind are rare enough to encode such a value a second time, and take notes.
	var kept []span
	// The offsets are those of the output so far; the first may lie before a comma or a
	// colon, which does no harm.
	note := json.MarshalToFunc(func(enc *jsontext.Encoder, r R) error {
		if len(r) == 0 {
			return enc.WriteToken(jsontext.Null)
		}
		from := enc.OutputOffset()
		if err := enc.WriteValue(jsontext.Value(r)); err != nil {
			return err
		}
		kept = append(kept, span{int(from), int(enc.OutputOffset())})
		return nil
	})
	text, err = json.Marshal(v, encoding, json.WithMarshalers(json.JoinMarshalers(note, numberMarshalers)))
	if err != nil {
		return nil, wrap(err)
	}
	return escapeBreaks(text, kept), nil
}

// marshal is Marshal with the line breaks still in the text.
func marshal(v any) ([]byte, error) {
	options := encoding
	if v != nil && reach(reflect.TypeOf(v)).byInterface {
		options = encodingNumbers
	}
	text, err := json.Marshal(v, options)
	if err != nil {
		return nil, wrap(err)
	}
	return text, nil
}

// Unmarshal reads the one JSON value in text into v, a pointer. The error is an
// [*Error].
func Unmarshal(text []byte, v any) error {
	options := decoding
	if v != nil && reach(reflect.TypeOf(v)).byField {
		options = decodingNumbers
	}
	if err := json.Unmarshal(text, v, options); err != nil {
		return wrap(err)
	}
	return nil
}

// AppendQuote appends s as a JSON string, by the rules of Marshal.
func AppendQuote(dst []byte, s string) []byte {
	// Nearly all strings have no line break, and cost one pass over what was written.
	from := len(dst)
	// The error says that s is not UTF-8, and the text then holds U+FFFD, which is the
	// rule here.
	dst, _ = jsontext.AppendQuote(dst, s)
	if nextBreak(dst[from:]) < 0 {
		return dst
	}
	return append(dst[:from], escapeBreaks(dst[from:], nil)...)
}

// AppendUnquote appends the text that a JSON string stands for. It fails if quoted is
// not one JSON string.
func AppendUnquote(dst, quoted []byte) ([]byte, error) {
	if n := len(quoted); n < 2 || quoted[0] != '"' || quoted[n-1] != '"' {
		return dst, &Error{Err: errNotString}
	}
	// A lone surrogate is an error to the library, but only after it has written U+FFFD
	// for it; every other fault is found by Valid.
	out, err := jsontext.AppendUnquote(dst, quoted)
	if err != nil && !Valid(quoted) {
		return dst, wrap(err)
	}
	return out, nil
}

// Unquote is AppendUnquote into a string.
func Unquote(quoted []byte) (string, error) {
	text, err := AppendUnquote(nil, quoted)
	return string(text), err
}

// Valid reports whether text is one JSON value in UTF-8 (RFC 8259). Names given twice
// and lone surrogates are valid there.
func Valid(text []byte) bool {
	return utf8.Valid(text) &&
		jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

package message

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// An ID names a call among those of one side: a JSON string, a number or null, kept as
// the exact text that the peer wrote, so that it goes back the way it came (JSON-RPC
// 2.0, section 5). The zero ID is absent.
//
// Two IDs are equal, as operands of == and as keys of a map, if their texts are: 1, 1.0
// and "1" are three ids. [ID.SameValue] is for peers that do not keep to that.
type ID struct {
	// text is the JSON text of every id except those in num. An integer costs no
	// allocation that way.
	text string
	num  int64
	form idForm
}

// An idForm says where an ID has its text.
type idForm uint8

const (
	idAbsent  idForm = iota
	idInteger        // num; its text is what strconv writes
	idText           // text: a string, null, or a number that is written in another way
)

// NullID is the id null. A request with it is a call all the same.
var NullID = ID{text: "null", form: idText}

// IntID returns the id of an integer.
func IntID(n int64) ID { return ID{num: n, form: idInteger} }

// StringID returns the id of a string, in quotes.
func StringID(s string) ID {
	return ID{text: string(jsonx.AppendQuote(nil, s)), form: idText}
}

// ParseID returns the id with the given JSON text: a string, a number or null, without
// white space around it.
func ParseID(text []byte) (ID, error) {
	s := scanner{text: text}
	switch c := s.peek(); {
	case c != '"' && c != '-' && c != 'n' && (c < '0' || '9' < c):
	case !s.scalar(c) || s.at != len(text):
	default:
		return idOf(text), nil
	}
	return ID{}, fmt.Errorf("message: %q is no id: want a JSON string, a number or null", shown(text))
}

// idOf returns the id with the given text, which is known to be a JSON string, number
// or null.
func idOf(text []byte) ID {
	if n, ok := canonicalInt(text); ok {
		return IntID(n)
	}
	if string(text) == NullID.text {
		return NullID
	}
	return ID{text: string(text), form: idText}
}

// canonicalInt reads text as an integer if it is written as strconv would write it, so
// that the number alone is enough to write the same text again.
func canonicalInt(text []byte) (int64, bool) {
	const longest = len("9223372036854775807") // 19 digits always fit an uint64
	digits, negative := bytes.CutPrefix(text, []byte("-"))
	if len(digits) == 0 || len(digits) > longest || digits[0] == '0' && len(text) > 1 {
		return 0, false // 01 is not JSON; -0 is, but strconv does not write it
	}
	var n uint64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return signed(n, negative)
}

// signed returns n or -n, if it fits.
func signed(n uint64, negative bool) (int64, bool) {
	if negative {
		return -int64(n), n <= 1<<63
	}
	return int64(n), n < 1<<63
}

// IsZero reports whether the id is absent.
func (id ID) IsZero() bool { return id.form == idAbsent }

// IsNull reports whether the id is null, which is not the same as absent: a request with
// it is a call.
func (id ID) IsNull() bool { return id == NullID }

// IsString reports whether the id is a JSON string.
func (id ID) IsString() bool { return id.form == idText && id.text[0] == '"' }

// Append appends the exact JSON text of the id, and nothing if it is absent.
func (id ID) Append(dst []byte) []byte {
	if id.form == idInteger {
		return strconv.AppendInt(dst, id.num, 10)
	}
	return append(dst, id.text...)
}

// String returns the exact JSON text of the id, and "" if it is absent.
func (id ID) String() string {
	if id.form == idInteger {
		return strconv.FormatInt(id.num, 10)
	}
	return id.text
}

// Text returns what the id says if it is a string, without quotes and escapes. A lone
// surrogate reads as U+FFFD.
func (id ID) Text() (string, bool) {
	if !id.IsString() {
		return "", false
	}
	text, err := jsonx.Unquote([]byte(id.text))
	return text, err == nil
}

// Integer returns the id by its value, if that is an integer of 64 bits: 1, 1.0, 1e0,
// "1" and "1.0" are all 1.
func (id ID) Integer() (int64, bool) {
	if id.form == idInteger {
		return id.num, true
	}
	d, ok := id.decimal()
	if !ok {
		return 0, false
	}
	return d.integer()
}

// SameValue reports whether two ids mean the same to a peer that does not keep ids as
// they are: 1, 1.0 and "1" do, and so do 0.1 and 1e-1, or "a" and "\u0061". Numbers are
// compared exactly, however long they are. If the exponent of a number has more than 18
// digits, it is only the same as the same text. An absent id has no value.
func (id ID) SameValue(other ID) bool {
	if id.IsZero() || other.IsZero() {
		return false
	}
	if id == other {
		return true
	}
	// Numbers, and strings that read as one, are the same by their value alone.
	a, aNumber := id.decimal()
	b, bNumber := other.decimal()
	if aNumber || bNumber {
		return aNumber && bNumber && a.equal(b)
	}
	// What is left are strings, null, and numbers with an exponent that is too long.
	if id.IsNull() || other.IsNull() {
		return false // not the string "null"
	}
	// U+FFFD may stand for a lone surrogate, and then for more than one text.
	text := id.plain()
	return text == other.plain() && !strings.ContainsRune(text, '\uFFFD')
}

// Canonical returns the one id that stands for all with the same value: the integer 1 for
// 1, 1.0 and "1". Two ids have the same canonical id if and only if [ID.SameValue] holds,
// so that a map can find ids by value. That of an absent id is absent.
func (id ID) Canonical() ID {
	if id.form != idText || id.IsNull() {
		return id
	}
	if c := id.text[min(1, len(id.text)-1)]; id.text[0] == '"' && c != '-' && (c < '0' || '9' < c) && strings.IndexByte(id.text, '\\') < 0 {
		return id // a string that is no number and is written as it reads
	}
	text := id.plain()
	if n, ok := scanNumber([]byte(text), 0); ok && n == len(text) {
		d, ok := parseDecimal(text)
		if !ok {
			return ID{text: text, form: idText}
		}
		if n, ok := d.integer(); ok {
			return IntID(n)
		}
		return ID{text: d.canonical(), form: idText}
	}
	if !id.IsString() || strings.ContainsRune(text, '\uFFFD') {
		return id // U+FFFD may stand for a lone surrogate, and then for more than one text
	}
	return StringID(text)
}

// plain returns what a string says, and the text of every other id.
func (id ID) plain() string {
	if text, ok := id.Text(); ok {
		return text
	}
	return id.String()
}

// decimal returns the value of an id that is a number, or a string that reads as one.
func (id ID) decimal() (decimal, bool) {
	text := id.plain()
	if n, ok := scanNumber([]byte(text), 0); !ok || n != len(text) {
		return decimal{}, false
	}
	return parseDecimal(text)
}

// MarshalJSON returns the exact text; an absent id is null. Use the tag omitzero to
// leave an absent one out.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.IsZero() {
		return null, nil
	}
	return id.Append(nil), nil
}

// UnmarshalJSON is ParseID.
func (id *ID) UnmarshalJSON(text []byte) error {
	parsed, err := ParseID(text)
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "message: ")) // the decoder says where
	}
	*id = parsed
	return nil
}

package mcp

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-rpc/parley/message"
)

// longNumber is found in a text that may have a whole number beyond 2^53 in it, which a
// double does not tell from its neighbours. No shorter one is rounded.
var longNumber = regexp.MustCompile(`\d{16}`)

// decodeExact reads any value. Whole numbers of 64 bits stay what they are, others become
// a float64.
func decodeExact(text message.Raw) (any, error) {
	var v any
	if err := text.Decode(&v); err != nil || !longNumber.Match(text) {
		return v, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return withNumbers(v), nil
}

// withNumbers replaces the texts of numbers in a value by numbers.
func withNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return n
		}
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n
		}
		f, _ := v.Float64() // it was one of package message already
		return f
	case map[string]any:
		for name, member := range v {
			v[name] = withNumbers(member)
		}
	case []any:
		for i, item := range v {
			v[i] = withNumbers(item)
		}
	}
	return v
}

// pointedNumber is found in a text that may have a number like 1.0 or 1e2 in it.
var pointedNumber = regexp.MustCompile(`\d[.eE]`)

// wholeNumbers writes the numbers of value without a fraction and an exponent where the
// schema wants an integer. 1.0 is one ("JSON Schema Core 2020-12", section 4.2.3), but
// not for a Go int. All other bytes stay. The schema is one of [SchemaOf], and value fits.
func (s *Schema) wholeNumbers(value message.Raw) message.Raw {
	if !pointedNumber.Match(value) {
		return value
	}
	w := wholeWriter{root: s.root, in: value, dec: json.NewDecoder(bytes.NewReader(value))}
	w.dec.UseNumber()
	if err := w.value(s.root); err != nil {
		return value
	}
	return append(w.out, value[w.copied:]...)
}

// wholeWriter copies a value.
type wholeWriter struct {
	root   *jsonschema.Schema
	dec    *json.Decoder
	in     message.Raw
	out    message.Raw
	copied int // how much of in stands in out
}

// value copies the next value, which fits s. A nil s is any value.
func (w *wholeWriter) value(s *jsonschema.Schema) error {
	s = w.follow(s)
	token, err := w.dec.Token()
	if number, ok := token.(json.Number); ok {
		w.number(s, number.String())
	}
	kind, ok := token.(json.Delim)
	if !ok {
		return err
	}
	for err == nil && w.dec.More() {
		var inner *jsonschema.Schema
		if kind == '{' {
			inner, err = w.member(s)
		} else if s != nil {
			inner = s.Items
		}
		if err == nil {
			err = w.value(inner)
		}
	}
	if err == nil {
		_, err = w.dec.Token()
	}
	return err
}

// member reads the name of a member, and returns what s wants of it.
func (w *wholeWriter) member(s *jsonschema.Schema) (*jsonschema.Schema, error) {
	token, err := w.dec.Token()
	name, _ := token.(string)
	if s == nil || err != nil {
		return nil, err
	}
	if of, known := s.Properties[name]; known {
		return of, nil
	}
	return s.AdditionalProperties, nil
}

// follow follows a reference, also one that may be null.
func (w *wholeWriter) follow(s *jsonschema.Schema) *jsonschema.Schema {
	if s != nil && len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	if s == nil || s.Ref == "" {
		return s
	}
	return w.root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
}

// number copies the number that was just read. One that may be a text as well is an id,
// and not touched.
func (w *wholeWriter) number(s *jsonschema.Schema, text string) {
	if s == nil || s.Type != "integer" && (!slices.Contains(s.Types, "integer") || slices.Contains(s.Types, "string")) {
		return
	}
	if whole, ok := wholeNumber(text); ok {
		end := int(w.dec.InputOffset())
		w.out = append(append(w.out, w.in[w.copied:end-len(text)]...), whole...)
		w.copied = end
	}
}

// wholeNumber writes a number that is whole, without a fraction and an exponent. It is
// false for one that is not, or far from any Go int.
func wholeNumber(text string) (string, bool) {
	const most = 100 // characters, and the exponent
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if n, err := strconv.Atoi(exponent); exponent != "" && (err != nil || n < -most || n > most) || len(text) > most {
		return "", false
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok || !n.IsInt() {
		return "", false
	}
	return n.Num().String(), true
}

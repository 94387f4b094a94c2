package jsonx

import (
	stdjson "encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A json.Number of encoding/json knows how to write itself only where the library is a
// part of the standard library (Go 1.27); to the module it is a string like any other,
// and 1.0 would come out as "1.0". So it gets functions of its own here. They slow down
// every value that they are asked about, by about a third, and are therefore given only
// to the types that a Number can be reached from.
var (
	numberMarshalers = json.MarshalToFunc(writeNumber)
	encodingNumbers  = json.JoinOptions(encoding, json.WithMarshalers(numberMarshalers))
	decodingNumbers  = json.JoinOptions(decoding, json.WithUnmarshalers(json.UnmarshalFromFunc(readNumber)))
)

// writeNumber writes the text of n as it is: 1.00 stays 1.00.
func writeNumber(enc *jsontext.Encoder, n stdjson.Number) error {
	if n == "" {
		n = "0" // as encoding/json has it
	}
	text := jsontext.Value(n)
	// WriteValue checks the rest of it.
	if text.Kind() != '0' {
		return fmt.Errorf("%q is not a number", string(n))
	}
	if kind, i := enc.StackIndex(enc.StackDepth()); kind == '{' && i%2 == 0 {
		return enc.WriteToken(jsontext.String(string(n))) // a Number as the key of a map
	}
	return enc.WriteValue(text)
}

// readNumber keeps the text of the number as it is.
func readNumber(dec *jsontext.Decoder, n *stdjson.Number) error {
	text, err := dec.ReadValue()
	if err != nil {
		return err
	}
	number := []byte(text)
	switch text.Kind() {
	case 'n':
		*n = ""
		return nil
	case '"':
		// encoding/json takes a number in quotes for a number, and so does its version
		// 2.
		if number, err = AppendUnquote(nil, text); err != nil {
			return err
		}
	case '0':
	default:
		return &json.SemanticError{JSONKind: text.Kind(), GoType: numberType}
	}
	if jsontext.Value(number).Kind() != '0' || !Valid(number) {
		return &json.SemanticError{JSONKind: '"', JSONValue: text.Clone(), GoType: numberType, Err: strconv.ErrSyntax}
	}
	*n = stdjson.Number(number)
	return nil
}

var numberType = reflect.TypeFor[stdjson.Number]()

// A reached says how a Number can be reached from a type. What is encoded may hold one
// behind any interface; what is decoded is made by the library, which never puts one
// there.
type reached struct{ byField, byInterface bool }

// reaches remembers the answer for each type: reflect.Type to reached.
var reaches sync.Map

// reach looks t up, or walks it once. Types are few, so the answers are kept for ever.
func reach(t reflect.Type) reached {
	if r, ok := reaches.Load(t); ok {
		return r.(reached)
	}
	var r reached
	r.walk(t, map[reflect.Type]bool{})
	reaches.Store(t, r)
	return r
}

// walk visits each type once, so that a type which holds itself comes to an end.
func (r *reached) walk(t reflect.Type, been map[reflect.Type]bool) {
	if been[t] {
		return
	}
	been[t] = true
	if t == numberType {
		r.byField, r.byInterface = true, true
		return
	}
	switch t.Kind() {
	case reflect.Interface:
		r.byInterface = true // its value can be of any type
	case reflect.Pointer, reflect.Slice, reflect.Array:
		r.walk(t.Elem(), been)
	case reflect.Map:
		r.walk(t.Key(), been)
		r.walk(t.Elem(), been)
	case reflect.Struct:
		for field := range t.Fields() {
			r.walk(field.Type, been)
		}
	}
}

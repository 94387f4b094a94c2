package jsonx

import (
	stdencoding "encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An Error says where a value could not be written or read, and why.
type Error struct {
	// Pointer is the place in the value (RFC 6901); "" is the value itself.
	Pointer string
	// Offset is the place in the text, in bytes: of the text read, or of the text
	// written so far.
	Offset int64
	// Err is why, in a sentence. If a method of the Go type failed, it is that method's
	// error.
	Err error
}

// errNotString tells that Unquote was given something else.
var errNotString = errors.New("want a string in quotes")

// Error gives the pointer and the reason: "/a/0: want an integer, got a string".
func (e *Error) Error() string {
	if e.Pointer == "" {
		return e.Err.Error()
	}
	return shorten(printable(e.Pointer), 100) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// wrap makes an Error of an error of the library. Its own sentences name Go types with
// their packages, and change from version to version; ours go to peers and into tests.
func wrap(err error) error {
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		return &Error{string(semantic.JSONPointer), semantic.ByteOffset, reason(semantic)}
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return &Error{string(syntax.JSONPointer), syntax.ByteOffset, plain(syntax)}
	}
	return &Error{Err: err}
}

// reason says in a sentence what kept a JSON value from becoming a Go value, or the
// reverse.
func reason(e *json.SemanticError) error {
	// The library knows the kind of the JSON value when it reads, and only then.
	reading := e.JSONKind != 0 && e.JSONKind != jsontext.KindInvalid
	// A MarshalJSON method returned text that is not JSON.
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](e.Err); ok {
		return fmt.Errorf("the JSON text of this value is faulty: %w", plain(syntax))
	}
	switch {
	case errors.Is(e.Err, strconv.ErrRange) && len(e.JSONValue) > 0:
		return fmt.Errorf("the number %s is out of range for %s", shorten(string(e.JSONValue), 40), e.GoType.Kind())
	case errors.Is(e.Err, strconv.ErrSyntax) && len(e.JSONValue) > 0:
		return fmt.Errorf("want %s, got %s", wanted(e.GoType), shorten(string(e.JSONValue), 40))
	case e.Err != nil:
		return e.Err // of a method, or about an array of fixed length, a time, base64
	case reading && e.GoType != nil:
		return fmt.Errorf("want %s, got %s", wanted(e.GoType), kindName(e.JSONKind))
	case e.GoType != nil:
		return fmt.Errorf("a Go %s has no JSON form", e.GoType.Kind())
	}
	return errors.New("this value has no JSON form")
}

// plain drops the offset from the text of a syntax error, which has it in a field, and
// names the end of the text.
func plain(e *jsontext.SyntacticError) error {
	switch {
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return errors.New("the text ends too early")
	case errors.Is(e.Err, jsontext.ErrDuplicateName):
		return errors.New("this member is given twice")
	case e.Err != nil:
		return e.Err
	}
	return e
}

// textual are the types that are read from a JSON string by a method.
var textual = reflect.TypeFor[stdencoding.TextUnmarshaler]()

// wanted names the JSON kind that a Go type is read from. It speaks of JSON, since the
// reader of the error wrote JSON and may never have seen the Go type.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == numberType {
		return "a number"
	}
	// The library reads a time.Time by rules of its own, and other types with a text form
	// by their method, whatever they are made of.
	if t == reflect.TypeFor[time.Time]() || reflect.PointerTo(t).Implements(textual) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "an integer of 0 or more"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return "a string of base64"
		}
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a value that fits"
}

// kindName names the JSON kind of what was there instead. An array or object of which
// only the end was read has the kind of its last bracket.
func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't':
		return "true"
	case 'f':
		return "false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{', '}':
		return "an object"
	}
	return "an array"
}

// printable escapes what a terminal could take for a command; the names in a pointer
// are a peer's.
func printable(s string) string {
	quoted := strconv.QuoteToGraphic(s)
	if body := quoted[1 : len(quoted)-1]; body != s {
		return strings.ReplaceAll(body, `\"`, `"`)
	}
	return s
}

// shorten cuts s to about n bytes, between two characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

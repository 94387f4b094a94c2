package message

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCode(t *testing.T) {
	tests := []struct {
		code             Code
		text             string
		reserved, server bool
	}{
		{CodeParseError, "Parse error", true, false},
		{CodeInvalidRequest, "Invalid Request", true, false},
		{CodeMethodNotFound, "Method not found", true, false},
		{CodeInvalidParams, "Invalid params", true, false},
		{CodeInternalError, "Internal error", true, false},
		{CodeServerError, "code -32000", true, true},
		{CodeRequestCancelled, "code -32800", false, false},
		{-32768, "code -32768", true, false},
		{-32769, "code -32769", false, false},
		{-32099, "code -32099", true, true},
		{-32100, "code -32100", true, false},
		{-31999, "code -31999", false, false},
		{0, "code 0", false, false},
	}
	for _, test := range tests {
		c := test.code
		if c.String() != test.text || c.Reserved() != test.reserved || c.Server() != test.server {
			t.Errorf("code %d: %q, reserved %v, server %v; want %+v", int64(c), c, c.Reserved(), c.Server(), test)
		}
	}
}

// Errors are matched by code, through any wrapping, and nothing else about them counts.
func TestErrorIs(t *testing.T) {
	err := fmt.Errorf("call: %w", InvalidParams.Withf("b is %s", "missing").With(map[string]int{"n": 1}))
	if !errors.Is(err, InvalidParams) || !errors.Is(err, &Error{Code: CodeInvalidParams}) {
		t.Errorf("%v is not InvalidParams", err)
	}
	if errors.Is(err, InternalError) || errors.Is(err, (*Error)(nil)) || errors.Is(err, errors.New("Invalid params")) {
		t.Errorf("%v is something else", err)
	}
	_, parseErr := Strict.Parse([]byte("{"))
	if !errors.Is(parseErr, ParseFailed) || errors.Is(parseErr, InvalidRequest) {
		t.Errorf("%v is not ParseFailed", parseErr)
	}
}

func TestErrorText(t *testing.T) {
	tests := []struct {
		err  *Error
		want string
	}{
		{MethodNotFound, `Method not found (code -32601)`},
		{NewError(1, "boom").With(Raw("{\"a\":\n1}")), `boom (code 1, data {"a": 1})`},
		{NewError(1, "boom").With(strings.Repeat("x", 200)), `boom (code 1)`},
		{NewError(7, ""), `error without a message (code 7)`},
		{InvalidParams.Withf("b is %d", 3), `Invalid params: b is 3 (code -32602)`},
		{NewError(7, "").Withf("x"), `code 7: x (code 7)`},
		{NewError(1, "boom").Withf("100%%"), `boom: 100% (code 1)`},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("Error() = %q, want %q", got, test.want)
		}
	}
}

type panics struct{}

func (panics) MarshalJSON() ([]byte, error) { panic("no") }

// The shared errors never change, and data without a JSON form is not a reason to lose
// the error.
func TestWith(t *testing.T) {
	tests := []struct {
		rule string
		data any
		want string
	}{
		{"data", []int{1}, `[1]`},
		{"nil is null", nil, `null`},
		{"text as it is", Raw(`{"a": 1.0}`), `{"a": 1.0}`},
		{"no JSON form", make(chan int), `{"unencodable":"a Go chan has no JSON form"}`},
		{"no JSON form inside", map[string]any{"x": math.NaN()}, `{"unencodable":"/x: unsupported value: NaN"}`},
		{"a panic", panics{}, `{"unencodable":"panic: no"}`},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, InternalError.With(test.data).Data.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.rule, diff)
		}
	}
	InternalError.Withf("detail")
	if diff := cmp.Diff(&Error{Code: CodeInternalError, Message: "Internal error"}, InternalError); diff != "" {
		t.Errorf("InternalError was changed (-want +got):\n%s", diff)
	}
}

func TestErrorJSON(t *testing.T) {
	const text = `{"code":-3,"message":"m","data":{"a": 1.0},"why":"x"}`
	var e Error
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	want := Error{Code: -3, Message: "m", Data: Raw(`{"a": 1.0}`), Extra: []Member{{"why", Raw(`"x"`)}}}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("the error differs (-want +got):\n%s", diff)
	}
	if got, err := e.MarshalJSON(); err != nil || string(got) != text {
		t.Errorf("MarshalJSON: %s, %v; want %s", got, err, text)
	}
	for _, bad := range []string{``, `1`, `null`, `{}`, `{"code":1.5}`, `{"code":1`, `{"code":1}x`} {
		if err := e.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("UnmarshalJSON(%s): want an error", bad)
		}
	}
}

func TestKindString(t *testing.T) {
	for kind, want := range map[Kind]string{
		KindUnknown: "unknown", KindCall: "call", KindNote: "note", KindReply: "reply", KindHybrid: "hybrid", KindBatch: "batch", 99: "unknown",
	} {
		if kind.String() != want {
			t.Errorf("kind %d is %q, want %q", uint8(kind), kind, want)
		}
	}
}

package message

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/parley-rpc/parley/internal/jsonx"
)

// Code is the number of an error (JSON-RPC 2.0, section 5.1).
type Code int64

// The codes that the specification defines, the first of those it leaves to servers,
// and LSP's code for a call that was cancelled.
const (
	CodeParseError     Code = -32700
	CodeInvalidRequest Code = -32600
	CodeMethodNotFound Code = -32601
	CodeInvalidParams  Code = -32602
	CodeInternalError  Code = -32603

	CodeServerError      Code = -32000
	CodeRequestCancelled Code = -32800
)

// Reserved reports whether the specification keeps the code to itself, -32768 to
// -32000. Every other code is free for applications.
func (c Code) Reserved() bool { return -32768 <= c && c <= -32000 }

// Server reports whether the code is one of those that an implementation of a server
// may define, -32099 to -32000.
func (c Code) Server() bool { return -32099 <= c && c <= -32000 }

// String returns the message that the specification has for the code, else "code N".
func (c Code) String() string {
	switch c {
	case CodeParseError:
		return "Parse error"
	case CodeInvalidRequest:
		return "Invalid Request"
	case CodeMethodNotFound:
		return "Method not found"
	case CodeInvalidParams:
		return "Invalid params"
	case CodeInternalError:
		return "Internal error"
	}
	return "code " + strconv.FormatInt(int64(c), 10)
}

// An Error is what a call is answered with when it failed (JSON-RPC 2.0, section 5.1).
// A handler returns one to choose what the caller sees; a caller matches one by its
// code:
//
//	if errors.Is(err, message.MethodNotFound) { ... }
type Error struct {
	Code    Code
	Message string
	Data    Raw      // absent unless the peer gave some; null counts as some
	Extra   []Member // members that the specification does not know
}

// The errors that the specification defines. They are shared, so nobody may change
// them; [Error.With] and [Error.Withf] return copies.
var (
	ParseFailed    = NewError(CodeParseError, CodeParseError.String())
	InvalidRequest = NewError(CodeInvalidRequest, CodeInvalidRequest.String())
	MethodNotFound = NewError(CodeMethodNotFound, CodeMethodNotFound.String())
	InvalidParams  = NewError(CodeInvalidParams, CodeInvalidParams.String())
	InternalError  = NewError(CodeInternalError, CodeInternalError.String())
)

// NewError returns an error with a code and a message, which should be one short
// sentence.
func NewError(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

// shownData is how many bytes of an error's data [Error.Error] shows; longer data is
// left out.
const shownData = 120

// Error gives the message, the code and, if it is short, the data: `boom (code 1, data
// {"a":1})`.
func (e *Error) Error() string {
	text := e.Message
	if text == "" {
		text = "error without a message"
	}
	text += " (code " + strconv.FormatInt(int64(e.Code), 10)
	if n := len(e.Data); 0 < n && n <= shownData {
		text += ", data " + string(OneLine(nil, e.Data))
	}
	return text + ")"
}

// Is reports whether target is an [*Error] with the same code, for errors.Is.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t != nil && t.Code == e.Code
}

// With returns a copy of e whose data is the JSON text of data. If data cannot be
// encoded, the copy's data is {"unencodable": why}, so that the failure is seen where
// the error is read.
func (e *Error) With(data any) *Error {
	c := *e
	c.Data = encodeData(data)
	return &c
}

// encodeData does not let a MarshalJSON that panics replace the error that is being
// made by another one.
func encodeData(data any) (text Raw) {
	defer func() {
		if p := recover(); p != nil {
			text = unencodable(fmt.Sprint("panic: ", p))
		}
	}()
	text, err := Encode(data)
	if err != nil {
		return unencodable(err.Error())
	}
	return text
}

// unencodable returns the data of an error whose own data has no JSON form.
func unencodable(why string) Raw {
	text, _ := Encode(map[string]string{"unencodable": why}) // strings always have a JSON form
	return text
}

// Withf returns a copy of e with a detail after its message: "Invalid params: b is
// missing".
func (e *Error) Withf(format string, args ...any) *Error {
	c := *e
	if c.Message == "" {
		c.Message = c.Code.String()
	}
	c.Message += ": " + fmt.Sprintf(format, args...)
	return &c
}

// MarshalJSON returns the error object as it stands in a response.
func (e *Error) MarshalJSON() ([]byte, error) { return appendError(nil, e) }

// UnmarshalJSON reads an error object as it stands in a response. It copies the text.
func (e *Error) UnmarshalJSON(text []byte) error {
	text = bytes.TrimSpace(text)
	if !jsonx.Valid(text) {
		return errors.New("the error is not JSON")
	}
	parsed, fault := parseError(bytes.Clone(text))
	if fault != "" {
		return errors.New(fault)
	}
	*e = *parsed
	return nil
}

// A ParseError is a record, or a member of a batch, that was refused. It holds what a
// peer needs to go on.
type ParseError struct {
	Err    *Error // what to answer: -32700 or -32600, with data only where a limit was passed
	ID     ID     // the id of the refused message, absent if there is none that can be trusted
	Kind   Kind   // what the record claims to be
	Offset int64  // where the fault is, in bytes from the start of the record
	Reason string // what the fault is; for logs, never for the peer
}

// Error gives the refusal, the reason and the offset.
func (e *ParseError) Error() string {
	return fmt.Sprintf("%s at byte %d: %s", e.Err.Code, e.Offset, e.Reason)
}

// Unwrap returns the error to answer with, so that errors.Is(err, InvalidRequest)
// holds.
func (e *ParseError) Unwrap() error { return e.Err }

// Answerable reports whether the refused message may be answered. A note may not
// (JSON-RPC 2.0, section 4.1), and an answer to an answer could go back and forth for
// ever.
func (e *ParseError) Answerable() bool {
	return e.Kind != KindNote && e.Kind != KindReply && e.Kind != KindHybrid
}

// Reply returns the answer to the refused message: its error, and its id or else null
// (section 5). It is for the caller to ask Answerable first.
func (e *ParseError) Reply() *Response {
	id := e.ID
	if id.IsZero() {
		id = NullID
	}
	return &Response{ID: id, Error: e.Err}
}

// shown returns text for a reason: on one line, and cut after about 80 bytes, between
// two characters.
func shown(text []byte) string {
	const most = 80
	if len(text) <= most {
		return string(OneLine(nil, text))
	}
	return string(bytes.ToValidUTF8(OneLine(nil, text[:most]), nil)) + "…"
}

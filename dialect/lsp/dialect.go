package lsp

import (
	"log/slog"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// Dialect is LSP 3.18.
var Dialect = parley.Dialect{
	Name:    "lsp",
	Framing: frame.Header,
	Codec:   message.Strict,
	NoBatch: true,
	Cancel:  parley.Cancel{IDNote: parley.IDNote{Method: string(CancelRequest), Member: "id"}, Answered: true},
	Progress: parley.ProgressWords{
		Method: string(Progress),
		Token:  "token",
		Value:  "value",
		Ask:    []string{"workDoneToken"},
	},
	Log:   parley.LogWords{Method: string(LogMessage), Params: logParams},
	Waits: map[string]parley.Wait{string(ShowMessageRequest): parley.WaitInput},
	Words: words,
}

// The codes that LSP adds to those of JSON-RPC ("Response Message"). MCP uses -32002
// for something else.
const (
	CodeServerNotInitialized message.Code = -32002 // a request before initialize
	CodeUnknownError         message.Code = -32001

	CodeRequestCancelled              = message.CodeRequestCancelled // the client took the request back
	CodeContentModified  message.Code = -32801                       // the document changed meanwhile, and the answer is worth nothing
	CodeServerCancelled  message.Code = -32802                       // the server gave up; ask again, if the error's data allows
	CodeRequestFailed    message.Code = -32803                       // the request was right, and could not be served
)

// CancelParams are the params of $/cancelRequest.
type CancelParams struct {
	ID message.ID `json:"id"`
}

// ProgressParams are the params of $/progress. The value is a [WorkDoneProgress], or a
// part of a result under a token that asked for parts.
type ProgressParams struct {
	Token message.ID  `json:"token"`
	Value message.Raw `json:"value"`
}

// The kinds of [WorkDoneProgress]: one begin, any number of reports, one end.
const (
	ProgressBegin  = "begin"
	ProgressReport = "report"
	ProgressEnd    = "end"
)

// WorkDoneProgress is a report on some work ("Work Done Progress").
type WorkDoneProgress struct {
	Kind        string  `json:"kind"`
	Title       string  `json:"title,omitzero"` // of the work; begin has one
	Message     string  `json:"message,omitzero"`
	Percentage  *uint32 `json:"percentage,omitzero"` // 0 to 100, never less than before
	Cancellable bool    `json:"cancellable,omitzero"`
}

// The values of trace: how much a server tells with $/logTrace.
const (
	TraceOff      = "off"
	TraceMessages = "messages"
	TraceVerbose  = "verbose"
)

// SetTraceParams are the params of $/setTrace.
type SetTraceParams struct {
	Value string `json:"value"`
}

// LogTraceParams are the params of $/logTrace.
type LogTraceParams struct {
	Message string `json:"message"`
	Verbose string `json:"verbose,omitzero"` // only while the trace is verbose
}

// A MessageType is how much a message matters.
type MessageType uint32

// The types, from the most to the least severe. MessageDebug is new in 3.18.
const (
	MessageError   MessageType = 1
	MessageWarning MessageType = 2
	MessageInfo    MessageType = 3
	MessageLog     MessageType = 4
	MessageDebug   MessageType = 5
)

// MessageParams are the params of window/showMessage and window/logMessage.
type MessageParams struct {
	Type    MessageType `json:"type"`
	Message string      `json:"message"`
}

// ShowMessageRequestParams are the params of window/showMessageRequest.
type ShowMessageRequestParams struct {
	Type    MessageType     `json:"type"`
	Message string          `json:"message"`
	Actions []MessageAction `json:"actions,omitzero"`
}

// MessageAction is a button under a message, and the answer if it was chosen.
type MessageAction struct {
	Title string `json:"title"`
}

// MessageTypeOf returns the type for a slog level. What is below slog's Info becomes
// [MessageLog], because clients before 3.18 do not know MessageDebug.
func MessageTypeOf(level slog.Level) MessageType {
	switch {
	case level >= slog.LevelError:
		return MessageError
	case level >= slog.LevelWarn:
		return MessageWarning
	case level >= slog.LevelInfo:
		return MessageInfo
	}
	return MessageLog
}

// logParams makes the params of a log note: the text, and behind it the attributes as
// JSON, if there are any. The time is left out, because the client has its own.
func logParams(level slog.Level, msg string, attrs message.Raw) any {
	params := MessageParams{MessageTypeOf(level), msg}
	var rest map[string]message.Raw
	// slog's own JSON handler wrote attrs. If a ReplaceAttr made two members of one
	// name, the text still arrives.
	if attrs.Decode(&rest) != nil {
		return params
	}
	for _, known := range []string{slog.TimeKey, slog.LevelKey, slog.MessageKey} {
		delete(rest, known)
	}
	if len(rest) > 0 {
		text, _ := message.Encode(rest) // what slog wrote always has a JSON form
		params.Message += " " + text.String()
	}
	return params
}

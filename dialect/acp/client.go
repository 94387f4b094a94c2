package acp

import "github.com/parley-rpc/parley/message"

// RequestPermissionParams are the params of [RequestPermission].
type RequestPermissionParams struct {
	SessionID string             `json:"sessionId"`
	ToolCall  ToolCallUpdate     `json:"toolCall"`
	Options   []PermissionOption `json:"options"`
	Meta      message.Raw        `json:"_meta,omitzero"`
}

// A PermissionOption is an answer that the user may choose.
type PermissionOption struct {
	OptionID string         `json:"optionId"`
	Name     string         `json:"name"` // for people
	Kind     PermissionKind `json:"kind"`
	Meta     message.Raw    `json:"_meta,omitzero"`
}

// A PermissionKind says what an option means, so that an editor can show it by a sign.
type PermissionKind string

// The kinds of version 1.
const (
	AllowOnce    PermissionKind = "allow_once"
	AllowAlways  PermissionKind = "allow_always"
	RejectOnce   PermissionKind = "reject_once"
	RejectAlways PermissionKind = "reject_always"
)

// RequestPermissionResult is the result of [RequestPermission]; [Select] and [Dismiss] make
// the two that there are.
type RequestPermissionResult struct {
	Outcome PermissionOutcome `json:"outcome"`
	Meta    message.Raw       `json:"_meta,omitzero"`
}

// A PermissionOutcome is what the user chose.
type PermissionOutcome struct {
	Outcome  string      `json:"outcome"` // [OutcomeSelected] or [OutcomeCancelled]
	OptionID string      `json:"optionId,omitzero"`
	Meta     message.Raw `json:"_meta,omitzero"`
}

// The outcomes of version 1.
const (
	OutcomeSelected  = "selected"  // OptionID says what
	OutcomeCancelled = "cancelled" // the turn was cancelled before the user chose
)

// Select is the result that the user chose an option.
func Select(optionID string) *RequestPermissionResult {
	return &RequestPermissionResult{Outcome: PermissionOutcome{Outcome: OutcomeSelected, OptionID: optionID}}
}

// Dismiss is the result that a client must give to each open request of a session whose turn
// it cancels ("Prompt Turn", "Cancellation").
func Dismiss() *RequestPermissionResult {
	return &RequestPermissionResult{Outcome: PermissionOutcome{Outcome: OutcomeCancelled}}
}

// ReadTextFileParams are the params of [ReadTextFile].
type ReadTextFileParams struct {
	SessionID string      `json:"sessionId"`
	Path      string      `json:"path"`           // absolute
	Line      *int        `json:"line,omitzero"`  // the first to read, from 1; nil: from the start
	Limit     *int        `json:"limit,omitzero"` // so many lines; nil: to the end
	Meta      message.Raw `json:"_meta,omitzero"`
}

// ReadTextFileResult is the result of [ReadTextFile].
type ReadTextFileResult struct {
	Content string      `json:"content"`
	Meta    message.Raw `json:"_meta,omitzero"`
}

// WriteTextFileParams are the params of [WriteTextFile].
type WriteTextFileParams struct {
	SessionID string      `json:"sessionId"`
	Path      string      `json:"path"`    // absolute; the client makes the file if there is none
	Content   string      `json:"content"` // all of it
	Meta      message.Raw `json:"_meta,omitzero"`
}

// TerminalCreateParams are the params of [TerminalCreate].
type TerminalCreateParams struct {
	SessionID       string      `json:"sessionId"`
	Command         string      `json:"command"`
	Args            []string    `json:"args,omitzero"`
	Env             []NameValue `json:"env,omitzero"`
	CWD             string      `json:"cwd,omitzero"`             // an absolute path
	OutputByteLimit *int64      `json:"outputByteLimit,omitzero"` // older output is dropped
	Meta            message.Raw `json:"_meta,omitzero"`
}

// TerminalCreateResult is the result of [TerminalCreate].
type TerminalCreateResult struct {
	TerminalID string      `json:"terminalId"`
	Meta       message.Raw `json:"_meta,omitzero"`
}

// TerminalParams name a terminal of a session.
type TerminalParams struct {
	SessionID  string      `json:"sessionId"`
	TerminalID string      `json:"terminalId"`
	Meta       message.Raw `json:"_meta,omitzero"`
}

// TerminalOutputResult is the result of [TerminalOutput].
type TerminalOutputResult struct {
	Output     string        `json:"output"`
	Truncated  bool          `json:"truncated"`           // older output was dropped
	ExitStatus *TerminalExit `json:"exitStatus,omitzero"` // nil: the command still runs
	Meta       message.Raw   `json:"_meta,omitzero"`
}

// A TerminalExit says how a command ended: by a code, or by a signal. It is also the result
// of [TerminalWaitForExit].
type TerminalExit struct {
	ExitCode *int        `json:"exitCode,omitzero"`
	Signal   *string     `json:"signal,omitzero"`
	Meta     message.Raw `json:"_meta,omitzero"`
}

// ElicitationCreateParams are the params of [ElicitationCreate]. It belongs to a session, and
// maybe to a tool call of it, or to a call of the client that is open.
type ElicitationCreateParams struct {
	SessionID       string      `json:"sessionId,omitzero"`
	ToolCallID      string      `json:"toolCallId,omitzero"`
	RequestID       message.ID  `json:"requestId,omitzero"`
	Mode            string      `json:"mode"` // "form" or "url"
	Message         string      `json:"message"`
	RequestedSchema message.Raw `json:"requestedSchema,omitzero"` // form: a flat object in JSON Schema
	ElicitationID   string      `json:"elicitationId,omitzero"`   // url
	URL             string      `json:"url,omitzero"`             // url
	Meta            message.Raw `json:"_meta,omitzero"`
}

// ElicitationCreateResult is the result of [ElicitationCreate].
type ElicitationCreateResult struct {
	Action  string      `json:"action"`           // "accept", "decline" or "cancel"
	Content message.Raw `json:"content,omitzero"` // accept, form: by the schema
	Meta    message.Raw `json:"_meta,omitzero"`
}

// ElicitationCompleteParams are the params of [ElicitationComplete].
type ElicitationCompleteParams struct {
	ElicitationID string      `json:"elicitationId"`
	Meta          message.Raw `json:"_meta,omitzero"`
}

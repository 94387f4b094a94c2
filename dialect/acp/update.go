package acp

import (
	"bytes"
	"errors"

	"github.com/parley-rpc/parley/message"
)

// SessionUpdateParams are the params of [SessionUpdate].
type SessionUpdateParams struct {
	SessionID string      `json:"sessionId"`
	Update    Update      `json:"update"`
	Meta      message.Raw `json:"_meta,omitzero"`
}

// An UpdateKind says what an [Update] is about.
type UpdateKind string

// The kinds of version 1.
const (
	UserMessageChunk        UpdateKind = "user_message_chunk"
	AgentMessageChunk       UpdateKind = "agent_message_chunk"
	AgentThoughtChunk       UpdateKind = "agent_thought_chunk"
	ToolCall                UpdateKind = "tool_call"
	ToolCallChanged         UpdateKind = "tool_call_update"
	Plan                    UpdateKind = "plan"
	AvailableCommandsUpdate UpdateKind = "available_commands_update"
	CurrentModeUpdate       UpdateKind = "current_mode_update"
	ConfigOptionUpdate      UpdateKind = "config_option_update"
	SessionInfoUpdate       UpdateKind = "session_info_update"
	UsageUpdate             UpdateKind = "usage_update"
)

// An Update is something that happened in a session. SessionUpdate says what, and which of
// the other fields it has.
type Update struct {
	SessionUpdate UpdateKind `json:"sessionUpdate"`

	// Content is one block in a chunk, and a list in a tool call.
	Content   UpdateContent `json:"content,omitzero"`
	MessageID string        `json:"messageId,omitzero"` // chunks: which message this is more of

	// These are those of [ToolCallUpdate]; see there. Title is also that of the session.
	ToolCallID string         `json:"toolCallId,omitzero"`
	Title      string         `json:"title,omitzero"` // tool calls, session_info_update
	Kind       ToolKind       `json:"kind,omitzero"`
	Status     ToolStatus     `json:"status,omitzero"`
	Locations  []ToolLocation `json:"locations,omitzero"`
	RawInput   message.Raw    `json:"rawInput,omitzero"`
	RawOutput  message.Raw    `json:"rawOutput,omitzero"`

	Entries           []PlanEntry    `json:"entries,omitzero"`           // plan: all of them
	AvailableCommands []Command      `json:"availableCommands,omitzero"` // available_commands_update: all of them
	CurrentModeID     string         `json:"currentModeId,omitzero"`     // current_mode_update
	ConfigOptions     []ConfigOption `json:"configOptions,omitzero"`     // config_option_update: all of them
	UpdatedAt         string         `json:"updatedAt,omitzero"`         // session_info_update: ISO 8601

	Used *int64 `json:"used,omitzero"` // usage_update: tokens in the context
	Size *int64 `json:"size,omitzero"` // usage_update: tokens that fit
	Cost *Cost  `json:"cost,omitzero"` // usage_update: of the session so far

	Meta message.Raw `json:"_meta,omitzero"`
}

// UpdateContent is what the member content of an [Update] holds: a block, or a list that
// replaces the content of a tool call. A list that is empty clears it; nil leaves it.
type UpdateContent struct {
	Block *ContentBlock
	Tool  []ToolContent
}

// IsZero reports whether there is neither.
func (c UpdateContent) IsZero() bool { return c.Block == nil && c.Tool == nil }

// MarshalJSON writes the block, or else the list.
func (c UpdateContent) MarshalJSON() ([]byte, error) {
	if c.Block != nil {
		return message.Encode(c.Block)
	}
	if c.Tool == nil {
		return message.Encode(nil)
	}
	return message.Encode(c.Tool)
}

// UnmarshalJSON reads an object, an array or null.
func (c *UpdateContent) UnmarshalJSON(text []byte) error {
	*c = UpdateContent{}
	raw := message.Raw(bytes.TrimSpace(text))
	switch {
	case bytes.HasPrefix(raw, []byte("{")):
		return raw.Decode(&c.Block)
	case bytes.HasPrefix(raw, []byte("[")):
		return raw.Decode(&c.Tool)
	case string(raw) == "null":
		return nil
	}
	return errors.New("want a content block, or a list of a tool's content")
}

// A ToolKind says what a tool does, so that an editor can show it by a sign.
type ToolKind string

// The kinds of version 1.
const (
	ToolRead       ToolKind = "read"
	ToolEdit       ToolKind = "edit"
	ToolDelete     ToolKind = "delete"
	ToolMove       ToolKind = "move"
	ToolSearch     ToolKind = "search"
	ToolExecute    ToolKind = "execute"
	ToolThink      ToolKind = "think"
	ToolFetch      ToolKind = "fetch"
	ToolSwitchMode ToolKind = "switch_mode"
	ToolOther      ToolKind = "other"
)

// A ToolStatus says how far a tool call is.
type ToolStatus string

// The statuses of version 1.
const (
	ToolPending    ToolStatus = "pending" // its input is not whole yet, or it waits for a permission
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
)

// A ToolCallUpdate is what has changed about a tool call; what is absent has not.
type ToolCallUpdate struct {
	ToolCallID string         `json:"toolCallId"` // within the session
	Title      string         `json:"title,omitzero"`
	Kind       ToolKind       `json:"kind,omitzero"`
	Status     ToolStatus     `json:"status,omitzero"`
	Content    []ToolContent  `json:"content,omitzero"`   // all of it; nil: unchanged
	Locations  []ToolLocation `json:"locations,omitzero"` // all of them; nil: unchanged
	RawInput   message.Raw    `json:"rawInput,omitzero"`
	RawOutput  message.Raw    `json:"rawOutput,omitzero"`
	Meta       message.Raw    `json:"_meta,omitzero"`
}

// ToolContent is a piece of what a tool call gives to see.
type ToolContent struct {
	Type       string        `json:"type"`                // "content", "diff" or "terminal"
	Content    *ContentBlock `json:"content,omitzero"`    // content
	Path       string        `json:"path,omitzero"`       // diff: an absolute path
	OldText    *string       `json:"oldText,omitzero"`    // diff; nil: the file is new
	NewText    *string       `json:"newText,omitzero"`    // diff
	TerminalID string        `json:"terminalId,omitzero"` // terminal: of [TerminalCreate]
	Meta       message.Raw   `json:"_meta,omitzero"`
}

// A ToolLocation is a place that a tool call works on, so that an editor can follow.
type ToolLocation struct {
	Path string      `json:"path"` // absolute
	Line *int        `json:"line,omitzero"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// A PlanEntry is a step that the agent plans to take.
type PlanEntry struct {
	Content  string      `json:"content"`
	Priority string      `json:"priority"` // "high", "medium" or "low"
	Status   string      `json:"status"`   // "pending", "in_progress" or "completed"
	Meta     message.Raw `json:"_meta,omitzero"`
}

// A Command is one that a user may begin a prompt with: /web, /test.
type Command struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Input       *CommandInput `json:"input,omitzero"` // nil: it takes none
	Meta        message.Raw   `json:"_meta,omitzero"`
}

// CommandInput says what a user may write behind a [Command].
type CommandInput struct {
	Hint string      `json:"hint"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// A Cost is an amount of money.
type Cost struct {
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"` // ISO 4217
}

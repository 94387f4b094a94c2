package acp

import "github.com/parley-rpc/parley/message"

// A StopReason says why a turn ended.
type StopReason string

// The reasons of version 1.
const (
	EndTurn         StopReason = "end_turn"          // the agent has done its part
	MaxTokens       StopReason = "max_tokens"        // the limit of the model's output
	MaxTurnRequests StopReason = "max_turn_requests" // the limit of requests to the model
	Refusal         StopReason = "refusal"           // the agent will not go on
	Cancelled       StopReason = "cancelled"         // the client sent session/cancel
)

// SessionNewParams are the params of [SessionNew].
type SessionNewParams struct {
	CWD                   string      `json:"cwd"`                            // an absolute path
	AdditionalDirectories []string    `json:"additionalDirectories,omitzero"` // absolute paths
	MCPServers            []MCPServer `json:"mcpServers"`                     // which the agent connects to
	Meta                  message.Raw `json:"_meta,omitzero"`
}

// SessionNewResult is the result of [SessionNew].
type SessionNewResult struct {
	SessionID     string         `json:"sessionId"`
	Modes         *Modes         `json:"modes,omitzero"`
	ConfigOptions []ConfigOption `json:"configOptions,omitzero"`
	Meta          message.Raw    `json:"_meta,omitzero"`
}

// SessionLoadParams are the params of [SessionLoad].
type SessionLoadParams struct {
	SessionID             string      `json:"sessionId"`
	CWD                   string      `json:"cwd"`                            // an absolute path
	AdditionalDirectories []string    `json:"additionalDirectories,omitzero"` // absolute paths
	MCPServers            []MCPServer `json:"mcpServers"`
	Meta                  message.Raw `json:"_meta,omitzero"`
}

// SessionResumeParams are the params of [SessionResume].
type SessionResumeParams struct {
	SessionID             string      `json:"sessionId"`
	CWD                   string      `json:"cwd"`                            // an absolute path
	AdditionalDirectories []string    `json:"additionalDirectories,omitzero"` // absolute paths
	MCPServers            []MCPServer `json:"mcpServers,omitzero"`
	Meta                  message.Raw `json:"_meta,omitzero"`
}

// SessionState is how a session stands that was taken up again: the result of [SessionLoad]
// and [SessionResume].
type SessionState struct {
	Modes         *Modes         `json:"modes,omitzero"`
	ConfigOptions []ConfigOption `json:"configOptions,omitzero"`
	Meta          message.Raw    `json:"_meta,omitzero"`
}

// SessionParams name a session and say no more.
type SessionParams struct {
	SessionID string      `json:"sessionId"`
	Meta      message.Raw `json:"_meta,omitzero"`
}

// CancelParams are the params of [Cancel].
type CancelParams = SessionParams

// SessionListParams are the params of [SessionList].
type SessionListParams struct {
	Cursor string      `json:"cursor,omitzero"` // of the page before; "" is the first page
	CWD    string      `json:"cwd,omitzero"`    // only sessions of this folder
	Meta   message.Raw `json:"_meta,omitzero"`
}

// SessionListResult is the result of [SessionList].
type SessionListResult struct {
	Sessions   []SessionInfo `json:"sessions"`
	NextCursor string        `json:"nextCursor,omitzero"` // "": this was the last page
	Meta       message.Raw   `json:"_meta,omitzero"`
}

// SessionInfo is a session in a list.
type SessionInfo struct {
	SessionID             string      `json:"sessionId"`
	CWD                   string      `json:"cwd"`
	AdditionalDirectories []string    `json:"additionalDirectories,omitzero"`
	Title                 string      `json:"title,omitzero"`
	UpdatedAt             string      `json:"updatedAt,omitzero"` // ISO 8601
	Meta                  message.Raw `json:"_meta,omitzero"`
}

// Modes are the modes of working that a session has. Options of the category mode replace
// them in agents that have both.
type Modes struct {
	CurrentModeID  string      `json:"currentModeId"`
	AvailableModes []Mode      `json:"availableModes"`
	Meta           message.Raw `json:"_meta,omitzero"`
}

// A Mode is one of them.
type Mode struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Description string      `json:"description,omitzero"`
	Meta        message.Raw `json:"_meta,omitzero"`
}

// SetModeParams are the params of [SetMode].
type SetModeParams struct {
	SessionID string      `json:"sessionId"`
	ModeID    string      `json:"modeId"`
	Meta      message.Raw `json:"_meta,omitzero"`
}

// A ConfigOption is a setting of a session, and what it can be set to.
type ConfigOption struct {
	ID           string      `json:"id"`
	Name         string      `json:"name"`
	Description  string      `json:"description,omitzero"`
	Category     string      `json:"category,omitzero"` // "mode", "model", "thought_level", …
	Type         string      `json:"type"`              // "select" or "boolean"
	CurrentValue message.Raw `json:"currentValue"`      // a string, or true or false
	Options      message.Raw `json:"options,omitzero"`  // select: a list of values or of groups of them
	Meta         message.Raw `json:"_meta,omitzero"`
}

// SetConfigOptionParams are the params of [SetConfigOption].
type SetConfigOptionParams struct {
	SessionID string      `json:"sessionId"`
	ConfigID  string      `json:"configId"`
	Type      string      `json:"type,omitzero"` // "boolean" if the value is one
	Value     message.Raw `json:"value"`
	Meta      message.Raw `json:"_meta,omitzero"`
}

// SetConfigOptionResult is the result of [SetConfigOption]: all options, since one may change
// others.
type SetConfigOptionResult struct {
	ConfigOptions []ConfigOption `json:"configOptions"`
	Meta          message.Raw    `json:"_meta,omitzero"`
}

// PromptParams are the params of [Prompt].
type PromptParams struct {
	SessionID string         `json:"sessionId"`
	Prompt    []ContentBlock `json:"prompt"`
	Meta      message.Raw    `json:"_meta,omitzero"`
}

// PromptResult is the result of [Prompt].
type PromptResult struct {
	StopReason StopReason  `json:"stopReason"`
	Usage      message.Raw `json:"usage,omitzero"` // tokens of the turn (unstable)
	Meta       message.Raw `json:"_meta,omitzero"`
}

// An MCPServer is an MCP server that the agent connects to for a session.
type MCPServer struct {
	Type    string      `json:"type,omitzero"` // "" is stdio; "http", "sse"
	Name    string      `json:"name"`
	Command string      `json:"command,omitzero"` // stdio: an absolute path
	Args    []string    `json:"args,omitzero"`    // stdio
	Env     []NameValue `json:"env,omitzero"`     // stdio
	URL     string      `json:"url,omitzero"`     // http, sse
	Headers []NameValue `json:"headers,omitzero"` // http, sse
	Meta    message.Raw `json:"_meta,omitzero"`
}

// A NameValue is a variable of the environment or a header.
type NameValue struct {
	Name  string      `json:"name"`
	Value string      `json:"value"`
	Meta  message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the lists that the kind of server must have, empty ones too.
func (s MCPServer) MarshalJSON() ([]byte, error) {
	type plain MCPServer
	switch s.Type {
	case "":
		s.Args, s.Env = listed(s.Args), listed(s.Env)
	case "http", "sse":
		s.Headers = listed(s.Headers)
	}
	return message.Encode(plain(s))
}

// listed returns a list that is written even if it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

package claude

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The notes: records that nobody answers. Their params are the whole record, of which
// the types below name the members that matter most.
const (
	// User is a turn of the user from the client, or a tool's result from the agent.
	User parley.Note[UserParams] = "user"
	// UpdateEnvironmentVariables sets variables of the agent's process.
	UpdateEnvironmentVariables parley.Note[message.Raw] = "update_environment_variables"

	// System is news of the agent about itself; its subtype says what about.
	System parley.Note[SystemParams] = "system"
	// Assistant is a message of the model, whole.
	Assistant parley.Note[AssistantParams] = "assistant"
	// Result ends a turn, well or not.
	Result parley.Note[ResultParams] = "result"
	// StreamEvent is a piece of a message of the model that is being written.
	StreamEvent parley.Note[StreamEventParams] = "stream_event"
	// RateLimitEvent says how much of the limits of the account is used.
	RateLimitEvent parley.Note[message.Raw] = "rate_limit_event"
	// ToolProgress says that a tool still runs.
	ToolProgress parley.Note[message.Raw] = "tool_progress"
	// ToolUseSummary sums up what tools did.
	ToolUseSummary parley.Note[message.Raw] = "tool_use_summary"
	// AuthStatus says how far a login is.
	AuthStatus parley.Note[message.Raw] = "auth_status"
	// PromptSuggestion offers the user a next prompt.
	PromptSuggestion parley.Note[message.Raw] = "prompt_suggestion"
	// ConversationReset says that the conversation begins anew.
	ConversationReset parley.Note[message.Raw] = "conversation_reset"
	// TranscriptMirror is what the agent writes to its transcript, for the SDK to keep.
	TranscriptMirror parley.Note[message.Raw] = "transcript_mirror"

	// ControlCancelRequest takes a control_request back. A peer sends it by itself when
	// the ctx of a Call ends.
	ControlCancelRequest parley.Note[ControlCancelRequestParams] = "control_cancel_request"
)

// UserParams is a message of the user.
type UserParams struct {
	Message         UserMessage `json:"message"`
	ParentToolUseID *string     `json:"parent_tool_use_id"` // the tool call that a subagent works for
	SessionID       string      `json:"session_id"`         // "" from a client
	UUID            string      `json:"uuid,omitzero"`
	Priority        string      `json:"priority,omitzero"`        // "now", "next" or "later"
	ShouldQuery     *bool       `json:"shouldQuery,omitzero"`     // false: it begins no turn
	IsReplay        bool        `json:"isReplay,omitzero"`        // the agent repeats what it was sent
	ToolUseResult   message.Raw `json:"tool_use_result,omitzero"` // from the agent: what a tool gave
}

// UserMessage is what the user says: text as a string, or an array of blocks.
type UserMessage struct {
	Role    string      `json:"role"` // "user"
	Content message.Raw `json:"content"`
}

// Say returns the note of a user who says text.
func Say(text string) UserParams {
	content, _ := message.Encode(text) // a string has a JSON form
	return UserParams{Message: UserMessage{Role: "user", Content: content}}
}

// AssistantParams is a message of the model.
type AssistantParams struct {
	Message         AssistantMessage `json:"message"`
	ParentToolUseID *string          `json:"parent_tool_use_id"` // the tool call that a subagent works for
	SessionID       string           `json:"session_id"`
	UUID            string           `json:"uuid,omitzero"`
	Error           message.Raw      `json:"error,omitzero"`
	Aborted         bool             `json:"aborted,omitzero"`
}

// AssistantMessage is a message as the API of the model has it.
type AssistantMessage struct {
	ID         string        `json:"id"`
	Type       string        `json:"type"` // "message"
	Role       string        `json:"role"` // "assistant"
	Model      string        `json:"model"`
	Content    []message.Raw `json:"content"` // blocks, of types that grow in number
	StopReason *string       `json:"stop_reason"`
	Usage      message.Raw   `json:"usage,omitzero"`
}

// The subtypes of [System] that have members of their own in [SystemParams].
const (
	SystemInit         = "init"
	SystemStateChanged = "session_state_changed"
)

// The states that [SystemStateChanged] reports. Idle is the end of a turn that counts:
// it comes after results that were held back and after background work.
const (
	StateIdle           = "idle"
	StateRunning        = "running"
	StateRequiresAction = "requires_action"
)

// SystemParams is news of the agent about itself. Subtypes beyond those above have other
// members, which a handler of a raw note sees.
type SystemParams struct {
	Subtype   string `json:"subtype"`
	SessionID string `json:"session_id"`
	UUID      string `json:"uuid,omitzero"`

	// Of init, which begins each turn.
	CWD               string      `json:"cwd,omitzero"`
	Model             string      `json:"model,omitzero"`
	PermissionMode    string      `json:"permissionMode,omitzero"`
	Tools             []string    `json:"tools,omitzero"`
	MCPServers        []MCPServer `json:"mcp_servers,omitzero"`
	SlashCommands     []string    `json:"slash_commands,omitzero"`
	Agents            []string    `json:"agents,omitzero"`
	Skills            []string    `json:"skills,omitzero"`
	Plugins           message.Raw `json:"plugins,omitzero"`
	Capabilities      message.Raw `json:"capabilities,omitzero"`
	ClaudeCodeVersion string      `json:"claude_code_version,omitzero"`

	// Of session_state_changed.
	State string `json:"state,omitzero"`
}

// MCPServer is an MCP server of the agent.
type MCPServer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
}

// ResultParams is how a turn ended. IsError may be true where the subtype is "success":
// the API failed, and Result says how.
type ResultParams struct {
	Subtype           string        `json:"subtype"` // "success", "error_during_execution", "error_max_turns", …
	IsError           bool          `json:"is_error"`
	Result            string        `json:"result,omitzero"`
	Errors            []string      `json:"errors,omitzero"`
	StopReason        *string       `json:"stop_reason,omitzero"`
	TerminalReason    string        `json:"terminal_reason,omitzero"`
	APIErrorStatus    message.Raw   `json:"api_error_status,omitzero"`
	NumTurns          int           `json:"num_turns"`
	DurationMS        float64       `json:"duration_ms"`
	DurationAPIMS     float64       `json:"duration_api_ms"`
	TotalCostUSD      float64       `json:"total_cost_usd"`
	Usage             message.Raw   `json:"usage,omitzero"`
	ModelUsage        message.Raw   `json:"modelUsage,omitzero"`
	PermissionDenials []message.Raw `json:"permission_denials,omitzero"`
	StructuredOutput  message.Raw   `json:"structured_output,omitzero"`
	SessionID         string        `json:"session_id"`
	UUID              string        `json:"uuid,omitzero"`
}

// StreamEventParams is an event of the model's API as it came.
type StreamEventParams struct {
	Event           message.Raw `json:"event"`
	ParentToolUseID *string     `json:"parent_tool_use_id"`
	SessionID       string      `json:"session_id"`
	UUID            string      `json:"uuid,omitzero"`
}

// ControlCancelRequestParams names the call that is taken back.
type ControlCancelRequestParams struct {
	RequestID message.ID `json:"request_id"`
}

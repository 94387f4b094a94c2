package claude

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The calls of the agent, which the client answers.
const (
	// CanUseTool asks for the permission to run a tool.
	CanUseTool parley.Method[CanUseToolParams, PermissionResult] = "can_use_tool"
	// HookCallback runs a hook that the client registered when it initialized.
	HookCallback parley.Method[HookCallbackParams, message.Raw] = "hook_callback"
	// Elicitation passes on a question of an MCP server to the user.
	Elicitation parley.Method[ElicitationParams, ElicitationResult] = "elicitation"
	// RequestUserDialog opens a dialog. One of a kind that the client did not declare
	// is not to be answered.
	RequestUserDialog parley.Method[message.Raw, message.Raw] = "request_user_dialog"
)

// MCPMessage carries a JSON-RPC message to an MCP server on the other side, whichever
// side that is.
const MCPMessage parley.Method[MCPMessageParams, MCPMessageResult] = "mcp_message"

// The calls of the client that have types here.
const (
	// Initialize registers hooks, MCP servers and prompts. It comes first.
	Initialize parley.Method[InitializeParams, InitializeResult] = "initialize"
	// Interrupt stops the turn, which then ends with a result.
	Interrupt parley.Method[InterruptParams, InterruptResult] = "interrupt"
	// SetPermissionMode says which tools run without a question.
	SetPermissionMode parley.Method[SetPermissionModeParams, SetPermissionModeResult] = "set_permission_mode"
	// SetModel changes the model.
	SetModel parley.Method[SetModelParams, Done] = "set_model"
	// SetMaxThinkingTokens bounds how long the model thinks.
	SetMaxThinkingTokens parley.Method[SetMaxThinkingTokensParams, Done] = "set_max_thinking_tokens"
)

// Done is the result of a call that has nothing to tell.
type Done struct{}

// CanUseToolParams is a tool that is to run.
type CanUseToolParams struct {
	ToolName                string        `json:"tool_name"`
	Input                   message.Raw   `json:"input"`
	ToolUseID               string        `json:"tool_use_id"`
	PermissionSuggestions   []message.Raw `json:"permission_suggestions,omitzero"` // rules to allow the like
	BlockedPath             string        `json:"blocked_path,omitzero"`
	DecisionReason          string        `json:"decision_reason,omitzero"` // why it is asked
	DecisionReasonType      string        `json:"decision_reason_type,omitzero"`
	Title                   string        `json:"title,omitzero"`
	DisplayName             string        `json:"display_name,omitzero"`
	Description             string        `json:"description,omitzero"`
	AgentID                 string        `json:"agent_id,omitzero"` // the subagent that asks
	RequiresUserInteraction bool          `json:"requires_user_interaction,omitzero"`
	DefaultToNo             bool          `json:"default_to_no,omitzero"`
}

// PermissionResult is the answer to [CanUseTool]; [Allow] and [Deny] make one.
type PermissionResult struct {
	Behavior           string        `json:"behavior"`              // "allow" or "deny"
	UpdatedInput       message.Raw   `json:"updatedInput,omitzero"` // of allow: what the tool gets
	UpdatedPermissions []message.Raw `json:"updatedPermissions,omitzero"`
	ToolUseID          string        `json:"toolUseID,omitzero"`
	Message            string        `json:"message,omitzero"`   // of deny: why, for the model
	Interrupt          bool          `json:"interrupt,omitzero"` // of deny: stop the turn as well
}

// Allow lets the tool run with the given input, which is mostly the one that was asked
// about: some versions of the agent want it back.
func Allow(input message.Raw) PermissionResult {
	return PermissionResult{Behavior: "allow", UpdatedInput: input}
}

// Deny keeps the tool from running. The model reads why.
func Deny(why string) PermissionResult { return PermissionResult{Behavior: "deny", Message: why} }

// HookCallbackParams is an event that a hook of the client is for.
type HookCallbackParams struct {
	CallbackID string      `json:"callback_id"` // as the client named it in [HookMatcher]
	Input      message.Raw `json:"input"`
	ToolUseID  string      `json:"tool_use_id,omitzero"`
}

// ElicitationParams is a question of an MCP server.
type ElicitationParams struct {
	MCPServerName   string      `json:"mcp_server_name"`
	Message         string      `json:"message"`
	Mode            string      `json:"mode,omitzero"`             // "form" or "url"
	RequestedSchema message.Raw `json:"requested_schema,omitzero"` // of the form
}

// ElicitationResult is what the user says to the question.
type ElicitationResult struct {
	Action  string      `json:"action"` // "accept", "decline" or "cancel"
	Content message.Raw `json:"content,omitzero"`
}

// MCPMessageParams is a JSON-RPC message and the server that it is for.
type MCPMessageParams struct {
	ServerName string      `json:"server_name"`
	Message    message.Raw `json:"message"`
}

// MCPMessageResult is the JSON-RPC reply. The reply to a note is an acknowledgement
// that says nothing, and absent from the agent.
type MCPMessageResult struct {
	MCPResponse message.Raw `json:"mcp_response,omitzero"`
}

// InitializeParams is what the client brings along.
type InitializeParams struct {
	Hooks                map[string][]HookMatcher `json:"hooks,omitzero"` // by the name of the event
	SDKMCPServers        []string                 `json:"sdkMcpServers,omitzero"`
	SDKMCPServerConfigs  message.Raw              `json:"sdkMcpServerConfigs,omitzero"`
	JSONSchema           message.Raw              `json:"jsonSchema,omitzero"`   // of the structured output
	SystemPrompt         message.Raw              `json:"systemPrompt,omitzero"` // a string or an array of them
	AppendSystemPrompt   string                   `json:"appendSystemPrompt,omitzero"`
	Agents               message.Raw              `json:"agents,omitzero"`
	Skills               message.Raw              `json:"skills,omitzero"`
	Title                string                   `json:"title,omitzero"`
	SupportedDialogKinds []string                 `json:"supportedDialogKinds,omitzero"`
}

// HookMatcher says which callbacks run at an event.
type HookMatcher struct {
	Matcher         string   `json:"matcher,omitzero"` // of tool names; "" matches all
	HookCallbackIDs []string `json:"hookCallbackIds"`
	Timeout         float64  `json:"timeout,omitzero"`   // in seconds
	OnFailure       string   `json:"onFailure,omitzero"` // "continue" or "block"
}

// InitializeResult is what the agent offers. Requests that it waits for already are in
// it whole, as control_request records, for a client that joins late.
type InitializeResult struct {
	Commands                   []Command     `json:"commands"`
	Agents                     []message.Raw `json:"agents"`
	Models                     []Model       `json:"models"`
	OutputStyle                string        `json:"output_style"`
	AvailableOutputStyles      []string      `json:"available_output_styles"`
	Account                    message.Raw   `json:"account,omitzero"`
	PendingPermissionRequests  []message.Raw `json:"pending_permission_requests,omitzero"`
	PendingUserDialogRequests  []message.Raw `json:"pending_user_dialog_requests,omitzero"`
	PendingElicitationRequests []message.Raw `json:"pending_elicitation_requests,omitzero"`
}

// Command is a command that the user can give with a slash.
type Command struct {
	Name         string `json:"name"`
	Description  string `json:"description"`
	ArgumentHint string `json:"argumentHint"`
}

// Model is a model to choose from.
type Model struct {
	Value       string `json:"value"`
	DisplayName string `json:"displayName"`
	Description string `json:"description"`
}

// InterruptParams says what else is stopped.
type InterruptParams struct {
	CancelQueued bool `json:"cancel_queued,omitzero"` // the messages that wait for their turn
}

// InterruptResult names the messages that were waiting, by their uuid.
type InterruptResult struct {
	StillQueued []string `json:"still_queued"`
	Cancelled   []string `json:"cancelled,omitzero"`
}

// SetPermissionModeParams is a mode: "default", "acceptEdits", "plan", …
type SetPermissionModeParams struct {
	Mode string `json:"mode"`
}

// SetPermissionModeResult is the mode that holds now.
type SetPermissionModeResult struct {
	Mode string `json:"mode,omitzero"`
}

// SetModelParams is a model; nil is the default one.
type SetModelParams struct {
	Model *string `json:"model"`
}

// SetMaxThinkingTokensParams is a number of tokens; nil is no bound.
type SetMaxThinkingTokensParams struct {
	MaxThinkingTokens *int `json:"max_thinking_tokens"`
}

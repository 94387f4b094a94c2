package codex

import "github.com/parley-rpc/parley/message"

// CommandApprovalParams are the params of [CommandApproval].
type CommandApprovalParams struct {
	Kind          string `json:"kind,omitzero"` // "command", …
	ThreadID      string `json:"threadId"`
	TurnID        string `json:"turnId"`
	ItemID        string `json:"itemId"`               // of the [CommandExecution]
	StartedAtMS   *int64 `json:"startedAtMs,omitzero"` // since 1970
	ApprovalID    string `json:"approvalId,omitzero"`  // tells apart several approvals of one item
	EnvironmentID string `json:"environmentId,omitzero"`
	Reason        string `json:"reason,omitzero"`

	Command        string          `json:"command,omitzero"`
	CWD            string          `json:"cwd,omitzero"`
	CommandActions []CommandAction `json:"commandActions,omitzero"`

	NetworkApprovalContext message.Raw `json:"networkApprovalContext,omitzero"` // the host, where it is about one
	AdditionalPermissions  message.Raw `json:"additionalPermissions,omitzero"`

	ProposedExecpolicyAmendment     []string      `json:"proposedExecpolicyAmendment,omitzero"` // how commands would begin
	ProposedNetworkPolicyAmendments []message.Raw `json:"proposedNetworkPolicyAmendments,omitzero"`

	AvailableDecisions []Decision `json:"availableDecisions,omitzero"` // in the order to show them
}

// FileChangeApprovalParams are the params of [FileChangeApproval].
type FileChangeApprovalParams struct {
	ThreadID    string `json:"threadId"`
	TurnID      string `json:"turnId"`
	ItemID      string `json:"itemId"`               // of the [FileChange], which has the changes
	StartedAtMS *int64 `json:"startedAtMs,omitzero"` // since 1970
	Reason      string `json:"reason,omitzero"`
	GrantRoot   string `json:"grantRoot,omitzero"` // asks for all writes under this path
}

// ApprovalResult is the answer to an approval. The legacy ones have decisions of their own.
type ApprovalResult struct {
	Decision Decision `json:"decision"`
}

// Decide is the answer with a decision that has no details.
func Decide(name string) *ApprovalResult { return &ApprovalResult{Decision{Name: name}} }

// PermissionsApprovalParams are the params of [PermissionsApproval].
type PermissionsApprovalParams struct {
	ThreadID      string      `json:"threadId"`
	TurnID        string      `json:"turnId"`
	ItemID        string      `json:"itemId"`
	EnvironmentID string      `json:"environmentId,omitzero"`
	StartedAtMS   *int64      `json:"startedAtMs,omitzero"` // since 1970
	CWD           string      `json:"cwd,omitzero"`
	Reason        string      `json:"reason,omitzero"`
	Permissions   message.Raw `json:"permissions"` // {"network", "fileSystem"}
}

// PermissionsApprovalResult is the result of [PermissionsApproval].
type PermissionsApprovalResult struct {
	Permissions      message.Raw `json:"permissions"`    // what is granted of what was asked for; {}: nothing
	Scope            string      `json:"scope,omitzero"` // "turn" or "session"
	StrictAutoReview *bool       `json:"strictAutoReview,omitzero"`
}

// UserInputParams are the params of [RequestUserInput].
type UserInputParams struct {
	ThreadID         string         `json:"threadId"`
	TurnID           string         `json:"turnId"`
	ItemID           string         `json:"itemId"`
	Questions        []UserQuestion `json:"questions"`
	AutoResolutionMS *int64         `json:"autoResolutionMs,omitzero"` // after so long the server goes on without
}

// A UserQuestion is a question to the user.
type UserQuestion struct {
	ID       string       `json:"id"`
	Header   string       `json:"header"`
	Question string       `json:"question"`
	IsOther  bool         `json:"isOther,omitzero"`  // an answer beside the options is welcome
	IsSecret bool         `json:"isSecret,omitzero"` // the answer is not to be shown
	Options  []UserOption `json:"options,omitzero"`
}

// A UserOption is an answer that the user may choose.
type UserOption struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// UserInputResult is the result of [RequestUserInput]: answers by the ID of the question.
type UserInputResult struct {
	Answers map[string]UserAnswer `json:"answers"`
}

// A UserAnswer is what the user chose or wrote.
type UserAnswer struct {
	Answers []string `json:"answers"`
}

// ElicitationParams are the params of [Elicitation].
type ElicitationParams struct {
	ThreadID        string      `json:"threadId"`
	TurnID          string      `json:"turnId,omitzero"`
	ServerName      string      `json:"serverName"` // the MCP server
	Mode            string      `json:"mode"`       // "form" or "url", …
	Message         string      `json:"message"`
	RequestedSchema message.Raw `json:"requestedSchema,omitzero"` // form
	URL             string      `json:"url,omitzero"`             // url
	ElicitationID   string      `json:"elicitationId,omitzero"`   // url
	Meta            message.Raw `json:"_meta,omitzero"`
}

// ElicitationResult is the result of [Elicitation].
type ElicitationResult struct {
	Action  string      `json:"action"`           // "accept", "decline" or "cancel"
	Content message.Raw `json:"content,omitzero"` // accept, form: by the schema
	Meta    message.Raw `json:"_meta,omitzero"`
}

// ToolCallParams are the params of [ToolCall].
type ToolCallParams struct {
	ThreadID  string      `json:"threadId"`
	TurnID    string      `json:"turnId"`
	CallID    string      `json:"callId"`
	Namespace string      `json:"namespace,omitzero"`
	Tool      string      `json:"tool"`
	Arguments message.Raw `json:"arguments"`
}

// ToolCallResult is the result of [ToolCall].
type ToolCallResult struct {
	ContentItems []ToolOutput `json:"contentItems"`
	Success      bool         `json:"success"`
}

// A ToolOutput is a piece of what a tool gives to the model.
type ToolOutput struct {
	Type     string `json:"type"`              // "inputText" or "inputImage"
	Text     string `json:"text,omitzero"`     // inputText
	ImageURL string `json:"imageUrl,omitzero"` // inputImage
}

// ApplyPatchApprovalParams are the params of [ApplyPatchApproval].
type ApplyPatchApprovalParams struct {
	ConversationID string                 `json:"conversationId"`
	CallID         string                 `json:"callId"`
	FileChanges    map[string]message.Raw `json:"fileChanges"` // by path
	Reason         string                 `json:"reason,omitzero"`
	GrantRoot      string                 `json:"grantRoot,omitzero"`
}

// ExecCommandApprovalParams are the params of [ExecCommandApproval].
type ExecCommandApprovalParams struct {
	ConversationID string        `json:"conversationId"`
	CallID         string        `json:"callId"`
	ApprovalID     string        `json:"approvalId,omitzero"`
	Command        []string      `json:"command"`
	CWD            string        `json:"cwd"`
	Reason         string        `json:"reason,omitzero"`
	ParsedCmd      []message.Raw `json:"parsedCmd"`
}

// ResolvedParams are the params of [Resolved].
type ResolvedParams struct {
	ThreadID  string     `json:"threadId"`
	RequestID message.ID `json:"requestId"` // of a call of the server
}

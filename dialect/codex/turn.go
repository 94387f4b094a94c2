package codex

import "github.com/parley-rpc/parley/message"

// TurnStartParams are the params of [TurnStart]. Settings hold for this turn and those after it;
// what is left out stays as it is.
type TurnStartParams struct {
	ThreadID          string         `json:"threadId"`
	Input             []Input        `json:"input"`
	CWD               string         `json:"cwd,omitzero"`
	ApprovalPolicy    ApprovalPolicy `json:"approvalPolicy,omitzero"`
	ApprovalsReviewer string         `json:"approvalsReviewer,omitzero"` // who is asked: "user", …
	SandboxPolicy     *SandboxPolicy `json:"sandboxPolicy,omitzero"`
	Model             string         `json:"model,omitzero"`
	ServiceTier       string         `json:"serviceTier,omitzero"`
	Effort            string         `json:"effort,omitzero"`
	Summary           string         `json:"summary,omitzero"`
	Personality       string         `json:"personality,omitzero"`
	OutputSchema      message.Raw    `json:"outputSchema,omitzero"`      // of the last message of this turn, in JSON Schema
	CollaborationMode message.Raw    `json:"collaborationMode,omitzero"` // not stable
}

// An Input is a piece of what the user says.
type Input struct {
	Type         string        `json:"type"`                   // "text", "image", "localImage", "skill" or "mention"
	Text         string        `json:"text,omitzero"`          // text
	TextElements []message.Raw `json:"text_elements,omitzero"` // text: what stands for more than its letters
	URL          string        `json:"url,omitzero"`           // image
	Path         string        `json:"path,omitzero"`          // localImage, skill, mention
	Name         string        `json:"name,omitzero"`          // skill, mention
}

// Text is an input of text.
func Text(text string) Input { return Input{Type: "text", Text: text} }

// MarshalJSON writes the text of a text input even if it is empty, as the server wants it.
func (i Input) MarshalJSON() ([]byte, error) {
	type plain Input
	if i.Type != "text" || i.Text != "" {
		return message.Encode(plain(i))
	}
	return message.Encode(struct {
		plain
		Text string `json:"text"`
	}{plain(i), i.Text})
}

// TurnStartResult is the result of [TurnStart]: a turn that is in progress.
type TurnStartResult struct {
	Turn Turn `json:"turn"`
}

// TurnSteerParams are the params of [TurnSteer].
type TurnSteerParams struct {
	ThreadID       string  `json:"threadId"`
	Input          []Input `json:"input"`
	ExpectedTurnID string  `json:"expectedTurnId"` // refused if another turn is going on
}

// TurnSteerResult is the result of [TurnSteer].
type TurnSteerResult struct {
	TurnID string `json:"turnId"`
}

// TurnInterruptParams are the params of [TurnInterrupt].
type TurnInterruptParams struct {
	ThreadID string `json:"threadId"`
	TurnID   string `json:"turnId"`
}

// A Turn is a round of a thread: what the user said, and all that came of it.
type Turn struct {
	ID          string     `json:"id"`
	RootTurnID  string     `json:"rootTurnId,omitzero"`
	Items       []Item     `json:"items"`
	ItemsView   string     `json:"itemsView,omitzero"` // how many they are: "notLoaded", "summary" or "full"
	Status      TurnStatus `json:"status"`
	Error       *TurnError `json:"error,omitzero"`       // if it failed
	StartedAt   *int64     `json:"startedAt,omitzero"`   // in seconds since 1970
	CompletedAt *int64     `json:"completedAt,omitzero"` // in seconds since 1970
	DurationMS  *int64     `json:"durationMs,omitzero"`
}

// A TurnStatus says how a turn is.
type TurnStatus string

// The statuses.
const (
	TurnInProgress TurnStatus = "inProgress"
	TurnDone       TurnStatus = "completed"
	TurnStopped    TurnStatus = "interrupted"
	TurnFailed     TurnStatus = "failed"
)

// A TurnError says why a turn failed.
type TurnError struct {
	Message           string      `json:"message"`
	CodexErrorInfo    Choice      `json:"codexErrorInfo,omitzero"` // "contextWindowExceeded", "usageLimitExceeded", …
	AdditionalDetails string      `json:"additionalDetails,omitzero"`
	Data              message.Raw `json:"data,omitzero"`
}

// ThreadStartedParams are the params of [ThreadStarted].
type ThreadStartedParams struct {
	Thread Thread `json:"thread"`
}

// ThreadStatusChangedParams are the params of [ThreadStatusChanged].
type ThreadStatusChangedParams struct {
	ThreadID string       `json:"threadId"`
	Status   ThreadStatus `json:"status"`
}

// TurnParams are the params of [TurnStarted] and [TurnCompleted].
type TurnParams struct {
	ThreadID string `json:"threadId"`
	Turn     Turn   `json:"turn"`
}

// TurnDiffUpdatedParams are the params of [TurnDiffUpdated].
type TurnDiffUpdatedParams struct {
	ThreadID string `json:"threadId"`
	TurnID   string `json:"turnId"`
	Diff     string `json:"diff"` // all that the turn changed, as a unified diff
}

// TurnPlanUpdatedParams are the params of [TurnPlanUpdated].
type TurnPlanUpdatedParams struct {
	ThreadID    string     `json:"threadId"`
	TurnID      string     `json:"turnId"`
	Explanation string     `json:"explanation,omitzero"`
	Plan        []PlanStep `json:"plan"`
}

// A PlanStep is a step that the agent plans to take.
type PlanStep struct {
	Step   string `json:"step"`
	Status string `json:"status"` // "pending", "inProgress" or "completed"
}

// ItemStartedParams are the params of [ItemStarted].
type ItemStartedParams struct {
	Item        Item   `json:"item"`
	ThreadID    string `json:"threadId"`
	TurnID      string `json:"turnId"`
	StartedAtMS *int64 `json:"startedAtMs,omitzero"` // since 1970
}

// ItemCompletedParams are the params of [ItemCompleted].
type ItemCompletedParams struct {
	Item              Item   `json:"item"`
	ThreadID          string `json:"threadId"`
	TurnID            string `json:"turnId"`
	ContentTokenCount *int64 `json:"contentTokenCount,omitzero"`
	CompletedAtMS     *int64 `json:"completedAtMs,omitzero"` // since 1970
}

// DeltaParams are more of something that an item is growing by.
type DeltaParams struct {
	ThreadID string `json:"threadId"`
	TurnID   string `json:"turnId"`
	ItemID   string `json:"itemId"`
	Delta    string `json:"delta"`
}

// ReasoningDeltaParams are the params of [ItemReasoningSummaryTextDelta] and
// [ItemReasoningTextDelta].
type ReasoningDeltaParams struct {
	DeltaParams
	SummaryIndex *int64 `json:"summaryIndex,omitzero"` // which part of the summary
	ContentIndex *int64 `json:"contentIndex,omitzero"` // which part of the text
}

// TokenUsageUpdatedParams are the params of [ThreadTokenUsageUpdated].
type TokenUsageUpdatedParams struct {
	ThreadID   string     `json:"threadId"`
	TurnID     string     `json:"turnId"`
	TokenUsage TokenUsage `json:"tokenUsage"`
}

// A TokenUsage is what a thread has used.
type TokenUsage struct {
	Total              Tokens `json:"total"`
	Last               Tokens `json:"last"` // of the last answer of the model
	ModelContextWindow *int64 `json:"modelContextWindow,omitzero"`
}

// Tokens are numbers of tokens.
type Tokens struct {
	TotalTokens           int64  `json:"totalTokens"`
	InputTokens           int64  `json:"inputTokens"`
	CachedInputTokens     int64  `json:"cachedInputTokens"`
	CacheWriteInputTokens *int64 `json:"cacheWriteInputTokens,omitzero"`
	OutputTokens          int64  `json:"outputTokens"`
	ReasoningOutputTokens int64  `json:"reasoningOutputTokens"`
}

// ErrorParams are the params of [ErrorNote].
type ErrorParams struct {
	Error     TurnError `json:"error"`
	WillRetry bool      `json:"willRetry"` // by the server; false: the turn fails
	ThreadID  string    `json:"threadId"`
	TurnID    string    `json:"turnId"`
}

// WarningParams are the params of [Warning] and [GuardianWarning].
type WarningParams struct {
	ThreadID string `json:"threadId,omitzero"`
	Message  string `json:"message"`
}

// ConfigWarningParams are the params of [ConfigWarning].
type ConfigWarningParams struct {
	Summary string      `json:"summary"`
	Details string      `json:"details,omitzero"`
	Path    string      `json:"path,omitzero"`  // of the file
	Range   message.Raw `json:"range,omitzero"` // in the file
}

// DeprecationNoticeParams are the params of [DeprecationNotice].
type DeprecationNoticeParams struct {
	Summary string `json:"summary"`
	Details string `json:"details,omitzero"`
}

// RemoteControlStatusParams are the params of [RemoteControlStatusChanged].
type RemoteControlStatusParams struct {
	Status         string `json:"status"` // "disabled", …
	ServerName     string `json:"serverName,omitzero"`
	InstallationID string `json:"installationId,omitzero"`
	EnvironmentID  string `json:"environmentId,omitzero"`
}

package mcp

import "github.com/parley-rpc/parley/message"

// CreateMessageParams are the params of sampling/createMessage: a server asks for the
// model of the client.
type CreateMessageParams struct {
	Messages         []SamplingMessage `json:"messages"`
	MaxTokens        int64             `json:"maxTokens"`
	SystemPrompt     string            `json:"systemPrompt,omitzero"`
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitzero"`
	IncludeContext   string            `json:"includeContext,omitzero"` // none, thisServer, allServers
	Temperature      *float64          `json:"temperature,omitzero"`
	StopSequences    []string          `json:"stopSequences,omitzero"`
	Metadata         message.Raw       `json:"metadata,omitzero"`   // for the provider of the model
	Tools            []Tool            `json:"tools,omitzero"`      // since 2025-11-25
	ToolChoice       *ToolChoice       `json:"toolChoice,omitzero"` // since 2025-11-25
	Task             *TaskRequest      `json:"task,omitzero"`       // 2025-11-25
	Meta             message.Raw       `json:"_meta,omitzero"`
}

// SamplingMessage is a turn of the conversation with the model.
type SamplingMessage struct {
	Role    Role        `json:"role"`
	Content Contents    `json:"content"`
	Meta    message.Raw `json:"_meta,omitzero"`
}

// ModelPreferences help a client to pick a model. Priorities are from 0 to 1.
type ModelPreferences struct {
	Hints                []ModelHint `json:"hints,omitzero"` // in order of preference
	CostPriority         *float64    `json:"costPriority,omitzero"`
	SpeedPriority        *float64    `json:"speedPriority,omitzero"`
	IntelligencePriority *float64    `json:"intelligencePriority,omitzero"`
}

// ModelHint is a part of the name of a model.
type ModelHint struct {
	Name string `json:"name,omitzero"`
}

// ToolChoice says whether the model may, must or must not use tools.
type ToolChoice struct {
	Mode string `json:"mode,omitzero"` // auto, required or none
}

// CreateMessageResult is what the model said.
type CreateMessageResult struct {
	Role       Role     `json:"role"`
	Content    Contents `json:"content"`
	Model      string   `json:"model"`
	StopReason string   `json:"stopReason,omitzero"` // endTurn, stopSequence, maxTokens, toolUse, …

	Task *Task       `json:"task,omitzero"` // 2025-11-25: a promise, and nothing else counts
	Meta message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the promise of a task without a message.
func (r CreateMessageResult) MarshalJSON() ([]byte, error) {
	type fields CreateMessageResult
	if r.Task != nil {
		return message.Encode(taskPromise{r.Task, r.Meta})
	}
	return message.Encode(fields(r))
}

// taskPromise is a result of revision 2025-11-25 that only promises one.
type taskPromise struct {
	Task *Task       `json:"task"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// ListRootsResult are the folders that a client lets a server work in.
type ListRootsResult struct {
	Roots []Root      `json:"roots"`
	Meta  message.Raw `json:"_meta,omitzero"`
}

// Root is one of them.
type Root struct {
	URI  string      `json:"uri"` // a file URL
	Name string      `json:"name,omitzero"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// The modes of an elicitation.
const (
	ElicitForm = "form" // fill in a form; what an absent mode means
	ElicitURL  = "url"  // visit a page; since 2025-11-25
)

// ElicitParams are the params of elicitation/create: a server asks the user something.
type ElicitParams struct {
	Mode    string `json:"mode,omitzero"`
	Message string `json:"message"` // for the user

	// RequestedSchema describes the form: an object of strings, numbers, booleans and
	// choices, none inside another.
	RequestedSchema message.Raw `json:"requestedSchema,omitzero"`

	URL           string `json:"url,omitzero"`           // mode url
	ElicitationID string `json:"elicitationId,omitzero"` // mode url, 2025-11-25

	Task *TaskRequest `json:"task,omitzero"` // 2025-11-25
	Meta message.Raw  `json:"_meta,omitzero"`
}

// What a user did with an elicitation.
const (
	ElicitAccept  = "accept"
	ElicitDecline = "decline" // said no
	ElicitCancel  = "cancel"  // went away without a choice
)

// ElicitResult is the answer of the user.
type ElicitResult struct {
	Action  string      `json:"action"`
	Content message.Raw `json:"content,omitzero"` // what was filled in, if accepted: an object

	Task *Task       `json:"task,omitzero"` // 2025-11-25: a promise, and nothing else counts
	Meta message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the promise of a task without an action.
func (r ElicitResult) MarshalJSON() ([]byte, error) {
	type fields ElicitResult
	if r.Task != nil {
		return message.Encode(taskPromise{r.Task, r.Meta})
	}
	return message.Encode(fields(r))
}

package mcp

import "github.com/parley-rpc/parley/message"

// Tool is a function that a server offers to a model.
type Tool struct {
	// Name has 1 to 128 letters, digits and characters of "_-." ("Tools", tool names).
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`

	// InputSchema and OutputSchema are JSON Schema, of the dialect 2020-12 unless
	// $schema says otherwise. An absent InputSchema is written as one that takes any
	// object, since the protocol requires one.
	InputSchema  message.Raw `json:"inputSchema"`
	OutputSchema message.Raw `json:"outputSchema,omitzero"`

	Annotations *ToolAnnotations `json:"annotations,omitzero"`
	Execution   *ToolExecution   `json:"execution,omitzero"` // 2025-11-25
	Icons       []Icon           `json:"icons,omitzero"`
	Meta        message.Raw      `json:"_meta,omitzero"`
}

// MarshalJSON writes a tool without an input schema as one that takes any object.
func (t Tool) MarshalJSON() ([]byte, error) {
	type fields Tool
	if t.InputSchema.IsZero() {
		t.InputSchema = message.Raw(`{"type":"object"}`)
	}
	return message.Encode(fields(t))
}

// ToolAnnotations are hints about what a tool does. Nobody has vouched for them: they
// come from the server.
type ToolAnnotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    bool   `json:"readOnlyHint,omitzero"`
	DestructiveHint *bool  `json:"destructiveHint,omitzero"` // nil means true
	IdempotentHint  bool   `json:"idempotentHint,omitzero"`
	OpenWorldHint   *bool  `json:"openWorldHint,omitzero"` // nil means true
}

// ToolExecution says whether a tool runs as a task in revision 2025-11-25.
type ToolExecution struct {
	TaskSupport string `json:"taskSupport,omitzero"` // forbidden, optional or required
}

// ListToolsResult is a page of tools.
type ListToolsResult struct {
	ResultType string  `json:"resultType,omitzero"`
	Tools      []Tool  `json:"tools"`
	NextCursor *string `json:"nextCursor,omitzero"` // nil: the last page
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// CallToolParams are the params of tools/call.
type CallToolParams struct {
	Name      string      `json:"name"`
	Arguments message.Raw `json:"arguments,omitzero"` // an object

	// InputResponses and RequestState answer an [InputRequired] of the call before:
	// the results by the keys of its requests, and its state as it was.
	InputResponses map[string]message.Raw `json:"inputResponses,omitzero"`
	RequestState   *string                `json:"requestState,omitzero"`

	Task *TaskRequest `json:"task,omitzero"` // 2025-11-25
	Meta message.Raw  `json:"_meta,omitzero"`
}

// CallToolResult is the answer to tools/call. It is one of three things, and says by
// ResultType which: what the tool said, a question (input_required), or the promise of
// a task. In revision 2025-11-25 that promise has no type.
type CallToolResult struct {
	ResultType string `json:"resultType,omitzero"`

	// Content is what the tool said, and StructuredContent the same as JSON: an object
	// until 2025-11-25, any value since.
	Content           []Content   `json:"content,omitzero"`
	StructuredContent message.Raw `json:"structuredContent,omitzero"`

	// IsError says that the tool failed, be it that its arguments made no sense; the
	// content says how. A model can read that and try again.
	IsError bool `json:"isError,omitzero"`

	InputRequired

	// Task is what was promised. On the wire its members stand beside a ResultType
	// task, and without one in a member of their own.
	Task *Task       `json:"task,omitzero"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the content of a complete result also if there is none, and of a
// promise only the task.
func (r CallToolResult) MarshalJSON() ([]byte, error) {
	if r.Task != nil && r.ResultType == ResultTask {
		return message.Encode(struct {
			ResultType string `json:"resultType"`
			Task
			Meta message.Raw `json:"_meta,omitzero"`
		}{r.ResultType, *r.Task, r.Meta})
	}
	type fields CallToolResult
	r.ResultType = r.typeOr(r.ResultType)
	text, err := message.Encode(fields(r))
	if err != nil || !isComplete(r.ResultType) || r.Task != nil {
		return text, err
	}
	return orElse(text, "content", `[]`)
}

// UnmarshalJSON reads the members of a task only where the type says that they are: any
// other result may have members of such names that mean something else.
func (r *CallToolResult) UnmarshalJSON(text []byte) error {
	type fields CallToolResult
	var all fields
	if err := message.Raw(text).Decode(&all); err != nil {
		return err
	}
	*r = CallToolResult(all)
	if r.ResultType != ResultTask {
		return nil
	}
	return message.Raw(text).Decode(&r.Task)
}

// Resource is something that a server lets a client read.
type Resource struct {
	URI         string       `json:"uri"`
	Name        string       `json:"name"`
	Title       string       `json:"title,omitzero"`
	Description string       `json:"description,omitzero"`
	MIMEType    string       `json:"mimeType,omitzero"`
	Size        *int64       `json:"size,omitzero"` // bytes, before any encoding
	Annotations *Annotations `json:"annotations,omitzero"`
	Icons       []Icon       `json:"icons,omitzero"`
	Meta        message.Raw  `json:"_meta,omitzero"`
}

// ResourceTemplate is a family of resources, one for each way to fill in its URI
// (RFC 6570).
type ResourceTemplate struct {
	URITemplate string       `json:"uriTemplate"`
	Name        string       `json:"name"`
	Title       string       `json:"title,omitzero"`
	Description string       `json:"description,omitzero"`
	MIMEType    string       `json:"mimeType,omitzero"`
	Annotations *Annotations `json:"annotations,omitzero"`
	Icons       []Icon       `json:"icons,omitzero"`
	Meta        message.Raw  `json:"_meta,omitzero"`
}

// ListResourcesResult is a page of resources.
type ListResourcesResult struct {
	ResultType string     `json:"resultType,omitzero"`
	Resources  []Resource `json:"resources"`
	NextCursor *string    `json:"nextCursor,omitzero"` // nil: the last page
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// ListResourceTemplatesResult is a page of templates.
type ListResourceTemplatesResult struct {
	ResultType        string             `json:"resultType,omitzero"`
	ResourceTemplates []ResourceTemplate `json:"resourceTemplates"`
	NextCursor        *string            `json:"nextCursor,omitzero"` // nil: the last page
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// ReadResourceParams are the params of resources/read.
type ReadResourceParams struct {
	URI            string                 `json:"uri"`
	InputResponses map[string]message.Raw `json:"inputResponses,omitzero"` // see [CallToolParams]
	RequestState   *string                `json:"requestState,omitzero"`
	Meta           message.Raw            `json:"_meta,omitzero"`
}

// ReadResourceResult is what was read, or a question. A resource may have several
// parts, such as the files of a folder.
type ReadResourceResult struct {
	ResultType string             `json:"resultType,omitzero"`
	Contents   []ResourceContents `json:"contents,omitzero"`
	InputRequired
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the contents of a complete result also if there are none.
func (r ReadResourceResult) MarshalJSON() ([]byte, error) {
	type fields ReadResourceResult
	r.ResultType = r.typeOr(r.ResultType)
	text, err := message.Encode(fields(r))
	if err != nil || !isComplete(r.ResultType) {
		return text, err
	}
	return orElse(text, "contents", `[]`)
}

// SubscribeParams are the params of resources/subscribe and resources/unsubscribe.
type SubscribeParams struct {
	URI  string      `json:"uri"`
	Meta message.Raw `json:"_meta,omitzero"`
}

// Prompt is a text that a server has ready for a person to start from.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitzero"`
	Description string           `json:"description,omitzero"`
	Arguments   []PromptArgument `json:"arguments,omitzero"`
	Icons       []Icon           `json:"icons,omitzero"`
	Meta        message.Raw      `json:"_meta,omitzero"`
}

// PromptArgument is a blank in a prompt.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	Required    bool   `json:"required,omitzero"`
}

// ListPromptsResult is a page of prompts.
type ListPromptsResult struct {
	ResultType string   `json:"resultType,omitzero"`
	Prompts    []Prompt `json:"prompts"`
	NextCursor *string  `json:"nextCursor,omitzero"` // nil: the last page
	Cacheable
	Meta message.Raw `json:"_meta,omitzero"`
}

// GetPromptParams are the params of prompts/get.
type GetPromptParams struct {
	Name           string                 `json:"name"`
	Arguments      map[string]string      `json:"arguments,omitzero"`
	InputResponses map[string]message.Raw `json:"inputResponses,omitzero"` // see [CallToolParams]
	RequestState   *string                `json:"requestState,omitzero"`
	Meta           message.Raw            `json:"_meta,omitzero"`
}

// GetPromptResult is a prompt with its blanks filled in, or a question.
type GetPromptResult struct {
	ResultType  string          `json:"resultType,omitzero"`
	Description string          `json:"description,omitzero"`
	Messages    []PromptMessage `json:"messages,omitzero"`
	InputRequired
	Meta message.Raw `json:"_meta,omitzero"`
}

// MarshalJSON writes the messages of a complete result also if there are none.
func (r GetPromptResult) MarshalJSON() ([]byte, error) {
	type fields GetPromptResult
	r.ResultType = r.typeOr(r.ResultType)
	text, err := message.Encode(fields(r))
	if err != nil || !isComplete(r.ResultType) {
		return text, err
	}
	return orElse(text, "messages", `[]`)
}

// PromptMessage is what one side says in a prompt.
type PromptMessage struct {
	Role    Role    `json:"role"`
	Content Content `json:"content"`
}

// The types of a reference in completion/complete.
const (
	RefPrompt   = "ref/prompt"
	RefResource = "ref/resource"
)

// CompleteParams are the params of completion/complete.
type CompleteParams struct {
	Ref      Reference          `json:"ref"`
	Argument CompletionArgument `json:"argument"`
	Context  *CompletionContext `json:"context,omitzero"` // since 2025-06-18
	Meta     message.Raw        `json:"_meta,omitzero"`
}

// Reference names the prompt or the resource template whose blank is being filled in.
type Reference struct {
	Type  string `json:"type"`
	Name  string `json:"name,omitzero"` // of a prompt
	Title string `json:"title,omitzero"`
	URI   string `json:"uri,omitzero"` // of a resource template
}

// CompletionArgument is the blank, and what has been typed so far.
type CompletionArgument struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// CompletionContext has the blanks that are filled in already.
type CompletionContext struct {
	Arguments map[string]string `json:"arguments,omitzero"`
}

// CompleteResult is the answer to completion/complete.
type CompleteResult struct {
	ResultType string      `json:"resultType,omitzero"`
	Completion Completion  `json:"completion"`
	Meta       message.Raw `json:"_meta,omitzero"`
}

// Completion has at most 100 proposals, the best first.
type Completion struct {
	Values  []string `json:"values"`
	Total   *int64   `json:"total,omitzero"`   // how many there are, if that is known
	HasMore bool     `json:"hasMore,omitzero"` // there are more than Values has
}

// SetLevelParams are the params of logging/setLevel.
type SetLevelParams struct {
	Level Level       `json:"level"`
	Meta  message.Raw `json:"_meta,omitzero"`
}

// ListenParams are the params of subscriptions/listen.
type ListenParams struct {
	Notifications Subscription `json:"notifications"`
	Meta          message.Raw  `json:"_meta,omitzero"`
}

// Subscription says which notes a client wants, and which of them a server will send.
type Subscription struct {
	ToolsListChanged      bool     `json:"toolsListChanged,omitzero"`
	PromptsListChanged    bool     `json:"promptsListChanged,omitzero"`
	ResourcesListChanged  bool     `json:"resourcesListChanged,omitzero"`
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitzero"` // URIs
	TaskIDs               []string `json:"taskIds,omitzero"`               // extension tasks
}

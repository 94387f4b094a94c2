package codex

import "github.com/parley-rpc/parley/message"

// An ItemType says what an [Item] is.
type ItemType string

// The types. There is a Go type for some of them, named after it.
const (
	ItemUserMessage         ItemType = "userMessage"  // [UserMessage]
	ItemAgentMessage        ItemType = "agentMessage" // [AgentMessage]
	ItemReasoning           ItemType = "reasoning"    // [Reasoning]
	ItemPlan                ItemType = "plan"
	ItemCommandExecution    ItemType = "commandExecution" // [CommandExecution]
	ItemFileChange          ItemType = "fileChange"       // [FileChange]
	ItemMCPToolCall         ItemType = "mcpToolCall"      // [MCPToolCall]
	ItemDynamicToolCall     ItemType = "dynamicToolCall"
	ItemCollabAgentToolCall ItemType = "collabAgentToolCall"
	ItemSubAgentActivity    ItemType = "subAgentActivity"
	ItemWebSearch           ItemType = "webSearch"
	ItemImageView           ItemType = "imageView"
	ItemImageGeneration     ItemType = "imageGeneration"
	ItemSleep               ItemType = "sleep"
	ItemHookPrompt          ItemType = "hookPrompt"
	ItemEnteredReviewMode   ItemType = "enteredReviewMode"
	ItemExitedReviewMode    ItemType = "exitedReviewMode"
	ItemContextCompaction   ItemType = "contextCompaction"
)

// An Item is a message or a deed in a turn. It keeps the text that it came as, whatever its
// type, and is written as that text.
type Item struct {
	Type ItemType
	ID   string
	Text message.Raw // the whole object
}

// NewItem makes an item of v, one of the types that are named after an [ItemType].
func NewItem(v any) (Item, error) {
	text, err := message.Encode(v)
	if err != nil {
		return Item{}, err
	}
	var item Item
	err = item.UnmarshalJSON(text)
	return item, err
}

// Decode reads the item into v, a pointer to the Go type that its Type tells. The error is that
// of [message.Raw.Decode].
func (i Item) Decode(v any) error { return i.Text.Decode(v) }

// MarshalJSON returns the text of the item.
func (i Item) MarshalJSON() ([]byte, error) { return message.Encode(i.Text) }

// UnmarshalJSON copies the text, and reads type and id.
func (i *Item) UnmarshalJSON(text []byte) error {
	var head struct {
		Type ItemType `json:"type"`
		ID   string   `json:"id"`
	}
	if err := message.Raw(text).Decode(&head); err != nil {
		return err
	}
	i.Type, i.ID = head.Type, head.ID
	return i.Text.UnmarshalJSON(text)
}

// A UserMessage is what the user said.
type UserMessage struct {
	Type          ItemType `json:"type"` // [ItemUserMessage]
	ID            string   `json:"id"`
	ClientID      string   `json:"clientId,omitzero"` // that the client gave it
	Content       []Input  `json:"content"`
	StartedAtMS   *int64   `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS *int64   `json:"completedAtMs,omitzero"`
}

// An AgentMessage is what the agent said.
type AgentMessage struct {
	Type           ItemType    `json:"type"` // [ItemAgentMessage]
	ID             string      `json:"id"`
	Text           string      `json:"text"`
	Phase          string      `json:"phase,omitzero"` // "commentary" or "final_answer"
	MemoryCitation message.Raw `json:"memoryCitation,omitzero"`
	Moderation     message.Raw `json:"moderation,omitzero"`
	Delivery       message.Raw `json:"delivery,omitzero"`
	Questions      message.Raw `json:"questions,omitzero"`
	StartedAtMS    *int64      `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS  *int64      `json:"completedAtMs,omitzero"`
}

// A Reasoning is what the model thought.
type Reasoning struct {
	Type          ItemType `json:"type"` // [ItemReasoning]
	ID            string   `json:"id"`
	Summary       []string `json:"summary"`
	Content       []string `json:"content"`
	StartedAtMS   *int64   `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS *int64   `json:"completedAtMs,omitzero"`
}

// An ItemStatus says how far a command, a change of files or a tool is.
type ItemStatus string

// The statuses. Tools of MCP servers are never declined.
const (
	ItemInProgress ItemStatus = "inProgress"
	ItemDone       ItemStatus = "completed"
	ItemFailed     ItemStatus = "failed"
	ItemDeclined   ItemStatus = "declined" // the user did not approve of it
)

// A CommandExecution is a command that the agent runs.
type CommandExecution struct {
	Type             ItemType        `json:"type"` // [ItemCommandExecution]
	ID               string          `json:"id"`
	PluginID         string          `json:"pluginId,omitzero"`
	ScriptPath       string          `json:"scriptPath,omitzero"`
	Command          string          `json:"command"`
	CWD              string          `json:"cwd"`
	ProcessID        string          `json:"processId,omitzero"` // of its terminal
	Source           string          `json:"source,omitzero"`    // "agent", "userShell", …
	Status           ItemStatus      `json:"status"`
	CommandActions   []CommandAction `json:"commandActions"`
	AggregatedOutput *string         `json:"aggregatedOutput,omitzero"` // stdout and stderr
	ExitCode         *int            `json:"exitCode,omitzero"`
	DurationMS       *int64          `json:"durationMs,omitzero"`
	StartedAtMS      *int64          `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS    *int64          `json:"completedAtMs,omitzero"`
}

// A CommandAction is what the server takes a part of a command to do.
type CommandAction struct {
	Type    string  `json:"type"` // "read", "listFiles", "search" or "unknown"
	Command string  `json:"command"`
	Name    string  `json:"name,omitzero"`  // read
	Path    *string `json:"path,omitzero"`  // read, listFiles, search
	Query   *string `json:"query,omitzero"` // search
}

// A FileChange is a change of files that the agent makes.
type FileChange struct {
	Type          ItemType     `json:"type"` // [ItemFileChange]
	ID            string       `json:"id"`
	Changes       []FileUpdate `json:"changes"`
	Status        ItemStatus   `json:"status"`
	StartedAtMS   *int64       `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS *int64       `json:"completedAtMs,omitzero"`
}

// A FileUpdate is what changes in a file.
type FileUpdate struct {
	Path string      `json:"path"`
	Kind message.Raw `json:"kind"` // {"type": "add", "delete" or "update", …}
	Diff string      `json:"diff"`
}

// An MCPToolCall is a call of a tool of an MCP server.
type MCPToolCall struct {
	Type          ItemType    `json:"type"` // [ItemMCPToolCall]
	ID            string      `json:"id"`
	Server        string      `json:"server"`
	Tool          string      `json:"tool"`
	Status        ItemStatus  `json:"status"`
	Arguments     message.Raw `json:"arguments"`
	AppContext    message.Raw `json:"appContext,omitzero"`
	PluginID      string      `json:"pluginId,omitzero"`
	Result        message.Raw `json:"result,omitzero"`
	Error         message.Raw `json:"error,omitzero"`
	DurationMS    *int64      `json:"durationMs,omitzero"`
	StartedAtMS   *int64      `json:"startedAtMs,omitzero"` // since 1970
	CompletedAtMS *int64      `json:"completedAtMs,omitzero"`
}

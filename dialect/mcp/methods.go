package mcp

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// What a client asks a server.
const (
	// Initialize opens a conversation, agrees on a version and tells what both sides can do.
	Initialize parley.Method[InitializeParams, *InitializeResult] = "initialize"
	// Discover asks which versions the server speaks and what it can do.
	Discover parley.Method[EmptyParams, *DiscoverResult] = "server/discover"
	// ListTools asks for the tools of the server.
	ListTools parley.Method[ListParams, *ListToolsResult] = "tools/list"
	// CallTool runs a tool.
	CallTool parley.Method[CallToolParams, *CallToolResult] = "tools/call"
	// ListResources asks for the resources of the server.
	ListResources parley.Method[ListParams, *ListResourcesResult] = "resources/list"
	// ListResourceTemplates asks for the families of resources that the server has.
	ListResourceTemplates parley.Method[ListParams, *ListResourceTemplatesResult] = "resources/templates/list"
	// ReadResource asks for what a resource holds.
	ReadResource parley.Method[ReadResourceParams, *ReadResourceResult] = "resources/read"
	// Subscribe asks to be told when a resource changes.
	Subscribe parley.Method[SubscribeParams, EmptyResult] = "resources/subscribe"
	// Unsubscribe asks to be told no more.
	Unsubscribe parley.Method[SubscribeParams, EmptyResult] = "resources/unsubscribe"
	// ListPrompts asks for the prompts of the server.
	ListPrompts parley.Method[ListParams, *ListPromptsResult] = "prompts/list"
	// GetPrompt asks for a prompt with its blanks filled in.
	GetPrompt parley.Method[GetPromptParams, *GetPromptResult] = "prompts/get"
	// Complete asks how an argument may go on that somebody is typing.
	Complete parley.Method[CompleteParams, *CompleteResult] = "completion/complete"
	// SetLevel says from which level on the client wants log messages.
	SetLevel parley.Method[SetLevelParams, EmptyResult] = "logging/setLevel"
	// Listen opens a stream of notes, and is answered when that stream ends.
	Listen parley.Method[ListenParams, EmptyResult] = "subscriptions/listen"
	// UpdateTask answers what a task has asked.
	UpdateTask parley.Method[UpdateTaskParams, EmptyResult] = "tasks/update"
)

// What a server asks a client. In the modern era it asks inside a result, and the
// constants serve for their names and types; see [InputRequest].
const (
	// CreateMessage asks for an answer of the client's model, which a person may refuse.
	CreateMessage parley.Method[CreateMessageParams, *CreateMessageResult] = "sampling/createMessage"
	// ListRoots asks for the folders that the server may work in.
	ListRoots parley.Method[EmptyParams, *ListRootsResult] = "roots/list"
	// Elicit asks the user something, by a form or on a page.
	Elicit parley.Method[ElicitParams, *ElicitResult] = "elicitation/create"
)

// What either side asks. In the modern era only clients do, and there is no ping.
const (
	// Ping asks whether the other side is still there.
	Ping parley.Method[EmptyParams, EmptyResult] = "ping"
	// GetTask asks where a task is.
	GetTask parley.Method[TaskParams, *TaskDetail] = "tasks/get"
	// CancelTask asks to end a task early.
	CancelTask parley.Method[TaskParams, *CancelTaskResult] = "tasks/cancel"
	// ListTasks asks for the tasks of the other side; 2025-11-25 only.
	ListTasks parley.Method[ListParams, *ListTasksResult] = "tasks/list"
	// TaskResult waits for a task to end and asks for its result; 2025-11-25 only.
	TaskResult parley.Method[TaskParams, message.Raw] = "tasks/result"
)

// What a client tells a server.
const (
	// Initialized says that the client is ready after the answer to initialize.
	Initialized parley.Note[EmptyParams] = "notifications/initialized"
	// RootsChanged says that the client lets the server work in other folders now.
	RootsChanged parley.Note[EmptyParams] = "notifications/roots/list_changed"
)

// What a server tells a client.
const (
	// LogMessage says what the server has to log.
	LogMessage parley.Note[LogParams] = "notifications/message"
	// ToolsChanged says that the list of tools is another one now.
	ToolsChanged parley.Note[EmptyParams] = "notifications/tools/list_changed"
	// PromptsChanged says that the list of prompts is another one now.
	PromptsChanged parley.Note[EmptyParams] = "notifications/prompts/list_changed"
	// ResourcesChanged says that the list of resources is another one now.
	ResourcesChanged parley.Note[EmptyParams] = "notifications/resources/list_changed"
	// ResourceUpdated says that a resource holds something else now.
	ResourceUpdated parley.Note[ResourceUpdatedParams] = "notifications/resources/updated"
	// ElicitationCompleted says that the user is done with a page; 2025-11-25 only.
	ElicitationCompleted parley.Note[ElicitationCompletedParams] = "notifications/elicitation/complete"
	// Acknowledged says which notes a stream of subscriptions/listen will carry, and is the first of them.
	Acknowledged parley.Note[AcknowledgedParams] = "notifications/subscriptions/acknowledged"
	// TaskChanged says where a task is now, and what has come of it.
	TaskChanged parley.Note[TaskDetail] = "notifications/tasks"
)

// What either side tells the other. In the modern era a server reports progress, and
// cancels nothing but a stream of subscriptions/listen.
const (
	// Cancelled takes a request back, which is not answered any more.
	Cancelled parley.Note[CancelledParams] = "notifications/cancelled"
	// Progress says how far a request has come, to a caller that asked for it.
	Progress parley.Note[ProgressParams] = "notifications/progress"
	// TaskStatusChanged says where a task is now; 2025-11-25 only.
	TaskStatusChanged parley.Note[TaskDetail] = "notifications/tasks/status"
)

package acp

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// words.go is made from this file: the first words of a block say who sends, and the
// comment of a constant says what. Change it here and run
// go test ./dialect/acp -run TestWords -update.

// From the client to the agent.
const (
	// Initialize opens the connection: the version, and what either side can do.
	Initialize parley.Method[InitializeParams, *InitializeResult] = "initialize"
	// Authenticate logs in by one of the ways that initialize named.
	Authenticate parley.Method[AuthenticateParams, Empty] = "authenticate"
	// Logout ends the authenticated state.
	Logout parley.Method[Empty, Empty] = "logout"

	// SessionNew starts a session: a conversation with its own context and history.
	SessionNew parley.Method[SessionNewParams, *SessionNewResult] = "session/new"
	// SessionLoad takes up an old session, and has its history sent as updates first.
	SessionLoad parley.Method[SessionLoadParams, *SessionState] = "session/load"
	// SessionResume takes up an old session without sending its history.
	SessionResume parley.Method[SessionResumeParams, *SessionState] = "session/resume"
	// SessionClose cancels what a session is doing and frees what it holds.
	SessionClose parley.Method[SessionParams, Empty] = "session/close"
	// SessionList lists the sessions that can be taken up, page by page.
	SessionList parley.Method[SessionListParams, *SessionListResult] = "session/list"
	// SessionDelete removes a session from the list.
	SessionDelete parley.Method[SessionParams, Empty] = "session/delete"
	// SetMode switches a session to another mode of working, such as planning.
	SetMode parley.Method[SetModeParams, Empty] = "session/set_mode"
	// SetConfigOption sets an option of a session, and returns all of them.
	SetConfigOption parley.Method[SetConfigOptionParams, *SetConfigOptionResult] = "session/set_config_option"
	// Prompt is a turn: what the user says, answered when the agent has done its part.
	Prompt parley.Method[PromptParams, *PromptResult] = "session/prompt"
	// Cancel ends the turn of a session, whose prompt is then answered with cancelled.
	Cancel parley.Note[CancelParams] = "session/cancel"
)

// From the client to the agent, unstable in version 1.
const (
	// SessionFork starts a session from what another one knows (unstable).
	SessionFork parley.Method[message.Raw, message.Raw] = "session/fork"
	// SessionSetTitle names a session (unstable).
	SessionSetTitle parley.Method[message.Raw, message.Raw] = "session/setTitle"
	// SessionSetModel chooses the model of a session (unstable; replaced by options).
	SessionSetModel parley.Method[message.Raw, message.Raw] = "session/set_model"
	// ProvidersList lists the model providers that can be configured (unstable).
	ProvidersList parley.Method[message.Raw, message.Raw] = "providers/list"
	// ProvidersSet configures a model provider (unstable).
	ProvidersSet parley.Method[message.Raw, message.Raw] = "providers/set"
	// ProvidersDisable turns a model provider off (unstable).
	ProvidersDisable parley.Method[message.Raw, message.Raw] = "providers/disable"
	// NESStart starts suggesting the next edits (unstable).
	NESStart parley.Method[message.Raw, message.Raw] = "nes/start"
	// NESSuggest asks for the next edit at a place in a document (unstable).
	NESSuggest parley.Method[message.Raw, message.Raw] = "nes/suggest"
	// NESAccept tells that a suggested edit was taken (unstable).
	NESAccept parley.Note[message.Raw] = "nes/accept"
	// NESReject tells that a suggested edit was not taken (unstable).
	NESReject parley.Note[message.Raw] = "nes/reject"
	// NESClose ends suggesting edits (unstable).
	NESClose parley.Method[message.Raw, message.Raw] = "nes/close"
	// DocumentDidOpen tells that a document was opened in the editor (unstable).
	DocumentDidOpen parley.Note[message.Raw] = "document/didOpen"
	// DocumentDidChange tells how an open document was changed (unstable).
	DocumentDidChange parley.Note[message.Raw] = "document/didChange"
	// DocumentDidClose tells that a document was closed (unstable).
	DocumentDidClose parley.Note[message.Raw] = "document/didClose"
	// DocumentDidSave tells that a document was saved (unstable).
	DocumentDidSave parley.Note[message.Raw] = "document/didSave"
	// DocumentDidFocus tells which document the user looks at (unstable).
	DocumentDidFocus parley.Note[message.Raw] = "document/didFocus"
)

// From the agent to the client.
const (
	// SessionUpdate reports on the turn of a session: text, tool calls, a plan.
	SessionUpdate parley.Note[SessionUpdateParams] = "session/update"
	// RequestPermission asks the user whether a tool may run, and waits for a person.
	RequestPermission parley.Method[RequestPermissionParams, *RequestPermissionResult] = "session/request_permission"

	// ReadTextFile reads a file as the editor has it, changes that are not saved included.
	ReadTextFile parley.Method[ReadTextFileParams, *ReadTextFileResult] = "fs/read_text_file"
	// WriteTextFile writes a file through the editor.
	WriteTextFile parley.Method[WriteTextFileParams, Empty] = "fs/write_text_file"

	// TerminalCreate runs a command in a terminal of the editor, and does not wait for it.
	TerminalCreate parley.Method[TerminalCreateParams, *TerminalCreateResult] = "terminal/create"
	// TerminalOutput returns what a command has written so far, and how it ended if it has.
	TerminalOutput parley.Method[TerminalParams, *TerminalOutputResult] = "terminal/output"
	// TerminalWaitForExit waits until a command has ended.
	TerminalWaitForExit parley.Method[TerminalParams, *TerminalExit] = "terminal/wait_for_exit"
	// TerminalKill ends a command and keeps its terminal.
	TerminalKill parley.Method[TerminalParams, Empty] = "terminal/kill"
	// TerminalRelease ends a command and frees its terminal.
	TerminalRelease parley.Method[TerminalParams, Empty] = "terminal/release"

	// ElicitationCreate asks the user for information, and waits for a person.
	ElicitationCreate parley.Method[ElicitationCreateParams, *ElicitationCreateResult] = "elicitation/create"
	// ElicitationComplete tells that what a URL was opened for is done.
	ElicitationComplete parley.Note[ElicitationCompleteParams] = "elicitation/complete"
)

// From the agent to the client, unstable in version 1.
const (
	// MCPConnect opens a connection to an MCP server that the client offers (unstable).
	MCPConnect parley.Method[message.Raw, message.Raw] = "mcp/connect"
	// MCPDisconnect closes such a connection (unstable).
	MCPDisconnect parley.Method[message.Raw, message.Raw] = "mcp/disconnect"
)

// From either side.
const (
	// CancelRequest takes back a call, which is still answered.
	CancelRequest parley.Note[CancelRequestParams] = "$/cancel_request"
	// MCPMessage carries a message of MCP to the other side (unstable).
	MCPMessage parley.Method[message.Raw, message.Raw] = "mcp/message"
)

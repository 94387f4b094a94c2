package lsp

import (
	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// The life of a server, and what goes beside all other messages. Shutdown and exit have no
// params: nil leaves them out. [Shutdown] sends both.
const (
	// Initialize opens the conversation and tells what both sides can do.
	Initialize parley.Method[InitializeParams, *InitializeResult] = "initialize"
	// Initialized says that the client is ready, and that the server may call it.
	Initialized parley.Note[InitializedParams] = "initialized"
	// RequestShutdown asks the server to finish its work and to wait for exit.
	RequestShutdown parley.Method[message.Raw, message.Raw] = "shutdown"
	// Exit tells the process of the server to end.
	Exit parley.Note[message.Raw] = "exit"
	// RegisterCapability asks the client to send something that it did not send so far.
	RegisterCapability parley.Method[RegistrationParams, message.Raw] = "client/registerCapability"
	// UnregisterCapability asks the client to send it no more.
	UnregisterCapability parley.Method[UnregistrationParams, message.Raw] = "client/unregisterCapability"
	// CancelRequest takes a request back, which is answered all the same.
	CancelRequest parley.Note[CancelParams] = "$/cancelRequest"
	// Progress reports on some work, or brings a part of a result.
	Progress parley.Note[ProgressParams] = "$/progress"
	// SetTrace says how much the server shall tell of what it does.
	SetTrace parley.Note[SetTraceParams] = "$/setTrace"
	// LogTrace tells what the server does.
	LogTrace parley.Note[LogTraceParams] = "$/logTrace"
)

// How documents are kept the same on both sides.
const (
	// DidOpen says that a document belongs to the client from now on, and what it holds.
	DidOpen parley.Note[DidOpenParams] = "textDocument/didOpen"
	// DidChange says what changed in a document.
	DidChange parley.Note[DidChangeParams] = "textDocument/didChange"
	// WillSave says that a document is about to be saved.
	WillSave parley.Note[WillSaveParams] = "textDocument/willSave"
	// WillSaveWaitUntil asks for edits to make before a document is saved.
	WillSaveWaitUntil parley.Method[WillSaveParams, []TextEdit] = "textDocument/willSaveWaitUntil"
	// DidSave says that a document was saved.
	DidSave parley.Note[DidSaveParams] = "textDocument/didSave"
	// DidClose says that a document belongs to the disk again.
	DidClose parley.Note[DidCloseParams] = "textDocument/didClose"
	// DidOpenNotebook says that a notebook belongs to the client from now on, and what it holds.
	DidOpenNotebook parley.Note[message.Raw] = "notebookDocument/didOpen"
	// DidChangeNotebook says what changed in a notebook.
	DidChangeNotebook parley.Note[message.Raw] = "notebookDocument/didChange"
	// DidSaveNotebook says that a notebook was saved.
	DidSaveNotebook parley.Note[message.Raw] = "notebookDocument/didSave"
	// DidCloseNotebook says that a notebook belongs to the disk again.
	DidCloseNotebook parley.Note[message.Raw] = "notebookDocument/didClose"
)

// What a client asks about a place in a document.
const (
	// Hover asks what is known of a place.
	Hover parley.Method[HoverParams, *HoverResult] = "textDocument/hover"
	// Declaration asks where the symbol at a place is declared.
	Declaration parley.Method[DefinitionParams, Locations] = "textDocument/declaration"
	// Definition asks where the symbol at a place is defined.
	Definition parley.Method[DefinitionParams, Locations] = "textDocument/definition"
	// TypeDefinition asks where the type of the symbol at a place is defined.
	TypeDefinition parley.Method[DefinitionParams, Locations] = "textDocument/typeDefinition"
	// Implementation asks where the symbol at a place is implemented.
	Implementation parley.Method[DefinitionParams, Locations] = "textDocument/implementation"
	// References asks where the symbol at a place is used.
	References parley.Method[ReferenceParams, []Location] = "textDocument/references"
	// DocumentHighlight asks where in its document the symbol at a place is used.
	DocumentHighlight parley.Method[message.Raw, message.Raw] = "textDocument/documentHighlight"
	// Completion asks how the text at a place may go on.
	Completion parley.Method[CompletionParams, *CompletionList] = "textDocument/completion"
	// ResolveCompletionItem asks for the rest of a proposal.
	ResolveCompletionItem parley.Method[CompletionItem, CompletionItem] = "completionItem/resolve"
	// InlineCompletion asks for text to show in grey behind a place.
	InlineCompletion parley.Method[message.Raw, message.Raw] = "textDocument/inlineCompletion"
	// SignatureHelp asks for the signature of the call around a place.
	SignatureHelp parley.Method[message.Raw, message.Raw] = "textDocument/signatureHelp"
	// Moniker asks for a name of the symbol at a place that other indexes know.
	Moniker parley.Method[message.Raw, message.Raw] = "textDocument/moniker"
	// LinkedEditingRange asks which places are edited together with a place.
	LinkedEditingRange parley.Method[message.Raw, message.Raw] = "textDocument/linkedEditingRange"
	// PrepareRename asks whether the symbol at a place can be renamed.
	PrepareRename parley.Method[message.Raw, message.Raw] = "textDocument/prepareRename"
	// Rename asks for the edits that rename a symbol everywhere.
	Rename parley.Method[RenameParams, *WorkspaceEdit] = "textDocument/rename"
	// PrepareCallHierarchy asks for the function at a place, to ask who calls whom.
	PrepareCallHierarchy parley.Method[message.Raw, message.Raw] = "textDocument/prepareCallHierarchy"
	// IncomingCalls asks who calls a function.
	IncomingCalls parley.Method[message.Raw, message.Raw] = "callHierarchy/incomingCalls"
	// OutgoingCalls asks whom a function calls.
	OutgoingCalls parley.Method[message.Raw, message.Raw] = "callHierarchy/outgoingCalls"
	// PrepareTypeHierarchy asks for the type at a place, to ask for its kin.
	PrepareTypeHierarchy parley.Method[message.Raw, message.Raw] = "textDocument/prepareTypeHierarchy"
	// Supertypes asks for the types above a type.
	Supertypes parley.Method[message.Raw, message.Raw] = "typeHierarchy/supertypes"
	// Subtypes asks for the types below a type.
	Subtypes parley.Method[message.Raw, message.Raw] = "typeHierarchy/subtypes"
)

// What a client asks about a document, or a stretch of it.
const (
	// DocumentSymbol asks for the symbols of a document.
	DocumentSymbol parley.Method[message.Raw, message.Raw] = "textDocument/documentSymbol"
	// DocumentLink asks for the links in a document.
	DocumentLink parley.Method[message.Raw, message.Raw] = "textDocument/documentLink"
	// ResolveDocumentLink asks for the target of a link.
	ResolveDocumentLink parley.Method[message.Raw, message.Raw] = "documentLink/resolve"
	// CodeAction asks what can be done about a stretch of a document.
	CodeAction parley.Method[message.Raw, message.Raw] = "textDocument/codeAction"
	// ResolveCodeAction asks for the edit of a code action.
	ResolveCodeAction parley.Method[message.Raw, message.Raw] = "codeAction/resolve"
	// CodeLens asks for the commands to show between the lines of a document.
	CodeLens parley.Method[message.Raw, message.Raw] = "textDocument/codeLens"
	// ResolveCodeLens asks for the command of a code lens.
	ResolveCodeLens parley.Method[message.Raw, message.Raw] = "codeLens/resolve"
	// FoldingRange asks which stretches of a document can be folded.
	FoldingRange parley.Method[message.Raw, message.Raw] = "textDocument/foldingRange"
	// SelectionRange asks for the stretches around a place, each inside the next.
	SelectionRange parley.Method[message.Raw, message.Raw] = "textDocument/selectionRange"
	// SemanticTokensFull asks what the words of a document are, for colouring.
	SemanticTokensFull parley.Method[message.Raw, message.Raw] = "textDocument/semanticTokens/full"
	// SemanticTokensDelta asks what changed in that since the last answer.
	SemanticTokensDelta parley.Method[message.Raw, message.Raw] = "textDocument/semanticTokens/full/delta"
	// SemanticTokensRange asks the same for a stretch of a document.
	SemanticTokensRange parley.Method[message.Raw, message.Raw] = "textDocument/semanticTokens/range"
	// InlayHint asks for notes to show inside the lines of a document.
	InlayHint parley.Method[message.Raw, message.Raw] = "textDocument/inlayHint"
	// ResolveInlayHint asks for the rest of such a note.
	ResolveInlayHint parley.Method[message.Raw, message.Raw] = "inlayHint/resolve"
	// InlineValue asks which variables to show while a program is stopped.
	InlineValue parley.Method[message.Raw, message.Raw] = "textDocument/inlineValue"
	// DocumentColor asks for the colours in a document.
	DocumentColor parley.Method[message.Raw, message.Raw] = "textDocument/documentColor"
	// ColorPresentation asks how to write a colour.
	ColorPresentation parley.Method[message.Raw, message.Raw] = "textDocument/colorPresentation"
	// Formatting asks for the edits that format a document.
	Formatting parley.Method[message.Raw, []TextEdit] = "textDocument/formatting"
	// RangeFormatting asks for the edits that format a stretch of it.
	RangeFormatting parley.Method[message.Raw, []TextEdit] = "textDocument/rangeFormatting"
	// RangesFormatting asks for the edits that format several stretches of it.
	RangesFormatting parley.Method[message.Raw, []TextEdit] = "textDocument/rangesFormatting"
	// OnTypeFormatting asks for the edits that follow a typed character.
	OnTypeFormatting parley.Method[message.Raw, []TextEdit] = "textDocument/onTypeFormatting"
	// DocumentDiagnostic asks what is wrong with a document.
	DocumentDiagnostic parley.Method[message.Raw, message.Raw] = "textDocument/diagnostic"
	// PublishDiagnostics says what is wrong with a document, instead of what was said before.
	PublishDiagnostics parley.Note[PublishDiagnosticsParams] = "textDocument/publishDiagnostics"
)

// What is about the workspace.
const (
	// WorkspaceSymbol asks for the symbols of the workspace that match a text.
	WorkspaceSymbol parley.Method[message.Raw, message.Raw] = "workspace/symbol"
	// ResolveWorkspaceSymbol asks for the place of such a symbol.
	ResolveWorkspaceSymbol parley.Method[message.Raw, message.Raw] = "workspaceSymbol/resolve"
	// WorkspaceDiagnostic asks what is wrong with the workspace.
	WorkspaceDiagnostic parley.Method[message.Raw, message.Raw] = "workspace/diagnostic"
	// ExecuteCommand runs a command of the server.
	ExecuteCommand parley.Method[ExecuteCommandParams, message.Raw] = "workspace/executeCommand"
	// TextDocumentContent asks what a document of the server's own making holds.
	TextDocumentContent parley.Method[message.Raw, message.Raw] = "workspace/textDocumentContent"
	// WillCreateFiles asks for edits to make before files are created.
	WillCreateFiles parley.Method[message.Raw, *WorkspaceEdit] = "workspace/willCreateFiles"
	// WillRenameFiles asks for edits to make before files are renamed.
	WillRenameFiles parley.Method[message.Raw, *WorkspaceEdit] = "workspace/willRenameFiles"
	// WillDeleteFiles asks for edits to make before files are deleted.
	WillDeleteFiles parley.Method[message.Raw, *WorkspaceEdit] = "workspace/willDeleteFiles"
	// DidCreateFiles says that files were created.
	DidCreateFiles parley.Note[message.Raw] = "workspace/didCreateFiles"
	// DidRenameFiles says that files were renamed.
	DidRenameFiles parley.Note[message.Raw] = "workspace/didRenameFiles"
	// DidDeleteFiles says that files were deleted.
	DidDeleteFiles parley.Note[message.Raw] = "workspace/didDeleteFiles"
	// DidChangeWatchedFiles says that files changed on the disk.
	DidChangeWatchedFiles parley.Note[message.Raw] = "workspace/didChangeWatchedFiles"
	// DidChangeWorkspaceFolders says that the workspace has other folders now.
	DidChangeWorkspaceFolders parley.Note[message.Raw] = "workspace/didChangeWorkspaceFolders"
	// DidChangeConfiguration says that settings were changed.
	DidChangeConfiguration parley.Note[message.Raw] = "workspace/didChangeConfiguration"
	// Configuration asks the client for settings.
	Configuration parley.Method[ConfigurationParams, []message.Raw] = "workspace/configuration"
	// WorkspaceFolders asks the client for the folders of the workspace.
	WorkspaceFolders parley.Method[message.Raw, []WorkspaceFolder] = "workspace/workspaceFolders"
	// ApplyEdit asks the client to make edits.
	ApplyEdit parley.Method[ApplyEditParams, ApplyEditResult] = "workspace/applyEdit"
	// RefreshSemanticTokens asks the client to ask for semantic tokens again.
	RefreshSemanticTokens parley.Method[message.Raw, message.Raw] = "workspace/semanticTokens/refresh"
	// RefreshCodeLens asks the client to ask for code lenses again.
	RefreshCodeLens parley.Method[message.Raw, message.Raw] = "workspace/codeLens/refresh"
	// RefreshInlayHint asks the client to ask for inlay hints again.
	RefreshInlayHint parley.Method[message.Raw, message.Raw] = "workspace/inlayHint/refresh"
	// RefreshInlineValue asks the client to ask for inline values again.
	RefreshInlineValue parley.Method[message.Raw, message.Raw] = "workspace/inlineValue/refresh"
	// RefreshDiagnostic asks the client to ask for diagnostics again.
	RefreshDiagnostic parley.Method[message.Raw, message.Raw] = "workspace/diagnostic/refresh"
	// RefreshFoldingRange asks the client to ask for folding ranges again.
	RefreshFoldingRange parley.Method[message.Raw, message.Raw] = "workspace/foldingRange/refresh"
	// RefreshTextDocumentContent asks the client to ask for a document of the server's own making again.
	RefreshTextDocumentContent parley.Method[message.Raw, message.Raw] = "workspace/textDocumentContent/refresh"
)

// What a person sees.
const (
	// ShowMessage asks the client to show a text.
	ShowMessage parley.Note[MessageParams] = "window/showMessage"
	// ShowMessageRequest asks the client to show a text with a choice, and waits for what is chosen.
	ShowMessageRequest parley.Method[ShowMessageRequestParams, *MessageAction] = "window/showMessageRequest"
	// ShowDocument asks the client to show a document or a page.
	ShowDocument parley.Method[message.Raw, message.Raw] = "window/showDocument"
	// LogMessage asks the client to log a text.
	LogMessage parley.Note[MessageParams] = "window/logMessage"
	// CreateWorkDoneProgress asks the client to make room for progress that nobody asked for.
	CreateWorkDoneProgress parley.Method[message.Raw, message.Raw] = "window/workDoneProgress/create"
	// CancelWorkDoneProgress asks the server to end such work.
	CancelWorkDoneProgress parley.Note[message.Raw] = "window/workDoneProgress/cancel"
	// TelemetryEvent gives the client something to count.
	TelemetryEvent parley.Note[message.Raw] = "telemetry/event"
)

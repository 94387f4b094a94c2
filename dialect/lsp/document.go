package lsp

import "github.com/parley-rpc/parley/message"

// Position is a place between two characters. Both count from 0; a character beyond the
// end of its line means the end.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is a stretch of a document. Its end is the first position that is not in it.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a stretch of some document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// TextEdit puts a text in the place of a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// TextDocumentIdentifier names a document.
type TextDocumentIdentifier struct {
	URI string `json:"uri"`
}

// VersionedTextDocumentIdentifier names a version of a document. A nil version is that
// on the disk, which only edits may name.
type VersionedTextDocumentIdentifier struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version"`
}

// TextDocumentItem is a document with all its text.
type TextDocumentItem struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"` // such as "go"
	Version    int32  `json:"version"`    // grows with every change
	Text       string `json:"text"`
}

// DidOpenParams are the params of textDocument/didOpen.
type DidOpenParams struct {
	TextDocument TextDocumentItem `json:"textDocument"`
}

// DidChangeParams are the params of textDocument/didChange. The changes are made one
// after another, each on what the one before it left.
type DidChangeParams struct {
	TextDocument   VersionedTextDocumentIdentifier `json:"textDocument"`
	ContentChanges []ContentChange                 `json:"contentChanges"`
}

// ContentChange puts a text in the place of a range, or of the whole document if there
// is no range.
type ContentChange struct {
	Range *Range `json:"range,omitzero"`
	Text  string `json:"text"`
}

// Why a document is saved.
const (
	SaveManually   = 1
	SaveAfterDelay = 2
	SaveOnFocusOut = 3
)

// WillSaveParams are the params of textDocument/willSave and of
// textDocument/willSaveWaitUntil.
type WillSaveParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Reason       uint32                 `json:"reason"`
}

// DidSaveParams are the params of textDocument/didSave.
type DidSaveParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Text         *string                `json:"text,omitzero"` // what was saved, if the server wants it
}

// DidCloseParams are the params of textDocument/didClose.
type DidCloseParams struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
}

// WorkspaceFolder is one of the folders that are open.
type WorkspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// WorkspaceEdit changes many documents. If DocumentChanges is there, it counts and
// Changes does not.
type WorkspaceEdit struct {
	Changes map[string][]TextEdit `json:"changes,omitzero"` // by the URI of the document

	// DocumentChanges are done in order. Each is a [TextDocumentEdit], or an object
	// whose kind is create, rename or delete.
	DocumentChanges []message.Raw `json:"documentChanges,omitzero"`

	ChangeAnnotations map[string]message.Raw `json:"changeAnnotations,omitzero"`
}

// TextDocumentEdit changes one version of a document.
type TextDocumentEdit struct {
	TextDocument VersionedTextDocumentIdentifier `json:"textDocument"`
	Edits        []message.Raw                   `json:"edits"` // [TextEdit], or one of its kin
}

// ApplyEditParams are the params of workspace/applyEdit.
type ApplyEditParams struct {
	Label string        `json:"label,omitzero"` // for the undo menu
	Edit  WorkspaceEdit `json:"edit"`
}

// ApplyEditResult is the answer to workspace/applyEdit.
type ApplyEditResult struct {
	Applied       bool    `json:"applied"`
	FailureReason string  `json:"failureReason,omitzero"`
	FailedChange  *uint32 `json:"failedChange,omitzero"` // which of the changes failed
}

// ConfigurationParams are the params of workspace/configuration. The answer has a value
// for each item, in order; null where the client has none.
type ConfigurationParams struct {
	Items []ConfigurationItem `json:"items"`
}

// ConfigurationItem names a section of the settings, such as "gopls".
type ConfigurationItem struct {
	ScopeURI string `json:"scopeUri,omitzero"`
	Section  string `json:"section,omitzero"`
}

// Command is something that a client can have done, by itself or with
// workspace/executeCommand.
type Command struct {
	Title     string        `json:"title"`
	Command   string        `json:"command"`
	Arguments []message.Raw `json:"arguments,omitzero"`
}

// ExecuteCommandParams are the params of workspace/executeCommand.
type ExecuteCommandParams struct {
	Command       string        `json:"command"`
	Arguments     []message.Raw `json:"arguments,omitzero"`
	WorkDoneToken message.ID    `json:"workDoneToken,omitzero"`
}

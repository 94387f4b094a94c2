package lsp

import (
	"strings"

	"github.com/parley-rpc/parley/message"
)

// TextDocumentPosition is a place in a document. It is part of the params of every
// question about one.
type TextDocumentPosition struct {
	TextDocument TextDocumentIdentifier `json:"textDocument"`
	Position     Position               `json:"position"`
}

// HoverParams are the params of textDocument/hover.
type HoverParams struct {
	TextDocumentPosition
	WorkDoneToken message.ID `json:"workDoneToken,omitzero"`
}

// HoverResult is what is known of a place. A nil one means that nothing is.
type HoverResult struct {
	Contents Markup `json:"contents"`
	Range    *Range `json:"range,omitzero"` // of the symbol, to be marked
}

// The kinds of [Markup].
const (
	PlainText = "plaintext"
	Markdown  = "markdown"
)

// Markup is text to show. The older forms of hover contents are read as Markdown, as
// their text is: a string, a piece of code with its language, and a list of both.
type Markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// UnmarshalJSON reads all forms.
func (m *Markup) UnmarshalJSON(text []byte) error {
	raw := message.Raw(text)
	switch {
	case len(raw) > 0 && raw[0] == '"':
		*m = Markup{Kind: Markdown}
		return raw.Decode(&m.Value)
	case len(raw) > 0 && raw[0] == '[':
		var parts []Markup
		if err := raw.Decode(&parts); err != nil {
			return err
		}
		texts := make([]string, len(parts))
		for i, part := range parts {
			texts[i] = part.Value
		}
		*m = Markup{Markdown, strings.Join(texts, "\n\n")}
		return nil
	}
	var one struct {
		Kind     string  `json:"kind"`
		Language *string `json:"language"`
		Value    string  `json:"value"`
	}
	if err := raw.Decode(&one); err != nil {
		return err
	}
	*m = Markup{one.Kind, one.Value}
	if one.Kind == "" && one.Language != nil {
		*m = Markup{Markdown, "```" + *one.Language + "\n" + one.Value + "\n```"}
	}
	return nil
}

// DefinitionParams are the params of textDocument/definition and of its three sisters.
type DefinitionParams struct {
	TextDocumentPosition
	WorkDoneToken      message.ID `json:"workDoneToken,omitzero"`
	PartialResultToken message.ID `json:"partialResultToken,omitzero"`
}

// Locations is an answer that may come as one location, as several, as links to
// locations, or as null. It is written as several. Of a link, the part of the target
// that has the name is kept.
type Locations []Location

// UnmarshalJSON reads all forms.
func (l *Locations) UnmarshalJSON(text []byte) error {
	raw := message.Raw(text)
	if len(raw) > 0 && raw[0] == '{' {
		raw = append(append(message.Raw("["), raw...), ']')
	}
	var all []struct {
		Location
		TargetURI            *string `json:"targetUri"`
		TargetSelectionRange Range   `json:"targetSelectionRange"`
	}
	if err := raw.Decode(&all); err != nil {
		return err
	}
	*l = make(Locations, len(all))
	for i, one := range all {
		(*l)[i] = one.Location
		if one.TargetURI != nil {
			(*l)[i] = Location{*one.TargetURI, one.TargetSelectionRange}
		}
	}
	return nil
}

// ReferenceParams are the params of textDocument/references.
type ReferenceParams struct {
	TextDocumentPosition
	Context            ReferenceContext `json:"context"`
	WorkDoneToken      message.ID       `json:"workDoneToken,omitzero"`
	PartialResultToken message.ID       `json:"partialResultToken,omitzero"`
}

// ReferenceContext says what counts as a use.
type ReferenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

// RenameParams are the params of textDocument/rename.
type RenameParams struct {
	TextDocumentPosition
	NewName       string     `json:"newName"`
	WorkDoneToken message.ID `json:"workDoneToken,omitzero"`
}

// CompletionParams are the params of textDocument/completion.
type CompletionParams struct {
	TextDocumentPosition
	Context            *CompletionContext `json:"context,omitzero"`
	WorkDoneToken      message.ID         `json:"workDoneToken,omitzero"`
	PartialResultToken message.ID         `json:"partialResultToken,omitzero"`
}

// What made a client ask for completion.
const (
	TriggerInvoked    = 1 // a key, or typing a word
	TriggerCharacter  = 2 // a character that the server named
	TriggerIncomplete = 3 // the list before was incomplete
)

// CompletionContext says what made the client ask.
type CompletionContext struct {
	TriggerKind      uint32 `json:"triggerKind"`
	TriggerCharacter string `json:"triggerCharacter,omitzero"`
}

// CompletionList are proposals. An answer that is a mere array is read as a complete
// list.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"` // ask again when more was typed
	ItemDefaults message.Raw      `json:"itemDefaults,omitzero"`
	ApplyKind    message.Raw      `json:"applyKind,omitzero"` // 3.18
	Items        []CompletionItem `json:"items"`
}

// UnmarshalJSON reads both forms.
func (l *CompletionList) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		*l = CompletionList{}
		return message.Raw(text).Decode(&l.Items)
	}
	type fields CompletionList
	var list fields
	if err := message.Raw(text).Decode(&list); err != nil {
		return err
	}
	*l = CompletionList(list)
	return nil
}

// CompletionItem is a proposal. Empty texts default to the label.
type CompletionItem struct {
	Label        string      `json:"label"`
	LabelDetails message.Raw `json:"labelDetails,omitzero"`
	Kind         uint32      `json:"kind,omitzero"` // for its picture
	Tags         []uint32    `json:"tags,omitzero"`
	Detail       string      `json:"detail,omitzero"`

	// Documentation is a string, which is plain text, or a [Markup].
	Documentation message.Raw `json:"documentation,omitzero"`

	Deprecated       bool     `json:"deprecated,omitzero"`
	Preselect        bool     `json:"preselect,omitzero"`
	SortText         string   `json:"sortText,omitzero"`
	FilterText       string   `json:"filterText,omitzero"`
	InsertText       string   `json:"insertText,omitzero"`
	InsertTextFormat uint32   `json:"insertTextFormat,omitzero"` // 1 plain text, 2 snippet
	InsertTextMode   uint32   `json:"insertTextMode,omitzero"`
	CommitCharacters []string `json:"commitCharacters,omitzero"`

	// TextEdit is a [TextEdit], or an edit with a range to insert and one to replace.
	TextEdit            message.Raw `json:"textEdit,omitzero"`
	TextEditText        string      `json:"textEditText,omitzero"`
	AdditionalTextEdits []TextEdit  `json:"additionalTextEdits,omitzero"`

	Command *Command    `json:"command,omitzero"` // to run after the insertion
	Data    message.Raw `json:"data,omitzero"`    // for completionItem/resolve
}

// PublishDiagnosticsParams are the params of textDocument/publishDiagnostics. They
// replace what was said of the document before.
type PublishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitzero"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// The severities of a diagnostic.
const (
	SeverityError       = 1
	SeverityWarning     = 2
	SeverityInformation = 3
	SeverityHint        = 4
)

// Diagnostic is something wrong with a document.
type Diagnostic struct {
	Range              Range                `json:"range"`
	Severity           uint32               `json:"severity,omitzero"` // 0: as the client thinks best
	Code               message.Raw          `json:"code,omitzero"`     // an integer or a string
	CodeDescription    *CodeDescription     `json:"codeDescription,omitzero"`
	Source             string               `json:"source,omitzero"` // such as "compiler"
	Message            string               `json:"message"`
	Tags               []uint32             `json:"tags,omitzero"` // 1 unnecessary, 2 deprecated
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitzero"`
	Data               message.Raw          `json:"data,omitzero"` // for textDocument/codeAction
}

// CodeDescription is where the code of a diagnostic is explained.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedInformation is another place that has to do with a diagnostic.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

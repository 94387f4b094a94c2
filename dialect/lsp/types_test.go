package lsp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
)

// What goes in comes out: no member of the protocol is lost, and none appears.
func TestTypesKeepTheirMembers(t *testing.T) {
	dialecttest.Keep[lsp.InitializeParams](t, "an editor says hello", `{"processId":null,"clientInfo":{"name":"vim","version":"9"},"locale":"en","rootUri":"file:///w","workspaceFolders":[{"uri":"file:///w","name":"w"}],"initializationOptions":{"staticcheck":true},"capabilities":{"textDocument":{"hover":{"contentFormat":["markdown"]}}},"trace":"off","workDoneToken":"t"}`)
	dialecttest.Keep[lsp.InitializeResult](t, "a server can do nothing", `{"capabilities":{}}`)
	dialecttest.Keep[lsp.InitializeError](t, "the data of a refusal", `{"retry":false}`)
	dialecttest.Keep[lsp.RegistrationParams](t, "a registration", `{"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*.go"}]}}]}`)
	dialecttest.Keep[lsp.UnregistrationParams](t, "and its end", `{"unregisterations":[{"id":"1","method":"m"}]}`)
	dialecttest.Keep[lsp.CancelParams](t, "an id that is a string", `{"id":"a"}`)
	dialecttest.Keep[lsp.ProgressParams](t, "progress", `{"token":5,"value":{"kind":"report","percentage":0}}`)
	dialecttest.Keep[lsp.WorkDoneProgress](t, "a report", `{"kind":"report","message":"m","percentage":0,"cancellable":true}`)
	dialecttest.Keep[lsp.SetTraceParams](t, "trace", `{"value":"verbose"}`)
	dialecttest.Keep[lsp.LogTraceParams](t, "a trace", `{"message":"m","verbose":"v"}`)
	dialecttest.Keep[lsp.DidOpenParams](t, "an empty document", `{"textDocument":{"uri":"file:///a.go","languageId":"go","version":0,"text":""}}`)
	dialecttest.Keep[lsp.DidChangeParams](t, "changes", `{"textDocument":{"uri":"u","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":""},{"text":"all"}]}`)
	dialecttest.Keep[lsp.WillSaveParams](t, "about to be saved", `{"textDocument":{"uri":"u"},"reason":1}`)
	dialecttest.Keep[lsp.DidSaveParams](t, "saved, and empty", `{"textDocument":{"uri":"u"},"text":""}`)
	dialecttest.Keep[lsp.DidCloseParams](t, "closed", `{"textDocument":{"uri":"u"}}`)
	dialecttest.Keep[lsp.HoverParams](t, "hover", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0}}`)
	dialecttest.Keep[lsp.HoverResult](t, "what is known", `{"contents":{"kind":"plaintext","value":""},"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4294967295}}}`)
	dialecttest.Keep[lsp.ReferenceParams](t, "references", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"context":{"includeDeclaration":false},"partialResultToken":"p"}`)
	dialecttest.Keep[lsp.RenameParams](t, "rename", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"newName":"x"}`)
	dialecttest.Keep[lsp.CompletionParams](t, "completion", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"context":{"triggerKind":2,"triggerCharacter":"."}}`)
	dialecttest.Keep[lsp.CompletionList](t, "proposals", `{"isIncomplete":true,"itemDefaults":{"commitCharacters":["."]},"items":[{"label":"Println","kind":3,"tags":[1],"detail":"func","documentation":{"kind":"markdown","value":"d"},"preselect":true,"sortText":"0","filterText":"p","insertTextFormat":2,"textEdit":{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"Println($0)"},"additionalTextEdits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":""}],"command":{"title":"t","command":"c","arguments":[1.0,null]},"data":7}]}`)
	dialecttest.Keep[lsp.WorkspaceEdit](t, "edits", `{"changes":{"u":[]},"documentChanges":[{"kind":"create","uri":"u"},{"textDocument":{"uri":"u","version":null},"edits":[]}],"changeAnnotations":{"a":{"label":"l"}}}`)
	dialecttest.Keep[lsp.TextDocumentEdit](t, "edits of the disk", `{"textDocument":{"uri":"u","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x"}]}`)
	dialecttest.Keep[lsp.ApplyEditParams](t, "apply", `{"label":"l","edit":{}}`)
	dialecttest.Keep[lsp.ApplyEditResult](t, "applied in part", `{"applied":false,"failureReason":"r","failedChange":0}`)
	dialecttest.Keep[lsp.ConfigurationParams](t, "settings", `{"items":[{"scopeUri":"u","section":"gopls"},{}]}`)
	dialecttest.Keep[lsp.ExecuteCommandParams](t, "a command", `{"command":"c","arguments":[{"a":1.0}]}`)
	dialecttest.Keep[lsp.ShowMessageRequestParams](t, "a question", `{"type":1,"message":"m","actions":[{"title":"Retry"}]}`)
	dialecttest.Keep[lsp.MessageParams](t, "a message", `{"type":5,"message":""}`)
	dialecttest.Keep[lsp.PublishDiagnosticsParams](t, "diagnostics", `{"uri":"u","version":0,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"severity":1,"code":"E1","codeDescription":{"href":"h"},"source":"compiler","message":"m","tags":[2],"relatedInformation":[{"location":{"uri":"u","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}},"message":"m"}],"data":{"k":1.0}}]}`)
}

// Zero values of what a program fills in are written as the protocol requires.
func TestRequiredMembersAreWritten(t *testing.T) {
	tests := []struct {
		rule string
		v    any
		want string
	}{
		{"a client that is nobody", lsp.InitializeParams{}, `{"processId":null,"rootUri":null,"capabilities":{}}`},
		{"a server that can do nothing", lsp.InitializeResult{}, `{"capabilities":{}}`},
		{"nothing is wrong", lsp.PublishDiagnosticsParams{URI: "u"}, `{"uri":"u","diagnostics":[]}`},
		{"no proposals", &lsp.CompletionList{}, `{"isIncomplete":false,"items":[]}`},
		{"nothing is known", (*lsp.HoverResult)(nil), `null`},
		{"nowhere", lsp.Locations(nil), `[]`},
		{"nothing was chosen", (*lsp.MessageAction)(nil), `null`},
	}
	for _, test := range tests {
		got, err := message.Encode(test.v)
		if err != nil || got.String() != test.want {
			t.Errorf("%s: %s, %v; want %s", test.rule, got, err, test.want)
		}
	}
}

// A server may choose between shapes of an answer, and the types read them all.
func TestManyShapes(t *testing.T) {
	const at = `{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}`
	where := lsp.Location{URI: "u", Range: lsp.Range{Start: lsp.Position{Line: 1}, End: lsp.Position{Line: 1, Character: 3}}}
	for text, want := range map[string]lsp.Locations{
		`null`:                             {},
		`{"uri":"u","range":` + at + `}`:   {where},
		`[{"uri":"u","range":` + at + `}]`: {where},
		`[{"targetUri":"u","targetRange":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"targetSelectionRange":` + at + `}]`: {where},
		`[]`: {},
	} {
		got := lsp.Locations{{URI: "old"}}
		if err := message.Raw(text).Decode(&got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]lsp.Markup{
		`"*a*"`:                             {Kind: "markdown", Value: "*a*"},
		`{"kind":"plaintext","value":"a"}`:  {Kind: "plaintext", Value: "a"},
		`{"language":"go","value":"var a"}`: {Kind: "markdown", Value: "```go\nvar a\n```"},
		`["a",{"language":"","value":"b"}]`: {Kind: "markdown", Value: "a\n\n```\nb\n```"},
		`[]`:                                {Kind: "markdown"},
	} {
		got := lsp.Markup{Kind: "old", Value: "old"}
		if err := message.Raw(text).Decode(&got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]*lsp.CompletionList{
		`null`:            nil,
		`[]`:              {Items: []lsp.CompletionItem{}},
		`[{"label":"a"}]`: {Items: []lsp.CompletionItem{{Label: "a"}}},
		`{"isIncomplete":true,"items":[{"label":"a"}]}`: {IsIncomplete: true, Items: []lsp.CompletionItem{{Label: "a"}}},
	} {
		got := &lsp.CompletionList{IsIncomplete: true, Items: []lsp.CompletionItem{{Label: "old"}}}
		if err := message.Raw(text).Decode(&got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// What has none of the shapes is refused.
func TestNoShape(t *testing.T) {
	for _, text := range []string{`5`, `[5]`, `{"uri":5}`, `{"range":[]}`, `"x"`} {
		var got lsp.Locations
		if err := message.Raw(text).Decode(&got); err == nil {
			t.Errorf("%s was read as locations %+v", text, got)
		}
	}
	for _, text := range []string{`5`, `[5]`, `{"value":5}`} {
		var got lsp.Markup
		if err := message.Raw(text).Decode(&got); err == nil {
			t.Errorf("%s was read as markup %+v", text, got)
		}
	}
	for _, text := range []string{`5`, `[5]`, `{"items":{}}`} {
		var got lsp.CompletionList
		if err := message.Raw(text).Decode(&got); err == nil {
			t.Errorf("%s was read as proposals %+v", text, got)
		}
	}
}

// What can be read is written so that it reads the same.
func FuzzShapes(f *testing.F) {
	for _, text := range []string{
		`null`, `"a"`, `["a",{"language":"go","value":""},[]]`, `{"kind":"markdown","value":"x"}`,
		`{"uri":"u","range":{}}`, `[{"targetUri":"u","targetSelectionRange":{"start":{"line":1}}}]`,
		`[{"label":"a","data":[1.0]}]`, `{"items":[],"itemDefaults":{}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		dialecttest.Stable[lsp.Locations](t, text)
		dialecttest.Stable[lsp.Markup](t, text)
		dialecttest.Stable[lsp.CompletionList](t, text)
	})
}

package lsp_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/message"
)

// again decodes text into a V, encodes that, and compares the two as JSON.
func again[V any](t *testing.T, rule, text string) {
	t.Helper()
	var v V
	if err := message.Raw(text).Decode(&v); err != nil {
		t.Errorf("%s: %v", rule, err)
		return
	}
	got, err := message.Encode(v)
	if err != nil {
		t.Errorf("%s: %v", rule, err)
		return
	}
	if diff := cmp.Diff(value(t, text), value(t, got.String())); diff != "" {
		t.Errorf("%s (-was +is):\n%s", rule, diff)
	}
}

// value is what the JSON text means.
func value(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}

// What goes in comes out: no member of the protocol is lost, and none appears.
func TestTypesKeepTheirMembers(t *testing.T) {
	again[lsp.InitializeParams](t, "an editor says hello", `{"processId":null,"clientInfo":{"name":"vim","version":"9"},"locale":"en","rootUri":"file:///w","workspaceFolders":[{"uri":"file:///w","name":"w"}],"initializationOptions":{"staticcheck":true},"capabilities":{"textDocument":{"hover":{"contentFormat":["markdown"]}}},"trace":"off","workDoneToken":"t"}`)
	again[lsp.InitializeResult](t, "a server can do nothing", `{"capabilities":{}}`)
	again[lsp.InitializeError](t, "the data of a refusal", `{"retry":false}`)
	again[lsp.RegistrationParams](t, "a registration", `{"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*.go"}]}}]}`)
	again[lsp.UnregistrationParams](t, "and its end", `{"unregisterations":[{"id":"1","method":"m"}]}`)
	again[lsp.CancelParams](t, "an id that is a string", `{"id":"a"}`)
	again[lsp.ProgressParams](t, "progress", `{"token":5,"value":{"kind":"report","percentage":0}}`)
	again[lsp.WorkDoneProgress](t, "a report", `{"kind":"report","message":"m","percentage":0,"cancellable":true}`)
	again[lsp.SetTraceParams](t, "trace", `{"value":"verbose"}`)
	again[lsp.LogTraceParams](t, "a trace", `{"message":"m","verbose":"v"}`)
	again[lsp.DidOpenParams](t, "an empty document", `{"textDocument":{"uri":"file:///a.go","languageId":"go","version":0,"text":""}}`)
	again[lsp.DidChangeParams](t, "changes", `{"textDocument":{"uri":"u","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":""},{"text":"all"}]}`)
	again[lsp.WillSaveParams](t, "about to be saved", `{"textDocument":{"uri":"u"},"reason":1}`)
	again[lsp.DidSaveParams](t, "saved, and empty", `{"textDocument":{"uri":"u"},"text":""}`)
	again[lsp.DidCloseParams](t, "closed", `{"textDocument":{"uri":"u"}}`)
	again[lsp.HoverParams](t, "hover", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0}}`)
	again[lsp.HoverResult](t, "what is known", `{"contents":{"kind":"plaintext","value":""},"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4294967295}}}`)
	again[lsp.ReferenceParams](t, "references", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"context":{"includeDeclaration":false},"partialResultToken":"p"}`)
	again[lsp.RenameParams](t, "rename", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"newName":"x"}`)
	again[lsp.CompletionParams](t, "completion", `{"textDocument":{"uri":"u"},"position":{"line":0,"character":0},"context":{"triggerKind":2,"triggerCharacter":"."}}`)
	again[lsp.CompletionList](t, "proposals", `{"isIncomplete":true,"itemDefaults":{"commitCharacters":["."]},"items":[{"label":"Println","kind":3,"tags":[1],"detail":"func","documentation":{"kind":"markdown","value":"d"},"preselect":true,"sortText":"0","filterText":"p","insertTextFormat":2,"textEdit":{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"Println($0)"},"additionalTextEdits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":""}],"command":{"title":"t","command":"c","arguments":[1.0,null]},"data":7}]}`)
	again[lsp.WorkspaceEdit](t, "edits", `{"changes":{"u":[]},"documentChanges":[{"kind":"create","uri":"u"},{"textDocument":{"uri":"u","version":null},"edits":[]}],"changeAnnotations":{"a":{"label":"l"}}}`)
	again[lsp.TextDocumentEdit](t, "edits of the disk", `{"textDocument":{"uri":"u","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"newText":"x"}]}`)
	again[lsp.ApplyEditParams](t, "apply", `{"label":"l","edit":{}}`)
	again[lsp.ApplyEditResult](t, "applied in part", `{"applied":false,"failureReason":"r","failedChange":0}`)
	again[lsp.ConfigurationParams](t, "settings", `{"items":[{"scopeUri":"u","section":"gopls"},{}]}`)
	again[lsp.ExecuteCommandParams](t, "a command", `{"command":"c","arguments":[{"a":1.0}]}`)
	again[lsp.ShowMessageRequestParams](t, "a question", `{"type":1,"message":"m","actions":[{"title":"Retry"}]}`)
	again[lsp.MessageParams](t, "a message", `{"type":5,"message":""}`)
	again[lsp.PublishDiagnosticsParams](t, "diagnostics", `{"uri":"u","version":0,"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"severity":1,"code":"E1","codeDescription":{"href":"h"},"source":"compiler","message":"m","tags":[2],"relatedInformation":[{"location":{"uri":"u","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}},"message":"m"}],"data":{"k":1.0}}]}`)
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
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if json.Valid(text) { // a Raw is JSON
			same[lsp.Locations](t, text)
			same[lsp.Markup](t, text)
			same[lsp.CompletionList](t, text)
		}
	})
}

func same[V any](t *testing.T, text message.Raw) {
	t.Helper()
	var was, is V
	if text.Decode(&was) != nil {
		return
	}
	written, err := message.Encode(was)
	if err != nil {
		t.Fatalf("%+v: %v", was, err)
	}
	if err := written.Decode(&is); err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	again, err := message.Encode(is)
	if err != nil {
		t.Fatalf("%+v: %v", is, err)
	}
	if diff := cmp.Diff(written.String(), again.String()); diff != "" {
		t.Errorf("%T (-was +is):\n%s", was, diff)
	}
}

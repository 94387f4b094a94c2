package claude_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/message"
)

// constants reads this package's source and returns each constant of the type Method or
// Note by its value, and whether it is a note.
func constants(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			generic := spec.Type
			switch typed := spec.Type.(type) {
			case *ast.IndexExpr:
				generic = typed.X
			case *ast.IndexListExpr:
				generic = typed.X
			}
			kind, ok := generic.(*ast.SelectorExpr)
			value, isLiteral := spec.Values[0].(*ast.BasicLit)
			if ok && isLiteral {
				word, _ := strconv.Unquote(value.Value)
				found[word] = kind.Sel.Name == "Note"
			}
			return true
		})
	}
	return found
}

// The table of words and the typed constants say the same: each word has a constant, and
// both say whether it is a note.
func TestWordsAgreeWithConstants(t *testing.T) {
	words := map[string]bool{}
	for _, w := range claude.Dialect.Words {
		if _, twice := words[w.Method]; twice {
			t.Errorf("%s is there twice", w.Method)
		}
		if !strings.HasSuffix(w.Doc, ".") {
			t.Errorf("%s: %q is no sentence", w.Method, w.Doc)
		}
		words[w.Method] = w.Note
	}
	if diff := cmp.Diff(constants(t), words); diff != "" {
		t.Errorf("(-constants +words)\n%s", diff)
	}
	for method := range claude.Dialect.Waits {
		if note, ok := words[method]; !ok || note {
			t.Errorf("%s waits for a person and is no call that the dialect names", method)
		}
	}
}

// No record of the transcripts comes from a side that the words rule out, and only what
// its agent made up on purpose is unknown.
func TestWordsAgreeWithTranscripts(t *testing.T) {
	words := map[string]parley.Word{}
	for _, w := range claude.Dialect.Words {
		words[w.Method] = w
	}
	unknown := map[string]bool{}
	for name, lines := range transcripts(t) {
		for _, l := range lines {
			m, _ := claude.Codec.Parse([]byte(l.Raw))
			r, ok := m.(*message.Request)
			if !ok {
				continue
			}
			w, ok := words[r.Method]
			if !ok {
				unknown[r.Method] = true
				continue
			}
			from := map[string]parley.Side{"sdk->agent": parley.SideClient, "agent->sdk": parley.SideServer}[l.Dir]
			if w.Note != r.IsNote() || w.From == from.Other() {
				t.Errorf("%s: %s: the word says %+v", name, l.Raw, w)
			}
		}
	}
	if got := slices.Sorted(maps.Keys(unknown)); !cmp.Equal(got, []string{"no_such_subtype", "wholly_unknown"}) {
		t.Errorf("unknown are %q", got)
	}
}

// What the transcripts carry fits the types of the constants.
func TestTypesFitTranscripts(t *testing.T) {
	params := map[string]func() any{
		"user": fresh[claude.UserParams], "assistant": fresh[claude.AssistantParams], "system": fresh[claude.SystemParams],
		"result": fresh[claude.ResultParams], "stream_event": fresh[claude.StreamEventParams],
		"initialize": fresh[claude.InitializeParams], "can_use_tool": fresh[claude.CanUseToolParams],
		"hook_callback": fresh[claude.HookCallbackParams], "mcp_message": fresh[claude.MCPMessageParams],
		"elicitation": fresh[claude.ElicitationParams], "interrupt": fresh[claude.InterruptParams],
		"set_permission_mode": fresh[claude.SetPermissionModeParams], "set_model": fresh[claude.SetModelParams],
		"set_max_thinking_tokens": fresh[claude.SetMaxThinkingTokensParams],
		"control_cancel_request":  fresh[claude.ControlCancelRequestParams],
	}
	results := map[string]func() any{
		"initialize": fresh[claude.InitializeResult], "can_use_tool": fresh[claude.PermissionResult],
		"mcp_message": fresh[claude.MCPMessageResult], "elicitation": fresh[claude.ElicitationResult],
		"interrupt": fresh[claude.InterruptResult], "set_permission_mode": fresh[claude.SetPermissionModeResult],
		"set_model": fresh[claude.Done], "set_max_thinking_tokens": fresh[claude.Done],
	}
	used := map[string]bool{}
	check := func(what string, types map[string]func() any, method string, text message.Raw) {
		if newValue := types[method]; newValue != nil {
			used[what+method] = true
			if err := text.Decode(newValue()); err != nil {
				t.Errorf("%s of %s: %v\n%s", what, method, err, text)
			}
		}
	}
	for _, lines := range transcripts(t) {
		asked := map[message.ID]string{} // no two sides use the same id in them
		for _, l := range lines {
			m, _ := claude.Codec.Parse([]byte(l.Raw))
			switch m := m.(type) {
			case *message.Request:
				asked[m.ID] = m.Method
				check("params", params, m.Method, m.Params)
			case *message.Response:
				if m.Error == nil {
					check("result", results, asked[m.ID], m.Result)
				}
			}
		}
	}
	if len(used) != len(params)+len(results) {
		t.Errorf("not every type was tried: %v", slices.Sorted(maps.Keys(used)))
	}
}

func fresh[T any]() any { return new(T) }

package mcp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A list is all of its pages, in both eras. An empty cursor is a cursor.
func TestPages(t *testing.T) {
	pages := map[string]string{
		`none`: `{"tools":[{"name":"a"}],"nextCursor":""}`,
		`""`:   `{"tools":[],"nextCursor":"2"}`,
		`"2"`:  `{"tools":[{"name":"b"},{"name":"c"}]}`,
	}
	for _, script := range []func(func(*message.Request) []string) func(*message.Request) []string{legacy, modern} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := connected(t, nil, script(func(req *message.Request) []string {
				cursor, ok := req.Params.Member("cursor")
				if !ok {
					cursor = message.Raw(`none`)
				}
				return []string{result(pages[cursor.String()])}
			}))
			tools, err := c.Tools(t.Context())
			var names []string
			for _, tool := range tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff([]string{"a", "b", "c"}, names); diff != "" || err != nil {
				t.Errorf("the %v era: %v (-want +got):\n%s", c.Era(), err, diff)
			}
		})
	}
}

// A list that does not end is an error, be it that it goes in a circle or that it is too long.
func TestPagesAreBounded(t *testing.T) {
	long := `[` + strings.Repeat(`{"uri":"x"},`, 60_000) + `{"uri":"x"}]`
	tests := []struct {
		rule  string
		page  func(n int) string
		asked int
	}{
		{"the same cursor again", func(int) string { return `{"resources":[],"nextCursor":"x"}` }, 2},
		{"a circle", func(n int) string { return fmt.Sprintf(`{"resources":[],"nextCursor":"%d"}`, n%3) }, 4},
		{"pages without end", func(n int) string { return fmt.Sprintf(`{"resources":[],"nextCursor":"%d"}`, n) }, 1000},
		{"items without end", func(n int) string { return fmt.Sprintf(`{"resources":%s,"nextCursor":"%d"}`, long, n) }, 2},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			asked := 0
			c, _ := connected(t, nil, modern(func(*message.Request) []string {
				asked++
				return []string{result(test.page(asked))}
			}))
			if got, err := c.Resources(t.Context()); !errors.Is(err, mcp.ErrResult) || got != nil {
				t.Errorf("%s: %d resources, %v", test.rule, len(got), err)
			}
			if asked != test.asked {
				t.Errorf("%s: %d pages, want %d", test.rule, asked, test.asked)
			}
		})
	}
}

// Each verb asks its method with its params, and returns what the result says.
func TestVerbs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := map[string]string{
			"resources/list":           `{"resources":[{"uri":"file:///a","name":"a"}]}`,
			"resources/templates/list": `{"resourceTemplates":[{"uriTemplate":"file:///{x}","name":"t"}]}`,
			"resources/read":           `{"contents":[{"uri":"file:///a","text":"hi"}]}`,
			"prompts/list":             `{"prompts":[{"name":"p"}]}`,
			"prompts/get":              `{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}`,
			"completion/complete":      `{"completion":{"values":["py"]}}`,
			"tools/call":               `{"content":[{"type":"text","text":"bad"}],"isError":true}`,
		}
		c, a := connected(t, nil, legacy(func(req *message.Request) []string {
			if answer, ok := answers[req.Method]; ok {
				return []string{result(answer)}
			}
			return []string{empty}
		}))
		ctx := t.Context()
		resources, err := c.Resources(ctx)
		check(t, "Resources", err, len(resources) == 1 && resources[0].Name == "a")
		templates, err := c.Templates(ctx)
		check(t, "Templates", err, len(templates) == 1 && templates[0].Name == "t")
		read, err := c.ReadResource(ctx, "file:///a")
		check(t, "ReadResource", err, err == nil && read.Contents[0].Text == "hi")
		prompts, err := c.Prompts(ctx)
		check(t, "Prompts", err, len(prompts) == 1 && prompts[0].Name == "p")
		prompt, err := c.GetPrompt(ctx, "p", map[string]string{"x": "y"})
		check(t, "GetPrompt", err, err == nil && prompt.Messages[0].Content.Text == "hi")
		proposals, err := c.Complete(ctx, mcp.CompleteParams{
			Ref:      mcp.Reference{Type: mcp.RefPrompt, Name: "p"},
			Argument: mcp.CompletionArgument{Name: "x", Value: "p"},
		})
		check(t, "Complete", err, err == nil && proposals.Completion.Values[0] == "py")
		failed, err := c.CallTool(ctx, "t", message.Raw(" {\n\"n\": 1.50}"))
		check(t, "CallTool", err, err == nil && failed.IsError)
		check(t, "SetLevel", c.SetLevel(ctx, mcp.LevelError), true)
		check(t, "Subscribe", c.Subscribe(ctx, "file:///a"), true)
		check(t, "Unsubscribe", c.Unsubscribe(ctx, "file:///a"), true)
		check(t, "RootsChanged", c.RootsChanged(ctx), true)
		want := []string{
			`{}`, `{}`, `{"uri":"file:///a"}`, `{}`, `{"name":"p","arguments":{"x":"y"}}`,
			`{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"x","value":"p"}}`,
			`{"name":"t","arguments":{"n":1.50}}`,
			`{"level":"error"}`, `{"uri":"file:///a"}`, `{"uri":"file:///a"}`, `{}`,
		}
		if diff := cmp.Diff(want, paramsOf(a)[3:]); diff != "" {
			t.Errorf("params (-want +got):\n%s", diff)
		}
		wantLast := []string{"logging/setLevel", "resources/subscribe", "resources/unsubscribe", "notifications/roots/list_changed"}
		if diff := cmp.Diff(wantLast, a.methods()[10:]); diff != "" {
			t.Errorf("methods (-want +got):\n%s", diff)
		}
	})
}

func check(t *testing.T, verb string, err error, ok bool) {
	t.Helper()
	if err != nil || !ok {
		t.Errorf("%s: %v", verb, err)
	}
}

// What the other era does not have is refused here, and the server is not asked.
func TestVerbsOfTheOtherEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		c, a := connected(t, nil, modern(nil))
		for verb, err := range map[string]error{
			"Subscribe":   c.Subscribe(ctx, "x"),
			"Unsubscribe": c.Unsubscribe(ctx, "x"),
		} {
			if !errors.Is(err, mcp.ErrEra) {
				t.Errorf("%s: %v", verb, err)
			}
		}
		check(t, "RootsChanged", c.RootsChanged(ctx), true)
		if err := c.SetLevel(ctx, "loud"); err == nil {
			t.Error("there is a level loud")
		}
		if heard := a.heard(); len(heard) != 1 {
			t.Errorf("the modern server heard %q", heard)
		}
		c, _ = connected(t, nil, legacy(nil))
		if _, err := c.Listen(ctx, mcp.Subscription{}); !errors.Is(err, mcp.ErrEra) {
			t.Errorf("Listen: %v", err)
		}
		if err := c.SetLevel(ctx, ""); err == nil {
			t.Error("a legacy server was told no level")
		}
	})
}

// Arguments are an object or nothing.
func TestArguments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := connected(t, nil, legacy(func(*message.Request) []string { return []string{empty} }))
		for _, bad := range []any{5, "x", []int{1}, message.Raw(`[]`), func() {}} {
			if _, err := c.CallTool(t.Context(), "t", bad); err == nil {
				t.Errorf("%v was sent", bad)
			}
		}
		for _, good := range []any{nil, struct{}{}, map[string]int(nil), message.Raw(nil)} {
			if _, err := c.CallTool(t.Context(), "t", good); err != nil {
				t.Error(err)
			}
		}
		want := []string{`{"name":"t"}`, `{"name":"t","arguments":{}}`, `{"name":"t","arguments":{}}`, `{"name":"t"}`}
		if diff := cmp.Diff(want, paramsOf(a)[3:]); diff != "" {
			t.Errorf("params (-want +got):\n%s", diff)
		}
	})
}

type sum struct {
	Sum int `json:"sum"`
}

// What a tool says is decoded from its structured content, or else from its text.
func TestCallToolInto(t *testing.T) {
	text := func(s string) string { return `"content":[{"type":"text","text":` + s + `}]` }
	tests := []struct {
		rule, result string
		want         sum
		fails        string
	}{
		{"structured", `{"structuredContent":{"sum":3},` + text(`"x"`) + `}`, sum{3}, ""},
		{"text", `{` + text(`"{\"sum\":4}"`) + `}`, sum{4}, ""},
		{"structured content that does not fit", `{"structuredContent":{"sum":"x"},"content":[]}`, sum{}, "/sum"},
		{"text that is no JSON", `{` + text(`"four"`) + `}`, sum{}, "no JSON"},
		{"nothing", `{"content":[]}`, sum{}, "neither"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, _ := connected(t, nil, legacy(func(*message.Request) []string { return []string{result(test.result)} }))
			got, err := mcp.CallToolInto[sum](t.Context(), c, "add", nil)
			switch {
			case test.fails == "" && (err != nil || got != test.want):
				t.Errorf("%s: %v, %v", test.rule, got, err)
			case test.fails != "" && (err == nil || !strings.Contains(err.Error(), test.fails)):
				t.Errorf("%s: the error is %v", test.rule, err)
			}
		})
	}
}

// A string takes the text as it is, and a Raw takes only JSON.
func TestCallToolIntoText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := `{"content":[{"type":"text","text":"a"},{"type":"image","data":"","mimeType":"image/png"},{"type":"text","text":"b"}]}`
		c, _ := connected(t, nil, legacy(func(*message.Request) []string { return []string{result(answer)} }))
		if got, err := mcp.CallToolInto[string](t.Context(), c, "t", nil); got != "a\nb" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if got, err := mcp.CallToolInto[message.Raw](t.Context(), c, "t", nil); err == nil {
			t.Errorf("%q is no JSON", got)
		}
		answer = `{"structuredContent":"s","content":[]}`
		if got, err := mcp.CallToolInto[string](t.Context(), c, "t", nil); got != "s" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		answer = `{"structuredContent":{"a":1.0},"content":[]}`
		if got, err := mcp.CallToolInto[message.Raw](t.Context(), c, "t", nil); got.String() != `{"a":1.0}` || err != nil {
			t.Errorf("%s, %v", got, err)
		}
	})
}

// A tool that failed is an error of its own kind, with what it said; an error reply is the server's error.
func TestToolError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer := result(`{"content":[{"type":"text","text":"` + strings.Repeat("é", 900) + `"}],"isError":true}`)
		c, _ := connected(t, nil, legacy(func(*message.Request) []string { return []string{answer} }))
		_, err := mcp.CallToolInto[sum](t.Context(), c, "add", nil)
		failed, ok := errors.AsType[*mcp.ToolError](err)
		if !ok || failed.Tool != "add" || !failed.Result.IsError {
			t.Fatalf("the error is %v", err)
		}
		if want := `mcp: tool "add" failed: ` + strings.Repeat("é", 500) + "…"; err.Error() != want {
			t.Errorf("the error says %q", err)
		}
		answer = failure(`-32602,"message":"Unknown tool"`)
		if _, err := mcp.CallToolInto[sum](t.Context(), c, "add", nil); !errors.Is(err, message.InvalidParams) {
			t.Errorf("the error is %v", err)
		}
	})
}

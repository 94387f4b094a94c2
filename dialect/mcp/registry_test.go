package mcp_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// TestServedPages lists prompts page by page while others come and go: the list is sorted,
// shows nothing twice, and has all that was there the whole time.
func TestServedPages(t *testing.T) {
	get := func(context.Context, map[string]string) (*mcp.GetPromptResult, error) { return nil, nil }
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.StringMatching(`[a-d]{1,3}`)
		stays := rapid.SliceOfNDistinct(name, 0, 12, rapid.ID[string]).Draw(rt, "stays")
		server := mcp.NewServer(nil, mcp.Info{PageSize: rapid.IntRange(1, 5).Draw(rt, "page size")})
		server.AddPrompt(mcp.Prompt{Name: "zzz"}, get)
		for _, n := range stays {
			server.AddPrompt(mcp.Prompt{Name: n}, get)
		}
		c := dialServer(t, server, nil)
		var seen []string
		params := mcp.ListParams{Meta: message.Raw(modernMeta)}
		for {
			page, err := mcp.ListPrompts.Call(t.Context(), c, params)
			if err != nil {
				rt.Fatal(err)
			}
			for _, p := range page.Prompts {
				seen = append(seen, p.Name)
			}
			if page.NextCursor == nil {
				break
			}
			params.Cursor = page.NextCursor
			other := name.Draw(rt, "other")
			if slices.Contains(stays, other) {
				continue
			}
			if rapid.Bool().Draw(rt, "comes") {
				server.AddPrompt(mcp.Prompt{Name: other}, get)
			} else {
				server.RemovePrompt(other)
			}
		}
		for i := 1; i < len(seen); i++ {
			if seen[i-1] >= seen[i] {
				rt.Fatalf("%q comes before %q: %q", seen[i-1], seen[i], seen)
			}
		}
		for _, n := range stays {
			if !slices.Contains(seen, n) {
				rt.Fatalf("%q is missing from %q", n, seen)
			}
		}
	})
}

// TestLargePage keeps a page under a megabyte, unless one thing alone is larger.
func TestLargePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := mcp.NewServer(nil, mcp.Info{})
		for i, size := range []int{600 << 10, 300 << 10, 300 << 10, 2 << 20, 1} {
			server.AddPrompt(mcp.Prompt{Name: fmt.Sprint(i), Description: strings.Repeat("x", size)}, func(context.Context, map[string]string) (*mcp.GetPromptResult, error) { return nil, nil })
		}
		c := dialServer(t, server, nil)
		params := mcp.ListParams{Meta: message.Raw(modernMeta)}
		var pages []int
		for {
			page, err := mcp.ListPrompts.Call(t.Context(), c, params)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, len(page.Prompts))
			if params.Cursor = page.NextCursor; params.Cursor == nil {
				break
			}
		}
		if !slices.Equal(pages, []int{2, 1, 1, 1}) {
			t.Errorf("pages of %v things", pages)
		}
	})
}

// TestTemplates reads URIs back by their templates.
func TestTemplates(t *testing.T) {
	tests := []struct{ template, uri, want string }{
		{"a://{x}", "a://b", "x=b"},
		{"a://{x}", "a://b/c", ""},
		{"a://{x}", "a://", ""},
		{"a://{+x}", "a://b/c?d", "x=b/c?d"},
		{"a://{x}/{1}.txt", "a://b%2Fc/d.txt", "1=d x=b/c"},
		{"a://{x}", "a://%zz", ""},
		{"a://{x}", "A://b", ""},
		{"a.b://{x}", "aXb://c", ""},
		{"a://{x}\n", "a://b", ""},
		{"a://{+x}", "a://b\nc", "x=b\nc"},
	}
	for _, test := range tests {
		t.Run(test.template+" "+test.uri, func(t *testing.T) {
			server := mcp.NewServer(nil, mcp.Info{})
			server.AddTemplate(mcp.ResourceTemplate{URITemplate: test.template, Name: "t"}, func(_ context.Context, _ string, vars map[string]string) (*mcp.ReadResourceResult, error) {
				var found []string
				for name, value := range vars {
					found = append(found, name+"="+value)
				}
				slices.Sort(found)
				return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: strings.Join(found, " ")}}}, nil
			})
			result, err := mcp.ReadResource.Call(t.Context(), dialServer(t, server, nil), mcp.ReadResourceParams{URI: test.uri, Meta: message.Raw(modernMeta)})
			switch {
			case test.want == "" && codeOf(err) != message.CodeInvalidParams:
				t.Errorf("it was found: %+v, %v", result, err)
			case test.want != "" && (err != nil || result.Contents[0].Text != test.want):
				t.Errorf("got %+v, %v, want %q", result, err, test.want)
			}
		})
	}
}

// FuzzCursor lists from any cursor: it is good, or refused.
func FuzzCursor(f *testing.F) {
	f.Add("")
	f.Add("cHJvbXB0czph")
	f.Add("dG9vbHM6YQ")
	server := everything()
	f.Fuzz(func(t *testing.T, cursor string) {
		c := dialServer(t, server, nil)
		page, err := mcp.ListPrompts.Call(t.Context(), c, mcp.ListParams{Cursor: &cursor, Meta: message.Raw(modernMeta)})
		if err == nil && page.Prompts == nil || err != nil && codeOf(err) != message.CodeInvalidParams {
			t.Errorf("got %+v, %v", page, err)
		}
	})
}

// FuzzTemplate reads any URI by any template that is one.
func FuzzTemplate(f *testing.F) {
	f.Add("a://{x}/{+y}", "a://b/c")
	f.Add("{x}{y}", "ab")
	f.Add("a://{x}", "a://%41")
	f.Fuzz(func(t *testing.T, template, uri string) {
		defer func() {
			if p := recover(); p != nil && !strings.HasPrefix(fmt.Sprint(p), "mcp: AddTemplate: ") {
				panic(p)
			}
		}()
		server := mcp.NewServer(nil, mcp.Info{})
		server.AddTemplate(mcp.ResourceTemplate{URITemplate: template, Name: "t"}, func(context.Context, string, map[string]string) (*mcp.ReadResourceResult, error) { return nil, nil })
		_, err := mcp.ReadResource.Call(t.Context(), dialServer(t, server, nil), mcp.ReadResourceParams{URI: uri, Meta: message.Raw(modernMeta)})
		if code := codeOf(err); err != nil && code != message.CodeInvalidParams {
			t.Error(err)
		}
	})
}

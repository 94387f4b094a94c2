package mcp

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/message"
)

// A list is for a person or a model to choose from. The bounds are far beyond that, and
// keep a server that never stops from filling our memory.
const (
	maxPages = 1_000   // of one list
	maxItems = 100_000 // of one list, which the last page may exceed
)

// Tools returns the tools of the server: all pages of them, up to 1,000. More pages, more
// than 100,000 tools and a page that leads back to an earlier one are [ErrResult].
// Nothing is kept for the next time.
func (c *Client) Tools(ctx context.Context) ([]Tool, error) {
	return list(ctx, c, ListTools, func(r *ListToolsResult) ([]Tool, *string) { return r.Tools, r.NextCursor })
}

// Resources returns the resources of the server, in the way of Tools.
func (c *Client) Resources(ctx context.Context) ([]Resource, error) {
	return list(ctx, c, ListResources, func(r *ListResourcesResult) ([]Resource, *string) { return r.Resources, r.NextCursor })
}

// Templates returns the families of resources that the server has, in the way of Tools.
func (c *Client) Templates(ctx context.Context) ([]ResourceTemplate, error) {
	return list(ctx, c, ListResourceTemplates, func(r *ListResourceTemplatesResult) ([]ResourceTemplate, *string) {
		return r.ResourceTemplates, r.NextCursor
	})
}

// Prompts returns the prompts of the server, in the way of Tools.
func (c *Client) Prompts(ctx context.Context) ([]Prompt, error) {
	return list(ctx, c, ListPrompts, func(r *ListPromptsResult) ([]Prompt, *string) { return r.Prompts, r.NextCursor })
}

// list asks for the pages of a list until there is none more ("Pagination"). Whether the
// server announced the list is not looked at: many do not keep to what they announce,
// and one that has no such list says so by itself.
func list[R, T any](ctx context.Context, c *Client, m parley.Method[ListParams, *R], page func(*R) ([]T, *string)) ([]T, error) {
	var all []T
	var params ListParams
	seen := make(map[string]bool)
	for range maxPages {
		result, err := do(ctx, c, m, params)
		if err != nil {
			return nil, err
		}
		items, next := page(result)
		all = append(all, items...)
		switch {
		case next == nil:
			return all, nil
		case seen[*next]:
			return nil, fmt.Errorf("%w: %s: the cursor %.100q comes a second time", ErrResult, m, *next)
		case len(all) > maxItems:
			return nil, fmt.Errorf("%w: %s: more than %d items", ErrResult, m, maxItems)
		}
		seen[*next] = true
		params.Cursor = next
	}
	return nil, fmt.Errorf("%w: %s: more than %d pages", ErrResult, m, maxPages)
}

// do calls a method by its types.
func do[P, R any](ctx context.Context, c *Client, m parley.Method[P, *R], params P) (*R, error) {
	result := new(R)
	if err := c.Call(ctx, string(m), params, result); err != nil {
		return nil, err
	}
	return result, nil
}

// CallTool runs a tool. Args become a JSON object: a struct, a map, a [message.Raw], or
// nil for none. A tool that failed is not an error here but a result with IsError, which
// a model may read; an error means that no tool was run, or that its answer is lost. Up
// to 16 rounds of questions are answered on the way, after that it is [ErrRounds].
func (c *Client) CallTool(ctx context.Context, name string, args any) (*CallToolResult, error) {
	object, err := encodeObject(args)
	if err == nil && len(object) > 0 && !bytes.HasPrefix(bytes.TrimLeft(object, " \t\r\n"), []byte("{")) {
		err = fmt.Errorf("they are no JSON object but %.100s", object)
	}
	if err != nil {
		return nil, fmt.Errorf("mcp: tool %q: arguments: %w", name, err)
	}
	return do(ctx, c, CallTool, CallToolParams{Name: name, Arguments: object})
}

// CallToolInto runs a tool, and decodes what it said into an R: its structured content,
// or else its text as JSON. If R is a string and the structured content is none, the text
// is taken as it is. A tool that failed is a *[ToolError].
func CallToolInto[R any](ctx context.Context, c *Client, name string, args any) (R, error) {
	var into R
	result, err := c.CallTool(ctx, name, args)
	switch {
	case err != nil:
		return into, err
	case result.Task != nil:
		return into, fmt.Errorf("mcp: tool %q: it promises task %q and says nothing yet", name, result.Task.TaskID)
	case result.IsError:
		return into, &ToolError{Tool: name, Result: result}
	}
	said, text := result.StructuredContent, textOf(result.Content)
	if plain, ok := any(&into).(*string); ok && !bytes.HasPrefix(said, []byte(`"`)) {
		*plain = text
		return into, nil
	}
	if said.IsZero() {
		if text == "" {
			return into, fmt.Errorf("mcp: tool %q: it has neither structured content nor text", name)
		}
		// A Raw would take any text, and this one may be no JSON.
		var read any
		said = message.Raw(text)
		if err := said.Decode(&read); err != nil {
			return into, fmt.Errorf("mcp: tool %q: it has no structured content, and its text is no JSON: %w", name, err)
		}
	}
	if err := said.Decode(&into); err != nil {
		return into, fmt.Errorf("mcp: tool %q: what it said does not fit %T: %w", name, into, err)
	}
	return into, nil
}

// A ToolError is a tool that ran and failed. The Result says how.
type ToolError struct {
	Tool   string
	Result *CallToolResult
}

// Error gives the name of the tool and the first 1,000 bytes of its text.
func (e *ToolError) Error() string {
	const most = 1000
	text := textOf(e.Result.Content)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	if text == "" {
		text = "it did not say why"
	}
	return fmt.Sprintf("mcp: tool %q failed: %s", e.Tool, text)
}

// textOf joins the blocks of text.
func textOf(content []Content) string {
	var texts []string
	for _, block := range content {
		if block.Type == ContentText {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// ReadResource returns what a resource holds. Questions are answered as in CallTool.
func (c *Client) ReadResource(ctx context.Context, uri string) (*ReadResourceResult, error) {
	return do(ctx, c, ReadResource, ReadResourceParams{URI: uri})
}

// GetPrompt returns a prompt with its blanks filled in. Questions are answered as in
// CallTool.
func (c *Client) GetPrompt(ctx context.Context, name string, args map[string]string) (*GetPromptResult, error) {
	return do(ctx, c, GetPrompt, GetPromptParams{Name: name, Arguments: args})
}

// Complete returns proposals of how an argument may go on.
func (c *Client) Complete(ctx context.Context, params CompleteParams) (*CompleteResult, error) {
	return do(ctx, c, Complete, params)
}

// SetLevel asks for log notes from the level on. In the legacy era that is a call, in the
// modern one each later request says so, and an empty level asks for none.
func (c *Client) SetLevel(ctx context.Context, level Level) error {
	modern := c.Era() == EraModern
	if _, ok := level.Slog(); !ok && (level != "" || !modern) {
		return fmt.Errorf("mcp: there is no log level %q", level)
	}
	if !modern {
		return c.Call(ctx, string(SetLevel), SetLevelParams{Level: level}, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.level = level
	return nil
}

// Subscribe asks to be told of changes of a resource, which come to OnNote as
// [ResourceUpdated]. It is of the legacy era; in the modern one it is [ErrEra], and
// [Client.Listen] does the same.
func (c *Client) Subscribe(ctx context.Context, uri string) error {
	return c.legacy(ctx, Subscribe, SubscribeParams{URI: uri})
}

// Unsubscribe asks to be told no more, with the same reservation as Subscribe.
func (c *Client) Unsubscribe(ctx context.Context, uri string) error {
	return c.legacy(ctx, Unsubscribe, SubscribeParams{URI: uri})
}

// legacy calls a method of the legacy era.
func (c *Client) legacy(ctx context.Context, m parley.Method[SubscribeParams, EmptyResult], params SubscribeParams) error {
	if now := c.agreed(); now.era != EraLegacy {
		return fmt.Errorf("%w: %s, in %s; use %s", ErrEra, m, now.version, Listen)
	}
	return c.Call(ctx, string(m), params, nil)
}

// RootsChanged tells the server that Roots of the options returns other folders now. In
// the modern era there is nobody to tell, since a server asks each time, and it does
// nothing.
func (c *Client) RootsChanged(ctx context.Context) error {
	if c.Era() == EraModern {
		return nil
	}
	return RootsChanged.Send(ctx, c.conn, EmptyParams{})
}

package mcp

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley/message"
)

func listResources(ctx context.Context, p ListParams) (message.Raw, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.resources {
		return nil, message.MethodNotFound
	}
	return now.resources.page(x, p.Cursor)
}

func listTemplates(ctx context.Context, p ListParams) (message.Raw, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.resources {
		return nil, message.MethodNotFound
	}
	return now.templates.page(x, p.Cursor)
}

func listPrompts(ctx context.Context, p ListParams) (message.Raw, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.prompts {
		return nil, message.MethodNotFound
	}
	return now.prompts.page(x, p.Cursor)
}

// reader finds what reads a URI: the resource that has it, or else the first template
// that it fits. It is nil if there is none.
func (c *catalog) reader(uri string) func(context.Context) (*ReadResourceResult, error) {
	if r, ok := c.resources.find(uri); ok {
		return func(ctx context.Context) (*ReadResourceResult, error) { return r.read(ctx, uri) }
	}
	for _, t := range c.templates.items {
		if vars, ok := t.match(uri); ok {
			return func(ctx context.Context) (*ReadResourceResult, error) { return t.read(ctx, uri, vars) }
		}
	}
	return nil
}

func readResource(ctx context.Context, p ReadResourceParams) (*ReadResourceResult, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.resources {
		return nil, message.MethodNotFound
	}
	read := now.reader(p.URI)
	if read == nil {
		return nil, x.notFound(p.URI)
	}
	if err := x.begin(ctx, p.URI, nil, p.RequestState, p.InputResponses); err != nil {
		return nil, err
	}
	result, err := read(ctx)
	switch {
	case err == nil:
	case errors.Is(err, ErrNotFound):
		return nil, x.notFound(p.URI)
	case errors.Is(err, ErrInputRequired) && x.rounds.asks():
		question, err := x.rounds.question()
		return &ReadResourceResult{InputRequired: question, Meta: x.meta(nil)}, err
	default:
		return nil, err
	}
	var said ReadResourceResult // the reader's stays as it is
	if result != nil {
		said = *result
	}
	said.Contents = append([]ResourceContents(nil), said.Contents...)
	for i := range said.Contents {
		if said.Contents[i].URI == "" {
			said.Contents[i].URI = p.URI
		}
	}
	said.ResultType = x.kind()
	switch {
	case x.era == EraModern && x.rounds.wasTold():
		// What somebody has answered is in it, and results of retries are not kept
		// ("Caching").
		said.Cacheable = Cacheable{TTLMs: new(int64), CacheScope: CachePrivate}
	case x.era == EraLegacy || said.TTLMs == nil:
		said.Cacheable = x.cacheable()
	}
	said.Meta = x.meta(said.Meta)
	return &said, nil
}

func getPrompt(ctx context.Context, p GetPromptParams) (*GetPromptResult, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.prompts {
		return nil, message.MethodNotFound
	}
	prompt, ok := now.prompts.find(p.Name)
	if !ok {
		return nil, invalidAt("/name", fmt.Sprintf("there is no prompt %q", brief(p.Name)))
	}
	for _, arg := range prompt.Arguments {
		if _, given := p.Arguments[arg.Name]; arg.Required && !given {
			return nil, invalidAt("/arguments/"+pointerPart(arg.Name), "the argument is missing")
		}
	}
	args, err := message.Encode(p.Arguments)
	if err == nil {
		err = x.begin(ctx, p.Name, args, p.RequestState, p.InputResponses)
	}
	if err != nil {
		return nil, err
	}
	result, err := prompt.get(ctx, p.Arguments)
	switch {
	case err == nil:
	case errors.Is(err, ErrInputRequired) && x.rounds.asks():
		question, err := x.rounds.question()
		return &GetPromptResult{InputRequired: question, Meta: x.meta(nil)}, err
	default:
		return nil, err
	}
	var said GetPromptResult // the prompt's stays as it is
	if result != nil {
		said = *result
	}
	said.ResultType, said.Meta = x.kind(), x.meta(said.Meta)
	return &said, nil
}

// maxProposals is how many values a completion may have ("Completion").
const maxProposals = 100

func complete(ctx context.Context, p CompleteParams) (*CompleteResult, error) {
	x := exchangeFrom(ctx)
	now := x.link.server.now.Load()
	if !now.offers.completions {
		return nil, message.MethodNotFound
	}
	ref := Reference{Type: p.Ref.Type}
	known := false
	switch p.Ref.Type {
	case RefPrompt:
		ref.Name = p.Ref.Name
		_, known = now.prompts.find(ref.Name)
	case RefResource:
		ref.URI = p.Ref.URI
		_, known = now.templates.find(ref.URI)
	}
	if !known {
		return nil, invalidAt("/ref", "there is no such prompt or resource template")
	}
	result := &CompleteResult{ResultType: x.kind(), Meta: x.meta(nil)}
	propose := now.completers[ref]
	if propose == nil {
		return result, nil
	}
	proposed, err := propose(ctx, p)
	if err != nil {
		return nil, err
	}
	if proposed != nil {
		result.Completion = *proposed
	}
	if n := int64(len(result.Completion.Values)); n > maxProposals {
		result.Completion.Values = result.Completion.Values[:maxProposals]
		result.Completion.HasMore = true
		if result.Completion.Total == nil {
			result.Completion.Total = &n
		}
	}
	return result, nil
}

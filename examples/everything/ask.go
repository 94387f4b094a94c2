package main

import (
	"context"
	"errors"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// askModel has the model of the caller answer a prompt.
func askModel(ctx context.Context, prompt string, maxTokens int64) (said string, err error) {
	answer, err := mcp.AskModel(ctx, mcp.CreateMessageParams{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.Contents{mcp.Text(prompt)}}},
		MaxTokens: maxTokens,
	})
	if err == nil && len(answer.Content) > 0 {
		said = answer.Content[0].Text
	}
	return said, err
}

// askForm has the user of the caller fill in a form, and decodes into form what was accepted.
func askForm(ctx context.Context, question, schema string, form any) (*mcp.ElicitResult, error) {
	answer, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: question, RequestedSchema: message.Raw(schema)})
	if err == nil && answer.Action == mcp.ElicitAccept {
		err = answer.Content.Decode(form)
	}
	return answer, err
}

// ask has the user fill in one field.
func ask(ctx context.Context, question, field string) (string, error) {
	form := make(map[string]string)
	answer, err := askForm(ctx, question, `{"type":"object","properties":{"`+field+`":{"type":"string"}},"required":["`+field+`"]}`, &form)
	if err == nil && answer.Action != mcp.ElicitAccept {
		err = errors.New("the user did not say")
	}
	return form[field], err
}

// askRoots returns the URIs of the folders that the caller lets us work in.
func askRoots(ctx context.Context) (uris []string, err error) {
	roots, err := mcp.AskRoots(ctx)
	for _, root := range roots {
		uris = append(uris, root.URI)
	}
	return uris, err
}

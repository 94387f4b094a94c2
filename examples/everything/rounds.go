package main

import (
	"context"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// askingTools ask whoever called them, one thing after the other. A handler is written once for both eras: in the
// legacy one a question is a call, in the modern one an answer to the call, which comes again with what was asked for.
func askingTools() []parley.Route {
	const state = "Asks for a confirmation. The state that travels through the client must not change."
	return []parley.Route{
		tool("test_sampling", "Asks the model of the caller.", sample),
		tool("test_missing_capability", "Asks the model, whether or not there is one.", capital),
		tool("test_input_required_result_sampling", "Asks the model for a capital.", capital),
		tool("test_input_required_result_list_roots", "Asks for the folders.", folders),
		tool("test_input_required_result_elicitation", "Asks for a name.", greet),
		tool("test_input_required_result_request_state", state, confirm),
		tool("test_input_required_result_tampered_state", state, confirm),
		tool("test_input_required_result_multi_round", "Asks twice.", interview),
	}
}

func sample(ctx context.Context, p struct {
	Prompt string `json:"prompt"`
}) (*mcp.CallToolResult, error) {
	said, err := askModel(ctx, p.Prompt, 100)
	return text("LLM response: %s", said), err
}

func capital(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	said, err := askModel(ctx, "What is the capital of France?", 100)
	return text("LLM response: %s", said), err
}

func folders(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	uris, err := askRoots(ctx)
	return text("Roots: %v", uris), err
}

func greet(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	name, err := ask(ctx, "What is your name?", "name")
	return text("Hello, %s!", name), err
}

func interview(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	name, err := ask(ctx, "Step 1: What is your name?", "name")
	if err != nil {
		return nil, err
	}
	color, err := ask(ctx, "Step 2: What is your favorite color?", "color")
	return text("%s likes %s.", name, color), err
}

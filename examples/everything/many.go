package main

import (
	"context"
	"errors"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// askingAtOnce are tools that ask several things before they look at an answer. In the modern era these travel
// together.
func askingAtOnce() []parley.Route {
	return []parley.Route{
		tool("test_input_required_result_multiple_inputs", "Asks the user, the model and for the folders.", askAll),
		tool("test_input_required_result_capabilities", "Asks what the caller can be asked.", askWhatIsPossible),
	}
}

func askAll(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	name, noName := ask(ctx, "What is your name?", "name")
	greeting, noGreeting := askModel(ctx, "Generate a greeting", 50)
	uris, noRoots := askRoots(ctx)
	return text("%s, %s! Roots: %v", greeting, name, uris), errors.Join(noName, noGreeting, noRoots)
}

// askWhatIsPossible goes without what the caller has not said that it can be asked.
func askWhatIsPossible(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	name, noName := ask(ctx, "What is your name?", "name")
	greeting, noGreeting := askModel(ctx, "Generate a greeting", 50)
	for _, err := range []error{noName, noGreeting} {
		if err != nil && !errors.Is(err, mcp.ErrCannotAsk) {
			return nil, err
		}
	}
	return text("%s %s", greeting, name), nil
}

func confirm(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	var form struct {
		OK bool `json:"ok"`
	}
	_, err := askForm(ctx, "Please confirm", `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`, &form)
	return text("state-ok: %t", form.OK), err
}

// addAskingPrompt adds a prompt that asks, as a tool does.
func addAskingPrompt(server *mcp.Server) {
	prompt := mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks for a context."}
	server.AddPrompt(prompt, func(ctx context.Context, _ map[string]string) (*mcp.GetPromptResult, error) {
		said, err := ask(ctx, "What context should the prompt use?", "context")
		return user(mcp.Text("Use this context: " + said)), err
	})
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// addPrompts adds prompts with and without blanks, one of which helps to fill them in.
func addPrompts(server *mcp.Server) {
	add := func(name, doc string, blanks []string, get func(args map[string]string) []mcp.Content) {
		prompt := mcp.Prompt{Name: name, Description: doc}
		for _, blank := range blanks {
			prompt.Arguments = append(prompt.Arguments, mcp.PromptArgument{Name: blank, Description: "A text.", Required: true})
		}
		server.AddPrompt(prompt, func(_ context.Context, args map[string]string) (*mcp.GetPromptResult, error) {
			return user(get(args)...), nil
		})
	}
	add("test_simple_prompt", "Has no blanks.", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{mcp.Text("This is a simple prompt for testing.")}
	})
	add("test_prompt_with_arguments", "Has two blanks.", []string{"arg1", "arg2"}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{mcp.Text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"]))}
	})
	add("test_prompt_with_embedded_resource", "Embeds a resource.", []string{"resourceUri"}, func(args map[string]string) []mcp.Content {
		return []mcp.Content{
			embedded(args["resourceUri"], "text/plain", "Embedded resource content for testing."),
			mcp.Text("Please process the embedded resource above."),
		}
	})
	add("test_prompt_with_image", "Shows a picture.", nil, func(map[string]string) []mcp.Content {
		return []mcp.Content{
			{Type: mcp.ContentImage, Data: redPixel(), MIMEType: "image/png"},
			mcp.Text("Please analyze the image above."),
		}
	})
	server.CompletePrompt("test_prompt_with_arguments", func(_ context.Context, p mcp.CompleteParams) (*mcp.Completion, error) {
		words := slices.DeleteFunc([]string{"paris", "park", "party", "rome"}, func(word string) bool {
			return !strings.HasPrefix(word, p.Argument.Value)
		})
		return &mcp.Completion{Values: words}, nil
	})
}

func user(content ...mcp.Content) *mcp.GetPromptResult {
	result := new(mcp.GetPromptResult)
	for _, block := range content {
		result.Messages = append(result.Messages, mcp.PromptMessage{Role: mcp.RoleUser, Content: block})
	}
	return result
}

package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// sum, forecast and the like are the params and results of the tools of the server that
// the tests speak to.
type sumParams struct {
	A float64 `json:"a" jsonschema:"the first number"`
	B float64 `json:"b,omitzero"`
}

type sumResult struct {
	Sum float64 `json:"sum"`
}

type weatherParams struct {
	City string `json:"city"`
	Unit string `json:"unit,omitzero" enum:"celsius,fahrenheit"`
}

// everything returns a server with all kinds of things in it. Its secret is fixed, so
// that under a fake clock every byte that it writes is.
func everything() *mcp.Server {
	var server *mcp.Server
	mux := parley.NewMux(slicesOf(tools(), hooks(&server))...)
	no := false
	server = mcp.NewServer(mux, mcp.Info{
		Name: "everything", Version: "1.0.0", Title: "Everything", Instructions: "Try it all.",
		PageSize: 4, TTL: time.Minute, Secret: []byte("a fixed secret"),
		Annotate: map[string]mcp.ToolAnnotations{"add": {ReadOnlyHint: true, OpenWorldHint: &no}},
		Plain: func(_ context.Context, method string, _ message.Raw) (any, error) {
			if method == "elsewhere" {
				return "from the other handler", nil
			}
			return nil, message.MethodNotFound
		},
	})
	if err := server.SetTools([]mcp.ServedTool{served()}); err != nil {
		panic(err)
	}
	addThings(server)
	return server
}

func slicesOf(routes ...[]parley.Route) (all []parley.Route) {
	for _, some := range routes {
		all = append(all, some...)
	}
	return all
}

// tools are routes that are tools.
func tools() []parley.Route {
	return []parley.Route{
		parley.Method[sumParams, sumResult]("add").Handle(func(_ context.Context, p sumParams) (sumResult, error) {
			return sumResult{p.A + p.B}, nil
		}).Describe("Adds two numbers."),
		parley.Method[weatherParams, string]("weather").Handle(func(_ context.Context, p weatherParams) (string, error) {
			return "Sunny in " + p.City, nil
		}),
		parley.Method[struct{}, []int]("primes").Handle(func(context.Context, struct{}) ([]int, error) {
			return []int{2, 3, 5}, nil
		}),
		parley.Method[struct{}, any]("fail").Handle(func(context.Context, struct{}) (any, error) {
			return nil, errors.New("the disk is full")
		}),
		parley.Method[struct{}, any]("refuse").Handle(func(context.Context, struct{}) (any, error) {
			return nil, message.NewError(7, "not today")
		}),
		parley.Method[struct{}, any]("panic").Handle(func(context.Context, struct{}) (any, error) { panic("oh") }),
		parley.Method[struct{}, any]("wait").Handle(func(ctx context.Context, _ struct{}) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		parley.Method[struct{}, *mcp.CallToolResult]("picture").Handle(func(context.Context, struct{}) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{{Type: mcp.ContentImage, Data: []byte("png"), MIMEType: "image/png"}}}, nil
		}),
		parley.Method[struct{}, string]("slow").Handle(func(ctx context.Context, _ struct{}) (string, error) {
			total := 2.0
			for i := range 2 {
				if err := parley.Progress(ctx, mcp.ProgressParams{Progress: float64(i + 1), Total: &total}); err != nil {
					return "", err
				}
			}
			return "done", nil
		}),
		parley.Method[struct{}, string]("chatty").Handle(func(ctx context.Context, _ struct{}) (string, error) {
			mcp.Logger(ctx).Debug("looking")
			mcp.Logger(ctx).Warn("found", "n", 3)
			return "logged", nil
		}),
		parley.Method[struct{}, string]("greet").Handle(greetBoth),
		parley.Method[struct{}, string]("think").Handle(think),
		parley.Method[struct{}, string]("visit").Handle(visit),
		parley.Method[struct{}, []string]("folders").Handle(func(ctx context.Context, _ struct{}) ([]string, error) {
			roots, err := mcp.AskRoots(ctx)
			names := []string{}
			for _, root := range roots {
				names = append(names, root.URI)
			}
			return names, err
		}),
	}
}

// greetBoth asks for two things, one after the other.
func greetBoth(ctx context.Context, _ struct{}) (string, error) {
	first, err := askName(ctx, "Your first name?")
	if err != nil {
		return "", err
	}
	last, err := askName(ctx, "And the last, "+first+"?")
	return "Hello " + first + " " + last, err
}

func askName(ctx context.Context, question string) (string, error) {
	answer, err := mcp.AskUser(ctx, mcp.ElicitParams{
		Message:         question,
		RequestedSchema: message.Raw(`{"type":"object","properties":{"name":{"type":"string"}}}`),
	})
	if err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	if answer.Action != mcp.ElicitAccept {
		return "stranger", nil
	}
	var form struct{ Name string }
	err = message.Raw(strings.Replace(answer.Content.String(), `"name"`, `"Name"`, 1)).Decode(&form)
	return form.Name, err
}

// visit sends the user to a page, and says when that is done.
func visit(ctx context.Context, _ struct{}) (string, error) {
	page := mcp.ElicitParams{Mode: mcp.ElicitURL, Message: "Log in", URL: "https://example.com", ElicitationID: "e1"}
	if _, err := mcp.AskUser(ctx, page); err != nil {
		return "", err
	}
	done := mcp.ElicitationCompletedParams{ElicitationID: page.ElicitationID}
	return "welcome", mcp.ElicitationCompleted.Send(ctx, parley.Caller(ctx), done)
}

func think(ctx context.Context, _ struct{}) (string, error) {
	said, err := mcp.AskModel(ctx, mcp.CreateMessageParams{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.Contents{mcp.Text("2+2?")}}},
		MaxTokens: 10,
	})
	if err != nil {
		return "", err
	}
	return "It said " + said.Content[0].Text, nil
}

// hooks are notes that change the server, and have no answer that what they cause could
// come before or after.
func hooks(server **mcp.Server) []parley.Route {
	do := func(name string, fn func(*mcp.Server)) parley.Route {
		return parley.Note[struct{}](name).Handle(func(context.Context, struct{}) error {
			fn(*server)
			return nil
		})
	}
	return []parley.Route{
		do("change/tools", func(s *mcp.Server) { _ = s.SetTools(nil) }),
		do("change/prompts", func(s *mcp.Server) { s.RemovePrompt("bare") }),
		do("change/resources", func(s *mcp.Server) { s.RemoveResource("memo://two") }),
		do("change/memo", func(s *mcp.Server) { s.ResourceUpdated("memo://one") }),
	}
}

// served is a tool that is no route, and does not always keep what it promises.
func served() mcp.ServedTool {
	return mcp.ServedTool{
		Tool: mcp.Tool{
			Name: "lookup", Title: "Look up", Description: "Looks a word up.",
			InputSchema:  message.Raw(`{"type":"object","properties":{"word":{"type":"string","minLength":2}},"required":["word"]}`),
			OutputSchema: message.Raw(`{"type":"object","properties":{"found":{"type":"boolean"}},"required":["found"]}`),
			Execution:    &mcp.ToolExecution{TaskSupport: "forbidden"},
		},
		Call: func(_ context.Context, args message.Raw) (*mcp.CallToolResult, error) {
			word, _ := args.Member("word")
			if string(word) == `"liar"` {
				return &mcp.CallToolResult{StructuredContent: message.Raw(`{"found":"perhaps"}`)}, nil
			}
			return &mcp.CallToolResult{StructuredContent: message.Raw(`{"found":true}`)}, nil
		},
	}
}

// addThings adds resources, templates, prompts and completions.
func addThings(s *mcp.Server) {
	size := int64(5)
	s.AddResource(mcp.Resource{URI: "memo://one", Name: "one", Title: "The first", MIMEType: "text/plain", Size: &size},
		func(context.Context, string) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{MIMEType: "text/plain", Text: "hello"}}}, nil
		})
	s.AddResource(mcp.Resource{URI: "memo://two", Name: "two"}, func(context.Context, string) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Blob: []byte{0, 1}}}}, nil
	})
	s.AddResource(mcp.Resource{URI: "memo://secret", Name: "secret"}, func(ctx context.Context, _ string) (*mcp.ReadResourceResult, error) {
		name, err := askName(ctx, "Who wants to know?")
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: "for " + name}}}, err
	})
	s.AddTemplate(mcp.ResourceTemplate{URITemplate: "user://{name}/posts/{n}", Name: "post"},
		func(_ context.Context, _ string, vars map[string]string) (*mcp.ReadResourceResult, error) {
			if vars["n"] == "0" {
				return nil, fmt.Errorf("post 0: %w", mcp.ErrNotFound)
			}
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: vars["name"] + " wrote " + vars["n"]}}}, nil
		})
	s.AddPrompt(mcp.Prompt{
		Name: "review", Description: "Reviews code.",
		Arguments: []mcp.PromptArgument{{Name: "language", Required: true}, {Name: "style"}},
	}, func(_ context.Context, args map[string]string) (*mcp.GetPromptResult, error) {
		text := "Review this " + args["language"] + " code."
		return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text(text)}}}, nil
	})
	s.AddPrompt(mcp.Prompt{Name: "bare"}, func(context.Context, map[string]string) (*mcp.GetPromptResult, error) { return nil, nil })
	s.AddPrompt(mcp.Prompt{Name: "personal"}, func(ctx context.Context, _ map[string]string) (*mcp.GetPromptResult, error) {
		name, err := askName(ctx, "For whom?")
		return &mcp.GetPromptResult{Description: "for " + name}, err
	})
	s.CompletePrompt("review", func(_ context.Context, p mcp.CompleteParams) (*mcp.Completion, error) {
		var fit []string
		for _, language := range []string{"go", "gleam", "rust"} {
			if strings.HasPrefix(language, p.Argument.Value) {
				fit = append(fit, language)
			}
		}
		return &mcp.Completion{Values: fit}, nil
	})
	s.CompleteTemplate("user://{name}/posts/{n}", func(context.Context, mcp.CompleteParams) (*mcp.Completion, error) {
		many := make([]string, 120)
		for i := range many {
			many[i] = "p"
		}
		return &mcp.Completion{Values: many}, nil
	})
}

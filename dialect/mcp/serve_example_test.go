package mcp_test

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// dialInMemory connects a client to a server.
func dialInMemory(server *mcp.Server, opts *mcp.ClientOptions) *mcp.Client {
	near, far := frame.Pipe()
	server.Connect(frame.Lines.Stream(far, far), nil)
	c, err := mcp.Connect(context.Background(), frame.Lines.Stream(near, near), opts)
	if err != nil {
		panic(err)
	}
	return c
}

// A tool is a route with types. Here the client's lines come from a string; a program
// takes its own standard input and output, with package stdio.
func ExampleServe() {
	type Pair struct {
		A float64 `json:"a" jsonschema:"the first number"`
		B float64 `json:"b"`
	}
	const Add parley.Method[Pair, float64] = "add"

	mux := parley.NewMux(Add.Handle(func(_ context.Context, p Pair) (float64, error) {
		return p.A + p.B, nil
	}).Describe("Adds two numbers."))

	var out strings.Builder
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"me","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1,"b":2}}}
`)
	err := mcp.Serve(context.Background(), frame.Lines.Stream(in, &out), mux, mcp.Info{Name: "adder", Version: "1.0"})
	fmt.Print(out.String(), err)
	// Unordered output:
	// {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"adder","version":"1.0"}}}
	// {"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3"}]}}
	// <nil>
}

// Resources, prompts and what completes their blanks are added to a server, and its
// clients told when that changes.
func ExampleServer() {
	server := mcp.NewServer(nil, mcp.Info{Name: "library", Version: "1"})
	server.AddResource(mcp.Resource{URI: "lib://hours", Name: "hours"}, func(context.Context, string) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: "9 to 5"}}}, nil
	})
	server.AddTemplate(mcp.ResourceTemplate{URITemplate: "lib://books/{id}", Name: "book"},
		func(_ context.Context, _ string, vars map[string]string) (*mcp.ReadResourceResult, error) {
			if vars["id"] != "7" {
				return nil, mcp.ErrNotFound
			}
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{Text: "Call me Ishmael."}}}, nil
		})
	server.AddPrompt(mcp.Prompt{Name: "summary", Arguments: []mcp.PromptArgument{{Name: "book", Required: true}}},
		func(_ context.Context, args map[string]string) (*mcp.GetPromptResult, error) {
			text := "Sum up book " + args["book"] + "."
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text(text)}}}, nil
		})
	ids := func(context.Context, mcp.CompleteParams) (*mcp.Completion, error) {
		return &mcp.Completion{Values: []string{"7", "8"}}, nil
	}
	server.CompletePrompt("summary", ids)
	server.CompleteTemplate("lib://books/{id}", ids)

	ctx := context.Background()
	client := dialInMemory(server, nil)
	defer client.Close()
	for _, uri := range []string{"lib://hours", "lib://books/7", "lib://books/8"} {
		if read, err := client.ReadResource(ctx, uri); err != nil {
			fmt.Println(err)
		} else {
			fmt.Println(read.Contents[0].Text)
		}
	}
	prompt, err := client.GetPrompt(ctx, "summary", map[string]string{"book": "7"})
	fmt.Println(prompt.Messages[0].Content.Text, err)
	complete, err := client.Complete(ctx, mcp.CompleteParams{Ref: mcp.Reference{Type: mcp.RefPrompt, Name: "summary"}})
	fmt.Println(complete.Completion.Values, err)

	server.RemovePrompt("summary")
	server.RemoveTemplate("lib://books/{id}")
	server.RemoveResource("lib://hours")
	prompts, err := client.Prompts(ctx)
	fmt.Println(len(prompts), err)
	// Output:
	// 9 to 5
	// Call me Ishmael.
	// Invalid params: there is no resource "lib://books/8" (code -32602, data {"uri":"lib://books/8"})
	// Sum up book 7. <nil>
	// [7 8] <nil>
	// 0 <nil>
}

// Tools that are no routes come and go while the server runs.
func ExampleServer_SetTools() {
	server := mcp.NewServer(nil, mcp.Info{Name: "clock", Version: "1"})
	err := server.SetTools([]mcp.ServedTool{{
		Tool: mcp.Tool{
			Name:        "now",
			InputSchema: message.Raw(`{"type":"object","properties":{"zone":{"enum":["UTC","CET"]}},"required":["zone"]}`),
		},
		Call: func(_ context.Context, args message.Raw) (*mcp.CallToolResult, error) {
			zone, _ := args.Member("zone")
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("noon in " + zone.String())}}, nil
		},
	}})
	fmt.Println(err)

	client := dialInMemory(server, nil)
	defer client.Close()
	for _, zone := range []string{"UTC", "PST"} {
		result, err := client.CallTool(context.Background(), "now", map[string]string{"zone": zone})
		fmt.Println(result.Content[0].Text, result.IsError, err)
	}
	// Output:
	// <nil>
	// noon in "UTC" false <nil>
	// Invalid arguments: /zone: want "UTC" or "CET" true <nil>
}

// A handler is served on any stream, and more than one at a time.
func ExampleServer_Connect() {
	server := mcp.NewServer(parley.NewMux(), mcp.Info{Name: "quiet", Version: "1"})
	near, far := frame.Pipe()
	conn := server.Connect(frame.Lines.Stream(far, far), &parley.Options{Handlers: 8})
	client, err := mcp.Connect(context.Background(), frame.Lines.Stream(near, near), nil)
	fmt.Println(client.Server().Name, client.Era(), err)
	fmt.Println(client.Close(), conn.Wait())
	// Output:
	// quiet modern <nil>
	// <nil> <nil>
}

// A client that watches a resource is told when it holds something else.
func ExampleServer_ResourceUpdated() {
	server := mcp.NewServer(nil, mcp.Info{Name: "news", Version: "1"})
	server.AddResource(mcp.Resource{URI: "news://today", Name: "today"}, func(context.Context, string) (*mcp.ReadResourceResult, error) { return nil, nil })
	client := dialInMemory(server, nil)
	defer client.Close()

	ctx := context.Background()
	changes, err := client.Listen(ctx, mcp.Subscription{ResourceSubscriptions: []string{"news://today"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer changes.Close()
	server.ResourceUpdated("news://today")
	change, err := changes.Next(ctx)
	fmt.Println(change.Method, err)
	// Output: notifications/resources/updated <nil>
}

// A tool asks its user. In the legacy era that is a call back, and in the modern one the
// handler runs again with the answer; for who returns the error it is the same.
func ExampleAskUser() {
	mux := parley.NewMux(parley.Method[struct{}, string]("erase").Handle(func(ctx context.Context, _ struct{}) (string, error) {
		answer, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: "Erase all?"})
		if err != nil {
			return "", err
		}
		return "the user said: " + answer.Action, nil
	}))
	server := mcp.NewServer(mux, mcp.Info{Name: "disk", Version: "1"})
	for _, version := range []string{mcp.LatestLegacy, mcp.Latest} {
		client := dialInMemory(server, &mcp.ClientOptions{
			Version: version,
			Elicit: func(_ context.Context, p mcp.ElicitParams) (*mcp.ElicitResult, error) {
				fmt.Println(p.Message)
				return &mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
			},
		})
		result, err := client.CallTool(context.Background(), "erase", nil)
		fmt.Println(result.Content[0].Text, err)
		client.Close()
	}
	// Output:
	// Erase all?
	// the user said: decline <nil>
	// Erase all?
	// the user said: decline <nil>
}

// A tool asks the model of its client, and in which folders it may work.
func ExampleAskModel() {
	mux := parley.NewMux(parley.Method[struct{}, string]("name").Handle(func(ctx context.Context, _ struct{}) (string, error) {
		roots, err := mcp.AskRoots(ctx)
		if err != nil {
			return "", err
		}
		said, err := mcp.AskModel(ctx, mcp.CreateMessageParams{
			Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.Contents{mcp.Text("A name for " + roots[0].URI)}}},
			MaxTokens: 20,
		})
		if err != nil {
			return "", err
		}
		return said.Content[0].Text, nil
	}))
	client := dialInMemory(mcp.NewServer(mux, mcp.Info{Name: "names", Version: "1"}), &mcp.ClientOptions{
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///work"}}, nil },
		Sample: func(_ context.Context, p mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
			text := p.Messages[0].Content[0].Text + ": workshop"
			return &mcp.CreateMessageResult{Role: mcp.RoleAssistant, Content: mcp.Contents{mcp.Text(text)}, Model: "m"}, nil
		},
	})
	defer client.Close()
	result, err := client.CallTool(context.Background(), "name", nil)
	fmt.Println(result.Content[0].Text, err)
	// Output: A name for file:///work: workshop <nil>
}

// What a handler logs reaches the client, from the level on that it asked for.
func ExampleLogger() {
	mux := parley.NewMux(parley.Method[struct{}, string]("work").Handle(func(ctx context.Context, _ struct{}) (string, error) {
		mcp.Logger(ctx).Debug("too much to tell")
		mcp.Logger(ctx).Warn("almost full", slog.Int("percent", 97))
		return "done", nil
	}))
	client := dialInMemory(mcp.NewServer(mux, mcp.Info{Name: "worker", Version: "1"}), &mcp.ClientOptions{
		LogLevel: mcp.LevelInfo,
		OnNote:   func(_ context.Context, _ string, params message.Raw) { fmt.Println(params) },
	})
	defer client.Close()
	result, err := client.CallTool(context.Background(), "work", nil)
	fmt.Println(result.Content[0].Text, err)
	// Output:
	// {"level":"warning","data":{"msg":"almost full","percent":97}}
	// done <nil>
}

func ExampleSchemaOf() {
	type Search struct {
		Query string `json:"query" jsonschema:"what to look for"`
		Limit int    `json:"limit,omitzero"`
		Sort  string `json:"sort,omitzero" enum:"date,score"`
	}
	schema, err := mcp.SchemaOf(reflect.TypeFor[Search]())
	fmt.Println(schema, err)
	// Output:
	// {"type":"object","properties":{"query":{"type":"string","description":"what to look for"},"limit":{"type":"integer"},"sort":{"type":"string","enum":["date","score"]}},"required":["query"],"additionalProperties":false} <nil>
}

func ExampleParseSchema() {
	schema, err := mcp.ParseSchema(message.Raw(`{"type":"object","properties":{"n":{"type":"integer","maximum":9}}}`))
	fmt.Println(schema, err)
	fmt.Println(schema.Check(message.Raw(`{"n":7}`)))
	fmt.Println(schema.Check(message.Raw(`{"n":10}`)))
	// Output:
	// {"type":"object","properties":{"n":{"type":"integer","maximum":9}}} <nil>
	// <nil>
	// /n: want 9 or less
}

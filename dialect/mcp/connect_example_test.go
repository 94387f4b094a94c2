package mcp_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// dial starts a server in memory that knows the routes, and connects a client to it. With a route for server/discover it
// is of the modern era, and with one for initialize of the legacy one.
func dial(opts *mcp.ClientOptions, routes ...parley.Route) *mcp.Client {
	near, far := frame.Pipe()
	parley.Connect(frame.Lines.Stream(far, far), parley.NewMux(routes...).Handle, &parley.Options{Dialect: &mcp.Dialect})
	c, err := mcp.Connect(context.Background(), frame.Lines.Stream(near, near), opts)
	if err != nil {
		panic(err)
	}
	return c
}

// discover answers server/discover as a server of the modern era does.
var discover = mcp.Discover.Handle(func(context.Context, mcp.EmptyParams) (*mcp.DiscoverResult, error) {
	return &mcp.DiscoverResult{
		ResultType:        mcp.ResultComplete,
		SupportedVersions: []string{mcp.Latest},
		Capabilities:      mcp.ServerCapabilities{Tools: &mcp.ListCapability{ListChanged: true}},
		Instructions:      "Greet first.",
		Meta:              message.Raw(`{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1"}}`),
	}, nil
})

// greet is a tool that asks its user for a name.
var greet = mcp.CallTool.Handle(func(_ context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
	var said struct {
		Content struct {
			Name string `json:"name"`
		} `json:"content"`
	}
	answer, ok := p.InputResponses["who"]
	if !ok {
		question, err := message.Encode(mcp.ElicitParams{
			Message:         "What is your name?",
			RequestedSchema: message.Raw(`{"type":"object","properties":{"name":{"type":"string"}}}`),
		})
		return &mcp.CallToolResult{InputRequired: mcp.InputRequired{
			InputRequests: map[string]mcp.InputRequest{"who": {Method: string(mcp.Elicit), Params: question}},
		}}, err
	}
	err := answer.Decode(&said)
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("Hello, " + said.Content.Name)}}, err
})

// The probe finds out which era a server is of, and the rest is the same in both.
func ExampleConnect() {
	for _, era := range []parley.Route{mcp.Initialize.Handle(welcome), discover} {
		c := dial(nil, era, mcp.ListTools.Handle(func(context.Context, mcp.ListParams) (*mcp.ListToolsResult, error) {
			return &mcp.ListToolsResult{Tools: []mcp.Tool{{Name: "greet"}}}, nil
		}))
		tools, err := c.Tools(context.Background())
		fmt.Println(c.Era(), c.Version(), c.Server().Name, len(tools), err)
		c.Close()
	}
	// Output:
	// legacy 2025-11-25 echo 1 <nil>
	// modern 2026-07-28 bench 1 <nil>
}

// A tool that asks its user something is answered on the way.
func ExampleClient_CallTool() {
	c := dial(&mcp.ClientOptions{
		Elicit: func(_ context.Context, p mcp.ElicitParams) (*mcp.ElicitResult, error) {
			fmt.Println(p.Message)
			return &mcp.ElicitResult{Action: mcp.ElicitAccept, Content: message.Raw(`{"name":"Ada"}`)}, nil
		},
	}, discover, greet)
	defer c.Close()
	result, err := c.CallTool(context.Background(), "greet", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Content[0].Text, result.IsError)
	// Output:
	// What is your name?
	// Hello, Ada false
}

// A tool is called like a typed function, and a failure of the tool is a Go error.
func ExampleCallToolInto() {
	c := dial(nil, discover, mcp.CallTool.Handle(func(_ context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
		var of struct{ A, B int }
		if err := p.Arguments.Decode(&of); err != nil {
			return nil, err
		}
		if of.B == 0 {
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("B is 0")}, IsError: true}, nil
		}
		quotient, err := message.Encode(map[string]int{"quotient": of.A / of.B})
		return &mcp.CallToolResult{StructuredContent: quotient}, err
	}))
	defer c.Close()

	type quotient struct {
		Quotient int `json:"quotient"`
	}
	q, err := mcp.CallToolInto[quotient](context.Background(), c, "divide", map[string]int{"A": 7, "B": 2})
	fmt.Println(q.Quotient, err)
	_, err = mcp.CallToolInto[quotient](context.Background(), c, "divide", map[string]int{"A": 7})
	fmt.Println(err)
	// Output:
	// 3 <nil>
	// mcp: tool "divide" failed: B is 0
}

// A list comes whole, however many pages it has.
func ExampleClient_Tools() {
	c := dial(nil, discover, mcp.ListTools.Handle(func(_ context.Context, p mcp.ListParams) (*mcp.ListToolsResult, error) {
		if p.Cursor == nil {
			return &mcp.ListToolsResult{Tools: []mcp.Tool{{Name: "add"}}, NextCursor: new("2")}, nil
		}
		return &mcp.ListToolsResult{Tools: []mcp.Tool{{Name: "divide"}}}, nil
	}))
	defer c.Close()
	tools, err := c.Tools(context.Background())
	for _, tool := range tools {
		fmt.Println(tool.Name)
	}
	fmt.Println(err)
	// Output:
	// add
	// divide
	// <nil>
}

// The resources of a server, the families of them, and what one holds.
func ExampleClient_ReadResource() {
	c := dial(nil, discover,
		mcp.ListResources.Handle(func(context.Context, mcp.ListParams) (*mcp.ListResourcesResult, error) {
			return &mcp.ListResourcesResult{Resources: []mcp.Resource{{URI: "file:///a", Name: "a"}}}, nil
		}),
		mcp.ListResourceTemplates.Handle(func(context.Context, mcp.ListParams) (*mcp.ListResourceTemplatesResult, error) {
			return &mcp.ListResourceTemplatesResult{ResourceTemplates: []mcp.ResourceTemplate{{URITemplate: "file:///{name}"}}}, nil
		}),
		mcp.ReadResource.Handle(func(_ context.Context, p mcp.ReadResourceParams) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: p.URI, Text: "hello"}}}, nil
		}))
	defer c.Close()
	ctx := context.Background()

	resources, err := c.Resources(ctx)
	fmt.Println(resources[0].URI, err)
	templates, err := c.Templates(ctx)
	fmt.Println(templates[0].URITemplate, err)
	read, err := c.ReadResource(ctx, resources[0].URI)
	fmt.Println(read.Contents[0].Text, err)
	// Output:
	// file:///a <nil>
	// file:///{name} <nil>
	// hello <nil>
}

// A prompt has blanks, for which the server has proposals.
func ExampleClient_GetPrompt() {
	c := dial(nil, discover,
		mcp.ListPrompts.Handle(func(context.Context, mcp.ListParams) (*mcp.ListPromptsResult, error) {
			return &mcp.ListPromptsResult{Prompts: []mcp.Prompt{{Name: "review", Arguments: []mcp.PromptArgument{{Name: "language"}}}}}, nil
		}),
		mcp.Complete.Handle(func(_ context.Context, p mcp.CompleteParams) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.Completion{Values: []string{p.Argument.Value + "thon"}}}, nil
		}),
		mcp.GetPrompt.Handle(func(_ context.Context, p mcp.GetPromptParams) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{
				{Role: mcp.RoleUser, Content: mcp.Text("Review this " + p.Arguments["language"])},
			}}, nil
		}))
	defer c.Close()
	ctx := context.Background()

	prompts, err := c.Prompts(ctx)
	fmt.Println(prompts[0].Name, err)
	proposals, err := c.Complete(ctx, mcp.CompleteParams{
		Ref:      mcp.Reference{Type: mcp.RefPrompt, Name: "review"},
		Argument: mcp.CompletionArgument{Name: "language", Value: "py"},
	})
	fmt.Println(proposals.Completion.Values, err)
	prompt, err := c.GetPrompt(ctx, "review", map[string]string{"language": "python"})
	fmt.Println(prompt.Messages[0].Content.Text, err)
	// Output:
	// review <nil>
	// [python] <nil>
	// Review this python <nil>
}

// A stream of changes tells when a list is worth asking for again.
func ExampleClient_Listen() {
	c := dial(nil, discover, parley.Route{
		Method: string(mcp.Listen),
		Handler: func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			meta := message.Raw(`{"io.modelcontextprotocol/subscriptionId":` + parley.RequestFrom(ctx).ID.String() + `}`)
			return mcp.EmptyResult{ResultType: mcp.ResultComplete}, errors.Join(
				mcp.Acknowledged.Send(ctx, parley.Caller(ctx), mcp.AcknowledgedParams{
					Notifications: mcp.Subscription{ToolsListChanged: true},
					Meta:          meta,
				}),
				mcp.ToolsChanged.Send(ctx, parley.Caller(ctx), mcp.EmptyParams{Meta: meta}),
			)
		},
	})
	defer c.Close()
	ctx := context.Background()

	changes, err := c.Listen(ctx, mcp.Subscription{ToolsListChanged: true, PromptsListChanged: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer changes.Close()
	fmt.Println(changes.Accepted.ToolsListChanged, changes.Accepted.PromptsListChanged)
	for {
		change, err := changes.Next(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(change.Method)
	}
	// Output:
	// true false
	// notifications/tools/list_changed
	// mcp: the stream of changes has ended
}

// A method that the client does not know is called by its name.
func ExampleClient_Call() {
	c := dial(nil, discover, parley.Route{
		Method: "bench/version",
		Handler: func(_ context.Context, _ string, params message.Raw) (any, error) {
			meta, _ := params.Member("_meta")
			version, _ := meta.Member(mcp.MetaProtocolVersion)
			return map[string]message.Raw{"asked in": version}, nil
		},
	})
	defer c.Close()
	var result message.Raw
	err := c.Call(context.Background(), "bench/version", nil, &result)
	fmt.Println(result, err)
	// Output: {"asked in":"2026-07-28"} <nil>
}

// With a version given, Connect asks a modern server nothing, and Discover does.
func ExampleClient_Discover() {
	c := dial(&mcp.ClientOptions{Version: mcp.Latest}, discover)
	defer c.Close()
	fmt.Printf("%q\n", c.Server().Name)
	_, err := c.Discover(context.Background())
	fmt.Printf("%q %q %v %v\n", c.Server().Name, c.Instructions(), c.Capabilities().Tools.ListChanged, err)
	// Output:
	// ""
	// "bench" "Greet first." true <nil>
}

// What is told to a server of the legacy era besides calls of tools.
func ExampleClient_Subscribe() {
	c := dial(&mcp.ClientOptions{Version: mcp.LatestLegacy},
		mcp.Initialize.Handle(welcome),
		mcp.SetLevel.Handle(func(_ context.Context, p mcp.SetLevelParams) (mcp.EmptyResult, error) {
			fmt.Println("logs from", p.Level)
			return mcp.EmptyResult{}, nil
		}),
		mcp.Subscribe.Handle(func(_ context.Context, p mcp.SubscribeParams) (mcp.EmptyResult, error) {
			fmt.Println("watching", p.URI)
			return mcp.EmptyResult{}, nil
		}),
		mcp.RootsChanged.Handle(func(context.Context, mcp.EmptyParams) error {
			fmt.Println("other roots")
			return nil
		}),
		mcp.Unsubscribe.Handle(func(_ context.Context, p mcp.SubscribeParams) (mcp.EmptyResult, error) {
			fmt.Println("no more of", p.URI)
			return mcp.EmptyResult{}, nil
		}))
	defer c.Close()
	ctx := context.Background()
	fmt.Println(errors.Join(
		c.SetLevel(ctx, mcp.LevelWarning),
		c.Subscribe(ctx, "file:///a"),
		c.RootsChanged(ctx),
		c.Unsubscribe(ctx, "file:///a"),
	))
	// Output:
	// logs from warning
	// watching file:///a
	// other roots
	// no more of file:///a
	// <nil>
}

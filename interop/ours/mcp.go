package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A tool is what a client may call, with arguments that are an object.
type tool struct {
	name, description string
	run               func(ctx context.Context, arguments message.Raw) (string, error)
}

var tools = []tool{
	{"echo", "says its text again", echo},
	{"count", "reports progress n times", count},
	{"wait", "waits to be cancelled, and logs that it was", wait},
	{"consult", "asks the client for its roots, its model and its user", consult},
	{"fail", "fails", func(context.Context, message.Raw) (string, error) {
		return "", fmt.Errorf("this tool always fails")
	}},
}

// server answers what an MCP client of the legacy era asks.
func server() *parley.Mux {
	return parley.NewMux(
		mcp.Initialize.Handle(func(_ context.Context, p mcp.InitializeParams) (*mcp.InitializeResult, error) {
			return &mcp.InitializeResult{
				ProtocolVersion: mcp.AnswerVersion(p.ProtocolVersion),
				Capabilities:    mcp.ServerCapabilities{Tools: &mcp.ListCapability{}, Logging: &mcp.Empty{}},
				ServerInfo:      mcp.Implementation{Name: "ours", Version: "1"},
			}, nil
		}),
		mcp.Initialized.Handle(func(context.Context, mcp.EmptyParams) error { return nil }),
		mcp.Ping.Handle(func(context.Context, mcp.EmptyParams) (mcp.EmptyResult, error) { return mcp.EmptyResult{}, nil }),
		mcp.SetLevel.Handle(func(context.Context, mcp.SetLevelParams) (mcp.EmptyResult, error) { return mcp.EmptyResult{}, nil }),
		mcp.ListTools.Handle(func(context.Context, mcp.ListParams) (*mcp.ListToolsResult, error) {
			list := &mcp.ListToolsResult{}
			for _, t := range tools {
				list.Tools = append(list.Tools, mcp.Tool{Name: t.name, Description: t.description})
			}
			return list, nil
		}),
		mcp.CallTool.Handle(callTool),
	)
}

// callTool runs a tool. That there is none is an error, that it failed is a result ("Tools", error handling).
func callTool(ctx context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
	for _, t := range tools {
		if t.name != p.Name {
			continue
		}
		said, err := t.run(ctx, p.Arguments)
		if err != nil {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{mcp.Text(err.Error())}}, nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(said)}}, nil
	}
	return nil, message.InvalidParams.With("there is no tool " + p.Name)
}

func echo(_ context.Context, arguments message.Raw) (string, error) {
	var p struct {
		Text string `json:"text"`
	}
	err := arguments.Decode(&p)
	return p.Text, err
}

// count pings its caller before it returns. The SDK handles a note a moment after it has read it but a result at once,
// and so drops the reports that it reads in one piece with the result.
func count(ctx context.Context, arguments message.Raw) (string, error) {
	var p struct {
		N int `json:"n"`
	}
	if err := arguments.Decode(&p); err != nil {
		return "", err
	}
	total := float64(p.N)
	for i := range p.N {
		if err := parley.Progress(ctx, mcp.ProgressParams{Progress: float64(i + 1), Total: &total}); err != nil {
			return "", err
		}
	}
	_, err := mcp.Ping.Call(ctx, parley.Caller(ctx), mcp.EmptyParams{})
	return fmt.Sprintf("counted to %d", p.N), err
}

// wait reports once that it has begun. What it returns goes nowhere: a cancelled request is not answered.
func wait(ctx context.Context, _ message.Raw) (string, error) {
	if err := parley.Progress(ctx, mcp.ProgressParams{Progress: 1}); err != nil {
		return "", err
	}
	<-ctx.Done()
	slog.New(parley.LogHandler(parley.Caller(ctx), nil)).Warn("the tool was cancelled", "logger", "wait")
	return "", ctx.Err()
}

// consult asks all that a server can ask a client, and says what it heard.
func consult(ctx context.Context, _ message.Raw) (string, error) {
	client := parley.Caller(ctx)
	var heard []string
	roots, err := mcp.ListRoots.Call(ctx, client, mcp.EmptyParams{})
	if err != nil {
		return "", err
	}
	for _, root := range roots.Roots {
		heard = append(heard, "root "+root.URI)
	}
	sampled, err := mcp.CreateMessage.Call(ctx, client, mcp.CreateMessageParams{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.Contents{mcp.Text("How much?")}}},
		MaxTokens: 7,
	})
	if err != nil {
		return "", err
	}
	for _, content := range sampled.Content {
		heard = append(heard, "model "+content.Text)
	}
	elicited, err := mcp.Elicit.Call(ctx, client, mcp.ElicitParams{
		Message:         "Who are you?",
		RequestedSchema: message.Raw(`{"type":"object","properties":{"name":{"type":"string"}}}`),
	})
	if err != nil {
		return "", err
	}
	heard = append(heard, fmt.Sprintf("user %s %s", elicited.Action, elicited.Content))
	return strings.Join(heard, "\n"), nil
}

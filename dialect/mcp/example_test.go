package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// pair connects a client to a server in memory.
func pair(server parley.Handler) (client, far *parley.Conn) {
	opts := &parley.Options{Dialect: &mcp.Dialect}
	here, there := frame.Pipe()
	return parley.Connect(mcp.Dialect.Framing.Stream(here, here), nil, opts),
		parley.Connect(mcp.Dialect.Framing.Stream(there, there), server, opts)
}

// welcome answers initialize as a server of the legacy era does.
func welcome(_ context.Context, p mcp.InitializeParams) (*mcp.InitializeResult, error) {
	return &mcp.InitializeResult{
		ProtocolVersion: mcp.AnswerVersion(p.ProtocolVersion),
		Capabilities:    mcp.ServerCapabilities{Tools: &mcp.ListCapability{}},
		ServerInfo:      mcp.Implementation{Name: "echo", Version: "1"},
	}, nil
}

// A tool is called with typed params and answers with typed content.
func Example() {
	ctx := context.Background()
	client, server := pair(parley.NewMux(
		mcp.Initialize.Handle(welcome),
		mcp.CallTool.Handle(func(_ context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
			if p.Name != "echo" {
				return nil, message.InvalidParams.Withf("there is no tool %q", p.Name)
			}
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(p.Arguments.String())}}, nil
		}),
	).Handle)
	defer server.Close()
	defer client.Close()

	hello, err := mcp.Handshake(ctx, client, mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "me", Version: "1"}})
	fmt.Println(hello.ServerInfo.Name, hello.ProtocolVersion, err)

	result, err := mcp.CallTool.Call(ctx, client, mcp.CallToolParams{Name: "echo", Arguments: message.Raw(`{"a":1.0}`)})
	fmt.Println(result.Content[0].Text, err)
	_, err = mcp.CallTool.Call(ctx, client, mcp.CallToolParams{Name: "nothing"})
	fmt.Println(err)
	// Output:
	// echo 2025-11-25 <nil>
	// {"a":1.0} <nil>
	// Invalid params: there is no tool "nothing" (code -32602)
}

func ExampleHandshake() {
	client, server := pair(parley.NewMux(mcp.Initialize.Handle(welcome)).Handle)
	defer server.Close()
	defer client.Close()

	result, err := mcp.Handshake(context.Background(), client, mcp.InitializeParams{
		ProtocolVersion: mcp.Version20250618,
		ClientInfo:      mcp.Implementation{Name: "me", Version: "1"},
	})
	fmt.Println(result.ProtocolVersion, result.Capabilities.Tools != nil, err)
	// Output: 2025-06-18 true <nil>
}

// A call that is taken back is not answered: the next answer is the next call's.
func ExampleDialect() {
	started := make(chan struct{})
	client, server := pair(func(ctx context.Context, method string, _ message.Raw) (any, error) {
		if method == string(mcp.Ping) {
			return mcp.EmptyResult{}, nil
		}
		close(started)
		<-ctx.Done() // the cancellation ends it
		return nil, ctx.Err()
	})
	defer server.Close()
	defer client.Close()

	ctx, cancel := context.WithCancel(context.Background())
	call := mcp.CallTool.Start(ctx, client, mcp.CallToolParams{Name: "slow"})
	<-started
	cancel()
	fmt.Println(errors.Is(call.Wait(context.Background(), nil), context.Canceled))

	_, err := mcp.Ping.Call(context.Background(), client, mcp.EmptyParams{})
	fmt.Println(err, client.Stats().Late)
	// Output:
	// true
	// <nil> 0
}

// The client announces a capability for each method that it answers.
func ExampleClientCapabilitiesFor() {
	can := mcp.ClientCapabilitiesFor(map[string]message.Raw{
		"elicitation/create": message.Raw(`{"action":"decline"}`),
	})
	text, err := message.Encode(can)
	fmt.Println(text, err)
	// Output: {"elicitation":{}} <nil>
}

func ExampleEraOf() {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
	} {
		m, err := message.Strict.Parse([]byte(line))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(mcp.EraOf(m.(*message.Request)))
	}
	// Output:
	// legacy true
	// modern true
	// unknown false
}

func ExampleEraOfVersion() {
	fmt.Println(mcp.EraOfVersion("2025-06-18"))
	fmt.Println(mcp.EraOfVersion(mcp.Latest))
	// Output:
	// legacy true
	// modern true
}

// A server agrees to a version that it knows, and else offers its own.
func ExampleAnswerVersion() {
	fmt.Println(mcp.AnswerVersion("2024-11-05"), mcp.AnswerVersion("2030-01-01"))
	// Output: 2024-11-05 2025-11-25
}

// Slog has four levels and room between them, MCP has eight.
func ExampleLevelOf() {
	fmt.Println(mcp.LevelOf(slog.LevelWarn), mcp.LevelOf(slog.LevelInfo+2))
	fmt.Println(mcp.LevelCritical.Slog())
	// Output:
	// warning notice
	// ERROR+4 true
}

func ExampleText() {
	text, err := message.Encode(mcp.Text("hello"))
	fmt.Println(text, err)
	// Output: {"type":"text","text":"hello"} <nil>
}

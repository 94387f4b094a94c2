package acp_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/acp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// pair connects an editor and an agent in memory. To start a real agent, use package spawn.
func pair(editor, agent parley.Handler) (client, server *parley.Conn) {
	a, b := frame.Pipe()
	opts := &parley.Options{Dialect: &acp.Dialect}
	return parley.Connect(frame.Lines.Stream(a, a), editor, opts), parley.Connect(frame.Lines.Stream(b, b), agent, opts)
}

// A turn is one call of the client. The agent talks in notes meanwhile, and every note is
// handled before the call returns.
func Example() {
	agent := parley.NewMux(acp.Prompt.Handle(func(ctx context.Context, p acp.PromptParams) (*acp.PromptResult, error) {
		block := acp.Text("You said: " + p.Prompt[0].Text)
		err := acp.SessionUpdate.Send(ctx, parley.Caller(ctx), acp.SessionUpdateParams{
			SessionID: p.SessionID,
			Update:    acp.Update{SessionUpdate: acp.AgentMessageChunk, Content: acp.UpdateContent{Block: &block}},
		})
		return &acp.PromptResult{StopReason: acp.EndTurn}, err
	}))
	editor := parley.NewMux(acp.SessionUpdate.Handle(func(_ context.Context, p acp.SessionUpdateParams) error {
		fmt.Println(p.Update.Content.Block.Text)
		return nil
	}))
	client, server := pair(editor.Handle, agent.Handle)
	defer server.Close()
	defer client.Close()

	result, err := acp.Prompt.Call(context.Background(), client, acp.PromptParams{
		SessionID: "sess-1",
		Prompt:    []acp.ContentBlock{acp.Text("hello")},
	})
	fmt.Println(result.StopReason, err)
	// Output:
	// You said: hello
	// end_turn <nil>
}

func ExampleHandshake() {
	agent := parley.NewMux(acp.Initialize.Handle(func(context.Context, acp.InitializeParams) (*acp.InitializeResult, error) {
		return &acp.InitializeResult{ProtocolVersion: acp.Version, AgentInfo: &acp.Implementation{Name: "echo", Version: "1.0"}}, nil
	}))
	client, server := pair(nil, agent.Handle)
	defer server.Close()
	defer client.Close()

	result, err := acp.Handshake(context.Background(), client, acp.InitializeParams{
		ClientCapabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: true}},
	})
	fmt.Println(result.AgentInfo.Name, err)
	// Output: echo <nil>
}

func ExampleSelect() {
	text, _ := message.Encode(acp.Select("allow"))
	fmt.Println(text)
	// Output: {"outcome":{"outcome":"selected","optionId":"allow"}}
}

func ExampleDismiss() {
	text, _ := message.Encode(acp.Dismiss())
	fmt.Println(text)
	// Output: {"outcome":{"outcome":"cancelled"}}
}

func ExampleText() {
	text, _ := message.Encode(acp.Text("hi"))
	fmt.Println(text)
	// Output: {"type":"text","text":"hi"}
}

// An agent whose client has not logged in says so by the code; the client matches it.
func Example_logIn() {
	agent := func(context.Context, string, message.Raw) (any, error) { return nil, acp.ErrAuthRequired }
	client, server := pair(nil, agent)
	defer server.Close()
	defer client.Close()

	_, err := acp.SessionNew.Call(context.Background(), client, acp.SessionNewParams{CWD: "/srv"})
	fmt.Println(errors.Is(err, acp.ErrAuthRequired), err)
	// Output: true Authentication required (code -32000)
}

package codex_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// pair connects a front end and an app-server in memory. To start the real one, use package
// spawn.
func pair(client, server parley.Handler) (near, far *parley.Conn) {
	a, b := frame.Pipe()
	opts := &parley.Options{Dialect: &codex.Dialect}
	return parley.Connect(frame.Lines.Stream(a, a), client, opts), parley.Connect(frame.Lines.Stream(b, b), server, opts)
}

// The client starts a turn, and answers when the server asks for an approval.
func Example() {
	server := parley.NewMux(codex.TurnStart.Handle(func(ctx context.Context, p codex.TurnStartParams) (*codex.TurnStartResult, error) {
		answer, err := codex.CommandApproval.Call(ctx, parley.Caller(ctx), codex.CommandApprovalParams{ThreadID: p.ThreadID, Command: "touch a"})
		if err != nil {
			return nil, err
		}
		fmt.Println("the server hears:", answer.Decision.Name)
		return &codex.TurnStartResult{Turn: codex.Turn{ID: "turn-1", Status: codex.TurnInProgress}}, nil
	}))
	client := parley.NewMux(codex.CommandApproval.Handle(func(_ context.Context, p codex.CommandApprovalParams) (*codex.ApprovalResult, error) {
		fmt.Println("the client is asked about:", p.Command)
		return codex.Decide(codex.Accept), nil
	}))
	near, far := pair(client.Handle, server.Handle)
	defer far.Close()
	defer near.Close()

	result, err := codex.TurnStart.Call(context.Background(), near, codex.TurnStartParams{
		ThreadID: "thread-1",
		Input:    []codex.Input{codex.Text("make a file")},
	})
	fmt.Println(result.Turn.Status, err)
	// Output:
	// the client is asked about: touch a
	// the server hears: accept
	// inProgress <nil>
}

func ExampleHandshake() {
	server := parley.NewMux(
		codex.Initialize.Handle(func(_ context.Context, p codex.InitializeParams) (*codex.InitializeResult, error) {
			return &codex.InitializeResult{UserAgent: p.ClientInfo.Name + "/0.171.0"}, nil
		}),
		codex.Initialized.Handle(func(context.Context, message.Raw) error { return nil }),
	)
	near, far := pair(nil, server.Handle)
	defer far.Close()
	defer near.Close()

	result, err := codex.Handshake(context.Background(), near, codex.InitializeParams{
		ClientInfo: codex.ClientInfo{Name: "probe", Version: "1.0"},
	})
	fmt.Println(result.UserAgent, err)
	// Output: probe/0.171.0 <nil>
}

func ExampleDecide() {
	text, _ := message.Encode(codex.Decide(codex.Decline))
	fmt.Println(text)
	// Output: {"decision":"decline"}
}

func ExampleChoice() {
	var answer codex.ApprovalResult
	err := message.Raw(`{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch"]}}}`).Decode(&answer)
	fmt.Println(answer.Decision.Name, answer.Decision.Detail, err)
	// Output: acceptWithExecpolicyAmendment {"execpolicy_amendment":["touch"]} <nil>
}

func ExampleText() {
	text, _ := message.Encode(codex.Text("hi"))
	fmt.Println(text)
	// Output: {"type":"text","text":"hi"}
}

func ExampleNewItem() {
	item, err := codex.NewItem(codex.AgentMessage{Type: codex.ItemAgentMessage, ID: "msg_1", Text: "Bye."})
	fmt.Println(item.Type, item.ID, err)
	// Output: agentMessage msg_1 <nil>
}

func ExampleItem_Decode() {
	var item codex.Item
	if err := message.Raw(`{"type":"agentMessage","id":"msg_1","text":"Bye."}`).Decode(&item); err != nil {
		fmt.Println(err)
	}
	var said codex.AgentMessage
	err := item.Decode(&said)
	fmt.Println(said.Text, err)
	// Output: Bye. <nil>
}

// A server whose queue is full refuses a call before it begins it; it may be made again later.
func Example_overloaded() {
	server := func(context.Context, string, message.Raw) (any, error) { return nil, codex.ErrOverloaded }
	near, far := pair(nil, server)
	defer far.Close()
	defer near.Close()

	_, err := codex.ModelList.Call(context.Background(), near, message.Raw("{}"))
	fmt.Println(errors.Is(err, codex.ErrOverloaded))
	// Output: true
}

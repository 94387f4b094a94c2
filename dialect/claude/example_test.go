package claude_test

import (
	"context"
	"fmt"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A client starts a turn and answers the agent that asks for a permission. In a program
// the stream is that of a child process, `claude --input-format stream-json …`.
func Example() {
	client, agent := frame.Pipe()
	options := &parley.Options{Dialect: &claude.Dialect}

	// The agent wants to run a command in each turn.
	turn := claude.User.Handle(func(ctx context.Context, _ claude.UserParams) error {
		conn := parley.Caller(ctx)
		answer, err := claude.CanUseTool.Call(ctx, conn, claude.CanUseToolParams{ToolName: "Bash", Input: message.Raw(`{"command":"ls"}`)})
		if err != nil {
			return err
		}
		return claude.Result.Send(ctx, conn, claude.ResultParams{Subtype: "success", Result: answer.Behavior})
	})
	far := parley.Connect(frame.Lines.Stream(agent, agent), parley.NewMux(turn).Handle, options)

	done := make(chan string)
	host := parley.NewMux(
		claude.CanUseTool.Handle(func(_ context.Context, p claude.CanUseToolParams) (claude.PermissionResult, error) {
			fmt.Println("may run", p.ToolName, p.Input)
			return claude.Allow(p.Input), nil
		}),
		claude.Result.Handle(func(_ context.Context, p claude.ResultParams) error {
			done <- p.Result
			return nil
		}),
	)
	near := parley.Connect(frame.Lines.Stream(client, client), host.Handle, options)
	if err := claude.User.Send(context.Background(), near, claude.Say("clean up")); err != nil {
		fmt.Println(err)
	}
	fmt.Println("the turn ended:", <-done)
	_ = near.Close()
	_ = far.Close()
	// Output:
	// may run Bash {"command":"ls"}
	// the turn ended: allow
}

// The codec by itself tells what a line is, for programs that only look on.
func ExampleCodec() {
	for _, line := range []string{
		`{"type":"control_request","request_id":"r-1","request":{"subtype":"interrupt"}}`,
		`{"type":"control_response","response":{"subtype":"error","request_id":"r-1","error":"no turn"}}`,
		`{"type":"result","subtype":"success"}`,
		`npm WARN deprecated`,
	} {
		m, err := claude.Codec.Parse([]byte(line))
		switch m := m.(type) {
		case *message.Request:
			fmt.Println(m.Method, "wants an answer:", !m.IsNote())
		case *message.Response:
			fmt.Println("an answer to", m.ID, m.Error)
		default:
			fmt.Println(err)
		}
	}
	// Output:
	// interrupt wants an answer: true
	// an answer to "r-1" no turn (code -32000)
	// result wants an answer: false
	// Parse error at byte 0: this word is not JSON
}

func ExampleSay() {
	line, _ := message.Encode(claude.Say("hello"))
	fmt.Println(line)
	// Output: {"message":{"role":"user","content":"hello"},"parent_tool_use_id":null,"session_id":""}
}

func ExampleAllow() {
	line, _ := message.Encode(claude.Allow(message.Raw(`{"command":"ls"}`)))
	fmt.Println(line)
	// Output: {"behavior":"allow","updatedInput":{"command":"ls"}}
}

func ExampleDeny() {
	line, _ := message.Encode(claude.Deny("not in this folder"))
	fmt.Println(line)
	// Output: {"behavior":"deny","message":"not in this folder"}
}

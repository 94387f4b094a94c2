package lsp_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// pair connects an editor to a language server in memory.
func pair(server parley.Handler) (editor, far *parley.Conn) {
	opts := &parley.Options{Dialect: &lsp.Dialect}
	here, there := frame.Pipe()
	return parley.Connect(lsp.Dialect.Framing.Stream(here, here), nil, opts),
		parley.Connect(lsp.Dialect.Framing.Stream(there, there), server, opts)
}

// welcome answers initialize.
func welcome(context.Context, lsp.InitializeParams) (*lsp.InitializeResult, error) {
	return &lsp.InitializeResult{
		Capabilities: map[string]message.Raw{"hoverProvider": message.Raw(`true`)},
		ServerInfo:   &lsp.Program{Name: "poets"},
	}, nil
}

// A whole conversation: a handshake, a question, the end.
func Example() {
	ctx := context.Background()
	editor, server := pair(parley.NewMux(
		lsp.Initialize.Handle(welcome),
		lsp.Hover.Handle(func(_ context.Context, p lsp.HoverParams) (*lsp.HoverResult, error) {
			at := fmt.Sprintf("line %d of %s", p.Position.Line, p.TextDocument.URI)
			return &lsp.HoverResult{Contents: lsp.Markup{Kind: lsp.PlainText, Value: at}}, nil
		}),
		lsp.RequestShutdown.Handle(func(context.Context, message.Raw) (message.Raw, error) { return nil, nil }),
	).Handle)
	defer server.Close()
	defer editor.Close()

	hello, err := lsp.Handshake(ctx, editor, lsp.InitializeParams{ProcessID: new(os.Getpid())})
	fmt.Println(hello.ServerInfo.Name, err)
	hover, err := lsp.Hover.Call(ctx, editor, lsp.HoverParams{TextDocumentPosition: lsp.TextDocumentPosition{
		TextDocument: lsp.TextDocumentIdentifier{URI: "file:///ode.txt"},
		Position:     lsp.Position{Line: 3},
	}})
	fmt.Println(hover.Contents.Value, err)
	fmt.Println(lsp.Shutdown(ctx, editor))
	// Output:
	// poets <nil>
	// line 3 of file:///ode.txt <nil>
	// <nil>
}

func ExampleHandshake() {
	editor, server := pair(parley.NewMux(lsp.Initialize.Handle(welcome)).Handle)
	defer server.Close()
	defer editor.Close()

	result, err := lsp.Handshake(context.Background(), editor, lsp.InitializeParams{
		ClientInfo: &lsp.Program{Name: "me"},
		RootURI:    new("file:///poems"),
	})
	fmt.Println(result.Capabilities["hoverProvider"], err)
	// Output: true <nil>
}

func ExampleShutdown() {
	said := make(chan string, 2)
	editor, server := pair(func(_ context.Context, method string, _ message.Raw) (any, error) {
		said <- method
		return nil, nil
	})
	defer server.Close()
	defer editor.Close()

	fmt.Println(lsp.Shutdown(context.Background(), editor))
	fmt.Println(<-said, <-said)
	// Output:
	// <nil>
	// shutdown exit
}

// A call that is taken back is answered all the same. The caller does not wait for it:
// the answer is late, and dropped.
func ExampleDialect() {
	started := make(chan struct{})
	editor, server := pair(func(ctx context.Context, method string, _ message.Raw) (any, error) {
		if method == string(lsp.RequestShutdown) {
			return nil, nil
		}
		close(started)
		<-ctx.Done() // the cancellation ends it
		return nil, ctx.Err()
	})
	defer server.Close()
	defer editor.Close()

	ctx, cancel := context.WithCancel(context.Background())
	call := lsp.Hover.Start(ctx, editor, lsp.HoverParams{})
	<-started
	cancel()
	fmt.Println(errors.Is(call.Wait(context.Background(), nil), context.Canceled))

	for editor.Stats().Late == 0 { // -32800 is on its way
		_, _ = lsp.RequestShutdown.Call(context.Background(), editor, nil)
	}
	fmt.Println(editor.Stats().Late)
	// Output:
	// true
	// 1
}

func ExampleMessageTypeOf() {
	fmt.Println(lsp.MessageTypeOf(slog.LevelWarn) == lsp.MessageWarning)
	// Output: true
}

package parley_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A protocol is a table of typed constants.
const (
	Sum     parley.Method[[]int, int]  = "sum"
	Greet   parley.Method[Who, string] = "greet"
	LogLine parley.Note[[]string]      = "log"
)

type Who struct {
	Name string `json:"name"`
}

func sum(_ context.Context, xs []int) (int, error) {
	total := 0
	for _, x := range xs {
		total += x
	}
	return total, nil
}

// pair connects two peers in memory.
func pair(a, b parley.Handler) (*parley.Conn, *parley.Conn) {
	endA, endB := frame.Pipe()
	return parley.Connect(frame.Lines.Stream(endA, endA), a, nil), parley.Connect(frame.Lines.Stream(endB, endB), b, nil)
}

// Two buffers are enough for a session; it ends by itself at the end of the input.
func ExampleServe() {
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2,3]}` + "\n")
	var out bytes.Buffer

	mux := parley.NewMux(Sum.Handle(sum))
	err := parley.Serve(context.Background(), frame.Lines.Stream(in, &out), mux.Handle, nil)
	fmt.Print(out.String())
	fmt.Println(err)
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":6}
	// <nil>
}

func ExampleConnect() {
	ctx := context.Background()
	client, server := pair(nil, parley.NewMux(Sum.Handle(sum)).Handle)
	defer server.Close()
	defer client.Close()

	var total int
	err := client.Call(ctx, "sum", []int{1, 2, 3}, &total)
	fmt.Println(total, err)
	// Output: 6 <nil>
}

func ExampleConn_Call() {
	ctx := context.Background()
	client, server := pair(nil, nil)
	defer server.Close()
	defer client.Close()

	err := client.Call(ctx, "nobody/home", nil, nil)
	fmt.Println(errors.Is(err, message.MethodNotFound))
	fmt.Println(err)
	// Output:
	// true
	// Method not found (code -32601)
}

func ExampleConn_Start() {
	ctx := context.Background()
	client, server := pair(nil, parley.NewMux(Sum.Handle(sum)).Handle)
	defer server.Close()
	defer client.Close()

	one := client.Start(ctx, "sum", []int{1, 2})
	two := client.Start(ctx, "sum", []int{3, 4})
	var b, a int
	fmt.Println(two.Wait(ctx, &b), one.Wait(ctx, &a))
	fmt.Println(one.ID(), a, two.ID(), b)
	// Output:
	// <nil> <nil>
	// 1 3 2 7
}

func ExampleConn_Notify() {
	ctx := context.Background()
	done := make(chan struct{})
	client, server := pair(nil, parley.NewMux(LogLine.Handle(func(_ context.Context, words []string) error {
		fmt.Println("noted:", words)
		close(done)
		return nil
	})).Handle)
	defer server.Close()
	defer client.Close()

	fmt.Println(client.Notify(ctx, "log", []string{"nobody", "answers"}))
	<-done
	// Output:
	// <nil>
	// noted: [nobody answers]
}

func ExampleConn_Batch() {
	ctx := context.Background()
	client, server := pair(nil, parley.NewMux(Sum.Handle(sum)).Handle)
	defer server.Close()
	defer client.Close()

	var a, b int
	err := client.Batch(ctx,
		&parley.Item{Method: "sum", Params: []int{1, 2}, Result: &a},
		&parley.Item{Method: "log", Params: []string{"no answer"}, Note: true},
		&parley.Item{Method: "sum", Params: []int{3, 4}, Result: &b})
	fmt.Println(a, b, err)
	// Output: 3 7 <nil>
}

func ExampleConn_Flush() {
	ctx := context.Background()
	var out bytes.Buffer
	in, _ := frame.Pipe()
	conn := parley.Connect(frame.Lines.Stream(in, &out), nil, nil)
	_ = conn.Notify(ctx, "log", []string{"queued"})
	fmt.Println(conn.Flush(ctx))
	fmt.Print(out.String())
	_ = conn.Close()
	// Output:
	// <nil>
	// {"jsonrpc":"2.0","method":"log","params":["queued"]}
}

func ExampleConn_Wait() {
	client, server := pair(nil, nil)
	_ = server.Close() // the other side hangs up
	fmt.Println(client.Wait())
	fmt.Println(errors.Is(client.Call(context.Background(), "x", nil, nil), parley.ErrClosed))
	// Output:
	// <nil>
	// true
}

func ExampleMethod() {
	ctx := context.Background()
	client, server := pair(nil, parley.NewMux(
		Greet.Handle(func(_ context.Context, who Who) (string, error) { return "hello, " + who.Name, nil }),
	).Handle)
	defer server.Close()
	defer client.Close()

	fmt.Println(Greet.Call(ctx, client, Who{Name: "you"}))
	// Output: hello, you <nil>
}

// Params that do not fit the type are refused before the function is called.
func ExampleFunc() {
	h := parley.Func(func(_ context.Context, who Who) (string, error) { return who.Name, nil })
	_, err := h(context.Background(), "greet", message.Raw(`{"name":5}`))
	fmt.Println(err)
	// Output: Invalid params (code -32602, data {"pointer":"/name","reason":"want a string, got a number"})
}

func ExampleRoute_Describe() {
	mux := parley.NewMux(Sum.Handle(sum).Describe("Adds numbers"))
	for _, r := range mux.Routes() {
		fmt.Println(r.Method, r.Params, r.Result, "-", r.Doc)
	}
	// Output: sum []int int - Adds numbers
}

// Middleware sees each request before the handler does.
func ExampleChain() {
	logged := func(next parley.Handler) parley.Handler {
		return func(ctx context.Context, method string, params message.Raw) (any, error) {
			fmt.Println("asked for", method, "as", parley.RequestFrom(ctx).ID)
			return next(ctx, method, params)
		}
	}
	client, server := pair(nil, parley.Chain(parley.NewMux(Sum.Handle(sum)).Handle, logged))
	defer server.Close()
	defer client.Close()
	fmt.Println(Sum.Call(context.Background(), client, []int{1}))
	// Output:
	// asked for sum as 1
	// 1 <nil>
}

// A handler may call back the side that called it.
func ExampleCaller() {
	ctx := context.Background()
	server := parley.NewMux(parley.Method[message.Raw, string]("welcome").Handle(
		func(ctx context.Context, _ message.Raw) (string, error) {
			var name string
			err := parley.Caller(ctx).Call(ctx, "whoAreYou", nil, &name)
			return "welcome, " + name, err
		}))
	client := func(context.Context, string, message.Raw) (any, error) { return "Ada", nil }
	a, b := pair(client, server.Handle)
	defer b.Close()
	defer a.Close()

	var text string
	fmt.Println(a.Call(ctx, "welcome", nil, &text), text)
	// Output: <nil> welcome, Ada
}

// A correlation goes through a relay that knows nothing of it. In plain JSON-RPC that
// has to be asked for; most other dialects have a place of their own.
func ExampleWithCorrelation() {
	server := func(ctx context.Context, _ string, params message.Raw) (any, error) {
		fmt.Println("the server was asked", params)
		return nil, nil
	}
	opts := &parley.Options{Correlate: true}
	connect := func(h parley.Handler) *parley.Conn {
		near, far := frame.Pipe()
		parley.Connect(frame.Lines.Stream(far, far), h, opts)
		return parley.Connect(frame.Lines.Stream(near, near), nil, opts)
	}
	second := connect(server)
	defer second.Close()
	first := connect(func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		return nil, second.Call(ctx, "lookup", map[string]int{"key": 1}, nil)
	})
	defer first.Close()

	ctx := parley.WithCorrelation(context.Background(), parley.Correlation{ID: "order-7"})
	fmt.Println(first.Call(ctx, "buy", map[string]string{"what": "tea"}, nil))
	// Output:
	// the server was asked {"key":1,"_meta":{"io.github.parley-rpc/correlationId":"order-7"}}
	// <nil>
}

// A handler that traces makes its own span a child of what the request brought.
func ExampleCorrelationFrom() {
	server := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		fmt.Println("child of", parley.CorrelationFrom(ctx).TraceParent)
		return nil, nil
	}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":` +
		`{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}}`)
	fmt.Println(parley.Serve(context.Background(), frame.Lines.Stream(in, io.Discard), server, nil))
	// Output:
	// child of 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
	// <nil>
}

// Whoever only sees the records, such as a tap, reads it from the request.
func ExampleDialect_Correlation() {
	codex := parley.Dialect{Name: "codex", Codec: message.Bare, Meta: parley.Meta{Extra: "trace"}}
	m, err := codex.Codec.Parse([]byte(`{"id":1,"method":"turn/start","trace":` +
		`{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"rojo=1"}}`))
	if req, ok := m.(*message.Request); ok {
		c := codex.Correlation(req)
		fmt.Println(c.TraceParent, c.TraceState, err)
	}
	// Output: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 rojo=1 <nil>
}

// A handler reports before it answers, and the caller sees it before Call returns.
func ExampleProgress() {
	work := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		for i := range 2 {
			if err := parley.Progress(ctx, i+1); err != nil {
				return nil, err
			}
		}
		return "done", nil
	}
	client, server := pair(nil, work)
	defer server.Close()
	defer client.Close()

	ctx := parley.OnProgress(context.Background(), func(value message.Raw) { fmt.Println("step", value) })
	var result string
	fmt.Println(client.Call(ctx, "work", nil, &result), result)
	// Output:
	// step 1
	// step 2
	// <nil> done
}

// Slog records go to the other side as notes.
func ExampleLogHandler() {
	var out bytes.Buffer
	in, _ := frame.Pipe()
	conn := parley.Connect(frame.Lines.Stream(in, &out), nil, nil)
	noTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	log := slog.New(parley.LogHandler(conn, &slog.HandlerOptions{ReplaceAttr: noTime}))
	log.With("tool", "grep").Info("started", "pid", 7)
	_ = conn.Close()
	fmt.Fprint(os.Stdout, out.String())
	// Output: {"jsonrpc":"2.0","method":"$/log","params":{"level":"INFO","msg":"started","tool":"grep","pid":7}}
}

// Under Unordered a call does not wait for the notes before its reply.
func ExampleAsync() {
	const (
		prompt parley.Note[[1]string]        = "prompt"
		stop   parley.Method[struct{}, bool] = "stop"
	)
	stopped, done := make(chan struct{}), make(chan struct{})
	agent := parley.NewMux(
		prompt.Handle(func(ctx context.Context, _ [1]string) error {
			parley.Async(ctx) // or stop would wait until the turn is over
			<-stopped
			fmt.Println("the turn ends early")
			close(done)
			return nil
		}),
		stop.Handle(func(context.Context, struct{}) (bool, error) {
			close(stopped)
			return true, nil
		}),
	)
	near, far := frame.Pipe()
	defer parley.Connect(frame.Lines.Stream(far, far), agent.Handle, nil).Close()
	c := parley.Connect(frame.Lines.Stream(near, near), nil, nil)
	defer c.Close()

	ctx := context.Background()
	if err := prompt.Send(ctx, c, [1]string{"make tea"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stop.Call(ctx, c, struct{}{}))
	<-done
	// Unordered output:
	// true <nil>
	// the turn ends early
}

func ExampleUnordered() {
	block := make(chan struct{})
	a := func(context.Context, string, message.Raw) (any, error) { <-block; return nil, nil }
	b := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		return "answered", parley.Caller(ctx).Notify(ctx, "slow", nil)
	}
	client, server := pair(a, b)
	defer server.Close()
	defer client.Close()
	defer close(block)

	var text string
	fmt.Println(client.Call(parley.Unordered(context.Background()), "x", nil, &text), text)
	// Output: <nil> answered
}

// A keeper makes a new connection, with a handshake, whenever one ends.
func ExampleKeep() {
	ctx := context.Background()
	keeper := parley.Keep(parley.Restart{
		Dial: func(context.Context) (frame.Stream, error) { // with a child: spawn.Start
			near, far := frame.Pipe()
			parley.Connect(frame.Lines.Stream(far, far), parley.NewMux(Sum.Handle(sum)).Handle, nil)
			return frame.Lines.Stream(near, near), nil
		},
		Handshake: func(ctx context.Context, c *parley.Conn) error {
			fmt.Println("shaking hands")
			_, err := Sum.Call(ctx, c, nil)
			return err
		},
	})
	for range 2 {
		conn, err := keeper.Conn(ctx)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(Sum.Call(ctx, conn, []int{1, 2}))
		_ = conn.Close() // as if the other side had died
		<-conn.Done()
	}
	fmt.Println(keeper.Close())
	// Output:
	// shaking hands
	// 3 <nil>
	// shaking hands
	// 3 <nil>
	// <nil>
}

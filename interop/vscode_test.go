package interop

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// TestVSCodeClient drives parley serve with the library under VS Code's language clients.
func TestVSCodeClient(t *testing.T) {
	compare(t, summary(t, script(t, "vscode-client.mjs", "vscode-jsonrpc"), parleyBinary), `{
		"cancelled":       {"code": -32800, "message": "Request cancelled"},
		"echoObject":      {"text": "a\u2028b 列出 😀", "list": [1, null, 1.5]},
		"echoArray":       [1, "two", null],
		"echoNothing":     null,
		"addByName":       8,
		"addByPosition":   8,
		"notes":           [{"i": 1}, {"i": 2}, {"i": 3}, {"i": 4}, {"i": 5}],
		"callback":        "hello parley",
		"callbackRefused": {"code": -32050, "message": "not today", "data": {"until": "tomorrow"}},
		"callbackUnknown": {"code": -32601, "message": "Unhandled method nosuch"},
		"progressResult":  5,
		"progressTokens":  1,
		"progress": [
			{"progress": 1, "total": 5},
			{"progress": 2, "total": 5},
			{"progress": 3, "total": 5},
			{"progress": 4, "total": 5},
			{"progress": 5, "total": 5}
		],
		"unknown":   {"code": -32601, "message": "Method not found"},
		"badParams": {
			"code": -32602, "message": "Invalid params",
			"data": {"pointer": "/a", "reason": "want a number, got \"three\""}
		},
		"boom":   {"code": 1, "message": "boom"},
		"paired": true,
		"blob":   1000000,
		"exit":   0
	}`)
}

// languageServer is what LSP 3.18 adds to JSON-RPC, as far as a server of vscode-jsonrpc knows it.
var languageServer = parley.Dialect{
	Name:    "lsp",
	Framing: frame.Header,
	NoBatch: true,
	Cancel:  parley.JSONRPC.Cancel,
}

// Their params.
type (
	counted struct {
		N int `json:"n"`
	}
	ticked struct {
		I int `json:"i"`
	}
	delayed struct {
		ID int `json:"id"`
		MS int `json:"ms"`
	}
	question struct {
		Method string      `json:"method"`
		Params message.Raw `json:"params,omitempty"`
	}
)

// The methods of js/vscode-server.mjs.
const (
	echo      parley.Method[message.Raw, message.Raw] = "echo"
	fail      parley.Method[message.Raw, message.Raw] = "fail"
	count     parley.Method[counted, int]             = "count"
	tick      parley.Note[ticked]                     = "tick"
	later     parley.Method[delayed, int]             = "later"
	cancelled parley.Note[delayed]                    = "cancelled"
	ask       parley.Method[question, message.Raw]    = "ask"
	askInVain parley.Method[question, message.Code]   = "askInVain"
)

// TestVSCodeServer calls a server that is made with the library under VS Code's language servers.
func TestVSCodeServer(t *testing.T) {
	ctx := bounded(t)
	var ticks []int
	stopped := make(chan int, 1)
	waiting := make(chan struct{})
	mux := parley.NewMux(
		tick.Handle(func(_ context.Context, p ticked) error {
			ticks = append(ticks, p.I)
			return nil
		}),
		cancelled.Handle(func(_ context.Context, p delayed) error {
			stopped <- p.ID
			return nil
		}),
		parley.Method[ticked, string]("double").Handle(func(_ context.Context, p ticked) (string, error) {
			return fmt.Sprint(2 * p.I), nil
		}),
		parley.Method[message.Raw, message.Raw]("wait").Handle(func(ctx context.Context, _ message.Raw) (message.Raw, error) {
			close(waiting)
			<-ctx.Done()
			return nil, ctx.Err()
		}),
		parley.Method[message.Raw, message.Raw]("begun").Handle(func(ctx context.Context, _ message.Raw) (message.Raw, error) {
			select {
			case <-waiting:
				return nil, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}),
	)
	p := start(t, &languageServer, mux.Handle, script(t, "vscode-server.mjs", "vscode-jsonrpc"))
	defer p.end(t, parley.Stats{Late: 1}, outcome{ // to the call that we take back
		Failed:    []string{"fail", "nosuch", "ask", "nosuch"},
		Cancelled: []string{"later", "wait"},
	})

	t.Run("notes arrive in order and before the reply behind them", func(t *testing.T) {
		const n = 200
		if got, err := count.Call(ctx, p.Conn, counted{n}); err != nil || got != n {
			t.Fatalf("count returned %d, %v", got, err)
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i + 1
		}
		if diff := cmp.Diff(want, ticks); diff != "" {
			t.Errorf("ticks when count has returned (-want +got):\n%s", diff)
		}
	})

	t.Run("params and results pass unchanged", func(t *testing.T) {
		want := `{"text":"a\nb\u2028 列出 😀","list":[1,null,1.5]}`
		got, err := echo.Call(ctx, p.Conn, message.Raw(want))
		if err != nil {
			t.Fatal(err)
		}
		// JavaScript writes U+2028 as it is.
		if want := `{"text":"a\nb` + "\u2028" + ` 列出 😀","list":[1,null,1.5]}`; got.String() != want {
			t.Errorf("echo returned %s, want %s", got, want)
		}
	})

	t.Run("each answer finds its own call", func(t *testing.T) {
		var calls []*parley.Pending
		for i := range 100 {
			calls = append(calls, later.Start(ctx, p.Conn, delayed{i, 100 - i}))
		}
		for i, call := range calls {
			var got int
			if err := call.Wait(ctx, &got); err != nil || got != i {
				t.Errorf("call %d returned %d, %v", i, got, err)
			}
		}
	})

	t.Run("an error keeps its code, message and data", func(t *testing.T) {
		_, err := fail.Call(ctx, p.Conn, nil)
		want := message.NewError(-32050, "as you wish").With(map[string]string{"wish": "fail"})
		var got *message.Error
		if !errors.As(err, &got) {
			t.Fatalf("fail returned %v", err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the error (-want +got):\n%s", diff)
		}
	})

	t.Run("an unknown method", func(t *testing.T) {
		if err := p.Call(ctx, "nosuch", nil, nil); !errors.Is(err, message.MethodNotFound) {
			t.Errorf("nosuch returned %v", err)
		}
	})

	t.Run("a call that we take back is stopped there", func(t *testing.T) {
		call := later.Start(ctx, p.Conn, delayed{ID: 77, MS: int(patience.Milliseconds())})
		if err := p.Call(ctx, "echo", nil, nil); err != nil { // it has begun
			t.Fatal(err)
		}
		call.Cancel()
		if err := call.Wait(ctx, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("later returned %v", err)
		}
		select {
		case id := <-stopped:
			if id != 77 {
				t.Errorf("call %d was stopped, not 77", id)
			}
		case <-ctx.Done():
			t.Error("the server did not hear of it")
		}
	})

	t.Run("the server calls us while we wait for it", func(t *testing.T) {
		got, err := ask.Call(ctx, p.Conn, question{"double", message.Raw(`{"i":21}`)})
		if err != nil || got.String() != `"42"` {
			t.Errorf("ask returned %s, %v", got, err)
		}
		if _, err := ask.Call(ctx, p.Conn, question{Method: "nosuch"}); !errors.Is(err, message.MethodNotFound) {
			t.Errorf("ask for what we have not returned %v", err)
		}
	})

	t.Run("the server takes its call back", func(t *testing.T) {
		got, err := askInVain.Call(ctx, p.Conn, question{Method: "wait"})
		if err != nil || got != message.CodeRequestCancelled {
			t.Errorf("the server was answered %d, %v", got, err)
		}
	})
}

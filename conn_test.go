package parley_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		beChild(mode)
		return
	}
	goleak.VerifyTestMain(m)
}

func referenceHandler() parley.Handler { return reference.NewMux(nil).Handle }

// The faults that real users of other software reported, in the row of the foundation.
func TestCases(t *testing.T) { parleytest.Cases(t, "testdata/cases", referenceHandler) }

// serve feeds text to a server and returns what it writes.
func serve(t *testing.T, text string, h parley.Handler, opts *parley.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := parley.Serve(t.Context(), frame.Lines.Stream(strings.NewReader(text), &out), h, opts); err != nil {
		t.Errorf("Serve: %v", err)
	}
	return out.String()
}

// The transport knows no registry: any function is a handler.
func TestServeWithoutMux(t *testing.T) {
	h := func(_ context.Context, method string, params message.Raw) (any, error) {
		return method + " " + params.String(), nil
	}
	got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"any thing","params":[ 1.0 ]}`, h, nil)
	if want := `{"jsonrpc":"2.0","id":1,"result":"any thing [ 1.0 ]"}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A nil handler answers every call, and no note.
func TestServeNobody(t *testing.T) {
	got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"x"}`+"\n"+`{"jsonrpc":"2.0","method":"x"}`, nil, nil)
	if want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}` + "\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// What handlers return becomes the code of their error, or -32603 with the first type
// that says something.
func TestHandlerErrors(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "/x", Err: errors.New("no")}
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"own code", message.NewError(7, "seven"), `{"code":7,"message":"seven"}`},
		{"wrapped", fmt.Errorf("around: %w", message.NewError(7, "seven")), `{"code":7,"message":"seven"}`},
		{"plain", errors.New("oh"), `{"code":-32603,"message":"Internal error: oh","data":{"exception":"*errors.errorString"}}`},
		{"typed", path, `{"code":-32603,"message":"Internal error: open /x: no","data":{"exception":"*fs.PathError"}}`},
		{"typed, wrapped", fmt.Errorf("a: %w", fmt.Errorf("b: %w", path)), `{"code":-32603,"message":"Internal error: a: b: open /x: no","data":{"exception":"*fs.PathError"}}`},
		{"wrapped", fmt.Errorf("a: %w", errors.New("b")), `{"code":-32603,"message":"Internal error: a: b","data":{"exception":"*fmt.wrapError"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := func(context.Context, string, message.Raw) (any, error) { return nil, test.err }
			got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"x"}`, h, nil)
			if want := `{"jsonrpc":"2.0","id":1,"error":` + test.want + "}\n"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// A result that is no JSON, a handler that panics and one that ends its goroutine: each
// is answered, the stack goes to the log, and the next call works.
func TestHandlersThatFail(t *testing.T) {
	var log bytes.Buffer
	h := func(_ context.Context, method string, _ message.Raw) (any, error) {
		switch method {
		case "channel":
			return make(chan int), nil
		case "panics":
			panic(method + " does")
		case "goexit":
			runtime.Goexit()
		}
		return "fine", nil
	}
	opts := &parley.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Handlers: 1}
	got := serve(t, `{"jsonrpc":"2.0","id":1,"method":"channel"}
{"jsonrpc":"2.0","id":2,"method":"panics"}
{"jsonrpc":"2.0","id":3,"method":"goexit"}
{"jsonrpc":"2.0","id":4,"method":"x"}`, h, opts)
	want := `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error: the result of \"channel\" is no JSON: a Go chan has no JSON form","data":{"exception":"*jsonx.Error"}}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Internal error: panic: panics does","data":{"exception":"string"}}}
{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error: the handler ended its goroutine","data":{"exception":"runtime.Goexit"}}}
{"jsonrpc":"2.0","id":4,"result":"fine"}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !strings.Contains(log.String(), "conn_test.go") || strings.Contains(got, "conn_test.go") {
		t.Errorf("the stack belongs into the log, and only there:\n%s", log.String())
	}
}

// A result or params in which a newline stands between tokens leaves on one line, with
// every other byte as it was. One that is no JSON at all costs only itself.
func TestRecordsThatDoNotFitTheFraming(t *testing.T) {
	h := func(_ context.Context, method string, params message.Raw) (any, error) {
		switch method {
		case "pretty":
			return message.Raw("{\n  \"a\": 1.0\r\n}"), nil
		case "no JSON":
			return message.Raw("\"a\nb\""), nil
		}
		return params, nil
	}
	conn, _ := parleytest.Pair(t, nil, h, nil)
	for _, test := range []struct {
		method string
		params any
		want   string
		fails  error
	}{
		{"pretty", nil, "{   \"a\": 1.0  }", nil},
		{"no JSON", nil, "", message.InternalError},
		{"echo", message.Raw("[\n1.0\n]"), "[ 1.0 ]", nil},
		{"echo", message.Raw("[\"a\nb\"]"), "", frame.ErrNewline},
		{"echo", []int{1}, "[1]", nil},
	} {
		var got message.Raw
		err := conn.Call(t.Context(), test.method, test.params, &got)
		if got.String() != test.want || !errors.Is(err, test.fails) {
			t.Errorf("%s %s: got %s, %v", test.method, test.params, got, err)
		}
	}
	items := []*parley.Item{{Method: "echo", Params: message.Raw("[\"a\nb\"]")}, {Method: "echo", Params: []int{1}}}
	if err := conn.Batch(t.Context(), items...); !errors.Is(items[0].Err, frame.ErrNewline) || !errors.Is(items[1].Err, frame.ErrNewline) {
		t.Errorf("batch: %v", err)
	}
}

package lsp_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/message"
)

const (
	greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":7,"clientInfo":{"name":"p"},"rootUri":null,"capabilities":{}}}`
	ready    = `{"jsonrpc":"2.0","method":"initialized","params":{}}`
	goodbye  = `{"jsonrpc":"2.0","id":1,"method":"shutdown"}`
	exit     = `{"jsonrpc":"2.0","method":"exit"}`
)

var me = lsp.InitializeParams{ProcessID: new(7), ClientInfo: &lsp.Program{Name: "p"}}

// The whole handshake, word for word.
func TestHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		go func() {
			far.Hears(greeting)
			far.Say(`{"jsonrpc":"2.0","result":{"capabilities":{"hoverProvider":true,"textDocumentSync":{"change":2}},"serverInfo":{"name":"gopls","version":"v0.23.0"}},"id":1}`)
		}()
		result, err := lsp.Handshake(t.Context(), conn, me)
		if err != nil {
			t.Fatal(err)
		}
		want := &lsp.InitializeResult{
			Capabilities: map[string]message.Raw{
				"hoverProvider": message.Raw(`true`), "textDocumentSync": message.Raw(`{"change":2}`),
			},
			ServerInfo: &lsp.Program{Name: "gopls", Version: "v0.23.0"},
		}
		if diff := cmp.Diff(want, result); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		far.Rest(ready)
	})
}

// Nothing is sent after a bad answer.
func TestHandshakeFails(t *testing.T) {
	for rule, answer := range map[string]string{
		"an error":                   `"error":{"code":-32803,"message":"no","data":{"retry":false}}`,
		"null":                       `"result":null`,
		"a result of the wrong type": `"result":[]`,
	} {
		t.Run(rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, far := peer(t, nil)
				go func() {
					far.Hear()
					far.Say(`{"jsonrpc":"2.0","id":1,` + answer + `}`)
				}()
				if result, err := lsp.Handshake(t.Context(), conn, me); err == nil || result != nil {
					t.Errorf("%+v, %v", result, err)
				}
				far.Rest()
			})
		})
	}
}

// After shutdown comes exit, written by the time that Shutdown returns; also where the
// server refuses, since it has to end either way.
func TestShutdown(t *testing.T) {
	refused := message.NewError(message.CodeInvalidRequest, "")
	for answer, want := range map[string]error{
		`"result":null`: nil,
		`"error":{"code":-32600,"message":"already shut down"}`: refused,
	} {
		t.Run(answer, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, far := peer(t, nil)
				done := make(chan error, 1)
				go func() { done <- lsp.Shutdown(t.Context(), conn) }()
				far.Hears(goodbye)
				far.Say(`{"jsonrpc":"2.0","id":1,` + answer + `}`)
				if err := <-done; !errors.Is(err, want) {
					t.Errorf("%v, want %v", err, want)
				}
				far.Hears(exit)
				far.Rest()
			})
		})
	}
}

// A server that does not answer costs no more than ctx allows, and gets no exit before
// its time.
func TestShutdownOfASilentServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := lsp.Shutdown(ctx, conn); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shutdown ended with %v", err)
		}
		far.Rest(goodbye, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	})
}

// A dead server is an error at once, and there is nobody to tell to exit.
func TestShutdownOfADeadServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		if err := far.Close(); err != nil {
			t.Fatal(err)
		}
		if err := lsp.Shutdown(t.Context(), conn); !errors.Is(err, parley.ErrClosed) {
			t.Errorf("shutdown ended with %v", err)
		}
		_ = conn.Close()
	})
}

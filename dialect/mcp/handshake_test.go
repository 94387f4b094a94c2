package mcp_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

var me = mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "p", Version: "1"}}

const (
	greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"p","version":"1"}}}`
	ready    = `{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`
)

// The whole handshake, word for word. A server that knows an older revision is taken.
func TestHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		go func() {
			far.Hears(greeting)
			far.Say(`{"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{"name":"bench","version":"1"}},"jsonrpc":"2.0","id":1}`)
		}()
		result, err := mcp.Handshake(t.Context(), conn, me)
		if err != nil {
			t.Fatal(err)
		}
		want := &mcp.InitializeResult{
			ProtocolVersion: mcp.Version20250618,
			Capabilities: mcp.ServerCapabilities{
				Tools:   &mcp.ListCapability{ListChanged: true},
				Logging: &mcp.Empty{},
			},
			ServerInfo: mcp.Implementation{Name: "bench", Version: "1"},
		}
		if diff := cmp.Diff(want, result); diff != "" {
			t.Errorf("result (-want +got):\n%s", diff)
		}
		far.Rest(ready)
	})
}

// What can go wrong: nothing is sent after a bad answer.
func TestHandshakeFails(t *testing.T) {
	tests := []struct {
		rule, answer string
		is           error
		result       bool
	}{
		{"an error", `"error":{"code":-32602,"message":"Unsupported protocol version"}`, message.InvalidParams, false},
		{"a version of the other era", `"result":{"protocolVersion":"2026-07-28","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, mcp.ErrVersion, true},
		{"a version that nobody knows", `"result":{"protocolVersion":"1.0","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`, mcp.ErrVersion, true},
		{"null", `"result":null`, nil, false},
		{"a result of the wrong type", `"result":{"protocolVersion":5}`, nil, false},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				conn, far := peer(t, nil)
				go func() {
					far.Hear()
					far.Say(`{"jsonrpc":"2.0","id":1,` + test.answer + `}`)
				}()
				result, err := mcp.Handshake(t.Context(), conn, me)
				if err == nil || test.is != nil && !errors.Is(err, test.is) {
					t.Errorf("the error is %v, want %v", err, test.is)
				}
				if (result != nil) != test.result {
					t.Errorf("the result is %+v", result)
				}
				far.Rest()
			})
		})
	}
}

// initialize is never cancelled, though the handshake ends with its ctx.
func TestHandshakeIsNotCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := mcp.Handshake(ctx, conn, me); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the handshake ended with %v", err)
		}
		synctest.Wait()
		far.Rest(greeting)
	})
}

// A client announces what it answers, and nothing else.
func TestClientCapabilitiesFor(t *testing.T) {
	tests := []struct {
		answers map[string]message.Raw
		want    string
	}{
		{nil, `{}`},
		{map[string]message.Raw{"ping": message.Raw(`{}`)}, `{}`},
		{map[string]message.Raw{"elicitation/create": message.Raw(`{"action":"decline"}`)}, `{"elicitation":{}}`},
		{map[string]message.Raw{"sampling/createMessage": nil, "roots/list": nil}, `{"roots":{},"sampling":{}}`},
	}
	for _, test := range tests {
		got, err := message.Encode(mcp.ClientCapabilitiesFor(test.answers))
		if err != nil || got.String() != test.want {
			t.Errorf("for %v: %s, %v; want %s", test.answers, got, err, test.want)
		}
	}
}

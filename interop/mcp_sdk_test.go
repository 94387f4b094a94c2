package interop

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// TestServerOfSDK covers what server-everything does not do: it pings us, logs at once, and notices that a call was taken
// back.
func TestServerOfSDK(t *testing.T) {
	ctx := bounded(t)
	h, _ := startHost(ctx, t, script(t, "mcp-server.mjs", "@modelcontextprotocol/sdk"))
	defer h.end(t, parley.Stats{}, outcome{Cancelled: []string{"tools/call"}})

	t.Run("ping", func(t *testing.T) {
		if got := h.tool(ctx, t, "ping-back", nothing); got != "{}" {
			t.Errorf("the server got %s for its ping", got)
		}
	})

	t.Run("notifications/message", func(t *testing.T) {
		if _, err := mcp.SetLevel.Call(ctx, h.Conn, mcp.SetLevelParams{Level: mcp.LevelNotice}); err != nil {
			t.Fatal(err)
		}
		h.tool(ctx, t, "log", nothing)
		want := mcp.LogParams{Level: mcp.LevelNotice, Logger: "js", Data: message.Raw(`{"msg":"logged","n":1}`)}
		if diff := cmp.Diff(want, h.logged(ctx, t)); diff != "" {
			t.Errorf("what the server logged (-want +got):\n%s", diff)
		}
	})

	t.Run("notifications/cancelled", func(t *testing.T) {
		callCtx, cancel := context.WithCancel(ctx)
		defer cancel()
		_, err := mcp.CallTool.Call(parley.OnProgress(callCtx, func(message.Raw) { cancel() }), h.Conn, toolCall("wait", nothing))
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("the call returned %v", err)
		}
		if got := h.logged(ctx, t); got.Level != mcp.LevelWarning {
			t.Errorf("the server logged %+v when its call was taken back", got)
		}
		h.tool(ctx, t, "ping-back", nothing) // an answer to the call would come before this one
	})
}

// logged waits for what the server logs next.
func (h *host) logged(ctx context.Context, t *testing.T) mcp.LogParams {
	t.Helper()
	select {
	case p := <-h.logs:
		return p
	case <-ctx.Done():
		t.Fatalf("the server logged nothing: %v", ctx.Err())
		return mcp.LogParams{}
	}
}

// TestClientOfSDK drives a server that is written with parley, ours/mcp.go, with the client of the SDK.
func TestClientOfSDK(t *testing.T) {
	served(t, &mcp.Legacy, script(t, "mcp-client.mjs", "@modelcontextprotocol/sdk"), "mcp", `{
		"server":        {"name": "ours", "version": "1"},
		"capabilities":  {"tools": {}, "logging": {}},
		"ping":          {},
		"setLevel":      {},
		"tools":         ["echo: object", "count: object", "wait: object", "consult: object", "fail: object"],
		"echo":          {"text": "a\nb\u2028 列出 😀"},
		"fail":          {"text": "this tool always fails", "isError": true},
		"unknownTool":   {"code": -32602, "data": "there is no tool nosuch"},
		"unknownMethod": {"code": -32601},
		"count":         {"text": "counted to 3"},
		"progress":      [{"progress": 1, "total": 3}, {"progress": 2, "total": 3}, {"progress": 3, "total": 3}],
		"consult":       {"text": "root file:///project\nmodel How much? 7.\nuser accept {\"name\":\"\u2028 列出 😀\"}"},
		"cancelled":     "cancelled",
		"logged":        {"level": "warning", "logger": "wait", "data": "the tool was cancelled"},
		"after":         {"text": "still here"},
		"odd":           []
	}`, outcome{Failed: []string{"tools/call", "nosuch"}, Cancelled: []string{"tools/call"}})
}

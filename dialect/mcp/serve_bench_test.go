package mcp_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// benchServer has a hundred tools.
func benchServer() *mcp.Server {
	mux := parley.NewMux()
	for i := range 100 {
		mux.Add(parley.Method[sumParams, sumResult](fmt.Sprintf("tool_%02d", i)).Handle(func(_ context.Context, p sumParams) (sumResult, error) {
			return sumResult{p.A + p.B}, nil
		}).Describe("Adds two numbers, as a hundred others do."))
	}
	return mcp.NewServer(mux, mcp.Info{Name: "bench", Version: "1"})
}

// benchCall calls a method again and again, over a pipe in memory.
func benchCall(b *testing.B, legacy bool, method, params string) {
	near, far := frame.Pipe()
	theirs := benchServer().Connect(frame.Lines.Stream(far, far), nil)
	ours := parley.Connect(frame.Lines.Stream(near, near), nil, &parley.Options{Dialect: &mcp.Dialect})
	defer theirs.Close()
	defer ours.Close()
	if legacy {
		if _, err := mcp.Handshake(b.Context(), ours, mcp.InitializeParams{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		var result message.Raw
		if err := ours.Call(b.Context(), method, message.Raw(params), &result); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(result)))
	}
}

// BenchmarkListTools lists a hundred tools.
func BenchmarkListTools(b *testing.B) {
	b.Run("legacy", func(b *testing.B) { benchCall(b, true, "tools/list", `{}`) })
	b.Run("modern", func(b *testing.B) { benchCall(b, false, "tools/list", `{"_meta":`+modernMeta+`}`) })
}

// BenchmarkCallTool calls a tool, and for comparison the method that it is.
func BenchmarkCallTool(b *testing.B) {
	b.Run("plain", func(b *testing.B) { benchCall(b, false, "tool_50", `{"a":1,"b":2}`) })
	b.Run("legacy", func(b *testing.B) { benchCall(b, true, "tools/call", `{"name":"tool_50","arguments":{"a":1,"b":2}}`) })
	b.Run("modern", func(b *testing.B) {
		benchCall(b, false, "tools/call", `{"name":"tool_50","arguments":{"a":1,"b":2},"_meta":`+modernMeta+`}`)
	})
}

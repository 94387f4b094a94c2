package main

import (
	"context"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// wait reports once that it runs, and runs until it is taken back. It is ours: the suite has nothing of the kind. What it
// returns goes nowhere, for a request that was taken back is not answered.
func wait(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	if err := parley.Progress(ctx, mcp.ProgressParams{Progress: 1}); err != nil {
		return nil, err
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

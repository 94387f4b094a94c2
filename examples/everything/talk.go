package main

import (
	"context"
	"fmt"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
)

// talkingTools send notes to their caller while they run.
func talkingTools() []parley.Route {
	return []parley.Route{
		tool("test_tool_with_logging", "Logs three times at level info.", logThrice),
		tool("test_logging_tool", "Logs three times, if its caller wants logs.", logThrice),
		tool("test_tool_with_progress", "Reports progress three times.", report),
		tool("wait", "Waits to be taken back.", wait),
	}
}

func logThrice(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		mcp.Logger(ctx).Info(line)
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	return text("Tool with logging executed successfully"), nil
}

func report(ctx context.Context, _ struct{}) (*mcp.CallToolResult, error) {
	total := 100.0
	for _, done := range []float64{0, 50, 100} {
		if err := parley.Progress(ctx, mcp.ProgressParams{Progress: done, Total: &total}); err != nil {
			return nil, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
	return text("Tool with progress executed successfully"), nil
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(fmt.Sprintf(format, args...))}}
}

// pause waits a moment, or until the call is taken back. It also comes between the last note and the result: some
// clients drop notes that they read in one piece with it.
func pause(ctx context.Context) error {
	select {
	case <-time.After(50 * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

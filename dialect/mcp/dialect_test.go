package mcp_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// peer starts a peer and returns its other end.
func peer(t *testing.T, handler parley.Handler) (*parley.Conn, *dialecttest.Far) {
	t.Helper()
	return dialecttest.Peer(t, &mcp.Dialect, handler)
}

// Case 073: a request that was taken back is not answered any more.
func TestCancelled(t *testing.T) {
	dialecttest.Cancelled(t, &mcp.Dialect, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, false)
}

// There are no batches.
func TestNoBatch(t *testing.T) { dialecttest.NoBatch(t, &mcp.Dialect) }

// Progress is asked for in _meta, and its members stand beside the token.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tool := mcp.CallTool.Handle(func(ctx context.Context, p mcp.CallToolParams) (*mcp.CallToolResult, error) {
			err := parley.Progress(ctx, mcp.ProgressParams{Progress: 0.5, Total: new(1.0), Message: "half"})
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(p.Meta.String())}}, err
		})
		client, _ := parleytest.Pair(t, nil, parley.NewMux(tool).Handle, &parley.Options{Dialect: &mcp.Dialect})
		var seen []mcp.ProgressParams
		ctx := parley.OnProgress(t.Context(), func(value message.Raw) {
			var p mcp.ProgressParams
			if err := value.Decode(&p); err != nil {
				t.Error(err)
			}
			seen = append(seen, p)
		})
		result, err := mcp.CallTool.Call(ctx, client, mcp.CallToolParams{Name: "slow"})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Content[0].Text; got != `{"progressToken":1}` {
			t.Errorf("the request had the _meta %s", got)
		}
		if len(seen) != 1 || seen[0].Progress != 0.5 || *seen[0].Total != 1 || seen[0].Message != "half" {
			t.Errorf("progress: %+v", seen)
		}
	})
}

// A log record becomes a note with MCP's level; its data is the text alone unless there
// are attributes.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		log := slog.New(parley.LogHandler(conn, nil))
		log.Warn("disk <is> full")
		log.With("logger", "db").Error("no answer", "after", time.Second, "logger2", 7)
		log.Info("odd", "logger", 7)
		far.Rest(
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"disk <is> full"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"db","data":{"after":1000000000,"logger2":7,"msg":"no answer"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"logger":7,"msg":"odd"}}}`,
		)
	})
}

// Each level has a slog level that is its own, and what lies between two counts as the
// lower one.
func TestLevels(t *testing.T) {
	for level := slog.Level(-20); level < 40; level++ {
		name := mcp.LevelOf(level)
		back, ok := name.Slog()
		if !ok || mcp.LevelOf(back) != name {
			t.Errorf("%v is %q, which is %v, %v", level, name, back, ok)
		}
		if back > level && name != mcp.LevelDebug {
			t.Errorf("%v is %q, which begins at %v only", level, name, back)
		}
	}
	if _, ok := mcp.Level("fatal").Slog(); ok {
		t.Error("MCP has no level fatal")
	}
}

func TestEraOf(t *testing.T) {
	const meta = `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
	tests := []struct {
		rule, method, params string
		want                 mcp.Era
	}{
		{"initialize is legacy", "initialize", `{"protocolVersion":"2025-06-18"}`, mcp.EraLegacy},
		{"so it is with a version in _meta", "initialize", meta, mcp.EraLegacy},
		{"ping is gone", "ping", "", mcp.EraLegacy},
		{"server/discover is new", "server/discover", "", mcp.EraModern},
		{"a version in _meta is modern", "tools/list", meta, mcp.EraModern},
		{"also of a method that nobody knows", "x/y", meta, mcp.EraModern},
		{"a method of both tells nothing", "tools/list", `{"_meta":{"progressToken":0}}`, 0},
		{"params may be absent", "tools/list", "", 0},
		{"or an array", "tools/list", `[1]`, 0},
		{"_meta may be no object", "tools/list", `{"_meta":"2026-07-28"}`, 0},
	}
	for _, test := range tests {
		got, ok := mcp.EraOf(&message.Request{Method: test.method, Params: message.Raw(test.params)})
		if got != test.want || ok != (test.want != 0) {
			t.Errorf("%s: %v, %v; want %v", test.rule, got, ok, test.want)
		}
	}
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]mcp.Era{
		"2024-11-05": mcp.EraLegacy, "2025-03-26": mcp.EraLegacy, "2025-06-18": mcp.EraLegacy,
		mcp.LatestLegacy: mcp.EraLegacy, mcp.Latest: mcp.EraModern, "1999-01-01": 0,
	} {
		if era, ok := mcp.EraOfVersion(version); era != want || ok != (want != 0) {
			t.Errorf("%s is of the era %v, %v; want %v", version, era, ok, want)
		}
		answer := mcp.LatestLegacy
		if want == mcp.EraLegacy {
			answer = version
		}
		if got := mcp.AnswerVersion(version); got != answer {
			t.Errorf("%s is answered with %s, want %s", version, got, answer)
		}
	}
}

package interop

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/interop/tape"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// dial starts an MCP server with node and connects to it in the era that is found. The test has to call end.
func dial(ctx context.Context, t *testing.T, opts mcp.ClientOptions, args ...string) (*peer, *mcp.Client) {
	t.Helper()
	child, err := spawn.Start(spawn.Command{Path: "node", Args: args, Stderr: t.Output(), Grace: patience / 4})
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{child: child, dialect: &mcp.Dialect, wire: &wire{cancel: mcp.Dialect.Cancel}, said: new(bytes.Buffer)}
	p.tape = tape.New(p.said, parley.SideClient)
	opts.Parley = &parley.Options{
		Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Trace: &parley.Trace{Record: func(dir parley.Direction, rec []byte) {
			p.wire.add(dir, rec)
			p.tape.Record(dir, rec)
		}},
	}
	c, err := mcp.Connect(ctx, child, &opts)
	if err != nil {
		t.Fatal(err)
	}
	p.Conn = c.Conn()
	return p, c
}

// asked is a client whose model, user and folders always say the same.
func asked() mcp.ClientOptions {
	return mcp.ClientOptions{
		LogLevel: mcp.LevelDebug,
		Elicit: func(_ context.Context, p mcp.ElicitParams) (*mcp.ElicitResult, error) {
			content, err := message.Encode(map[string]string{"name": "\u2028 列出", "color": p.Message})
			return &mcp.ElicitResult{Action: mcp.ElicitAccept, Content: content}, err
		},
		Sample: func(_ context.Context, p mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
			said := mcp.Text(p.Messages[0].Content[0].Text + " A lot.")
			return &mcp.CreateMessageResult{Role: mcp.RoleAssistant, Model: "a test", Content: mcp.Contents{said}}, nil
		},
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///project"}}, nil },
	}
}

// TestConnect has our client talk to a server that is made with the second TypeScript SDK, which speaks both eras: in
// each the same calls come to the same results.
func TestConnect(t *testing.T) {
	for _, test := range []struct {
		name, version string
		era           mcp.Era
		outcome
	}{
		{"probe", "", mcp.EraModern, outcome{Failed: []string{"tools/call"}, Cancelled: []string{"tools/call", "subscriptions/listen"}}},
		{"legacy", mcp.LatestLegacy, mcp.EraLegacy, outcome{Failed: []string{"tools/call"}, Cancelled: []string{"tools/call"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := bounded(t)
			opts := asked()
			opts.Version = test.version
			logs, changes := make(chan mcp.LogParams, 10), make(chan struct{}, 10)
			opts.OnNote = func(_ context.Context, method string, params message.Raw) {
				var log mcp.LogParams
				switch {
				case method == string(mcp.ToolsChanged):
					changes <- struct{}{}
				case method == string(mcp.LogMessage) && params.Decode(&log) == nil:
					logs <- log
				}
			}
			p, c := dial(ctx, t, opts, script(t, "mcp-server-v2.mjs", "@modelcontextprotocol/server"))
			defer p.end(t, parley.Stats{}, test.outcome)
			if c.Era() != test.era || c.Server().Name != "second" {
				t.Errorf("the server is %+v, of era %v", c.Server(), c.Era())
			}
			testTools(ctx, t, c)
			testNotes(ctx, t, c, logs)
			testChange(ctx, t, p, c, changes)
		})
	}
}

// testTools calls tools that say something, and that ask something.
func testTools(ctx context.Context, t *testing.T, c *mcp.Client) {
	sum, err := mcp.CallToolInto[struct {
		Sum float64 `json:"sum"`
	}](ctx, c, "add", map[string]float64{"a": 2, "b": 40})
	if err != nil || sum.Sum != 42 {
		t.Errorf("add returned %v, %v", sum, err)
	}
	said, err := mcp.CallToolInto[string](ctx, c, "consult", nil)
	if want := "\u2028 列出, How much? A lot., file:///project, Which color, \u2028 列出?"; err != nil || said != want {
		t.Errorf("consult returned %q, %v, want %q", said, err, want)
	}
	_, err = mcp.CallToolInto[string](ctx, c, "fail", nil)
	if failed, ok := errors.AsType[*mcp.ToolError](err); !ok || only(failed.Result) != "this tool always fails" {
		t.Errorf("fail returned %v", err)
	}
	if _, err := c.CallTool(ctx, "nosuch", nil); !errors.Is(err, message.InvalidParams) {
		t.Errorf("an unknown tool returned %v", err)
	}
}

// testNotes calls tools that report, log, and wait to be taken back.
func testNotes(ctx context.Context, t *testing.T, c *mcp.Client, logs <-chan mcp.LogParams) {
	reportCtx, steps := reports(ctx)
	if _, err := c.CallTool(reportCtx, "report", nil); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]float64{1, 2}, *steps); diff != "" {
		t.Errorf("progress before the result (-want +got):\n%s", diff)
	}
	select {
	case log := <-logs:
		if log.Level != mcp.LevelNotice || log.Data.String() != `"reported"` {
			t.Errorf("the server logged %+v", log)
		}
	case <-ctx.Done():
		t.Fatalf("the server logged nothing: %v", ctx.Err())
	}
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err := c.CallTool(parley.OnProgress(callCtx, func(message.Raw) { cancel() }), "wait", nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the call that was taken back returned %v", err)
	}
}

// testChange has the server change, and hears of it: without asking in the legacy era, after Listen in the modern one.
func testChange(ctx context.Context, t *testing.T, p *peer, c *mcp.Client, changes <-chan struct{}) {
	if c.Era() == mcp.EraModern {
		l, err := c.Listen(ctx, mcp.Subscription{ToolsListChanged: true})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			before := p.wire.count(string(mcp.Cancelled))
			l.Close()
			// Close does not wait until the stream is taken back. Then there is no end before that, and no sleep either.
			for p.wire.count(string(mcp.Cancelled)) == before {
				if _, err := c.CallTool(ctx, "grown", nil); err != nil {
					t.Fatalf("while the stream is taken back: %v", err)
				}
			}
		}()
	}
	if _, err := c.CallTool(ctx, "grow", nil); err != nil {
		t.Error(err)
	}
	select {
	case <-changes:
	case <-ctx.Done():
		t.Fatalf("nobody said that there is another tool: %v", ctx.Err())
	}
	if said, err := mcp.CallToolInto[string](ctx, c, "grown", nil); err != nil || said != "grown" {
		t.Errorf("the new tool returned %q, %v", said, err)
	}
}

// count says how many records of a wire name a method.
func (w *wire) count(method string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, rec := range w.records {
		if strings.Contains(rec.text, `"`+method+`"`) {
			n++
		}
	}
	return n
}

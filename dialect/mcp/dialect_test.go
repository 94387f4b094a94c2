package mcp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// far is the other end of a peer that speaks MCP, written and read by hand.
type far struct {
	t      *testing.T
	stream frame.Stream
}

// peer starts a peer and returns its other end.
func peer(t *testing.T, handler parley.Handler) (*parley.Conn, far) {
	t.Helper()
	there, here := frame.Pipe()
	conn := parley.Connect(frame.Lines.Stream(there, there), handler, &parley.Options{Dialect: &mcp.Dialect})
	return conn, far{t, frame.Lines.Stream(here, here)}
}

func (f far) say(records ...string) {
	f.t.Helper()
	for _, rec := range records {
		if err := f.stream.WriteRecord([]byte(rec)); err != nil {
			f.t.Fatal(err)
		}
	}
}

func (f far) hear() string {
	f.t.Helper()
	rec, err := f.stream.ReadRecord()
	if err != nil {
		f.t.Fatal(err)
	}
	return string(rec)
}

// rest ends the conversation and returns what else the peer has written.
func (f far) rest(conn *parley.Conn) (records []string) {
	f.t.Helper()
	if err := conn.Close(); err != nil {
		f.t.Error(err)
	}
	for {
		rec, err := f.stream.ReadRecord()
		if errors.Is(err, io.EOF) {
			_ = f.stream.Close()
			return records
		}
		if err != nil {
			f.t.Fatal(err)
		}
		records = append(records, string(rec))
	}
}

// untilCancelled waits on a call of "sleep" for the end of its ctx, and returns at once
// on any other.
func untilCancelled(ctx context.Context, method string, _ message.Raw) (any, error) {
	if method == "sleep" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return mcp.EmptyResult{}, nil
}

// Case 073, the side that answers: a request that was taken back gets no answer, be its
// id a number or a string, and the next one gets its own.
func TestCancelledIsNotAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, untilCancelled)
		far.say(
			`{"jsonrpc":"2.0","id":1,"method":"sleep"}`,
			`{"jsonrpc":"2.0","id":"a","method":"sleep"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"timeout"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`,
			`{"jsonrpc":"2.0","id":2,"method":"ping"}`,
		)
		want := []string{`{"jsonrpc":"2.0","id":2,"result":{}}`}
		if diff := cmp.Diff(want, append([]string{far.hear()}, far.rest(conn)...)); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
	})
}

// Case 073, the side that asked: the call returns at once, and says so in MCP's words.
func TestCancelReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := mcp.CallTool.Call(ctx, conn, mcp.CallToolParams{Name: "slow"})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("the call returned %v after %v", err, time.Since(began))
		}
		want := []string{
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		}
		if diff := cmp.Diff(want, []string{far.hear(), far.hear()}); diff != "" {
			t.Errorf("records (-want +got):\n%s", diff)
		}
		far.rest(conn)
	})
}

// A batch is refused as one record.
func TestBatchIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, untilCancelled)
		far.say(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
		var reply message.Response
		parsed, err := message.Strict.Parse([]byte(far.hear()))
		if r, ok := parsed.(*message.Response); ok {
			reply = *r
		}
		if err != nil || !errors.Is(reply.Error, message.InvalidRequest) || !reply.ID.IsNull() {
			t.Errorf("a batch was answered %+v, %v", reply, err)
		}
		if more := far.rest(conn); len(more) > 0 {
			t.Errorf("and then %q", more)
		}
	})
}

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
		want := []string{
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":"disk <is> full"}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"db","data":{"after":1000000000,"logger2":7,"msg":"no answer"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"logger":7,"msg":"odd"}}}`,
		}
		if diff := cmp.Diff(want, far.rest(conn)); diff != "" {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
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

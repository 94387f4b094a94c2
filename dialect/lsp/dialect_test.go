package lsp_test

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
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// far is the other end of a peer that speaks LSP, written and read by hand.
type far struct {
	t      *testing.T
	stream frame.Stream
}

// peer starts a peer and returns its other end.
func peer(t *testing.T, handler parley.Handler) (*parley.Conn, far) {
	t.Helper()
	there, here := frame.Pipe()
	conn := parley.Connect(lsp.Dialect.Framing.Stream(there, there), handler, &parley.Options{Dialect: &lsp.Dialect})
	return conn, far{t, lsp.Dialect.Framing.Stream(here, here)}
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

// reply reads an answer: its id, and the code of its error or 0.
func reply(t *testing.T, rec string) (message.ID, message.Code) {
	t.Helper()
	m, err := message.Strict.Parse([]byte(rec))
	r, ok := m.(*message.Response)
	if !ok {
		t.Fatalf("%s is no answer: %v", rec, err)
	}
	if r.Error != nil {
		return r.ID, r.Error.Code
	}
	return r.ID, 0
}

// Records are framed by a header, in both directions.
func TestHeader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there, here := frame.Pipe()
		conn := parley.Connect(lsp.Dialect.Framing.Stream(there, there), nil, &parley.Options{Dialect: &lsp.Dialect})
		if err := lsp.Exit.Send(t.Context(), conn, nil); err != nil {
			t.Fatal(err)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		text, err := io.ReadAll(here)
		if want := "Content-Length: 33\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`; err != nil || string(text) != want {
			t.Errorf("wrote %q, %v; want %q", text, err, want)
		}
	})
}

// Case 073, the side that answers: a request that was taken back gets exactly one
// answer, -32800, and a handler that is done nevertheless gets its result through.
func TestCancelledIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, func(ctx context.Context, method string, _ message.Raw) (any, error) {
			switch method {
			case "sleep":
				<-ctx.Done()
				return nil, ctx.Err()
			case "finish":
				<-ctx.Done()
				return "partial", nil
			}
			return nil, nil
		})
		far.say(
			`{"jsonrpc":"2.0","id":1,"method":"sleep"}`,
			`{"jsonrpc":"2.0","id":"a","method":"finish"}`,
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`,
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`,
			`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`,
			`{"jsonrpc":"2.0","id":2,"method":"next"}`,
		)
		synctest.Wait()
		got := make(map[message.ID]message.Code)
		for _, rec := range far.rest(conn) {
			id, code := reply(t, rec)
			if _, twice := got[id]; twice {
				t.Errorf("%v is answered twice", id)
			}
			got[id] = code
		}
		want := map[message.ID]message.Code{
			message.IntID(1): lsp.CodeRequestCancelled, message.StringID("a"): 0, message.IntID(2): 0,
		}
		if len(got) != len(want) {
			t.Errorf("%d answers, want %d", len(got), len(want))
		}
		for id, code := range want {
			if have, ok := got[id]; !ok || have != code {
				t.Errorf("%v is answered %d (%v), want %d", id, have, ok, code)
			}
		}
	})
}

// Case 073, the side that asked: the call returns at once, and drops the answer that
// comes later.
func TestCancelReturnsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		_, err := lsp.Hover.Call(ctx, conn, lsp.HoverParams{})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("the call returned %v after %v", err, time.Since(began))
		}
		far.hear()
		if got := far.hear(); got != `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}` {
			t.Errorf("the call was taken back with %s", got)
		}
		far.say(`{"jsonrpc":"2.0","id":1,"error":{"code":-32800,"message":"cancelled"}}`)
		synctest.Wait()
		if s := conn.Stats(); s.Late != 1 || s.Orphans != 0 {
			t.Errorf("the late answer was counted otherwise: %+v", s)
		}
		far.rest(conn)
	})
}

// There are no batches.
func TestBatchIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		far.say(`[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`)
		if id, code := reply(t, far.hear()); !id.IsNull() || code != message.CodeInvalidRequest {
			t.Errorf("a batch was answered %v with %d", id, code)
		}
		far.rest(conn)
	})
}

// Progress is asked for with workDoneToken, beside the other params.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		go func() {
			want := `{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"u"},"position":{"line":1,"character":2},"workDoneToken":1}}`
			if got := far.hear(); got != want {
				t.Errorf("the request was %s, want %s", got, want)
			}
			far.say(
				`{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"begin","title":"indexing","percentage":0}}}`,
				`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"other","value":{"kind":"begin","title":"not yours"}}}`,
				`{"jsonrpc":"2.0","method":"$/progress","params":{"token":1,"value":{"kind":"end"}}}`,
				`{"jsonrpc":"2.0","id":1,"result":null}`,
			)
		}()
		var seen []lsp.WorkDoneProgress
		ctx := parley.OnProgress(t.Context(), func(value message.Raw) {
			var p lsp.WorkDoneProgress
			if err := value.Decode(&p); err != nil {
				t.Error(err)
			}
			seen = append(seen, p)
		})
		at := lsp.TextDocumentPosition{
			TextDocument: lsp.TextDocumentIdentifier{URI: "u"},
			Position:     lsp.Position{Line: 1, Character: 2},
		}
		hover, err := lsp.Hover.Call(ctx, conn, lsp.HoverParams{TextDocumentPosition: at})
		if err != nil || hover != nil {
			t.Errorf("nothing is known there: %+v, %v", hover, err)
		}
		want := []lsp.WorkDoneProgress{
			{Kind: lsp.ProgressBegin, Title: "indexing", Percentage: new(uint32)},
			{Kind: lsp.ProgressEnd},
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("progress (-want +got):\n%s", diff)
		}
		far.rest(conn)
	})
}

// A log record becomes one line of text under LSP's levels.
func TestLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		log := slog.New(parley.LogHandler(conn, &slog.HandlerOptions{Level: slog.LevelDebug}))
		log.Debug("looking")
		log.Info("found <it>", "n", 3, "in", "a b")
		log.Warn("slow")
		log.Error("lost")
		want := []string{
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":4,"message":"looking"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"found <it> {\"in\":\"a b\",\"n\":3}"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":2,"message":"slow"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":1,"message":"lost"}}`,
		}
		if diff := cmp.Diff(want, far.rest(conn)); diff != "" {
			t.Errorf("notes (-want +got):\n%s", diff)
		}
	})
}

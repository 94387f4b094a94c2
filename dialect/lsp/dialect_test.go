package lsp_test

import (
	"io"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/lsp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
)

// peer starts a peer and returns its other end.
func peer(t *testing.T, handler parley.Handler) (*parley.Conn, *dialecttest.Far) {
	t.Helper()
	return dialecttest.Peer(t, &lsp.Dialect, handler)
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

// Case 073: a request that was taken back is answered all the same.
func TestCancelled(t *testing.T) {
	dialecttest.Cancelled(t, &lsp.Dialect, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, true)
}

// There are no batches.
func TestNoBatch(t *testing.T) { dialecttest.NoBatch(t, &lsp.Dialect) }

// Progress is asked for with workDoneToken, beside the other params.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, far := peer(t, nil)
		go func() {
			far.Hears(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"u"},"position":{"line":1,"character":2},"workDoneToken":1}}`)
			far.Say(
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
		far.Rest()
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
		far.Rest(
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":4,"message":"looking"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"found <it> {\"in\":\"a b\",\"n\":3}"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":2,"message":"slow"}}`,
			`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":1,"message":"lost"}}`,
		)
	})
}

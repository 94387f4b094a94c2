package mcp_test

import (
	"context"
	"io"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
)

// deadWriter is the end of a pipe whose reader has died.
type deadWriter struct{}

func (deadWriter) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestClientDies ends the handlers of a client that is gone at once, although they go on
// writing to it: what is dropped is no progress.
func TestClientDies(t *testing.T) {
	for _, readEnds := range []bool{true, false} { // before the first write that fails, or after it
		synctest.Test(t, func(t *testing.T) {
			var ended error
			noisy := parley.Method[struct{}, string]("noisy").Handle(func(ctx context.Context, _ struct{}) (string, error) {
				for ctx.Err() == nil {
					mcp.Logger(ctx).Warn("still here")
					_ = parley.Progress(ctx, mcp.ProgressParams{Progress: 1})
					select {
					case <-ctx.Done():
					case <-time.After(100 * time.Millisecond):
					}
				}
				ended = ctx.Err()
				return "", ended
			})
			in, client := io.Pipe()
			done := make(chan error, 1)
			go func() {
				done <- mcp.Serve(t.Context(), frame.Lines.Stream(in, deadWriter{}), parley.NewMux(noisy), mcp.Info{Name: "n", Version: "1"})
			}()
			began := time.Now()
			call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"noisy","_meta":` + modernMetaLogged + `}}` + "\n"
			if _, err := client.Write([]byte(call)); err != nil {
				t.Fatal(err)
			}
			if !readEnds {
				synctest.Wait()
			}
			_ = client.Close()
			if err := <-done; err != nil {
				t.Errorf("the end of a client is no fault of the server: %v", err)
			}
			if ended == nil || time.Since(began) > time.Second {
				t.Errorf("after %v the handler had ended with %v", time.Since(began), ended)
			}
		})
	}
}

const modernMetaLogged = `{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"debug"}`

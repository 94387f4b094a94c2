package mcp_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// TestLegacyQuestion is a server of the legacy era that answers with a question, which
// that era does not have: no empty result is made of it.
func TestLegacyQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := connected(t, nil, legacy(func(*message.Request) []string {
			return []string{result(`{"resultType":"input_required","inputRequests":{}}`)}
		}))
		if got, err := c.CallTool(t.Context(), "x", nil); !errors.Is(err, mcp.ErrResult) {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// TestLevelRefused tells a level that is refused from a server that cannot be spoken to,
// and leaves a client that does not insist a way to go on.
func TestLevelRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		script := legacy(func(*message.Request) []string { return []string{failure(`-32601,"message":"no"`)} })
		_, stream := act(t, script)
		_, err := mcp.Connect(t.Context(), stream, &mcp.ClientOptions{LogLevel: mcp.LevelInfo})
		if !errors.Is(err, mcp.ErrLevel) || !errors.Is(err, message.MethodNotFound) {
			t.Errorf("with a level that was asked for: %v", err)
		}
		c, _ := connected(t, nil, script)
		if err := c.SetLevel(t.Context(), mcp.LevelInfo); !errors.Is(err, message.MethodNotFound) || c.Version() != mcp.Version20251125 {
			t.Errorf("with a level that is set later: %v", err)
		}
	})
}

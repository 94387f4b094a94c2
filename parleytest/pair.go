package parleytest

import (
	"testing"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

// Pair returns two connected peers, with lines between them. What peer a is asked
// goes to handler a, and likewise b; a nil handler answers every call -32601. Nil
// opts are the defaults, and hold for both.
//
// When the test ends both are closed, a first. The test fails if a peer had ended with an
// error by then, or if its Close returns one, as it does when a handler ignores its ctx.
func Pair(t testing.TB, a, b parley.Handler, opts *parley.Options) (*parley.Conn, *parley.Conn) {
	t.Helper()
	endA, endB := frame.Pipe()
	connA := parley.Connect(frame.Lines.Stream(endA, endA), a, opts)
	connB := parley.Connect(frame.Lines.Stream(endB, endB), b, opts)
	t.Cleanup(func() {
		checkEnd(t, "a", connA)
		checkEnd(t, "b", connB)
		if err := connA.Close(); err != nil {
			t.Errorf("parleytest: closing peer a: %v", err)
		}
		if err := connB.Close(); err != nil {
			t.Errorf("parleytest: closing peer b: %v", err)
		}
	})
	return connA, connB
}

// checkEnd fails the test if c has ended by itself and with an error.
func checkEnd(t testing.TB, name string, c *parley.Conn) {
	t.Helper()
	select {
	case <-c.Done():
		if err := c.Wait(); err != nil {
			t.Errorf("parleytest: peer %s ended with: %v", name, err)
		}
	default:
	}
}

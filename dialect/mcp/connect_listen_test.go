package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// about is a note of the stream whose listen call has the id.
func about(method, id, more string) string {
	return `{"jsonrpc":"2.0","method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}` + more + `}}`
}

const (
	acknowledged = "notifications/subscriptions/acknowledged"
	toolsChanged = "notifications/tools/list_changed"
	updated      = "notifications/resources/updated"
)

// listening returns a client with an open stream, and the id of its call.
func listening(t *testing.T, opts *mcp.ClientOptions) (*mcp.Listening, *actor, string) {
	t.Helper()
	var id string
	c, a := connected(t, opts, modern(func(req *message.Request) []string {
		id = req.ID.String()
		return []string{about(acknowledged, "$ID", `,"notifications":{"toolsListChanged":true}`)}
	}))
	l, err := c.Listen(t.Context(), mcp.Subscription{ToolsListChanged: true, ResourceSubscriptions: []string{"file:///a"}})
	if err != nil {
		t.Fatal(err)
	}
	return l, a, id
}

// A stream is acknowledged, tells of changes, each of them once, and ends when its call is answered. Its notes are known
// by the id of the call, also in another form, and those of other streams are not taken.
func TestListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var noted []string
		l, a, id := listening(t, &mcp.ClientOptions{OnNote: func(_ context.Context, method string, _ message.Raw) {
			noted = append(noted, method)
		}})
		if diff := cmp.Diff(mcp.Subscription{ToolsListChanged: true}, l.Accepted); diff != "" {
			t.Errorf("accepted (-want +got):\n%s", diff)
		}
		a.say(about(toolsChanged, id, ``))
		a.say(about(updated, `"`+id+`"`, `,"uri":"file:///a"`))
		a.say(about(toolsChanged, "99", ``))
		a.say(about(updated, id, `,"uri":"file:///b"`))
		a.say(about(updated, id, `,"uri":"file:///a","n":2`))
		a.say(about(acknowledged, id, `,"notifications":{}`))
		a.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		a.say(`{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete"}}`)
		synctest.Wait()
		var got []string
		for {
			change, err := l.Next(t.Context())
			if err != nil {
				if !errors.Is(err, mcp.ErrEnded) {
					t.Error(err)
				}
				break
			}
			got = append(got, change.Method+" "+change.URI)
			if n, ok := change.Params.Member("n"); change.URI == "file:///a" && (!ok || n.String() != "2") {
				t.Errorf("not the latest params: %s", change.Params)
			}
		}
		want := []string{toolsChanged + " ", updated + " file:///a", updated + " file:///b"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		if len(noted) != 8 {
			t.Errorf("OnNote was given %q", noted)
		}
	})
}

// A stream ends in order when either side ends it, also by the server's cancellation alone, with an answer before or
// behind it. With the connection, or the ctx, it ends in disorder.
func TestListenEnds(t *testing.T) {
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$ID,"reason":"bye"}}`
	done := result(`{"resultType":"complete"}`)
	tests := []struct {
		rule string
		say  []string
		is   error
	}{
		{"answered", []string{done}, mcp.ErrEnded},
		{"cancelled", []string{cancel}, mcp.ErrEnded},
		{"cancelled and answered", []string{cancel, done}, mcp.ErrEnded},
		{"answered and cancelled", []string{done, cancel}, mcp.ErrEnded},
		{"failed", []string{failure(`-32603,"message":"broken"`)}, message.InternalError},
		{"the connection ends", []string{"EOF"}, parley.ErrClosed},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			l, a, id := listening(t, nil)
			for _, line := range test.say {
				if line == "EOF" {
					_ = a.Close()
					continue
				}
				a.say(strings.ReplaceAll(line, "$ID", id))
			}
			_, err := l.Next(t.Context())
			if !errors.Is(err, test.is) || errors.Is(err, mcp.ErrEnded) != (test.is == mcp.ErrEnded) {
				t.Errorf("%s: %v", test.rule, err)
			}
		})
	}
}

// Close takes the call back. What came before can still be taken, and then the stream is over.
func TestListeningClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, a, id := listening(t, nil)
		a.say(about(toolsChanged, id, ``))
		synctest.Wait()
		l.Close()
		a.say(about(updated, id, `,"uri":"late"`))
		if change, err := l.Next(t.Context()); err != nil || change.Method != toolsChanged {
			t.Errorf("%+v, %v", change, err)
		}
		if _, err := l.Next(t.Context()); !errors.Is(err, mcp.ErrEnded) {
			t.Error(err)
		}
		heard := a.heard()
		if want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`; heard[len(heard)-1] != want {
			t.Errorf("the last word was %s", heard[len(heard)-1])
		}
	})
}

// Next waits no longer than its ctx, and the stream goes on.
func TestListeningNextWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, a, id := listening(t, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := l.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		time.AfterFunc(time.Second, func() { a.say(about(toolsChanged, id, ``)) })
		if change, err := l.Next(t.Context()); err != nil || change.Method != toolsChanged {
			t.Errorf("%+v, %v", change, err)
		}
	})
}

// More different changes than anybody takes end the stream, after those that were kept.
func TestListeningIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, a, id := listening(t, nil)
		for i := range 1025 {
			a.say(about(updated, id, fmt.Sprintf(`,"uri":"%d"`, i)))
		}
		synctest.Wait()
		for range 1024 {
			if _, err := l.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.Next(t.Context()); !errors.Is(err, mcp.ErrBehind) {
			t.Error(err)
		}
		if methods := a.methods(); methods[len(methods)-1] != "notifications/cancelled" {
			t.Errorf("the server heard %q", methods)
		}
	})
}

// A stream that is not acknowledged is none.
func TestListenFails(t *testing.T) {
	tests := []struct {
		rule string
		say  []string
		is   error
	}{
		{"no such method", []string{failure(`-32601,"message":"m"`)}, message.MethodNotFound},
		{"answered at once", []string{result(`{"resultType":"complete"}`)}, mcp.ErrResult},
		{"silence", nil, context.DeadlineExceeded},
		{"death", []string{"EOF"}, parley.ErrClosed},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			c, _ := connected(t, nil, modern(func(*message.Request) []string { return test.say }))
			if _, err := c.Listen(t.Context(), mcp.Subscription{ToolsListChanged: true}); !errors.Is(err, test.is) {
				t.Errorf("%s: %v", test.rule, err)
			}
		})
	}
}

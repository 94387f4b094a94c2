package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// TestListenBounds opens as many streams as there may be, and watches as many resources.
func TestListenBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var acks []string
		c := dialServer(t, everything(), func(_ context.Context, method string, params message.Raw) (any, error) {
			acks = append(acks, method+" "+params.String())
			return nil, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		for range 16 {
			mcp.Listen.Start(ctx, c, mcp.ListenParams{Meta: message.Raw(modernMeta)})
		}
		synctest.Wait()
		if _, err := mcp.Listen.Call(t.Context(), c, mcp.ListenParams{Meta: message.Raw(modernMeta)}); codeOf(err) != message.CodeServerError || !strings.Contains(err.Error(), `{"limit":16,`) {
			t.Errorf("a stream too many: %v", err)
		}
		cancel()
		synctest.Wait()
		acks = nil
		watch := mcp.Subscription{ResourceSubscriptions: []string{"memo://" + strings.Repeat("x", 9<<10)}}
		for i := range 2000 {
			watch.ResourceSubscriptions = append(watch.ResourceSubscriptions, fmt.Sprintf("memo://%d", i))
		}
		mcp.Listen.Start(t.Context(), c, mcp.ListenParams{Notifications: watch, Meta: message.Raw(modernMeta)})
		synctest.Wait()
		if len(acks) != 1 || strings.Count(acks[0], "memo://") != 1024 {
			t.Errorf("acknowledged: %.200q", acks)
		}
	})
}

// TestSubscribeBounds subscribes to more than there may be, in the legacy era.
func TestSubscribeBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dialServer(t, everything(), nil)
		if _, err := mcp.Handshake(t.Context(), c, mcp.InitializeParams{}); err != nil {
			t.Fatal(err)
		}
		var err error
		n := 0
		for ; err == nil; n++ {
			_, err = mcp.Subscribe.Call(t.Context(), c, mcp.SubscribeParams{URI: fmt.Sprintf("user://ann/posts/%d", n)})
		}
		if n != 1025 || codeOf(err) != message.CodeServerError {
			t.Errorf("subscription %d: %v", n, err)
		}
		_, err = mcp.Subscribe.Call(t.Context(), c, mcp.SubscribeParams{URI: "user://ann/posts/" + strings.Repeat("9", 9<<10)})
		if codeOf(err) != message.CodeInvalidParams {
			t.Errorf("a long one: %v", err)
		}
	})
}

// TestListenEndsWithTheInput waits for no timeout: a stream of notes does not keep a
// server alive whose client has gone.
func TestListenEndsWithTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":` + modernMeta + `}}` + "\n"
		began := time.Now()
		var out bytes.Buffer
		// It is neither a Positioner nor a ManyWriter, which a server does without.
		stream := plainStream{frame.Lines.Stream(strings.NewReader(in), &out)}
		if err := everything().Serve(t.Context(), stream, nil); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > time.Second || strings.Count(out.String(), "\n") != 3 {
			t.Errorf("after %v:\n%s", took, &out)
		}
	})
}

type plainStream struct{ frame.Stream }

// TestHangUpIsNoError closes both ways at once while a stream of notes is open. What the
// server has to say about that, nobody is there to read.
func TestHangUpIsNoError(t *testing.T) {
	for name, wrap := range map[string]func(frame.Stream) frame.Stream{
		"a whole stream": func(s frame.Stream) frame.Stream { return s },
		"a plain one":    func(s frame.Stream) frame.Stream { return plainStream{s} },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := frame.Pipe()
				served := make(chan error, 1)
				go func() { served <- everything().Serve(t.Context(), wrap(frame.Lines.Stream(far, far)), nil) }()
				if _, err := io.WriteString(near, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":`+modernMeta+`}}`+"\n"); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if err := near.Close(); err != nil {
					t.Fatal(err)
				}
				if err := <-served; err != nil {
					t.Errorf("Serve returned %v", err)
				}
			})
		})
	}
}

// TestServeEndsWithCtx ends a server by its ctx: a stream is told before it is closed.
func TestServeEndsWithCtx(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := frame.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- everything().Serve(ctx, frame.Lines.Stream(far, far), nil) }()
		if _, err := io.WriteString(near, `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":`+modernMeta+`}}`+"\n"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		cancel()
		rest, _ := io.ReadAll(near)
		if err := <-served; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve returned %v", err)
		}
		if got := string(rest); !strings.Contains(got, string(mcp.Cancelled)) || !strings.Contains(got, `"resultType":"complete"`) {
			t.Errorf("the client read:\n%s", got)
		}
	})
}

// TestSlowClientHoldsUpNobody changes the tools again and again while a client does not
// read: it costs no time, and of what it has missed, beyond what the pipe and the queue
// hold, the client is told once.
func TestSlowClientHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := everything()
		near, far := frame.Pipe()
		conn := server.Connect(frame.Lines.Stream(far, far), &parley.Options{Outbound: 1})
		lines := frame.Lines.Stream(near, near)
		for _, line := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"memo://one"}}`,
		} {
			if err := lines.WriteRecord([]byte(line)); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, `"id"`) {
				if _, err := lines.ReadRecord(); err != nil {
					t.Fatal(err)
				}
			}
		}
		synctest.Wait()
		for range 100_000 {
			server.ResourceUpdated("memo://one")
		}
		for range 100 {
			if err := server.SetTools(nil); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		rest := make(chan int)
		go func() {
			n := 0
			for ; ; n++ {
				if _, err := lines.ReadRecord(); err != nil {
					rest <- n
					return
				}
			}
		}()
		synctest.Wait()
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if n := <-rest; n == 0 || n > 1000 {
			t.Errorf("the client was told %d times", n)
		}
	})
}

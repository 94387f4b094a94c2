package mcp_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A legacy server may ask whatever the client announced, and ping. Everything else is refused.
func TestLegacyServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asking()
		opts.Sample = nil
		_, a := connected(t, opts, legacy(nil))
		before := len(a.heard())
		for _, ask := range []string{
			`"s1","method":"ping"`,
			`"s2","method":"roots/list"`,
			`"s3","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}}`,
			`"s4","method":"elicitation/create","params":{"mode":"url","message":"Go","url":"https://x"}`,
			`"s5","method":"elicitation/create","params":{"message":"fail"}`,
			`"s6","method":"elicitation/create","params":{"message":5}`,
			`"s7","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}`,
			`"s8","method":"tools/list"`,
		} {
			a.say(`{"jsonrpc":"2.0","id":` + ask + `}`)
			synctest.Wait()
		}
		want := []string{
			`"id":"s1","result":{}`,
			`"id":"s2","result":{"roots":[{"uri":"file:///a"}]}`,
			`"id":"s3","result":{"action":"accept","content":{"name":"Ada"}}`,
			`"id":"s4","error":{"code":-32602`,
			`"id":"s5","error":{"code":-32603`,
			`"id":"s6","error":{"code":-32602`,
			`"id":"s7","error":{"code":-32601`,
			`"id":"s8","error":{"code":-32601`,
		}
		heard := a.heard()[before:]
		if len(heard) != len(want) {
			t.Fatalf("the server heard %q", heard)
		}
		for i := range want {
			if !strings.Contains(heard[i], want[i]) {
				t.Errorf("answer %d is %s, want %s", i+1, heard[i], want[i])
			}
		}
		if want := `"capabilities":{"roots":{"listChanged":true},"elicitation":{}}`; !strings.Contains(a.heard()[1], want) {
			t.Errorf("the greeting is %s", a.heard()[1])
		}
	})
}

// What the options say about a capability counts if there is a function for it.
func TestAnnounced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts := asking()
		opts.Roots = nil
		opts.Capabilities = mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapability{URL: &mcp.Empty{}},
			Roots:       &mcp.ListCapability{},
		}
		_, a := connected(t, opts, modern(nil))
		want := `"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{"url":{}}}`
		if heard := a.heard()[0]; !strings.Contains(heard, want) {
			t.Errorf("announced in %s", heard)
		}
		_, a = connected(t, opts, legacy(nil))
		a.say(`{"jsonrpc":"2.0","id":"u","method":"elicitation/create","params":{"mode":"url","message":"Go","url":"https://x"}}`)
		a.heard()
		a.say(`{"jsonrpc":"2.0","id":"f","method":"elicitation/create","params":{"message":"Fill in"}}`)
		heard := a.heard()
		if !strings.Contains(heard[3], `"accept"`) || !strings.Contains(heard[4], `-32602`) {
			t.Errorf("the answers are %q", heard[3:])
		}
	})
}

// A function that returns nothing at all is an error, not a null.
func TestNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a := connected(t, &mcp.ClientOptions{
			Elicit: func(context.Context, mcp.ElicitParams) (*mcp.ElicitResult, error) { return nil, nil },
		}, legacy(nil))
		a.say(`{"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{"message":"?"}}`)
		if heard := a.heard(); !strings.Contains(heard[len(heard)-1], `-32603`) {
			t.Errorf("the answer is %s", heard[len(heard)-1])
		}
	})
}

// A modern server must not ask by a call, and gets no answer: not to a call, not to nonsense, not to a record that is too
// long. What it says about our calls still counts.
func TestModernServerMustNotAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := frame.Pipe()
		defer far.Close()
		server := frame.Lines.Stream(far, far)
		var c *mcp.Client
		opened := make(chan error, 1)
		go func() {
			var err error
			c, err = mcp.Connect(t.Context(), frame.Lines.Limit(2000).Stream(near, near), asking())
			opened <- err
		}()
		rec, _ := server.ReadRecord()
		say := func(line string) {
			if err := server.WriteRecord([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		say(strings.ReplaceAll(discovered, "$ID", parse(rec).ID.String()))
		if err := <-opened; err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		say(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
		say(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"` + strings.Repeat("x", 3000) + `"}}`)
		say(`{"jsonrpc":"2.0","id":3,"method":5}`)
		say(`Listening on stdio`)
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`)
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)
		synctest.Wait() // so that an answer would come before what is asked next
		pending := make(chan error, 1)
		go func() {
			_, err := c.Tools(t.Context())
			pending <- err
		}()
		rec, err := server.ReadRecord()
		if err != nil || parse(rec) == nil || parse(rec).Method != "tools/list" {
			t.Fatalf("the client said %s, %v", rec, err)
		}
		say(`{"jsonrpc":"2.0","id":` + parse(rec).ID.String() + `,"result":`)
		say(`{"jsonrpc":"2.0","id":` + parse(rec).ID.String() + `,"result":{},"error":{"code":1,"message":""}}`)
		if err := <-pending; err == nil {
			t.Error("an answer that is none was taken for one")
		}
		if refused := c.Conn().Stats().Refused; refused != 6 {
			t.Errorf("%d records were refused", refused)
		}
	})
}

// Whatever a server says, in whatever era and order: each method of a client ends, and so does the client.
func TestEverythingEnds(t *testing.T) {
	lines := []string{
		discovered, welcomed, empty, "EOF",
		result(`{"resultType":"odd"}`),
		result(`null`),
		result(`{"resultType":"input_required","requestState":"s"}`),
		result(`{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}`),
		result(`{"tools":[],"nextCursor":"x"}`),
		result(`{"resultType":"complete","tools":[{"name":"t"}],"content":[]}`),
		failure(`-32601,"message":"m"`),
		failure(`-32022,"message":"v","data":{"supported":["2026-07-28"],"requested":"x"}`),
		failure(`-32022,"message":"v","data":{"supported":["2025-06-18"],"requested":"x"}`),
		`{"jsonrpc":"2.0","id":$ID,"result":5,"error":5}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
		`{"jsonrpc":"2.0","id":"s","method":"roots/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":$ID}}`,
		about(acknowledged, "$ID", `,"notifications":{}`),
		about(toolsChanged, "$ID", ``),
		`[{"jsonrpc":"2.0","id":$ID,"result":{}}]`, `banner`, ``,
	}
	script := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 3), 0, 12)
	rapid.Check(t, func(rt *rapid.T) {
		says := script.Draw(rt, "says")
		version := rapid.SampledFrom([]string{"", "", "", mcp.Latest, mcp.LatestLegacy}).Draw(rt, "version")
		synctest.Test(t, func(t *testing.T) {
			_, stream := act(t, func(*message.Request) []string {
				if len(says) == 0 {
					return nil
				}
				said := says[0]
				says = says[1:]
				return said
			})
			opts := asking()
			opts.Version = version
			ctx, cancel := context.WithTimeout(t.Context(), timeToTell)
			defer cancel()
			c, err := mcp.Connect(ctx, stream, opts)
			if err != nil {
				return
			}
			_, err = c.Tools(ctx)
			mayFail(t, err)
			_, err = c.CallTool(ctx, "t", nil)
			mayFail(t, err)
			if l, err := c.Listen(ctx, mcp.Subscription{}); err == nil {
				_, err = l.Next(ctx)
				mayFail(t, err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if _, err := c.Tools(t.Context()); !errors.Is(err, parley.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		})
	})
}

// timeToTell is longer than every bound of a client.
const timeToTell = 300e9

// mayFail says that it is all the same whether something failed, as long as it ended.
func mayFail(t *testing.T, err error) {
	t.Helper()
	if diff := cmp.Diff(errors.Is(err, context.Canceled), false); diff != "" {
		t.Errorf("nobody cancelled anything: %v", err)
	}
}

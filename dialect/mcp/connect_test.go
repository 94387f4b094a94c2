package mcp_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// An actor is a server that follows a script, at the far end of a client.
type actor struct {
	frame.Stream

	mu      sync.Mutex
	records []string
}

// act starts an actor. For each call of the client, say returns the records with which it is answered, in which $ID is
// the id of the call. Without any the call stays open, and "EOF" ends the actor.
func act(t *testing.T, say func(req *message.Request) []string) (*actor, frame.Stream) {
	near, far := frame.Pipe()
	a := &actor{Stream: frame.Lines.Stream(far, far)}
	t.Cleanup(func() { _ = far.Close() })
	go func() {
		for {
			rec, err := a.ReadRecord()
			if err != nil {
				return
			}
			a.mu.Lock()
			a.records = append(a.records, string(rec))
			a.mu.Unlock()
			req := parse(rec)
			if req == nil || req.IsNote() {
				continue
			}
			for _, line := range say(req) {
				if line == "EOF" {
					_ = far.Close()
					return
				}
				a.say(strings.ReplaceAll(line, "$ID", req.ID.String()))
			}
		}
	}()
	return a, frame.Lines.Stream(near, near)
}

// parse returns the request that a record is, or nil.
func parse(rec []byte) *message.Request {
	msg, err := message.Strict.Parse(rec)
	if err != nil {
		return nil
	}
	req, _ := msg.(*message.Request)
	return req
}

// say writes a record. A client that has gone does not hear it.
func (a *actor) say(rec string) { _ = a.WriteRecord([]byte(rec)) }

// heard returns the records that the client wrote so far, once all is quiet.
func (a *actor) heard() []string {
	synctest.Wait()
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.records...)
}

// methods returns what the client asked and told so far; a reply is "reply".
func (a *actor) methods() []string {
	var methods []string
	for _, rec := range a.heard() {
		method := "reply"
		if req := parse([]byte(rec)); req != nil {
			method = req.Method
		}
		methods = append(methods, method)
	}
	return methods
}

const (
	discovered = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],` +
		`"capabilities":{"tools":{}},"instructions":"Be kind.","ttlMs":0,"cacheScope":"private",` +
		`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"2"}}}}`
	welcomed = `{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"bench","version":"1"}}}`
	empty = `{"jsonrpc":"2.0","id":$ID,"result":{}}`
)

// modern is a script of a modern server that says what follows to everything but the probe.
func modern(say func(req *message.Request) []string) func(*message.Request) []string {
	return func(req *message.Request) []string {
		if req.Method == string(mcp.Discover) {
			return []string{discovered}
		}
		return say(req)
	}
}

// legacy is the same of a legacy server.
func legacy(say func(req *message.Request) []string) func(*message.Request) []string {
	return func(req *message.Request) []string {
		switch req.Method {
		case string(mcp.Discover):
			return []string{`{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"what?"}}`}
		case string(mcp.Initialize):
			return []string{welcomed}
		}
		return say(req)
	}
}

// connected returns a client of an actor. Both end with the test.
func connected(t *testing.T, opts *mcp.ClientOptions, say func(*message.Request) []string) (*mcp.Client, *actor) {
	t.Helper()
	a, stream := act(t, say)
	c, err := mcp.Connect(t.Context(), stream, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c, a
}

// What a server answers the probe decides the era, and the code of an error alone never does.
func TestProbe(t *testing.T) {
	fallback := []string{"server/discover", "initialize", "notifications/initialized"}
	probe := fallback[:1]
	twice := []string{"server/discover", "server/discover"}
	tests := []struct {
		rule    string
		answers []string // to the first server/discover; a second gets a DiscoverResult
		version string   // "": Connect fails
		is      error
		heard   []string
	}{
		{"a DiscoverResult", []string{discovered}, "2026-07-28", nil, probe},
		{"a DiscoverResult without resultType", []string{result(`{"supportedVersions":["2026-07-28"],"capabilities":{}}`)}, "2026-07-28", nil, probe},
		{"a DiscoverResult with a newer version as well", []string{result(`{"supportedVersions":["2099-01-01","2025-11-25","2026-07-28"],"capabilities":{}}`)}, "2026-07-28", nil, probe},
		{"a DiscoverResult of legacy versions: the newest of them", []string{result(`{"supportedVersions":["2025-03-26","2025-11-25"],"capabilities":{}}`)}, "2025-11-25", nil, fallback},
		{"a DiscoverResult of another version", []string{result(`{"supportedVersions":["2099-01-01"],"capabilities":{}}`)}, "", mcp.ErrVersion, probe},
		{"the version is not supported, but named: ask again", []string{failure(`-32022,"message":"v","data":{"supported":["2026-07-28"],"requested":"x"}`)}, "2026-07-28", nil, twice},
		{"the version is not supported, and no other is known", []string{failure(`-32022,"message":"v","data":{"supported":["2099-01-01"],"requested":"2026-07-28"}`)}, "", mcp.ErrVersion, probe},
		{"the version is not supported, a legacy one is", []string{failure(`-32022,"message":"v","data":{"supported":["2025-11-25","2099-01-01"],"requested":"2026-07-28"}`)}, "2025-11-25", nil, fallback},
		{"a capability is missing: no fallback", []string{failure(`-32021,"message":"c","data":{"requiredCapabilities":{"roots":{}}}`)}, "", message.NewError(mcp.CodeMissingCapability, ""), probe},
		{"the code of another version without the versions", []string{failure(`-32022,"message":"busy"`)}, "2025-11-25", nil, fallback},
		{"no such method", []string{failure(`-32601,"message":"m"`)}, "2025-11-25", nil, fallback},
		{"bad params", []string{failure(`-32602,"message":"p"`)}, "2025-11-25", nil, fallback},
		{"not initialized", []string{failure(`-32002,"message":"not initialized"`)}, "2025-11-25", nil, fallback},
		{"a code of a draft", []string{failure(`-32004,"message":"v","data":{"supported":["2026-07-28"]}`)}, "2025-11-25", nil, fallback},
		{"a code of its own", []string{failure(`7,"message":"no"`)}, "2025-11-25", nil, fallback},
		{"an error that is none", []string{`{"jsonrpc":"2.0","id":$ID,"error":"no"}`}, "2025-11-25", nil, fallback},
		{"an answer to everything", []string{empty}, "2025-11-25", nil, fallback},
		{"null", []string{result(`null`)}, "2025-11-25", nil, fallback},
		{"a text", []string{result(`"ok"`)}, "2025-11-25", nil, fallback},
		{"versions that are none", []string{result(`{"supportedVersions":[1]}`)}, "2025-11-25", nil, fallback},
		{"a type of result that nobody knows", []string{result(`{"resultType":"odd","supportedVersions":["2026-07-28"],"capabilities":{}}`)}, "2025-11-25", nil, fallback},
		{"death", []string{"EOF"}, "", parley.ErrClosed, probe},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := false
				a, stream := act(t, func(req *message.Request) []string {
					switch {
					case req.Method != string(mcp.Discover):
						return []string{welcomed}
					case asked:
						return []string{discovered}
					}
					asked = true
					return test.answers
				})
				c, err := mcp.Connect(t.Context(), stream, nil)
				if err == nil {
					defer c.Close()
				}
				if (err == nil) != (test.version != "") || !errors.Is(err, test.is) {
					t.Fatalf("the error is %v, want %v", err, test.is)
				}
				if err == nil && c.Version() != test.version {
					t.Errorf("version %s, want %s", c.Version(), test.version)
				}
				if err == nil && (c.Era() == mcp.EraModern) != (test.version == mcp.Latest) {
					t.Errorf("era %v of version %s", c.Era(), c.Version())
				}
				if diff := cmp.Diff(test.heard, a.methods()); diff != "" {
					t.Errorf("what the server heard (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func result(text string) string  { return `{"jsonrpc":"2.0","id":$ID,"result":` + text + `}` }
func failure(text string) string { return `{"jsonrpc":"2.0","id":$ID,"error":{"code":` + text + `}}` }

// Who keeps silent is of the legacy era after the timeout. The probe is taken back, and what it is answered later is
// dropped, even if it is the answer of a modern server.
func TestProbeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var probe string
		began := time.Now()
		c, a := connected(t, &mcp.ClientOptions{ProbeTimeout: 3 * time.Second}, func(req *message.Request) []string {
			switch req.Method {
			case string(mcp.Discover):
				probe = req.ID.String()
				return nil
			case string(mcp.Initialize):
				return []string{strings.ReplaceAll(discovered, "$ID", probe), welcomed}
			}
			return []string{strings.ReplaceAll(discovered, "$ID", probe), result(`{"tools":[]}`)}
		})
		if took := time.Since(began); took != 3*time.Second || c.Era() != mcp.EraLegacy {
			t.Errorf("the %v era after %v", c.Era(), took)
		}
		if _, err := c.Tools(t.Context()); err != nil || c.Era() != mcp.EraLegacy {
			t.Errorf("after the late answer: %v, %v", err, c.Era())
		}
		want := []string{"server/discover", "notifications/cancelled", "initialize", "notifications/initialized", "tools/list"}
		if diff := cmp.Diff(want, a.methods()); diff != "" {
			t.Errorf("what the server heard (-want +got):\n%s", diff)
		}
		if late := c.Conn().Stats().Late; late != 2 {
			t.Errorf("%d late answers, want 2", late)
		}
	})
}

// A modern server that is still starting when the time of the probe is over refuses initialize, and is asked again.
func TestProbeOfSlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := true
		c, a := connected(t, nil, func(req *message.Request) []string {
			switch {
			case req.Method == string(mcp.Initialize):
				slow = false
				return []string{failure(`-32601,"message":"no initialize here"`)}
			case slow:
				return nil
			}
			return []string{discovered}
		})
		want := []string{"server/discover", "notifications/cancelled", "initialize", "server/discover"}
		if diff := cmp.Diff(want, a.methods()); diff != "" || c.Era() != mcp.EraModern {
			t.Errorf("the %v era; what the server heard (-want +got):\n%s", c.Era(), diff)
		}
	})
}

// Connect ends with its ctx, wherever it is. initialize is not taken back.
func TestConnectEndsWithCtx(t *testing.T) {
	tests := []struct {
		rule  string
		after time.Duration
		heard []string
	}{
		{"in the probe", time.Second, []string{"server/discover", "notifications/cancelled"}},
		{"in the handshake", time.Minute, []string{"server/discover", "notifications/cancelled", "initialize"}},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			a, stream := act(t, func(*message.Request) []string { return nil })
			ctx, cancel := context.WithTimeout(t.Context(), test.after)
			defer cancel()
			began := time.Now()
			_, err := mcp.Connect(ctx, stream, nil)
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != test.after {
				t.Errorf("%s: %v after %v", test.rule, err, time.Since(began))
			}
			if diff := cmp.Diff(test.heard, a.methods()); diff != "" {
				t.Errorf("%s: what the server heard (-want +got):\n%s", test.rule, diff)
			}
		})
	}
}

// A version that the caller gives is spoken without a probe, and a modern one without any word at all.
func TestConnectWithVersion(t *testing.T) {
	tests := []struct {
		version, agreed string
		is              error
		heard           []string
	}{
		{"2026-07-28", "2026-07-28", nil, nil},
		{"2025-06-18", "2025-11-25", nil, []string{"initialize", "notifications/initialized"}},
		{"2024-01-01", "", mcp.ErrVersion, nil},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			a, stream := act(t, legacy(nil))
			c, err := mcp.Connect(t.Context(), stream, &mcp.ClientOptions{Version: test.version})
			if !errors.Is(err, test.is) {
				t.Fatalf("%s: %v", test.version, err)
			}
			if err == nil {
				defer c.Close()
				if c.Version() != test.agreed {
					t.Errorf("%s: agreed on %s", test.version, c.Version())
				}
			}
			if diff := cmp.Diff(test.heard, a.methods()); diff != "" {
				t.Errorf("%s: what the server heard (-want +got):\n%s", test.version, diff)
			}
		})
	}
}

// What the server says about itself is kept, in both eras.
func TestTerms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := connected(t, nil, modern(nil))
		if c.Server().Version != "2" || c.Instructions() != "Be kind." || c.Capabilities().Tools == nil {
			t.Errorf("modern: %+v, %q, %+v", c.Server(), c.Instructions(), c.Capabilities())
		}
		c, _ = connected(t, nil, legacy(nil))
		if c.Server().Version != "1" || c.Instructions() != "" || c.Capabilities().Logging == nil {
			t.Errorf("legacy: %+v, %q, %+v", c.Server(), c.Instructions(), c.Capabilities())
		}
		if _, err := c.Discover(t.Context()); !errors.Is(err, mcp.ErrEra) {
			t.Errorf("a legacy server was asked server/discover: %v", err)
		}
		c, _ = connected(t, &mcp.ClientOptions{Version: mcp.Latest}, modern(nil))
		if c.Server().Name != "" {
			t.Errorf("a server that was not asked has a name: %+v", c.Server())
		}
		if _, err := c.Discover(t.Context()); err != nil || c.Server().Name != "bench" {
			t.Errorf("after Discover: %+v, %v", c.Server(), err)
		}
	})
}

// Options that have no JSON form are found before anything is sent.
func TestConnectWithBadOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, stream := act(t, legacy(nil))
		bad := &mcp.ClientOptions{Capabilities: mcp.ClientCapabilities{Tasks: message.Raw(`{`)}}
		if _, err := mcp.Connect(t.Context(), stream, bad); err == nil || len(a.heard()) > 0 {
			t.Errorf("%v, and the server heard %q", err, a.heard())
		}
	})
}

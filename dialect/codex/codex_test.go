package codex_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/codex"
	"github.com/parley-rpc/parley/internal/dialecttest"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

var spoken = &parley.Options{Dialect: &codex.Dialect}

// connect returns a peer and its other end.
func connect(t *testing.T, handler parley.Handler) (*parley.Conn, *dialecttest.Far) {
	t.Helper()
	return dialecttest.Peer(t, &codex.Dialect, handler)
}

const hello = `{"id":1,"method":"initialize","params":{"clientInfo":{"name":"probe","version":"1"}}}`

var probe = codex.InitializeParams{ClientInfo: codex.ClientInfo{Name: "probe", Version: "1"}}

// The handshake is a call and then a note without params, both without the member jsonrpc, as
// a real client writes them.
func TestHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, server := connect(t, nil)
		var result *codex.InitializeResult
		var err error
		var over sync.WaitGroup
		over.Go(func() { result, err = codex.Handshake(t.Context(), conn, probe) })
		server.Hears(hello)
		server.Say(`{"id":1,"result":{"userAgent":"probe/0.171.0","codexHome":"/h","platformFamily":"unix","platformOs":"linux"}}`)
		server.Hears(`{"method":"initialized"}`)
		over.Wait()
		if err != nil || result.UserAgent != "probe/0.171.0" || result.PlatformOS != "linux" {
			t.Errorf("the handshake returned %+v, %v", result, err)
		}
	})
}

// A server that refuses gets no note, and its error can be matched.
func TestHandshakeRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, server := connect(t, nil)
		var err error
		var over sync.WaitGroup
		over.Go(func() { _, err = codex.Handshake(t.Context(), conn, probe) })
		server.Hears(hello)
		server.Say(`{"id":1,"error":{"code":-32001,"message":"Server overloaded; retry later."}}`)
		over.Wait()
		if !errors.Is(err, codex.ErrOverloaded) {
			t.Errorf("the handshake returned %v", err)
		}
		conn.Notify(t.Context(), "next", nil)
		server.Hears(`{"method":"next"}`)
	})
}

// Nothing that is no message is answered, an array neither; what comes after it is.
func TestSilentOnBadInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, client := connect(t, func(context.Context, string, message.Raw) (any, error) { return codex.LoadedListResult{}, nil })
		client.Say(`{nope`, `42`, `[{"id":1,"method":"thread/loaded/list","params":{}}]`, `{"id":66,"method":7,"params":{}}`,
			`{"id":67,"method":"thread/loaded/list","params":{}}`)
		client.Hears(`{"id":67,"result":{"data":[]}}`)
	})
}

// The server asks for an approval in the middle of a turn; its decision goes back as a bare
// name, and the extra members of newer servers do no harm.
func TestApproval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		mux := parley.NewMux(
			codex.CommandApproval.Handle(func(_ context.Context, p codex.CommandApprovalParams) (*codex.ApprovalResult, error) {
				seen = append(seen, p.Command)
				return &codex.ApprovalResult{Decision: p.AvailableDecisions[1]}, nil
			}),
			codex.ThreadStatusChanged.Handle(func(_ context.Context, p codex.ThreadStatusChangedParams) error {
				for _, flag := range p.Status.ActiveFlags {
					seen = append(seen, string(flag))
				}
				return nil
			}),
		)
		_, server := connect(t, mux.Handle)
		server.Say(
			`{"method":"thread/status/changed","params":{"threadId":"t","status":{"type":"active","activeFlags":["waitingOnApproval"]}},"emittedAtMs":1796043128126}`,
			`{"method":"item/commandExecution/requestApproval","id":0,"params":{"threadId":"t","turnId":"u","itemId":"i","command":"touch a",`+
				`"availableDecisions":["accept",{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch"]}},"cancel"]},"trace":null}`)
		server.Hears(`{"id":0,"result":{"decision":{"acceptWithExecpolicyAmendment":{"execpolicy_amendment":["touch"]}}}}`)
		if diff := cmp.Diff([]string{"waitingOnApproval", "touch a"}, seen); diff != "" {
			t.Errorf("what the client saw (-want +got)\n%s", diff)
		}
	})
}

// A call whose ctx ends sends nothing, since the dialect has no word for it, and drops the
// answer.
func TestNoCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, server := connect(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		turn := codex.TurnInterrupt.Start(ctx, conn, codex.TurnInterruptParams{ThreadID: "t", TurnID: "u"})
		server.Hears(`{"id":1,"method":"turn/interrupt","params":{"threadId":"t","turnId":"u"}}`)
		cancel()
		if err := turn.Wait(t.Context(), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the call ended with %v", err)
		}
		server.Say(`{"id":1,"result":{}}`)
		conn.Notify(t.Context(), "next", nil)
		server.Hears(`{"method":"next"}`)
		synctest.Wait()
		if s := conn.Stats(); s.Late != 1 || s.Orphans != 0 {
			t.Errorf("the late answer was counted otherwise: %+v", s)
		}
	})
}

// A choice is a bare name or an object with one member; what is neither is kept as it is.
func TestChoice(t *testing.T) {
	tests := []struct {
		text string
		want codex.Choice
	}{
		{`"accept"`, codex.Choice{Name: codex.Accept}},
		{`{"applyNetworkPolicyAmendment":{"a":1.0}}`, codex.Choice{Name: codex.ApplyNetworkPolicyAmendment, Detail: message.Raw(`{"a":1.0}`)}},
		{`{"custom":null}`, codex.Choice{Name: "custom", Detail: message.Raw(`null`)}},
		{`null`, codex.Choice{}},
		{`""`, codex.Choice{Detail: message.Raw(`""`)}},
		{`{}`, codex.Choice{Detail: message.Raw(`{}`)}},
		{`{"":1}`, codex.Choice{Detail: message.Raw(`{"":1}`)}},
		{`{"a":1,"b":2}`, codex.Choice{Detail: message.Raw(`{"a":1,"b":2}`)}},
		{`7`, codex.Choice{Detail: message.Raw(`7`)}},
	}
	for _, test := range tests {
		var got codex.Choice
		if err := message.Raw(test.text).Decode(&got); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s is read otherwise (-want +got)\n%s", test.text, diff)
		}
		if text, err := message.Encode(got); err != nil || text.String() != test.text {
			t.Errorf("%s is written as %s (%v)", test.text, text, err)
		}
	}
}

// What is read as a choice is written as a value that reads the same.
func FuzzChoice(f *testing.F) {
	for _, seed := range []string{`null`, `"decline"`, `{"a":{"b":[1,2]}}`, `{"a":1,"b":2}`, `{"":0}`, `[]`, ` 1.50 `, `"\ud800"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { dialecttest.Stable[codex.Choice](t, text) })
}

// An item of a kind that nobody here knows keeps its text; one that is made has its type and id.
func TestItem(t *testing.T) {
	const unknown = `{"id":"x","type":"brandNew","n":1.0}`
	var item codex.Item
	if err := message.Raw(unknown).Decode(&item); err != nil || item.Type != "brandNew" || item.ID != "x" {
		t.Errorf("the item is %+v (%v)", item, err)
	}
	if text, err := message.Encode(codex.Turn{Items: []codex.Item{item}}); err != nil || !strings.Contains(text.String(), unknown) {
		t.Errorf("the turn is written as %s (%v)", text, err)
	}
	made, err := codex.NewItem(codex.AgentMessage{Type: codex.ItemAgentMessage, ID: "msg_1", Text: "Bye."})
	if err != nil || made.Type != codex.ItemAgentMessage || made.ID != "msg_1" {
		t.Errorf("the made item is %+v (%v)", made, err)
	}
	if _, err := codex.NewItem(7); err == nil {
		t.Error("a number was made an item")
	}
	if text, err := message.Encode(codex.Text("")); err != nil || text.String() != `{"type":"text","text":""}` {
		t.Errorf("an input without text is written as %s (%v)", text, err)
	}
}

// Two peers of the dialect hold a turn.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := parley.NewMux(codex.TurnStart.Handle(func(ctx context.Context, p codex.TurnStartParams) (*codex.TurnStartResult, error) {
			err := codex.TurnStarted.Send(ctx, parley.Caller(ctx), codex.TurnParams{ThreadID: p.ThreadID, Turn: codex.Turn{ID: "u", Status: codex.TurnInProgress}})
			return &codex.TurnStartResult{Turn: codex.Turn{ID: "u", Status: codex.TurnInProgress}}, err
		}))
		started := 0
		client := parley.NewMux(codex.TurnStarted.Handle(func(context.Context, codex.TurnParams) error { started++; return nil }))
		conn, _ := parleytest.Pair(t, client.Handle, server.Handle, spoken)
		result, err := codex.TurnStart.Call(t.Context(), conn, codex.TurnStartParams{ThreadID: "t", Input: []codex.Input{codex.Text("hi")}})
		if err != nil || result.Turn.Status != codex.TurnInProgress || started != 1 {
			t.Errorf("the turn is %+v, started %d times (%v)", result, started, err)
		}
	})
}

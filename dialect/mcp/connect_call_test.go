package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// Each request of the modern era carries who asks, in what version, and what it can do. No other byte changes, and what
// the caller wrote into _meta stays.
func TestStamp(t *testing.T) {
	const stamp = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"roots":{}},` +
		`"io.modelcontextprotocol/clientInfo":{"name":"me","version":"1"}`
	const level = `,"io.modelcontextprotocol/logLevel":"notice"`
	synctest.Test(t, func(t *testing.T) {
		c, a := connected(t, &mcp.ClientOptions{
			Info:         mcp.Implementation{Name: "me", Version: "1"},
			Roots:        func(context.Context) ([]mcp.Root, error) { return nil, nil },
			Capabilities: mcp.ClientCapabilities{Roots: &mcp.ListCapability{ListChanged: true}}, // of the legacy era only
		}, modern(func(*message.Request) []string { return []string{empty} }))
		ctx := t.Context()
		for _, params := range []any{
			nil,
			message.Raw(`null`),
			message.Raw(`{"n":1.0,"_meta":{"mine":"\u0041"},"n2":1e2}`),
			message.Raw(`{"_meta":{"io.modelcontextprotocol/protocolVersion":"1"}}`),
			mcp.EmptyParams{},
		} {
			if err := c.Call(ctx, "x", params, nil); err != nil {
				t.Error(err)
			}
		}
		if err := c.SetLevel(ctx, mcp.LevelNotice); err != nil {
			t.Error(err)
		}
		if err := c.Call(ctx, "x", nil, nil); err != nil {
			t.Error(err)
		}
		for _, bad := range []any{[]int{1}, message.Raw(`{"_meta":[]}`)} {
			if err := c.Call(ctx, "x", bad, nil); err == nil {
				t.Errorf("params without a place for _meta were sent: %v", bad)
			}
		}
		want := []string{
			`{"_meta":{` + stamp + `}}`,
			`{"_meta":{` + stamp + `}}`,
			`{"_meta":{` + stamp + `}}`,
			`{"n":1.0,"_meta":{"mine":"\u0041",` + stamp + `},"n2":1e2}`,
			`{"_meta":{` + stamp + `}}`,
			`{"_meta":{` + stamp + `}}`,
			`{"_meta":{` + stamp + level + `}}`,
		}
		if diff := cmp.Diff(want, paramsOf(a)); diff != "" {
			t.Errorf("params (-want +got):\n%s", diff)
		}
	})
}

// paramsOf returns the params of all that the client asked and told.
func paramsOf(a *actor) []string {
	var all []string
	for _, rec := range a.heard() {
		if req := parse([]byte(rec)); req != nil {
			all = append(all, req.Params.String())
		}
	}
	return all
}

// asking is a client that answers every kind of question.
func asking() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Elicit: func(_ context.Context, p mcp.ElicitParams) (*mcp.ElicitResult, error) {
			if p.Message == "fail" {
				return nil, errNobody
			}
			return &mcp.ElicitResult{Action: mcp.ElicitAccept, Content: message.Raw(`{"name":"Ada"}`)}, nil
		},
		Sample: func(context.Context, mcp.CreateMessageParams) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Role: mcp.RoleAssistant, Content: mcp.Contents{mcp.Text("42")}, Model: "m"}, nil
		},
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a"}}, nil },
	}
}

var errNobody = errors.New("nobody is there")

// A question is answered by asking again: the original params, the answers by their keys, the state byte for byte, and a
// new id. What only one round gave is not in the next.
func TestRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		round := 0
		c, a := connected(t, asking(), modern(func(*message.Request) []string {
			round++
			return []string{[]string{
				result(`{"resultType":"input_required","inputRequests":{` +
					`"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{}}},` +
					`"a b":{"method":"roots/list"},` +
					`"think":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}},"requestState":"\u0061\/\"=="}`),
				result(`{"resultType":"input_required","requestState":""}`),
				result(`{"resultType":"input_required","inputRequests":{}}`),
				result(`{"resultType":"complete","content":[]}`),
			}[round-1]}
		}))
		if _, err := c.CallTool(t.Context(), "greet", map[string]int{"n": 1}); err != nil {
			t.Fatal(err)
		}
		const head = `{"name":"greet","arguments":{"n":1}`
		want := []string{
			head + `}`,
			head + `,"inputResponses":{"a b":{"roots":[{"uri":"file:///a"}]},` +
				`"think":{"role":"assistant","content":{"type":"text","text":"42"},"model":"m"},` +
				`"who":{"action":"accept","content":{"name":"Ada"}}},"requestState":"\u0061\/\"=="}`,
			head + `,"requestState":""}`,
			head + `,"inputResponses":{}}`,
		}
		var got []string
		for _, params := range paramsOf(a)[1:] {
			before, _, _ := strings.Cut(params, `,"_meta"`)
			got = append(got, before+`}`)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("params (-want +got):\n%s", diff)
		}
		ids := make(map[string]bool)
		for _, rec := range a.heard() {
			ids[parse([]byte(rec)).ID.String()] = true
		}
		if len(ids) != 5 {
			t.Errorf("the ids are %v, want five", ids)
		}
	})
}

// What the protocol does not allow in a result is an error and no result, and nothing is asked again.
func TestResultsThatAreNone(t *testing.T) {
	question := func(method string) string {
		return `{"resultType":"input_required","inputRequests":{"q":{"method":"` + method + `","params":{"message":"?"}}}}`
	}
	many := strings.TrimSuffix(strings.Repeat(`"%d":{"method":"roots/list"},`, 101), ",")
	numbers := make([]any, 101)
	for i := range numbers {
		numbers[i] = i
	}
	tests := []struct {
		rule, method, result string
		is                   error
	}{
		{"an unknown type", "tools/call", `{"resultType":"later","content":[]}`, mcp.ErrResult},
		{"an empty type", "tools/call", `{"resultType":"","content":[]}`, mcp.ErrResult},
		{"a type that is no text", "tools/call", `{"resultType":null,"content":[]}`, mcp.ErrResult},
		{"a task that nobody announced", "tools/call", `{"resultType":"task","taskId":"1"}`, mcp.ErrResult},
		{"a question where there is none", "tools/list", question("roots/list"), mcp.ErrResult},
		{"a question about nothing", "tools/call", `{"resultType":"input_required"}`, mcp.ErrResult},
		{"a kind that was not announced", "tools/call", question("sampling/createMessage"), mcp.ErrResult},
		{"a kind that is none", "tools/call", question("ping"), mcp.ErrResult},
		{"questions that are none", "tools/call", `{"resultType":"input_required","inputRequests":[]}`, mcp.ErrResult},
		{"too many questions", "tools/call", `{"resultType":"input_required","inputRequests":{` + fmt.Sprintf(many, numbers...) + `}}`, mcp.ErrResult},
		{"a state that is no text", "prompts/get", `{"resultType":"input_required","requestState":5}`, mcp.ErrResult},
		{"a mode that was not announced", "tools/call", `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"url","message":"?"}}}}`, mcp.ErrResult},
		{"a question that makes no sense", "tools/call", `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":5}}}}`, mcp.ErrResult},
		{"a question that nobody answers", "resources/read", strings.ReplaceAll(question("elicitation/create"), "?", "fail"), errNobody},
		{"no object", "tools/call", `[]`, mcp.ErrResult},
		{"null", "tools/call", `null`, mcp.ErrResult},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			opts := asking()
			opts.Sample = nil
			c, a := connected(t, opts, modern(func(*message.Request) []string { return []string{result(test.result)} }))
			err := c.Call(t.Context(), test.method, nil, nil)
			if _, theirs := errors.AsType[*message.Error](err); !errors.Is(err, test.is) || theirs {
				t.Errorf("%s: the error is %v, want %v", test.rule, err, test.is)
			}
			if heard := a.methods(); len(heard) != 2 {
				t.Errorf("%s: the server heard %q", test.rule, heard)
			}
		})
	}
}

// A server that never stops asking is asked 17 times: the first time and after each of 16 rounds.
func TestRoundsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, a := connected(t, nil, modern(func(*message.Request) []string {
			return []string{result(`{"resultType":"input_required","requestState":"s"}`)}
		}))
		if _, err := c.GetPrompt(t.Context(), "p", nil); !errors.Is(err, mcp.ErrRounds) {
			t.Errorf("the error is %v", err)
		}
		if n := len(a.heard()) - 1; n != 17 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

// A client that announced the extension of tasks may be promised one.
func TestTaskOfTheExtension(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := connected(t, &mcp.ClientOptions{Capabilities: mcp.ClientCapabilities{
			Extensions: map[string]message.Raw{mcp.ExtensionTasks: message.Raw(`{}`)},
		}}, modern(func(*message.Request) []string {
			return []string{result(`{"resultType":"task","taskId":"7","status":"working","createdAt":"","lastUpdatedAt":"","ttlMs":null}`)}
		}))
		result, err := c.CallTool(t.Context(), "slow", nil)
		if err != nil || result.Task == nil || result.Task.TaskID != "7" {
			t.Errorf("%+v, %v", result, err)
		}
		if _, err := mcp.CallToolInto[string](t.Context(), c, "slow", nil); err == nil {
			t.Error("a promise was taken for a text")
		}
	})
}

// When its ctx ends a call is taken back, in the middle of a round as well, and nothing is asked again.
func TestCallIsTakenBack(t *testing.T) {
	for _, rule := range []string{"legacy", "modern"} {
		synctest.Test(t, func(t *testing.T) {
			script := legacy
			if rule == "modern" {
				script = modern
			}
			c, a := connected(t, nil, script(func(*message.Request) []string { return nil }))
			before := len(a.heard())
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				synctest.Wait()
				cancel()
			}()
			if _, err := c.CallTool(ctx, "slow", nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", rule, err)
			}
			heard := a.heard()[before:]
			if len(heard) != 2 {
				t.Fatalf("%s: the server heard %q", rule, heard)
			}
			want := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + parse([]byte(heard[0])).ID.String() + `}}`
			if diff := cmp.Diff(want, heard[1]); diff != "" {
				t.Errorf("%s: (-want +got):\n%s", rule, diff)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		opts := asking()
		opts.Roots = func(context.Context) ([]mcp.Root, error) { cancel(); return nil, nil }
		c, a := connected(t, opts, modern(func(*message.Request) []string {
			return []string{result(`{"resultType":"input_required","inputRequests":{"1":{"method":"roots/list"},"2":{"method":"elicitation/create"}}}`)}
		}))
		if _, err := c.CallTool(ctx, "x", nil); !errors.Is(err, context.Canceled) || len(a.heard()) != 2 {
			t.Errorf("in a round: %v, %q", err, a.heard())
		}
	})
}

// Progress of each round reaches the one function.
func TestProgressOverRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		round := 0
		c, _ := connected(t, nil, modern(func(*message.Request) []string {
			round++
			return []string{
				`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":` + fmt.Sprint(round) + `}}`,
				[]string{result(`{"resultType":"input_required","requestState":"s"}`), result(`{"resultType":"complete"}`)}[round-1],
			}
		}))
		var got []float64
		ctx := parley.OnProgress(t.Context(), func(value message.Raw) {
			var p mcp.ProgressParams
			if err := value.Decode(&p); err != nil {
				t.Error(err)
			}
			got = append(got, p.Progress)
		})
		if _, err := c.CallTool(ctx, "x", nil); err != nil || !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("%v, %v", got, err)
		}
	})
}

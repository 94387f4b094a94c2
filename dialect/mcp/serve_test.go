package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// TestHandshakeOrder is case 128: all that a hasty client sends comes at once, and each
// call has one reply. What is read first decides, whichever handler runs first.
func TestHandshakeOrder(t *testing.T) {
	in, err := os.ReadFile("testdata/cases/128-handshake-order.in")
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var out bytes.Buffer
		stream := frame.Lines.Stream(bytes.NewReader(in), &out)
		if err := mcp.Serve(t.Context(), stream, parley.NewMux(tools()...), mcp.Info{Name: "t", Version: "0"}); err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for line := range strings.Lines(out.String()) {
			msg, err := message.Strict.Parse([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			reply := msg.(*message.Response)
			_, listed := reply.Result.Member("tools")
			version, _ := reply.Result.Member("protocolVersion")
			got[reply.ID.String()] += fmt.Sprintf("error %t, tools %t, version %s", reply.Error != nil, listed, version)
		}
		want := map[string]string{
			"1": "error true, tools false, version ",
			"2": `error false, tools false, version "2025-06-18"`,
			"3": "error true, tools false, version ",
			"4": "error false, tools true, version ",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("replies by id (-want +got)\n%s", diff)
		}
	}
}

// TestBothSides lets the client of this package use the server, in every version.
func TestBothSides(t *testing.T) {
	for _, version := range []string{"", mcp.Version20241105, mcp.Version20250326, mcp.Version20250618, mcp.Version20251125, mcp.Version20260728} {
		t.Run("version "+version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dialClient(t, everything(), &mcp.ClientOptions{
					Version: version,
					Elicit: func(_ context.Context, p mcp.ElicitParams) (*mcp.ElicitResult, error) {
						name := map[bool]string{true: "Ann", false: "Lee"}[strings.Contains(p.Message, "first")]
						return &mcp.ElicitResult{Action: mcp.ElicitAccept, Content: message.Raw(`{"name":"` + name + `"}`)}, nil
					},
				})
				// A modern client that knows the version asks nothing before its first call.
				if version != mcp.Version20260728 && c.Server().Name != "everything" || version != "" && c.Version() != version {
					t.Errorf("connected to %+v in %s", c.Server(), c.Version())
				}
				list, err := c.Tools(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				var names []string
				for _, tool := range list {
					names = append(names, tool.Name)
				}
				want := strings.Fields("add chatty fail folders greet lookup panic picture primes refuse slow think visit wait weather")
				if diff := cmp.Diff(want, names); diff != "" {
					t.Errorf("tools (-want +got)\n%s", diff)
				}
				result, err := c.CallTool(t.Context(), "greet", nil)
				if err != nil || result.Content[0].Text != "Hello Ann Lee" {
					t.Errorf("got %+v, %v", result, err)
				}
			})
		})
	}
}

// TestSetToolsKeepsCalls takes a tool away while it runs: the call ends as it would have.
func TestSetToolsKeepsCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		server := mcp.NewServer(nil, mcp.Info{})
		slow := mcp.ServedTool{Tool: mcp.Tool{Name: "slow"}, Call: func(context.Context, message.Raw) (*mcp.CallToolResult, error) {
			<-goOn
			return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("done")}}, nil
		}}
		if err := server.SetTools([]mcp.ServedTool{slow}); err != nil {
			t.Fatal(err)
		}
		c := dialServer(t, server, nil)
		call := mcp.CallTool.Start(t.Context(), c, mcp.CallToolParams{Name: "slow", Meta: message.Raw(modernMeta)})
		synctest.Wait()
		if err := server.SetTools(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := asked(t, c, "slow", `{}`, nil, ""); codeOf(err) != message.CodeInvalidParams {
			t.Errorf("a tool that is gone: %v", err)
		}
		close(goOn)
		var result *mcp.CallToolResult
		if err := call.Wait(t.Context(), &result); err != nil || result.Content[0].Text != "done" {
			t.Errorf("got %+v, %v", result, err)
		}
	})
}

// TestSetToolsFaults names all faults, and changes nothing.
func TestSetToolsFaults(t *testing.T) {
	call := func(context.Context, message.Raw) (*mcp.CallToolResult, error) { return nil, nil }
	server := mcp.NewServer(parley.NewMux(tools()...), mcp.Info{})
	err := server.SetTools([]mcp.ServedTool{
		{Tool: mcp.Tool{Name: "fine"}, Call: call},
		{Tool: mcp.Tool{Name: "add"}, Call: call},
		{Tool: mcp.Tool{Name: "a b"}, Call: call},
		{Tool: mcp.Tool{Name: strings.Repeat("x", 129)}, Call: call},
		{Tool: mcp.Tool{Name: "idle"}},
		{Tool: mcp.Tool{Name: "text", InputSchema: message.Raw(`{"type":"string"}`)}, Call: call},
		{Tool: mcp.Tool{Name: "old", InputSchema: message.Raw(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`)}, Call: call},
		{Tool: mcp.Tool{Name: "far", OutputSchema: message.Raw(`{"$ref":"https://example.com/schema"}`)}, Call: call},
		{Tool: mcp.Tool{Name: "none", InputSchema: message.Raw(`{"type":`)}, Call: call},
	})
	for _, want := range []string{
		`"add": another tool has the name`, `"a b": a tool's name has`, `xxx": a tool's name has`, `"idle": it has no Call`, `"text": its input schema is not of the type object`,
		`"old": its input schema: the dialect`, `"far": its output schema: `, `"none": its input schema: `,
	} {
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s is missing from:\n%v", want, err)
		}
	}
	if strings.Contains(fmt.Sprint(err), "fine") {
		t.Errorf("a fault of a good tool: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := asked(t, dialServer(t, server, nil), "fine", `{}`, nil, ""); codeOf(err) != message.CodeInvalidParams {
			t.Errorf("the good tool is served although SetTools failed: %v", err)
		}
	})
}

// TestWhatIsNoTool logs the routes that cannot be tools, once.
func TestWhatIsNoTool(t *testing.T) {
	var log bytes.Buffer
	mux := parley.NewMux(
		parley.Method[struct{}, string]("text/hover").Handle(func(context.Context, struct{}) (string, error) { return "", nil }),
		parley.Method[[]int, int]("sum").Handle(func(context.Context, []int) (int, error) { return 0, nil }),
		parley.Method[chan int, int]("odd").Handle(func(context.Context, chan int) (int, error) { return 0, nil }),
		parley.Note[struct{}]("note").Handle(func(context.Context, struct{}) error { return nil }),
		parley.Route{Method: "bare", Handler: func(context.Context, string, message.Raw) (any, error) { return 1, nil }},
	)
	server := mcp.NewServer(mux, mcp.Info{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err := server.SetTools(nil); err != nil {
		t.Fatal(err)
	}
	got := log.String()
	if strings.Count(got, "\n") != 3 || !strings.Contains(got, "method=text/hover") || !strings.Contains(got, "method=sum") || !strings.Contains(got, "method=odd") {
		t.Errorf("logged:\n%s", got)
	}
	synctest.Test(t, func(t *testing.T) {
		result, err := asked(t, dialServer(t, server, nil), "bare", `{}`, nil, "")
		if err != nil || string(result.StructuredContent) != "1" {
			t.Errorf("a route without types: %+v, %v", result, err)
		}
	})
}

// TestManyAtOnce uses one server from many connections while it changes. It is for the
// race detector.
func TestManyAtOnce(t *testing.T) {
	server := everything()
	var busy sync.WaitGroup
	for i := range 6 {
		c := dialClient(t, server, &mcp.ClientOptions{Version: []string{mcp.Version20251125, mcp.Version20260728}[i%2]})
		busy.Go(func() {
			for range 30 {
				if _, err := c.Tools(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := c.CallTool(t.Context(), "add", sumParams{A: 1, B: 2}); err != nil {
					t.Error(err)
				}
				if _, err := c.ReadResource(t.Context(), "memo://one"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	busy.Go(func() {
		for i := range 60 {
			if err := server.SetTools(slices.Repeat([]mcp.ServedTool{served()}, i%2)); err != nil {
				t.Error(err)
			}
			server.AddResource(mcp.Resource{URI: "memo://new", Name: "new"}, func(context.Context, string) (*mcp.ReadResourceResult, error) { return nil, nil })
			server.ResourceUpdated("memo://one")
			server.RemoveResource("memo://new")
		}
	})
	busy.Wait()
}

// TestAddMistakes panics where a program is wrong.
func TestAddMistakes(t *testing.T) {
	server := mcp.NewServer(nil, mcp.Info{})
	read := func(context.Context, string) (*mcp.ReadResourceResult, error) { return nil, nil }
	fill := func(context.Context, string, map[string]string) (*mcp.ReadResourceResult, error) { return nil, nil }
	for name, add := range map[string]func(){
		"a resource without a URI":       func() { server.AddResource(mcp.Resource{Name: "x"}, read) },
		"a resource without a reader":    func() { server.AddResource(mcp.Resource{Name: "x", URI: "x:"}, nil) },
		"a resource without a JSON form": func() { server.AddResource(mcp.Resource{Name: "x", URI: "x:", Meta: message.Raw("{")}, read) },
		"a template with a query":        func() { server.AddTemplate(mcp.ResourceTemplate{Name: "x", URITemplate: "x:{?q}"}, fill) },
		"a template with half a blank":   func() { server.AddTemplate(mcp.ResourceTemplate{Name: "x", URITemplate: "x:{q"}, fill) },
		"a blank that comes twice":       func() { server.AddTemplate(mcp.ResourceTemplate{Name: "x", URITemplate: "x:{q}/{q}"}, fill) },
		"a prompt without a name":        func() { server.AddPrompt(mcp.Prompt{}, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it did not panic")
				}
			}()
			add()
		})
	}
}

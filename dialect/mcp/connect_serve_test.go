package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// factors are what the tool "add" adds.
type factors struct {
	A int `json:"a"`
	B int `json:"b"`
}

// workshop is a server with one of everything.
func workshop(ended chan<- error) *mcp.Server {
	mux := parley.NewMux(
		parley.Method[factors, sum]("add").Handle(func(_ context.Context, f factors) (sum, error) {
			return sum{f.A + f.B}, nil
		}),
		parley.Method[struct{}, string]("ask_all").Handle(askAll),
		parley.Method[struct{}, string]("report").Handle(func(ctx context.Context, _ struct{}) (string, error) {
			mcp.Logger(ctx).Info("halfway")
			mcp.Logger(ctx).Warn("nearly")
			return "done", parley.Progress(ctx, mcp.ProgressParams{Progress: 0.5})
		}),
		parley.Method[struct{}, string]("fail").Handle(func(context.Context, struct{}) (string, error) {
			return "", errors.New("out of order")
		}),
		parley.Method[struct{}, string]("hang").Handle(func(ctx context.Context, _ struct{}) (string, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return "", ctx.Err()
		}),
	)
	s := mcp.NewServer(mux, mcp.Info{Name: "workshop", Version: "1", Instructions: "Mind the saw.", PageSize: 2})
	s.AddResource(mcp.Resource{URI: "file:///a", Name: "a"}, func(_ context.Context, uri string) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []mcp.ResourceContents{{URI: uri, Text: "hi"}}}, nil
	})
	s.AddPrompt(mcp.Prompt{Name: "p"}, func(ctx context.Context, args map[string]string) (*mcp.GetPromptResult, error) {
		roots, err := mcp.AskRoots(ctx)
		if err != nil {
			return nil, err
		}
		text := fmt.Sprint(args["x"], len(roots))
		return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{{Role: mcp.RoleUser, Content: mcp.Text(text)}}}, nil
	})
	return s
}

// askAll asks the client all that can be asked, one thing after another.
func askAll(ctx context.Context, _ struct{}) (string, error) {
	roots, err := mcp.AskRoots(ctx)
	if err != nil {
		return "", err
	}
	user, err := mcp.AskUser(ctx, mcp.ElicitParams{Message: "Who?", RequestedSchema: message.Raw(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
	if err != nil {
		return "", err
	}
	model, err := mcp.AskModel(ctx, mcp.CreateMessageParams{MaxTokens: 1, Messages: []mcp.SamplingMessage{
		{Role: mcp.RoleUser, Content: mcp.Contents{mcp.Text("?")}},
	}})
	if err != nil {
		return "", err
	}
	return fmt.Sprint(roots[0].URI, " ", user.Content, " ", model.Content[0].Text), nil
}

// inBothEras runs a test against the workshop, once found out by the probe and once in the legacy era.
func inBothEras(t *testing.T, opts *mcp.ClientOptions, test func(t *testing.T, c *mcp.Client, s *mcp.Server, ended <-chan error)) {
	for _, version := range []string{"", mcp.LatestLegacy} {
		t.Run("version "+version, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan error, 1)
				s := workshop(ended)
				near, far := frame.Pipe()
				conn := s.Connect(frame.Lines.Stream(far, far), nil)
				mine := *opts
				mine.Version = version
				c, err := mcp.Connect(t.Context(), frame.Lines.Stream(near, near), &mine)
				if err != nil {
					t.Fatal(err)
				}
				if (c.Era() == mcp.EraModern) != (version == "") {
					t.Errorf("the %v era", c.Era())
				}
				test(t, c, s, ended)
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				if err := conn.Wait(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// Client and server of this package understand each other: lists, tools and their failures, resources, prompts.
func TestClientAndServer(t *testing.T) {
	inBothEras(t, asking(), func(t *testing.T, c *mcp.Client, _ *mcp.Server, _ <-chan error) {
		ctx := t.Context()
		if c.Server().Name != "workshop" || c.Instructions() != "Mind the saw." || c.Capabilities().Tools == nil {
			t.Errorf("the server is %+v, %q", c.Server(), c.Instructions())
		}
		tools, err := c.Tools(ctx)
		names := make([]string, len(tools))
		for i, tool := range tools {
			names[i] = tool.Name
		}
		slices.Sort(names)
		if diff := cmp.Diff([]string{"add", "ask_all", "fail", "hang", "report"}, names); err != nil || diff != "" {
			t.Errorf("%v, tools (-want +got):\n%s", err, diff)
		}
		if got, err := mcp.CallToolInto[sum](ctx, c, "add", factors{1, 2}); err != nil || got.Sum != 3 {
			t.Errorf("add: %v, %v", got, err)
		}
		if result, err := c.CallTool(ctx, "fail", nil); err != nil || !result.IsError {
			t.Errorf("fail: %+v, %v", result, err)
		}
		if _, err := c.CallTool(ctx, "none", nil); !errors.Is(err, message.InvalidParams) {
			t.Errorf("none: %v", err)
		}
		resources, err := c.Resources(ctx)
		check(t, "Resources", err, len(resources) == 1)
		read, err := c.ReadResource(ctx, "file:///a")
		check(t, "ReadResource", err, err == nil && read.Contents[0].Text == "hi")
		prompts, err := c.Prompts(ctx)
		check(t, "Prompts", err, len(prompts) == 1)
		prompt, err := c.GetPrompt(ctx, "p", map[string]string{"x": "y"})
		check(t, "GetPrompt", err, err == nil && prompt.Messages[0].Content.Text == "y1")
	})
}

// A tool may ask for roots, for the user and for the model, and gets the same answers in both eras.
func TestServerAsksClient(t *testing.T) {
	inBothEras(t, asking(), func(t *testing.T, c *mcp.Client, _ *mcp.Server, _ <-chan error) {
		got, err := mcp.CallToolInto[string](t.Context(), c, "ask_all", nil)
		if want := `file:///a {"name":"Ada"} 42`; got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	})
}

// Logs from the level on that was asked for, and progress, come before the answer.
func TestServerReports(t *testing.T) {
	var logs []string
	opts := &mcp.ClientOptions{
		LogLevel: mcp.LevelWarning,
		OnNote: func(_ context.Context, method string, params message.Raw) {
			if method == string(mcp.LogMessage) {
				data, _ := params.Member("data")
				logs = append(logs, data.String())
			}
		},
	}
	inBothEras(t, opts, func(t *testing.T, c *mcp.Client, _ *mcp.Server, _ <-chan error) {
		logs = nil
		progress := 0
		ctx := parley.OnProgress(t.Context(), func(message.Raw) { progress++ })
		if _, err := c.CallTool(ctx, "report", nil); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{`"nearly"`}, logs); diff != "" || progress != 1 {
			t.Errorf("%d times progress, logs (-want +got):\n%s", progress, diff)
		}
	})
}

// A call that is taken back ends its tool.
func TestServerIsCancelled(t *testing.T) {
	inBothEras(t, asking(), func(t *testing.T, c *mcp.Client, _ *mcp.Server, ended <-chan error) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		if _, err := c.CallTool(ctx, "hang", nil); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the tool ended with %v", err)
		}
	})
}

// Changes of lists and of resources are told, on a stream in the modern era and by themselves in the legacy one.
func TestServerChanges(t *testing.T) {
	var notes []string
	opts := &mcp.ClientOptions{OnNote: func(_ context.Context, method string, _ message.Raw) { notes = append(notes, method) }}
	inBothEras(t, opts, func(t *testing.T, c *mcp.Client, s *mcp.Server, _ <-chan error) {
		notes = nil
		ctx := t.Context()
		var l *mcp.Listening
		if c.Era() == mcp.EraModern {
			var err error
			l, err = c.Listen(ctx, mcp.Subscription{PromptsListChanged: true, ResourceSubscriptions: []string{"file:///a"}})
			if err != nil {
				t.Fatal(err)
			}
		} else if err := c.Subscribe(ctx, "file:///a"); err != nil {
			t.Fatal(err)
		}
		s.RemovePrompt("p")
		synctest.Wait()
		s.ResourceUpdated("file:///a")
		synctest.Wait()
		for _, want := range []string{"notifications/prompts/list_changed", updated} {
			if !slices.Contains(notes, want) {
				t.Errorf("no %s in %q", want, notes)
			}
			if l == nil {
				continue
			}
			if change, err := l.Next(ctx); err != nil || change.Method != want {
				t.Errorf("%+v, %v; want %s", change, err, want)
			}
		}
		if l != nil {
			l.Close()
		}
	})
}

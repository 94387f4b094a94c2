package parley_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// spread has progress as MCP words it: asked for by a token in _meta, the value's members
// beside the token.
func spread() *parley.Dialect {
	d := parley.JSONRPC
	d.Progress = parley.ProgressWords{
		Method: "notifications/progress", Token: "progressToken", Ask: []string{"_meta", "progressToken"},
	}
	d.Log = parley.LogWords{Method: "notifications/message", Params: func(level slog.Level, msg string, _ message.Raw) any {
		return map[string]string{"level": strings.ToLower(level.String()), "data": msg}
	}}
	return &d
}

// Whoever wants progress asks for it in the words of the dialect, and only then; the
// other params keep their bytes.
func TestAskForProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		b := func(ctx context.Context, _ string, params message.Raw) (any, error) {
			asked = append(asked, params.String())
			err := parley.Progress(ctx, map[string]int{"progress": 1})
			return nil, err
		}
		conn, _ := parleytest.Pair(t, nil, b, &parley.Options{Dialect: spread()})
		var got []string
		ctx := parley.OnProgress(t.Context(), func(value message.Raw) { got = append(got, value.String()) })
		for _, params := range []any{nil, message.Raw(`{"a": 1.0}`), message.Raw(`{"_meta":{"x":"é"} ,"a":1}`)} {
			if err := conn.Call(ctx, "work", params, nil); err != nil {
				t.Fatal(err)
			}
			if err := conn.Call(t.Context(), "work", params, nil); err != nil {
				t.Fatal(err)
			}
		}
		want := []string{
			`{"_meta":{"progressToken":1}}`, ``,
			`{"a": 1.0,"_meta":{"progressToken":3}}`, `{"a": 1.0}`,
			`{"_meta":{"x":"é","progressToken":5} ,"a":1}`, `{"_meta":{"x":"é"} ,"a":1}`,
		}
		if diff := cmp.Diff(want, asked); diff != "" {
			t.Errorf("params (-want +got)\n%s", diff)
		}
		want = []string{`{"progress":1,"progressToken":1}`, `{"progress":1,"progressToken":3}`, `{"progress":1,"progressToken":5}`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("progress (-want +got)\n%s", diff)
		}
		if err := conn.Call(ctx, "work", []int{1}, nil); err == nil || !strings.Contains(err.Error(), "progress token") {
			t.Errorf("params with no place for a token: %v", err)
		}
	})
}

// Progress comes before the answer and in order; none is sent after the reply, and a
// value that nobody waits for goes the way of every note.
func TestProgressOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := make(chan error, 1)
		b := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
			for i := range 100 {
				if err := parley.Progress(ctx, i); err != nil {
					return nil, err
				}
			}
			go func() {
				synctest.Wait()
				late <- parley.Progress(context.WithoutCancel(ctx), 100)
			}()
			return "done", nil
		}
		notes := 0
		a := func(context.Context, string, message.Raw) (any, error) { notes++; return nil, nil }
		conn, _ := parleytest.Pair(t, a, b, nil)
		var got []string
		ctx := parley.OnProgress(t.Context(), func(value message.Raw) { got = append(got, value.String()) })
		if err := conn.Call(ctx, "work", nil, nil); err != nil {
			t.Fatal(err)
		}
		if len(got) != 100 || got[0] != "0" || got[99] != "99" {
			t.Errorf("got %v", got)
		}
		if err := <-late; !errors.Is(err, parley.ErrFinished) {
			t.Errorf("progress after the reply: %v", err)
		}
		if err := conn.Call(t.Context(), "work", nil, nil); err != nil || notes != 100 {
			t.Errorf("unwanted progress: %d notes, %v", notes, err)
		}
		<-late
	})
}

// In the bare codec nobody writes the jsonrpc member, and a wrong one is still refused
// (case 126).
func TestBareDialect(t *testing.T) {
	d := parley.Dialect{Name: "codex", Codec: message.Bare}
	in := `{"id":1,"method":"echo","params":["a"]}
{"jsonrpc":"1.0","id":2,"method":"nil"}
{"jsonrpc":2.0,"id":3,"method":"nil"}
{"jsonrpc":"2.0","id":4,"method":"nil"}`
	got := serve(t, in, referenceHandler(), &parley.Options{Dialect: &d})
	for _, want := range []string{`{"id":1,"result":["a"]}`, `{"id":2,"error":{"code":-32600,`, `{"id":3,"error":{"code":-32600,`, `{"id":4,"result":null}`} {
		if !strings.Contains(got, want) {
			t.Errorf("we did not write %s but\n%s", want, got)
		}
	}
}

// A dialect that is silent on bad input answers none of it, in a batch neither.
func TestSilentOnBadInput(t *testing.T) {
	d := parley.JSONRPC
	d.BadInput = parley.SilentOnBadInput
	in := `{broken
{"jsonrpc":"2.0","id":5}
[1,{"jsonrpc":"2.0","id":6,"method":"nil"}]
[]
{"jsonrpc":"2.0","id":7,"method":"nil"}`
	got := serve(t, in, referenceHandler(), &parley.Options{Dialect: &d, Handlers: 1})
	want := `[{"jsonrpc":"2.0","id":6,"result":null}]` + "\n" + `{"jsonrpc":"2.0","id":7,"result":null}` + "\n"
	if got != want {
		t.Errorf("we wrote\n%s", got)
	}
}

// A dialect without batches refuses one as a whole, but settles the replies in it.
func TestNoBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := parley.JSONRPC
		d.NoBatch = true
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), referenceHandler(), &parley.Options{Dialect: &d})
		p := conn.Start(t.Context(), "x", nil)
		synctest.Wait()
		_, _ = far.Write([]byte(`[{"jsonrpc":"2.0","id":1,"result":"mine"},{"jsonrpc":"2.0","id":9,"method":"nil"}]` + "\n"))
		var got string
		if err := p.Wait(t.Context(), &got); err != nil || got != "mine" {
			t.Errorf("got %q, %v", got, err)
		}
		synctest.Wait()
		_ = conn.Close()
		var lines []string
		for rec := range frame.Lines.Records(far) {
			lines = append(lines, string(rec))
		}
		want := []string{
			`{"jsonrpc":"2.0","id":1,"method":"x"}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}`,
		}
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// StrictID refuses with id null, and matches replies by their exact text only.
func TestStrictID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, &parley.Options{StrictID: true})
		p := conn.Start(t.Context(), "x", nil)
		synctest.Wait()
		_, _ = far.Write([]byte(`{"jsonrpc":"2.0","id":"1","result":"by value"}` + "\n" +
			`{"jsonrpc":"2.0","id":5}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":"exact"}` + "\n"))
		var got string
		if err := p.Wait(t.Context(), &got); err != nil || got != "exact" {
			t.Errorf("got %q, %v", got, err)
		}
		synctest.Wait()
		_ = conn.Close()
		var out bytes.Buffer
		_, _ = out.ReadFrom(far)
		if !strings.Contains(out.String(), `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`) {
			t.Errorf("we wrote %s", out.String())
		}
		if s := conn.Stats(); s.Inexact != 0 || s.Orphans+s.Late != 1 {
			t.Errorf("counted: %+v", s)
		}
	})
}

// Bounds on what comes in: members of a batch, bytes of a record. Each refusal names its
// limit.
func TestInputLimits(t *testing.T) {
	member := `{"jsonrpc":"2.0","id":1,"method":"nil"}`
	in := "[" + strings.Repeat(member+",", 5) + member + "]\n" +
		`{"jsonrpc":"2.0","id":2,"method":"echo","params":["` + strings.Repeat("x", 300) + `"]}` + "\n" +
		`{"jsonrpc":"2.0","method":"note","params":["` + strings.Repeat("x", 300) + `"]}` + "\n" +
		`{"jsonrpc":"2.0","result":["` + strings.Repeat("x", 300) + `"],"id":9}` + "\n" +
		strings.Repeat("x", 500) + "\n" + member
	var out bytes.Buffer
	stream := frame.Lines.Limit(280).Stream(strings.NewReader(in), &out)
	if err := parley.Serve(t.Context(), stream, referenceHandler(), &parley.Options{BatchMembers: 5, Handlers: 1}); err != nil {
		t.Fatal(err)
	}
	want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"limit":5,"what":"batch members"}}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"Invalid Request","data":{"limit":280,"what":"record bytes"}}}
{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request","data":{"limit":280,"what":"record bytes"}}}
{"jsonrpc":"2.0","id":1,"result":null}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Trace sees every record in the order of the wire, every call, and the end.
func TestTrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log journal
		trace := &parley.Trace{
			Record: func(dir parley.Direction, rec []byte) {
				log.add("%s %s", map[parley.Direction]string{parley.Inbound: "<", parley.Outbound: ">"}[dir], rec)
			},
			Call: func(end parley.CallEnd) { log.add("call %d %s %s: %v", end.Dir, end.ID, end.Method, end.Err) },
			End:  func(err error) { log.add("end: %v", err) },
		}
		far, near := frame.Pipe()
		conn := parley.Connect(frame.Lines.Stream(near, near), referenceHandler(), &parley.Options{Trace: trace})
		other := parley.Connect(frame.Lines.Stream(far, far), nil, nil)
		if err := other.Call(t.Context(), "add", []int{1, 2}, nil); err != nil {
			t.Error(err)
		}
		if err := conn.Call(t.Context(), "nosuch", nil, nil); !errors.Is(err, message.MethodNotFound) {
			t.Error(err)
		}
		synctest.Wait()
		_ = other.Close()
		_ = conn.Wait()
		log.want(t,
			`< {"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}`,
			`call 0 1 add: <nil>`,
			`> {"jsonrpc":"2.0","id":1,"result":3}`,
			`> {"jsonrpc":"2.0","id":1,"method":"nosuch"}`,
			`< {"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`,
			`call 1 1 nosuch: Method not found (code -32601)`,
			`end: <nil>`)
	})
}

// Slog records become notes in the words of the dialect, groups and attributes included.
func TestLogHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		b := func(_ context.Context, method string, params message.Raw) (any, error) {
			got = append(got, fmt.Sprint(method, " ", params))
			return nil, nil
		}
		plain, _ := parleytest.Pair(t, nil, b, nil)
		drop := func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}
		log := slog.New(parley.LogHandler(plain, &slog.HandlerOptions{ReplaceAttr: drop, Level: slog.LevelDebug}))
		log.With("a", 1).WithGroup("g").Debug("m", "b", 2)
		synctest.Wait()
		worded, _ := parleytest.Pair(t, nil, b, &parley.Options{Dialect: spread()})
		log = slog.New(parley.LogHandler(worded, nil))
		log.Debug("below the level")
		log.Warn("careful")
		synctest.Wait()
		mute, _ := parleytest.Pair(t, nil, b, &parley.Options{Dialect: &parley.Dialect{}})
		slog.New(parley.LogHandler(mute, nil)).Error("no words for it")
		synctest.Wait()
		want := []string{
			`$/log {"level":"DEBUG","msg":"m","a":1,"g":{"b":2}}`,
			`notifications/message {"data":"careful","level":"warn"}`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

// A logger that writes to the connection that it logs does not feed on itself.
func TestLoggerOnItsOwnConn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		var late lateHandler
		conn := parley.Connect(frame.Lines.Stream(near, near), nil, &parley.Options{Logger: slog.New(&late)})
		late.to = parley.LogHandler(conn, nil)
		_, _ = far.Write([]byte("noise\n"))
		synctest.Wait()
		_ = conn.Close()
		var out bytes.Buffer
		_, _ = out.ReadFrom(far)
		if n := strings.Count(out.String(), "\n"); n != 2 || !strings.Contains(out.String(), `"method":"$/log"`) {
			t.Errorf("we wrote %s", out.String())
		}
	})
}

// lateHandler is a slog handler that is known only after the connection.
type lateHandler struct{ to slog.Handler }

func (h *lateHandler) Enabled(ctx context.Context, l slog.Level) bool  { return h.to.Enabled(ctx, l) }
func (h *lateHandler) Handle(ctx context.Context, r slog.Record) error { return h.to.Handle(ctx, r) }
func (h *lateHandler) WithAttrs([]slog.Attr) slog.Handler              { return h }
func (h *lateHandler) WithGroup(string) slog.Handler                   { return h }

// A peer that leaves jsonrpc out is refused with its id, or taken as it is and answered
// in the same way; one that says something else is refused by both (case 126).
func TestNoJSONRPCMember(t *testing.T) {
	in, err := os.ReadFile("testdata/cases/observed/126-no-jsonrpc-member.in")
	if err != nil {
		t.Fatal(err)
	}
	const refused = `"error":{"code":-32600,"message":"Invalid Request"}`
	for _, test := range []struct {
		name  string
		codec message.Codec
		want  []string
	}{
		{"strict", message.Strict, []string{
			`{"jsonrpc":"2.0","id":1,` + refused + `}`, `{"jsonrpc":"2.0","id":2,` + refused + `}`,
			`{"jsonrpc":"2.0","id":3,` + refused + `}`, `{"jsonrpc":"2.0","id":4,"result":null}`,
		}},
		{"bare", message.Bare, []string{
			`{"id":1,"result":["a"]}`, `{"id":2,` + refused + `}`, `{"id":3,` + refused + `}`, `{"id":4,"result":null}`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			d := parley.Dialect{Codec: test.codec}
			err := parley.Serve(t.Context(), frame.Lines.Stream(bytes.NewReader(in), &out), referenceHandler(), &parley.Options{Dialect: &d})
			if err != nil {
				t.Error(err)
			}
			got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			slices.Sort(got) // calls may be answered in any order
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// The examples of W3C Trace Context.
const (
	parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	other  = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
	states = "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"
)

// whole is a correlation with all that there is.
var whole = parley.Correlation{TraceParent: parent, TraceState: states, ID: "order 7/ü"}

// What whole looks like as the members of an object.
const wholeText = `"traceparent":"` + parent + `","tracestate":"` + states +
	`","io.github.parley-rpc/correlationId":"order 7/ü"`

// Dialects that differ in their place for correlation, as MCP, Codex and plain JSON-RPC do.
func withMeta() *parley.Dialect {
	return &parley.Dialect{Name: "like MCP", Meta: parley.Meta{Params: "_meta"}}
}

func withExtra() *parley.Dialect {
	return &parley.Dialect{Name: "like Codex", Codec: message.Bare, Meta: parley.Meta{Extra: "trace"}}
}

func withNothing() *parley.Dialect { return &parley.Dialect{Name: "like LSP"} }

// link connects two peers and returns the one that calls. The records that it writes go
// to the journal.
func link(t testing.TB, log *journal, h parley.Handler, opts parley.Options) *parley.Conn {
	t.Helper()
	far := opts
	opts.Trace = &parley.Trace{Record: func(dir parley.Direction, rec []byte) {
		if dir == parley.Outbound {
			log.add("%s", rec)
		}
	}}
	endA, endB := frame.Pipe()
	near := parley.Connect(frame.Lines.Stream(endA, endA), nil, &opts)
	server := parley.Connect(frame.Lines.Stream(endB, endB), h, &far)
	t.Cleanup(func() {
		_ = near.Close()
		_ = server.Close()
	})
	return near
}

func accept(context.Context, string, message.Raw) (any, error) { return nil, nil }

// A correlation is spliced into the place that the dialect has, and no other byte of the
// params changes. Where there is no place, the request goes out as it is.
func TestCorrelationIsSpliced(t *testing.T) {
	plain := &parley.JSONRPC
	for _, test := range []struct {
		name      string
		dialect   *parley.Dialect
		correlate bool
		params    any
		want      string // the params on the wire, or behind a + the extra member
	}{
		{"an object", withMeta(), false, message.Raw(`{ "a" : 1.0 , "b\u0020" : "é\/" }`), `{ "a" : 1.0 , "b\u0020" : "é\/","_meta":{` + wholeText + `} }`},
		{"an empty object", withMeta(), false, message.Raw(`{ }`), `{"_meta":{` + wholeText + `} }`},
		{"a typed value", withMeta(), false, map[string]int{"a": 1}, `{"a":1,"_meta":{` + wholeText + `}}`},
		{"absent", withMeta(), false, nil, `{"_meta":{` + wholeText + `}}`},
		{"null, which is absent, too", withMeta(), false, (*struct{})(nil), `{"_meta":{` + wholeText + `}}`},
		{"an array has no place", withMeta(), false, message.Raw(`[ 1.0 ]`), `[ 1.0 ]`},
		{"a meta with members of others", withMeta(), false, message.Raw(`{"_meta": {"progressToken" :7} ,"a":1}`), `{"_meta": {"progressToken" :7,` + wholeText + `} ,"a":1}`},
		{"an empty meta", withMeta(), false, message.Raw(`{"_meta":{},"a":1}`), `{"_meta":{` + wholeText + `},"a":1}`},
		{"a name that is escaped", withMeta(), false, message.Raw(`{"\u005fmeta":{}}`), `{"\u005fmeta":{` + wholeText + `}}`},
		{"a meta that is no object", withMeta(), false, message.Raw(`{"_meta":null}`), `{"_meta":null}`},
		{
			"a trace context of the caller", withMeta(), false, message.Raw(`{"_meta":{"traceparent":"` + other + `"}}`),
			`{"_meta":{"traceparent":"` + other + `","io.github.parley-rpc/correlationId":"order 7/ü"}}`,
		},
		{
			"half a trace context of the caller", withMeta(), false, message.Raw(`{"_meta":{"tracestate":"x=1"}}`),
			`{"_meta":{"tracestate":"x=1","io.github.parley-rpc/correlationId":"order 7/ü"}}`,
		},
		{
			"an id of the caller", withMeta(), false, message.Raw(`{"_meta":{"io.github.parley-rpc/correlationId":""}}`),
			`{"_meta":{"io.github.parley-rpc/correlationId":"","traceparent":"` + parent + `","tracestate":"` + states + `"}}`,
		},
		{"all of it from the caller", withMeta(), false, message.Raw(`{"_meta":{ ` + wholeText + `}}`), `{"_meta":{ ` + wholeText + `}}`},
		{"plain", plain, false, message.Raw(`{ "a":1}`), `{ "a":1}`},
		{"plain, asked for", plain, true, message.Raw(`{ "a":1}`), `{ "a":1,"_meta":{` + wholeText + `}}`},
		{"plain, asked for, absent", plain, true, nil, ``},
		{"plain, asked for, null", plain, true, message.Raw(` null`), ``},
		{"plain, asked for, an array", plain, true, []int{1}, `[1]`},
		{"in the envelope", withExtra(), false, message.Raw(`[ 1.0 ]`), `[ 1.0 ]+,"trace":{` + wholeText + `}`},
		{"in the envelope, absent", withExtra(), false, nil, `+,"trace":{` + wholeText + `}`},
		{"a dialect without a place", withNothing(), true, message.Raw(`{"a":1}`), `{"a":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log journal
			conn := link(t, &log, accept, parley.Options{Dialect: test.dialect, Correlate: test.correlate})
			if err := conn.Call(parley.WithCorrelation(t.Context(), whole), "x", test.params, nil); err != nil {
				t.Fatal(err)
			}
			log.want(t, record(test.dialect, `"id":1,`, test.want))
		})
	}
}

// record is the record of a request, made of the text of its params and of what follows
// them.
func record(d *parley.Dialect, id, text string) string {
	params, extra, _ := strings.Cut(text, "+")
	if params != "" {
		params = `,"params":` + params
	}
	head := `{"jsonrpc":"2.0",`
	if d.Codec == message.Bare {
		head = `{`
	}
	return head + id + `"method":"x"` + params + extra + `}`
}

// Notes carry it in their params, but not in an envelope: Codex has no such member there.
// The members of a batch are calls and notes like others.
func TestCorrelationOfNotesAndBatches(t *testing.T) {
	for _, test := range []struct {
		dialect    *parley.Dialect
		call, note string
	}{
		{withMeta(), `{"_meta":{` + wholeText + `}}`, `{"_meta":{` + wholeText + `}}`},
		{withExtra(), `+,"trace":{` + wholeText + `}`, ``},
		{withNothing(), ``, ``},
	} {
		t.Run(test.dialect.Name, func(t *testing.T) {
			var log journal
			var brought []parley.Correlation
			h := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
				brought = append(brought, parley.CorrelationFrom(ctx))
				return nil, nil
			}
			conn := link(t, &log, h, parley.Options{Dialect: test.dialect, Handlers: 1})
			ctx := parley.WithCorrelation(t.Context(), whole)
			if err := conn.Notify(ctx, "x", nil); err != nil {
				t.Fatal(err)
			}
			if err := conn.Batch(ctx, &parley.Item{Method: "x", Note: true}, &parley.Item{Method: "x"}); err != nil {
				t.Fatal(err)
			}
			note, call := record(test.dialect, ``, test.note), record(test.dialect, `"id":1,`, test.call)
			log.want(t, note, "["+note+","+call+"]")
			want := make([]parley.Correlation, 3)
			for i, text := range []string{test.note, test.note, test.call} {
				if text != "" {
					want[i] = whole
				}
			}
			if diff := cmp.Diff(want, brought); diff != "" {
				t.Errorf("what the handlers saw (-want +got)\n%s", diff)
			}
		})
	}
}

// One request through two relays, each hop in another dialect: the same text arrives,
// byte for byte, although no relay knows of it.
func TestCorrelationOverThreeHops(t *testing.T) {
	hops := []parley.Options{{Dialect: withExtra()}, {Dialect: withMeta()}, {Dialect: &parley.JSONRPC, Correlate: true}}
	const body = `{ "big" : 9007199254740993.0 , "esc" : "\u00e9\/" `
	for _, test := range []struct {
		name  string
		order [3]int
		wire  [3]string // what follows the method
	}{
		{"envelope, meta, plain", [3]int{0, 1, 2}, [3]string{
			`,"params":` + body + `},"trace":{` + wholeText + `}`,
			`,"params":` + body[:len(body)-1] + `,"_meta":{` + wholeText + `} }`,
			`,"params":` + body[:len(body)-1] + `,"_meta":{` + wholeText + `} }`,
		}},
		{"meta, plain, envelope", [3]int{1, 2, 0}, [3]string{
			`,"params":` + body[:len(body)-1] + `,"_meta":{` + wholeText + `} }`,
			`,"params":` + body[:len(body)-1] + `,"_meta":{` + wholeText + `} }`,
			`,"params":` + body[:len(body)-1] + `,"_meta":{` + wholeText + `} },"trace":{` + wholeText + `}`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var arrived parley.Correlation
			h := func(ctx context.Context, _ string, _ message.Raw) (any, error) {
				arrived = parley.CorrelationFrom(ctx)
				return "done", nil
			}
			var logs [3]journal
			var conn *parley.Conn
			for i := 2; i >= 0; i-- {
				conn = link(t, &logs[i], h, hops[test.order[i]])
				h = relay(conn)
			}
			ctx := parley.WithCorrelation(t.Context(), whole)
			var got string
			if err := conn.Call(ctx, "x", message.Raw(body+"}"), &got); err != nil || got != "done" {
				t.Fatalf("got %q, %v", got, err)
			}
			if arrived != whole {
				t.Errorf("after three hops: %+v", arrived)
			}
			for i := range logs {
				head := record(hops[test.order[i]].Dialect, `"id":1,`, "")
				logs[i].want(t, strings.TrimSuffix(head, "}")+test.wire[i]+"}")
			}
		})
	}
}

// relay hands every call on to another connection.
func relay(to *parley.Conn) parley.Handler {
	return func(ctx context.Context, method string, params message.Raw) (any, error) {
		var result message.Raw
		err := to.Call(ctx, method, params, &result)
		return result, err
	}
}

// Calls that a handler makes with params of its own carry on what its request brought,
// unless it says otherwise; a handler whose request brought nothing passes nothing on.
func TestCorrelationOfNestedCalls(t *testing.T) {
	var log journal
	var seen []parley.Correlation
	opts := parley.Options{Dialect: withMeta()}
	b := link(t, &log, func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		seen = append(seen, parley.CorrelationFrom(ctx))
		return nil, nil
	}, opts)
	a := link(t, &log, func(ctx context.Context, _ string, _ message.Raw) (any, error) {
		span := parley.CorrelationFrom(ctx)
		span.TraceParent = other
		for _, ctx := range []context.Context{ctx, parley.WithCorrelation(ctx, span), parley.WithCorrelation(ctx, parley.Correlation{})} {
			if err := b.Call(ctx, "x", nil, nil); err != nil {
				return nil, err
			}
		}
		return nil, nil
	}, opts)
	for _, ctx := range []context.Context{parley.WithCorrelation(t.Context(), whole), t.Context()} {
		if err := a.Call(ctx, "x", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	span := whole
	span.TraceParent = other
	want := []parley.Correlation{whole, span, {}, {}, {TraceParent: other}, {}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Progress is asked for in the same object, and neither is in the way of the other.
func TestCorrelationBesideProgress(t *testing.T) {
	var log journal
	d := spread()
	conn := link(t, &log, accept, parley.Options{Dialect: d, Correlate: true})
	ctx := parley.OnProgress(parley.WithCorrelation(t.Context(), whole), func(message.Raw) {})
	if err := conn.Call(ctx, "x", message.Raw(`{}`), nil); err != nil {
		t.Fatal(err)
	}
	log.want(t, record(d, `"id":1,`, `{"_meta":{`+wholeText+`,"progressToken":1}}`))
}

// What is read from a request: the place of the dialect only, and what is malformed
// counts as absent. Of a trace context, nothing is left without its parent.
func TestCorrelationOfRequest(t *testing.T) {
	const key = parley.CorrelationKey
	trace := parley.Correlation{TraceParent: parent}
	for _, test := range []struct {
		name string
		meta string // the object in its place
		want parley.Correlation
	}{
		{"all", `{` + wholeText + `}`, whole},
		{"in another order, with escapes and others between", `{ "x":[{}], "` + key + `" : "order\u00207\/\u00fc","tracestate":"` + states + `", "traceparent": "` + parent + `"}`, whole},
		{"an id alone", `{"` + key + `":"7"}`, parley.Correlation{ID: "7"}},
		{"a tracestate alone", `{"tracestate":"` + states + `"}`, parley.Correlation{}},
		{"a tracestate with a malformed parent", `{"tracestate":"` + states + `","traceparent":"00-x","` + key + `":"7"}`, parley.Correlation{ID: "7"}},
		{"wrong types", `{"traceparent":["` + parent + `"],"` + key + `":7}`, parley.Correlation{}},
		{"nulls", `{"traceparent":"` + parent + `","tracestate":null,"` + key + `":null}`, trace},
		{"deeper down", `{"x":{"traceparent":"` + parent + `"}}`, parley.Correlation{}},
		{"the longest", `{"traceparent":"` + parent + `","tracestate":"` + strings.Repeat("s", 512) + `","` + key + `":"` + strings.Repeat("i", 256) + `"}`, parley.Correlation{TraceParent: parent, TraceState: strings.Repeat("s", 512), ID: strings.Repeat("i", 256)}},
		{"the longest, in escapes", `{"` + key + `":"` + strings.Repeat(`\u0069`, 256) + `"}`, parley.Correlation{ID: strings.Repeat("i", 256)}},
		{"too long", `{"traceparent":"` + parent + `","tracestate":"` + strings.Repeat("s", 513) + `","` + key + `":"` + strings.Repeat("i", 257) + `"}`, trace},
		{"far too long", `{"traceparent":"` + parent + `","tracestate":"` + strings.Repeat("s", 1<<20) + `"}`, trace},
		{"control characters", `{"traceparent":"` + parent + `","tracestate":"a=\u0000","` + key + `":"7\u001b[2J"}`, trace},
		{"the other control characters, and what is no ASCII", `{"traceparent":"` + parent + `","tracestate":"a=é","` + key + `":"7\u009b"}`, trace},
		{"no object", `"traceparent"`, parley.Correlation{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !json.Valid([]byte(test.meta)) {
				t.Fatal("the test is no JSON")
			}
			inParams := &message.Request{Method: "x", Params: message.Raw(`{"a":"traceparent","_meta":` + test.meta + `}`)}
			inExtra := &message.Request{Method: "x", Extra: []message.Member{{Name: "x", Value: message.Raw("1")}, {Name: "trace", Value: message.Raw(test.meta)}}}
			meta, extra, nothing := withMeta(), withExtra(), withNothing()
			for _, read := range []struct {
				from *parley.Dialect
				req  *message.Request
				want parley.Correlation
			}{
				{meta, inParams, test.want},
				{extra, inExtra, test.want},
				{&parley.JSONRPC, inParams, test.want},
				{extra, inParams, parley.Correlation{}},
				{meta, inExtra, parley.Correlation{}},
				{nothing, inParams, parley.Correlation{}},
			} {
				if diff := cmp.Diff(read.want, read.from.Correlation(read.req)); diff != "" {
					t.Errorf("dialect %s (-want +got)\n%s", read.from.Name, diff)
				}
			}
		})
	}
}

// A traceparent that is malformed is no parent, and its trace starts over; one of a
// version that we do not know may say more than we can read (W3C Trace Context,
// "Versioning of traceparent").
func TestTraceParent(t *testing.T) {
	const ids = "-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-"
	for _, test := range []struct {
		text string
		ok   bool
	}{
		{parent, true},
		{"00" + ids + "ff", true},
		{"01" + ids + "01", true},
		{"cc" + ids + "01-what the future holds", true},
		{"fe" + ids + "01-", true},
		{"cc" + ids + "01-" + strings.Repeat("x", 200), true},
		{"cc" + ids + "01-" + strings.Repeat("x", 201), false},
		{"", false},
		{"ff" + ids + "01", false},
		{"00" + ids + "01-more", false},
		{"00" + ids + "01-", false},
		{"cc" + ids + "01.more", false},
		{"cc" + ids + "01-\n", false},
		{"cc" + ids + "01-é", false},
		{"00" + ids + "1", false},
		{"00" + ids + "0g", false},
		{"0" + ids + "01", false},
		{"0x" + ids + "01", false},
		{strings.ToUpper("00" + ids + "01"), false},
		{" 00" + ids + "01", false},
		{"00" + ids + "01 ", false},
		{strings.ReplaceAll(parent, "-", "_"), false},
		{"00-00000000000000000000000000000000-b7ad6b7169203331-01", false},
		{"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", false},
		{"00-0af7651916cd43dd8448eb211c80319-cb7ad6b7169203331-01", false},
		{"00-0af7651916cd43dd8448eb211c80319c-b7ad6b716920333-101", false},
	} {
		want := parley.Correlation{ID: "7"}
		if test.ok {
			want.TraceParent, want.TraceState = test.text, states
		}
		given := parley.Correlation{TraceParent: test.text, TraceState: states, ID: "7"}
		if got := parley.CorrelationFrom(parley.WithCorrelation(t.Context(), given)); got != want {
			t.Errorf("%q: got %+v", test.text, got)
		}
	}
}

// Outside handlers, and in a ctx that nobody put one into, there is none.
func TestNoCorrelation(t *testing.T) {
	if got := parley.CorrelationFrom(t.Context()); got != (parley.Correlation{}) {
		t.Errorf("got %+v", got)
	}
	var log journal
	d := withMeta()
	conn := link(t, &log, accept, parley.Options{Dialect: d})
	malformed := parley.Correlation{TraceParent: "00-x", TraceState: states, ID: "\x1b"}
	for _, ctx := range []context.Context{t.Context(), parley.WithCorrelation(t.Context(), malformed)} {
		if err := conn.Call(ctx, "x", nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	log.want(t, record(d, `"id":1,`, ``), record(d, `"id":2,`, ``))
}

// traceParents is the grammar, said once more.
var traceParents = regexp.MustCompile(`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-[\x20-\x7e]*)?$`)

func FuzzTraceParent(f *testing.F) {
	for _, seed := range []string{parent, other, "", "cc" + parent[2:] + "-x", "ff" + parent[2:], parent + "-", parent[:54] + "\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts := traceParents.FindStringSubmatch(text)
		ok := len(text) <= 256 && parts != nil && parts[1] != "ff" && strings.Trim(parts[2], "0") != "" &&
			strings.Trim(parts[3], "0") != "" && (parts[1] != "00" || parts[4] == "")
		got := parley.CorrelationFrom(parley.WithCorrelation(t.Context(), parley.Correlation{TraceParent: text}))
		if want := map[bool]string{true: text}[ok]; got.TraceParent != want {
			t.Errorf("%q: got %q, want %q", text, got.TraceParent, want)
		}
	})
}

// What is put on a request is what is read from it, and it is one piece between bytes
// that have not changed.
func FuzzCorrelation(f *testing.F) {
	f.Add(`{"a":1}`, parent, states, "7")
	f.Add(` { "_meta" : {"x":"}"} , "b":[1.0]}`, parent, "", "a\u2028\"\\")
	f.Add(`{"a":"_meta","b":"traceparent"}`, parent, states, "")
	f.Add(`{"_meta":{"traceparent":"x"}}`, other, states, "")
	f.Add(`{"_meta":[],"_meta":{}}`, "", "", "é")
	f.Add(`[]`, parent, states, "7")
	var brought parley.Correlation
	var arrived message.Raw
	conn, _ := parleytest.Pair(f, nil, func(ctx context.Context, _ string, params message.Raw) (any, error) {
		brought, arrived = parley.CorrelationFrom(ctx), params
		return nil, nil
	}, &parley.Options{Dialect: withMeta()})
	f.Fuzz(func(t *testing.T, text, parent, state, id string) {
		sent := message.Raw(strings.TrimSpace(text))
		object := strings.HasPrefix(sent.String(), "{")
		if !object && !strings.HasPrefix(sent.String(), "[") || strings.ContainsAny(text, "\r\n") {
			return // no params, or such as the framing changes
		}
		if !json.Valid(sent) || !utf8.Valid(sent) {
			return // a record of which nobody can read the id
		}
		ctx := parley.WithCorrelation(t.Context(), parley.Correlation{TraceParent: parent, TraceState: state, ID: id})
		if err := conn.Call(ctx, "x", sent, nil); err != nil {
			t.Fatal(err)
		}
		same := 0
		for same < min(len(sent), len(arrived)) && sent[same] == arrived[same] {
			same++
		}
		if len(arrived) < len(sent) || !bytes.HasSuffix(arrived, sent[same:]) {
			t.Errorf("bytes of the caller have changed: sent %s, arrived %s", sent, arrived)
		}
		given := parley.CorrelationFrom(ctx)
		switch _, held := sent.Member("_meta"); {
		case !object && (len(arrived) > len(sent) || brought != parley.Correlation{}):
			t.Errorf("an array has no place: sent %s, arrived %s", sent, arrived)
		case object && !held && brought != given:
			t.Errorf("given %+v, brought %+v", given, brought)
		}
	})
}

// BenchmarkCallCorrelated is what a call costs without and with a correlation.
func BenchmarkCallCorrelated(b *testing.B) {
	for _, test := range []struct {
		name    string
		dialect *parley.Dialect
		carried parley.Correlation
	}{
		{"plain", &parley.JSONRPC, parley.Correlation{}},
		{"params-none", withMeta(), parley.Correlation{}},
		{"extra-none", withExtra(), parley.Correlation{}},
		{"params", withMeta(), whole},
		{"extra", withExtra(), whole},
	} {
		b.Run(test.name, func(b *testing.B) {
			conn, _ := parleytest.Pair(b, nil, referenceHandler(), &parley.Options{Dialect: test.dialect})
			ctx := b.Context()
			if test.carried != (parley.Correlation{}) {
				ctx = parley.WithCorrelation(ctx, test.carried)
			}
			params := message.Raw(`{"a":1,"b":2}`)
			b.ReportAllocs()
			for b.Loop() {
				if err := conn.Call(ctx, "add", params, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCorrelationOfRequest is what a ledger pays for each request that it sees.
func BenchmarkCorrelationOfRequest(b *testing.B) {
	large := `"` + strings.Repeat("lorem ipsum dolor sit amet \\n", 3500) + `"`
	for _, test := range []struct {
		name, params string
	}{
		{"small", `{"name":"get_weather","arguments":{"location":"New York"}}`},
		{"small-meta", `{"name":"get_weather","_meta":{"progressToken":1}}`},
		{"small-trace", `{"name":"get_weather","_meta":{` + wholeText + `}}`},
		{"100KiB", `{"text":` + large + `}`},
		{"100KiB-meta", `{"_meta":{"progressToken":1},"text":` + large + `}`},
	} {
		b.Run(test.name, func(b *testing.B) {
			d := withMeta()
			req := &message.Request{Method: "tools/call", Params: message.Raw(test.params)}
			b.ReportAllocs()
			b.SetBytes(int64(len(test.params)))
			for b.Loop() {
				d.Correlation(req)
			}
		})
	}
}

package claude_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/claude"
	"github.com/parley-rpc/parley/message"
)

var parseTests = []struct{ rule, rec, want string }{
	// Calls.
	{"a control_request is a call by its subtype", `{"type":"control_request","request_id":"a","request":{"subtype":"interrupt"}}`, `call "a" interrupt`},
	{"in whatever order", `{"request_id":"a","request":{"x":1,"subtype":"interrupt"},"type":"control_request"}`, `call "a" interrupt`},
	{"a subtype that nobody knows is a call too", `{"type":"control_request","request_id":"a","request":{"subtype":"new"}}`, `call "a" new`},
	{"what else the record has is extra, in order", `{"z":1,"type":"control_request","request_id":"a","response":2,"request":{"subtype":"interrupt"},"y":[3]}`, `call "a" interrupt +z=1 +response=2 +y=[3]`},
	{"digits in quotes are a string like any other", `{"type":"control_request","request_id":"17","request":{"subtype":"interrupt"}}`, `call "17" interrupt`},
	{"an id keeps its escapes", `{"type":"control_request","request_id":"\u0061","request":{"subtype":"interrupt"}}`, `call "\u0061" interrupt`},
	{"a call without a request", `{"type":"control_request","request_id":"a"}`, `-32600 call "a"`},
	{"with one that is no object", `{"type":"control_request","request_id":"a","request":[]}`, `-32600 call "a"`},
	{"without a subtype", `{"type":"control_request","request_id":"a","request":{}}`, `-32600 call "a"`},
	{"with a subtype that is no string", `{"type":"control_request","request_id":"a","request":{"subtype":1}}`, `-32600 call "a"`},
	{"with two of them", `{"type":"control_request","request_id":"a","request":{"subtype":"x","s\u0075btype":"y"}}`, `-32600 call "a"`},
	{"without an id", `{"type":"control_request","request":{"subtype":"x"}}`, `-32600 call`},
	{"with an id that is a number", `{"type":"control_request","request_id":5,"request":{"subtype":"x"}}`, `-32600 call 5`},
	{"with an id that is none at all", `{"type":"control_request","request_id":{},"request":{"subtype":"x"}}`, `-32600 call`},
	{"with two ids, of which neither counts", `{"type":"control_request","request_id":"a","request_id":"b","request":{"subtype":"x"}}`, `-32600 call`},

	// Replies.
	{"a control_response is a reply", `{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"x":1.0}}}`, `reply "a" {"x":1.0}`},
	{"a success may have nothing to tell", `{"type":"control_response","response":{"subtype":"success","request_id":"a"}}`, `reply "a" null`},
	{"a failure has a text", `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no\n"}}`, "reply \"a\" error no\n"},
	{"and may have more", `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":"no","error_code":"c"},"uuid":"u"}`, `reply "a" error no +error_code="c" +uuid="u"`},
	{"as may a success", `{"uuid":"u","type":"control_response","response":{"subtype":"success","n":1,"request_id":"a","error":null}}`, `reply "a" null +uuid="u" +response={"n":1,"error":null}`},
	{"an id outside is not the id", `{"type":"control_response","request_id":"b","response":{"subtype":"success","request_id":"a"}}`, `reply "a" null +request_id="b"`},
	{"a reply without a response", `{"type":"control_response"}`, `-32600 reply`},
	{"with one that is no object", `{"type":"control_response","response":"x"}`, `-32600 reply`},
	{"without an id", `{"type":"control_response","response":{"subtype":"success"}}`, `-32600 reply`},
	{"with an id that is a number, which fails its call", `{"type":"control_response","response":{"subtype":"success","request_id":5}}`, `-32600 reply 5`},
	{"of an unknown subtype", `{"type":"control_response","response":{"subtype":"maybe","request_id":"a"}}`, `-32600 reply "a"`},
	{"with an error that is no text", `{"type":"control_response","response":{"subtype":"error","request_id":"a","error":{}}}`, `-32600 reply "a"`},
	{"with a member that is there twice", `{"type":"control_response","response":{"subtype":"success","request_id":"a","response":1,"response":2}}`, `-32600 reply "a"`},
	{"with two responses, of which neither counts", `{"type":"control_response","response":{"subtype":"success","request_id":"a"},"response":{}}`, `-32600 reply`},

	// Notes, and what is nothing.
	{"any other record is a note by its type", `{"type":"stream_event","event":{}}`, `note stream_event`},
	{"a type that nobody knows too", `{"type":"new"}`, `note new`},
	{"an escape in the name or the type changes nothing", `{"t\u0079pe":"us\u0065r"}`, `note user`},
	{"members of notes are nobody's business here", `{"type":"user","request_id":5,"x":1,"x":2}`, `note user`},
	{"a cancellation is a note", `{"type":"control_cancel_request","request_id":"a"}`, `note control_cancel_request`},
	{"one of nothing is refused", `{"type":"control_cancel_request"}`, `-32600 note`},
	{"one of a number too", `{"type":"control_cancel_request","request_id":1}`, `-32600 note`},
	{"one of two calls too", `{"type":"control_cancel_request","request_id":"a","request_id":"b"}`, `-32600 note`},
	{"a keep_alive is ignored", `{"type":"keep_alive","startup_mark":"x"}`, `ignored`},

	// What is no record of the protocol.
	{"an object without a type", `{"id":1,"method":"x"}`, `-32600 unknown`},
	{"with a type that is no string", `{"type":null}`, `-32600 unknown`},
	{"with two types", `{"type":"user","type":"system"}`, `-32600 unknown`},
	{"an array", `[1,2]`, `-32600 batch`},
	{"another value", `"control_request"`, `-32600 unknown`},
	{"a stray print", `Starting server...`, `-32700 unknown`},
	{"half a record", `{"type":"user"`, `-32700 unknown`},
	{"text behind a record", `{"type":"user"} x`, `-32700 unknown`},
	{"bytes that are not UTF-8", "{\"type\":\"user\",\"x\":\"\xff\"}", `-32700 unknown`},
}

func TestParse(t *testing.T) {
	for _, test := range parseTests {
		if got := outcome(claude.Codec.Parse([]byte(test.rec))); got != test.want {
			t.Errorf("%s: %s\n got %s\nwant %s", test.rule, test.rec, got, test.want)
		}
	}
}

// The params of a call are the object that asks, those of a note the whole record; both
// keep every byte, and the white space around a record is not a part of it.
func TestParamsKeepTheirBytes(t *testing.T) {
	for rec, want := range map[string]string{
		`{"type":"control_request","request_id":"a","request": { "subtype":"x", "n" : 1.0 }}`: `{ "subtype":"x", "n" : 1.0 }`,
		" { \"type\" : \"user\", \"n\":1e2}\r":                                                `{ "type" : "user", "n":1e2}`,
		`{"type":"control_cancel_request", "request_id":"a"}`:                                 `{"type":"control_cancel_request", "request_id":"a"}`,
	} {
		m, err := claude.Codec.Parse([]byte(rec))
		r, ok := m.(*message.Request)
		if !ok || r.Params.String() != want {
			t.Errorf("%s: %v, %v; want the params %s", rec, m, err, want)
		}
	}
}

// Every record of the transcripts is what it should be. The agent of one prints three
// lines on purpose that are no records.
func TestTranscripts(t *testing.T) {
	refused := []string{"this is not json", "", "[1,2]"}
	seen := map[string]int{}
	for name, lines := range transcripts(t) {
		for _, l := range lines {
			m, err := claude.Codec.Parse([]byte(l.Raw))
			if err != nil {
				if len(refused) == 0 || l.Raw != refused[0] {
					t.Errorf("%s: %.80s: %v", name, l.Raw, err)
					continue
				}
				refused = refused[1:]
				continue
			}
			kind, _, _ := strings.Cut(outcome(m, nil), " ")
			seen[kind]++
			checkRelay(t, l.Raw, m)
		}
	}
	if len(refused) > 0 {
		t.Errorf("these were taken for records: %q", refused)
	}
	if want := map[string]int{"call": 27, "reply": 26, "note": 62}; !cmp.Equal(seen, want) {
		t.Errorf("the transcripts hold %v, want %v", seen, want)
	}
}

// Each control request of the transcripts is answered exactly once, by the other side,
// but for the one in the transcript of an agent that stays silent.
func TestControlRequestsPair(t *testing.T) {
	for name, lines := range transcripts(t) {
		type key struct {
			from parley.Side
			id   message.ID
		}
		open := map[key]string{}
		for _, l := range lines {
			m, _ := claude.Codec.Parse([]byte(l.Raw))
			switch m := m.(type) {
			case *message.Request:
				if !m.IsNote() {
					open[key{l.From, m.ID}] = m.Method
				}
			case *message.Response:
				asked := key{l.From.Other(), m.ID}
				if open[asked] == "" {
					t.Errorf("%s: %s answers nothing", name, l.Raw)
				}
				delete(open, asked)
			}
		}
		want := 0
		if name == "noinit" {
			want = 1
		}
		if len(open) != want {
			t.Errorf("%s: open are %v, want %d", name, open, want)
		}
	}
}

// A record that is too deep is read to its end, so that it fails the call it is for.
func TestTooDeep(t *testing.T) {
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	for rec, want := range map[string]string{
		`{"type":"control_response","response":{"response":` + deep + `,"subtype":"success","request_id":"a"}}`: `-32600 reply "a"`,
		`{"request":{"subtype":` + deep + `},"type":"control_request","request_id":"a"}`:                        `-32600 call "a"`,
		`{"x":` + deep + `,"type":"user"}`: `-32600 note`,
	} {
		m, err := claude.Codec.Parse([]byte(rec))
		if got := outcome(m, err); got != want {
			t.Errorf("%.40s…: got %s, want %s", rec, got, want)
		}
	}
}

// Members that nobody knows are bounded, since each costs far more than its length.
func TestTooManyMembers(t *testing.T) {
	many := strings.Repeat(`"x":1,`, 1025)
	for rec, want := range map[string]string{
		`{` + many + `"type":"control_request","request_id":"a","request":{"subtype":"x"}}`:         `-32600 call "a"`,
		`{"type":"control_response","response":{` + many + `"subtype":"success","request_id":"a"}}`: `-32600 reply "a"`,
		`{"type":"control_request","request_id":"a","request":{` + many + `"subtype":"x"}}`:         `call "a" x`,
		`{` + many + `"type":"user"}`: `note user`,
	} {
		m, err := claude.Codec.Parse([]byte(rec))
		if got := outcome(m, err); got != want {
			t.Errorf("%.60s…: got %s, want %s", rec, got, want)
		}
		var bad *message.ParseError
		if errors.As(err, &bad) && bad.Err.Data.IsZero() {
			t.Errorf("the refusal of %.60s… names no limit", rec)
		}
	}
}

// Small records are most of a stream, and each is parsed before anybody may need it.
func TestAllocations(t *testing.T) {
	for rec, want := range map[string]float64{
		`{"type":"stream_event","event":{"a":1}}`:                                                     1, // the message
		`{"type":"control_request","request_id":"12","request":{"subtype":"interrupt"}}`:              2, // and its id
		`{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{}}}`: 2,
		`{"type":"keep_alive"}`: 0,
	} {
		text := []byte(rec)
		if allocs := testing.AllocsPerRun(100, func() { claude.Codec.Parse(text) }); allocs > want {
			t.Errorf("%s: %v allocations, want at most %v", rec, allocs, want)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	big := `"` + strings.Repeat("The quick brown fox. ", 5_000) + `"`
	turn, err := os.ReadFile("../../testdata/cases/observed/122-stdin-closed-at-first-result.in")
	if err != nil {
		b.Fatal(err)
	}
	first, _, _ := strings.Cut(string(turn), "\n")
	for _, bench := range []struct{ name, rec string }{
		{"small note", `{"type":"stream_event","event":{"type":"content_block_delta","index":0},"session_id":"s"}`},
		{"init", first},
		{"small call", `{"type":"control_request","request_id":"agent-1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}`},
		{"small reply", `{"type":"control_response","response":{"subtype":"success","request_id":"agent-1","response":{}}}`},
		{"100 KiB note", `{"type":"user","message":` + big + `}`},
		{"100 KiB call", `{"type":"control_request","request_id":"a","request":{"subtype":"x","input":` + big + `}}`},
		{"100 KiB reply", `{"type":"control_response","response":{"subtype":"success","request_id":"a","response":` + big + `}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			text := []byte(bench.rec)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := claude.Codec.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A record that is too long to keep is still a call or an answer, by what it begins with.
func TestPeek(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, test := range []struct {
		prefix string
		kind   message.Kind
		id     string
	}{
		{`{"type":"control_response","response":{"subtype":"success","request_id":"a","response":{"text":"` + long, message.KindReply, `"a"`},
		{`{"type":"control_response","response":{"subtype":"success","response":{"text":"` + long, message.KindReply, ``},
		{`{"type":"control_request","request_id":"b","request":{"subtype":"can_use_tool","input":"` + long, message.KindCall, `"b"`},
		{`{"type":"user","message":{"content":"` + long, message.KindNote, ``},
		{`[1,2` + long, message.KindUnknown, ``},
		{`no json`, message.KindUnknown, ``},
		{``, message.KindUnknown, ``},
	} {
		kind, id := message.PeekWith(claude.Codec, []byte(test.prefix))
		if kind != test.kind || id.String() != test.id {
			t.Errorf("%.60s… is a %s with the id %q, want a %s with %q", test.prefix, kind, id, test.kind, test.id)
		}
	}
}

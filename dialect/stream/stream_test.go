package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect/stream"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

var parseTests = []struct{ rule, rec, want string }{
	{"an object is named by its type", `{"level":"info","type":"start"}`, "start"},
	{"else by its event", `{"kind":"k","event":"saved"}`, "saved"},
	{"else by its kind", `{"kind":"k"}`, "k"},
	{"else by its level, as a line of a log", `{"time":1,"level":"info","msg":"hello"}`, "info"},
	{"else it is just an event", `{"msg":"hello"}`, "event"},
	{"a member that is no string names nothing", `{"type":1,"event":null,"kind":"k"}`, "k"},
	{"the first of two counts", `{"type":"a","type":"b"}`, "a"},
	{"escapes are read", `{"t\u0079pe":"\u0061"}`, "a"},
	{"an array is an event", `[{"type":"x"}]`, "event"},
	{"as is any other value", ` "x" `, "event"},
	{"null too", `null`, "event"},
	{"what looks like a call is an event", `{"jsonrpc":"2.0","id":1,"method":"x"}`, "event"},
	{"text is refused", `hello`, "-32700"},
	{"half a record too", `{"type":"x"`, "-32700"},
	{"an empty one too", ``, "-32700"},
	{"one that is too deep too", strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), "-32600"},
}

func TestParse(t *testing.T) {
	for _, test := range parseTests {
		m, err := stream.Codec.Parse([]byte(test.rec))
		var got string
		if bad, ok := errors.AsType[*message.ParseError](err); ok {
			got = fmt.Sprint(int64(bad.Err.Code))
		} else {
			r := m.(*message.Request)
			got = r.Method
			if !r.IsNote() || r.Params.String() != strings.TrimSpace(test.rec) {
				t.Errorf("%s: %.80s became %+v", test.rule, test.rec, r)
			}
		}
		if got != test.want {
			t.Errorf("%s: %.80s: got %q, want %q", test.rule, test.rec, got, test.want)
		}
	}
}

func TestAppendRefuses(t *testing.T) {
	params := message.Raw(`{}`)
	for rule, m := range map[string]message.Message{
		"a call":             &message.Request{ID: message.IntID(1), Method: "x", Params: params},
		"a reply":            &message.Response{ID: message.IntID(1), Result: params},
		"a batch":            message.Batch{&message.Request{Method: "x", Params: params}},
		"a refusal":          &message.ParseError{Err: message.ParseFailed},
		"a note of nothing":  &message.Request{Method: "x"},
		"a note with extras": &message.Request{Method: "x", Params: params, Extra: []message.Member{{Name: "a", Value: params}}},
		"no note":            (*message.Request)(nil),
		"no message":         nil,
	} {
		got, err := stream.Codec.Append([]byte("x"), m)
		if err == nil || string(got) != "x" || !strings.HasPrefix(err.Error(), "stream: cannot write ") {
			t.Errorf("%s: %s, %v", rule, got, err)
		}
	}
}

// Everything that Parse takes comes back as it was.
func FuzzParse(f *testing.F) {
	for _, test := range parseTests {
		f.Add([]byte(test.rec))
	}
	f.Fuzz(func(t *testing.T, rec []byte) {
		before := bytes.Clone(rec)
		m, err := stream.Codec.Parse(rec)
		if !bytes.Equal(rec, before) {
			t.Fatal("Parse wrote to its record")
		}
		if err != nil {
			return
		}
		text, err := stream.Codec.Append(nil, m)
		if err != nil || !bytes.Equal(text, bytes.Trim(rec, " \t\r\n")) {
			t.Fatalf("%q came back as %q: %v", rec, text, err)
		}
		again, err := stream.Codec.Parse(text)
		if diff := cmp.Diff(m, again, cmpopts.EquateComparable(message.ID{})); err != nil || diff != "" {
			t.Fatalf("%q: %v\n%s", rec, err, diff)
		}
	})
}

// A peer that reads a stream hands over each event in order, and writes nothing, whatever
// else is in it.
func TestServe(t *testing.T) {
	in := "banner\n{\"type\":\"a\"}\n[1]\n{\"id\":1,\"method\":\"m\"}\n"
	var out bytes.Buffer
	var got []string
	handle := func(_ context.Context, method string, params message.Raw) (any, error) {
		got = append(got, method+" "+params.String())
		return nil, nil
	}
	err := parley.Serve(t.Context(), frame.Lines.Stream(strings.NewReader(in), &out), handle, &parley.Options{Dialect: &stream.Dialect})
	want := []string{`a {"type":"a"}`, `event [1]`, `event {"id":1,"method":"m"}`}
	if diff := cmp.Diff(want, got); err != nil || diff != "" || out.Len() > 0 {
		t.Errorf("%v, we wrote %q (-want +got)\n%s", err, out.String(), diff)
	}
}

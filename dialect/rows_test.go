package dialect_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// TestRows plays each row of the table in docs/dialects.md against a peer: the table is
// made out of the values, and this says that the peer does what they say.
func TestRows(t *testing.T) {
	for _, name := range dialect.Names() {
		d, err := dialect.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "stream" {
			continue // it has no calls; its package has the tests of what it does
		}
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { playRow(t, d) }) })
	}
}

// A row is the other side of a peer that speaks a dialect.
type row struct {
	t      *testing.T
	peer   frame.Stream
	codec  message.Codec
	id     func(n int64) message.ID
	marker int64
}

func playRow(t *testing.T, d parley.Dialect) {
	near, far := frame.Pipe()
	ended := make(chan struct{}, 1)
	c := parley.Connect(d.Framing.Stream(near, near), func(ctx context.Context, method string, _ message.Raw) (any, error) {
		if method != "slow" {
			return nil, message.MethodNotFound
		}
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	}, &parley.Options{Dialect: &d})
	defer c.Close()
	r := &row{t: t, peer: d.Framing.Stream(far, far), codec: d.Codec, id: message.IntID}
	defer r.peer.Close()
	if r.codec == nil {
		r.codec = message.Strict
	}
	if d.StringIDs {
		r.id = func(n int64) message.ID { return message.StringID(strconv.FormatInt(n, 10)) }
	}

	// Our calls are numbered as the row says.
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	called := c.Start(ctx, "ping", message.Raw("{}"))
	first := r.read().(*message.Request)
	if first.ID != r.id(1) {
		t.Errorf("our first id is %s, want %s", first.ID, r.id(1))
	}

	// Bad input is answered, or not, and so is a batch.
	r.write([]byte("{nope"))
	r.wants(d.BadInput == parley.AnswerBadInput, "a record that is no JSON")
	r.write(r.batch())
	r.wants(!d.NoBatch || d.BadInput == parley.AnswerBadInput, "a batch")

	// A cancelled call of the other side is answered, or not.
	if d.Cancel.Method != "" {
		r.send(&message.Request{ID: r.id(7), Method: "slow", Params: message.Raw("{}")})
		synctest.Wait()
		params, err := message.Raw(nil).Set(message.Raw(r.id(7).String()), d.Cancel.Member)
		if err != nil {
			t.Fatal(err)
		}
		r.send(&message.Request{Method: d.Cancel.Method, Params: params})
		<-ended
		r.wants(d.Cancel.Answered, "a cancelled call")
	}

	// Our own call still finds its answer, and the next one is taken back.
	r.send(&message.Response{ID: first.ID, Result: message.Raw("{}")})
	if err := called.Wait(ctx, nil); err != nil {
		t.Errorf("the first call: %v", err)
	}
	short, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	if err := c.Call(short, "ping", message.Raw("{}"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a call that nobody answers: %v", err)
	}
	second := r.read().(*message.Request)
	if d.Cancel.Method == "" {
		r.wants(false, "the end of our call")
		return
	}
	note := r.read().(*message.Request)
	if got, _ := note.Params.Member(d.Cancel.Member); note.Method != d.Cancel.Method || string(got) != second.ID.String() {
		t.Errorf("our call %s is taken back with %s %s", second.ID, note.Method, note.Params)
	}
}

// batch is an array of one call, as the dialect would write the call.
func (r *row) batch() []byte {
	r.t.Helper()
	rec, err := r.codec.Append([]byte("["), &message.Request{ID: r.id(1), Method: "m", Params: message.Raw("{}")})
	if err != nil {
		r.t.Fatal(err)
	}
	return append(rec, ']')
}

// wants says how many records come from the peer under test before the answer to a call
// that is sent now: one if something before it is answered, else none.
func (r *row) wants(answered bool, what string) {
	r.t.Helper()
	synctest.Wait()
	r.marker++
	id := r.id(1000 + r.marker)
	r.send(&message.Request{ID: id, Method: "no such method", Params: message.Raw("{}")})
	var came []string
	for {
		m := r.read()
		reply, ok := m.(*message.Response)
		if ok && reply.ID == id {
			break
		}
		text, _ := r.codec.Append(nil, m)
		came = append(came, string(text))
	}
	if want := map[bool]int{true: 1}[answered]; len(came) != want {
		r.t.Errorf("%s is followed by %q, want %d answers", what, came, want)
	}
}

func (r *row) read() message.Message {
	r.t.Helper()
	rec, err := r.peer.ReadRecord()
	if err != nil {
		r.t.Fatal(err)
	}
	m, err := r.codec.Parse(rec)
	if err != nil {
		r.t.Fatalf("%s: %v", rec, err)
	}
	return m
}

func (r *row) write(rec []byte) {
	r.t.Helper()
	if err := r.peer.WriteRecord(rec); err != nil {
		r.t.Fatal(err)
	}
}

func (r *row) send(m message.Message) {
	r.t.Helper()
	rec, err := r.codec.Append(nil, m)
	if err != nil {
		r.t.Fatal(err)
	}
	r.write(rec)
}

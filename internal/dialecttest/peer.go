package dialecttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A Far is the other end of a peer, written and read by hand.
type Far struct {
	frame.Stream

	t    *testing.T
	conn *parley.Conn // the peer
}

// Peer starts a peer that speaks a dialect, and returns its other end. Both end with the test.
func Peer(t *testing.T, d *parley.Dialect, handler parley.Handler) (*parley.Conn, *Far) {
	t.Helper()
	near, far := frame.Pipe()
	conn := parley.Connect(d.Framing.Stream(near, near), handler, &parley.Options{Dialect: d})
	t.Cleanup(func() {
		_ = far.Close()
		_ = conn.Close()
	})
	return conn, &Far{d.Framing.Stream(far, far), t, conn}
}

// Say writes records to the peer, which need not be messages.
func (f *Far) Say(records ...string) {
	f.t.Helper()
	for _, rec := range records {
		if err := f.WriteRecord([]byte(rec)); err != nil {
			f.t.Fatal(err)
		}
	}
}

// Hear returns the next record that the peer writes.
func (f *Far) Hear() string {
	f.t.Helper()
	rec, err := f.ReadRecord()
	if err != nil {
		f.t.Fatalf("the peer wrote nothing more: %v", err)
	}
	return string(rec)
}

// Hears checks the next records that the peer writes.
func (f *Far) Hears(want ...string) {
	f.t.Helper()
	for _, rec := range want {
		if diff := cmp.Diff(rec, f.Hear()); diff != "" {
			f.t.Errorf("the peer wrote another record (-want +got)\n%s", diff)
		}
	}
}

// Rest closes the peer, which has to end in order, and checks what else it has written.
func (f *Far) Rest(want ...string) {
	f.t.Helper()
	if diff := cmp.Diff(want, f.rest()); diff != "" {
		f.t.Errorf("what else the peer wrote (-want +got)\n%s", diff)
	}
}

func (f *Far) rest() (records []string) {
	f.t.Helper()
	if err := f.conn.Close(); err != nil {
		f.t.Error(err)
	}
	for {
		rec, err := f.ReadRecord()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			f.t.Fatal(err)
		}
		records = append(records, string(rec))
	}
}

// Cancelled checks what becomes of a call that is taken back (case 073). Note is the text of the cancellation, with %s
// for the id. If the call is answered all the same, it is answered once: with -32800, or with what its handler returns
// nevertheless. Else it is not answered at all. A caller never waits for that answer.
func Cancelled(t *testing.T, d *parley.Dialect, note string, answered bool) {
	t.Run("by them", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { cancelledByThem(t, d, note, answered) })
	})
	t.Run("by us", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { cancelledByUs(t, d, note) })
	})
}

func cancelledByThem(t *testing.T, d *parley.Dialect, note string, answered bool) {
	_, far := Peer(t, d, func(ctx context.Context, method string, _ message.Raw) (any, error) {
		switch method {
		case "give up":
			<-ctx.Done()
			return nil, ctx.Err()
		case "finish":
			<-ctx.Done()
		}
		return struct{}{}, nil
	})
	gaveUp, finished, next := d.CallID(1), message.StringID("a"), d.CallID(2)
	far.Say(
		record(t, d, &message.Request{ID: gaveUp, Method: "give up", Params: message.Raw("{}")}),
		record(t, d, &message.Request{ID: finished, Method: "finish", Params: message.Raw("{}")}),
		fmt.Sprintf(note, gaveUp), fmt.Sprintf(note, finished), fmt.Sprintf(note, gaveUp),
		record(t, d, &message.Request{ID: next, Method: "next", Params: message.Raw("{}")}),
	)
	synctest.Wait()
	want := []string{fmt.Sprint(next, " <nil>")}
	if answered {
		want = append(want, fmt.Sprint(finished, " <nil>"), fmt.Sprint(gaveUp, " ", message.CodeRequestCancelled))
	}
	var got []string
	for _, rec := range far.rest() {
		m, err := d.Codec.Parse([]byte(rec))
		r, ok := m.(*message.Response)
		switch {
		case !ok:
			t.Errorf("%s is no answer: %v", rec, err)
		case r.Error != nil:
			got = append(got, fmt.Sprint(r.ID, " ", r.Error.Code))
		default:
			got = append(got, fmt.Sprint(r.ID, " <nil>"))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the ids of the answers and their errors (-want +got)\n%s", diff)
	}
}

func cancelledByUs(t *testing.T, d *parley.Dialect, note string) {
	conn, far := Peer(t, d, nil)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	err := conn.Call(ctx, "slow", struct{}{}, nil)
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
		t.Errorf("the call returned %v after %v", err, took)
	}
	far.Hears(
		record(t, d, &message.Request{ID: d.CallID(1), Method: "slow", Params: message.Raw("{}")}),
		fmt.Sprintf(note, d.CallID(1)),
	)
	far.Say(record(t, d, &message.Response{ID: d.CallID(1), Error: message.NewError(message.CodeRequestCancelled, "")}))
	synctest.Wait()
	if s := conn.Stats(); s.Late != 1 || s.Orphans != 0 {
		t.Errorf("the late answer was counted otherwise: %+v", s)
	}
	far.Rest()
}

// NoBatch checks that an array is answered as one record that is no message: once, with -32600 and no id.
func NoBatch(t *testing.T, d *parley.Dialect) {
	synctest.Test(t, func(t *testing.T) {
		_, far := Peer(t, d, nil)
		call := record(t, d, &message.Request{ID: d.CallID(1), Method: "m"})
		far.Say("[" + call + "," + call + "]")
		rec := far.Hear()
		m, err := d.Codec.Parse([]byte(rec))
		if r, ok := m.(*message.Response); !ok || !r.ID.IsNull() || !errors.Is(r.Error, message.InvalidRequest) {
			t.Errorf("a batch was answered %s, %v", rec, err)
		}
		far.Rest()
	})
}

// record is the text of a message.
func record(t *testing.T, d *parley.Dialect, m message.Message) string {
	t.Helper()
	text, err := d.Codec.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

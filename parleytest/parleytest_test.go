package parleytest_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/parleytest"
)

// recorder is a test that notes its failures in place of failing.
type recorder struct {
	testing.TB
	failed  bool
	cleanup []func()
}

func (r *recorder) Helper()                                        {}
func (r *recorder) Errorf(string, ...any)                          { r.failed = true }
func (r *recorder) Cleanup(fn func())                              { r.cleanup = append(r.cleanup, fn) }
func (r *recorder) end()                                           { r.cleanup[0]() }
func echo(_ context.Context, _ string, p message.Raw) (any, error) { return p, nil }

// Pair connects two peers, and its end fails the test if a handler ignores its ctx.
func TestPair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clean := &recorder{TB: t}
		a, _ := parleytest.Pair(clean, nil, echo, nil)
		var got []int
		if err := a.Call(t.Context(), "echo", []int{1}, &got); err != nil || len(got) != 1 {
			t.Errorf("got %v, %v", got, err)
		}
		clean.end()
		if clean.failed {
			t.Error("a clean end failed the test")
		}

		block := make(chan struct{})
		stuck := &recorder{TB: t}
		a, _ = parleytest.Pair(stuck, nil, func(context.Context, string, message.Raw) (any, error) { <-block; return nil, nil }, nil)
		a.Start(t.Context(), "x", nil)
		synctest.Wait()
		stuck.end()
		if !stuck.failed {
			t.Error("a handler that ignores its ctx was overlooked")
		}
		close(block)
	})
}

// Each fault does what it says.
func TestFaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far, near := frame.Pipe()
		f := parleytest.NewFaults(near)
		buf := make([]byte, 100)
		_, _ = far.Write([]byte("abcdefghij"))

		f.ByteByByte(true)
		if n, err := f.Read(buf); n != 1 || buf[0] != 'a' || err != nil {
			t.Errorf("byte by byte: %q, %v", buf[:n], err)
		}
		f.ByteByByte(false)

		f.Corrupt(1)
		if n, err := f.Read(buf[:4]); string(buf[:n]) != "bCde" || err != nil {
			t.Errorf("corrupt: %q, %v", buf[:n], err)
		}

		f.Stall()
		began := time.Now()
		time.AfterFunc(time.Minute, f.Resume)
		if n, err := f.Read(buf[:2]); string(buf[:n]) != "fg" || err != nil || time.Since(began) != time.Minute {
			t.Errorf("stall: %q, %v after %v", buf[:n], err, time.Since(began))
		}

		f.Cut(2)
		got, err := io.ReadAll(f)
		if string(got) != "hi" || err != nil {
			t.Errorf("cut: %q, %v", got, err)
		}
		if _, err := far.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("a write to the cut stream: %v", err)
		}
	})
}

// Grease changes lines, but not what they mean.
func TestGrease(t *testing.T) {
	var out bytes.Buffer
	w := parleytest.Grease(&out, 1)
	want := make(map[string]bool)
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"m","params":{"jsonrpc":"2.0"}}`, `{"jsonrpc":"2.0","id":1,"result":null}`,
		`{"jsonrpc":"2.0","method":"n"}`, `[{"jsonrpc":"2.0","id":2,"result":1}]`, `{}`, `no JSON`,
	} {
		for range 20 {
			want[line] = true
			if _, err := w.Write([]byte(line + "\n")); err != nil {
				t.Fatal(err)
			}
		}
	}
	lines, unknown, notes := 0, 0, 0
	for rec, err := range frame.Lines.Records(&out) {
		if err != nil {
			t.Fatal(err)
		}
		msg, _ := message.Strict.Parse(rec)
		switch msg := msg.(type) {
		case *message.Request:
			if msg.Method == "$/grease" {
				notes++
				continue
			}
			unknown += len(msg.Extra)
			msg.Extra = nil
			rec, _ = message.Strict.Append(nil, msg)
		case *message.Response:
			unknown += len(msg.Extra)
			msg.Extra = nil
			rec, _ = message.Strict.Append(nil, msg)
		}
		if !want[string(rec)] {
			t.Errorf("%s was not written", rec)
		}
		lines++
	}
	if lines != 120 || unknown == 0 || notes == 0 {
		t.Errorf("%d lines, with %d unknown members and %d unknown notes", lines, unknown, notes)
	}
}

// A case that expects nothing, or has no role, is no case.
func TestReadCase(t *testing.T) {
	dir := t.TempDir()
	for name, expect := range map[string]string{
		"no role": "lines -> 1\n", "wrong role": "# role: nobody\nlines -> 1\n", "nothing": "# role: server-in\n",
		"bad cuts": "# role: server-in\n# cuts: 1,x\nlines -> 1\n", "bad limit": "# role: server-in\n# limit: much\nlines -> 1\n",
	} {
		stem := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(stem+".in", nil, 0o600), os.WriteFile(stem+".expect", []byte(expect), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := parleytest.ReadCase(stem + ".in"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A peer that is greased and cut to single bytes answers as ever.
func TestGreasedPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endA, endB := frame.Pipe()
		faults := parleytest.NewFaults(endB)
		faults.ByteByByte(true)
		a := parley.Connect(frame.Lines.Stream(endA, parleytest.Grease(endA, 7)), nil, nil)
		b := parley.Connect(frame.Lines.Stream(faults, parleytest.Grease(faults, 8)), echo, nil)
		for i := range 100 {
			var got []int
			if err := a.Call(t.Context(), "echo", []int{i}, &got); err != nil || len(got) != 1 || got[0] != i {
				t.Errorf("got %v, %v, want %d", got, err, i)
			}
		}
		_ = endA.Close()
		_ = a.Close()
		_ = b.Close()
	})
}

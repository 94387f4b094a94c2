package spawn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/frame"
)

// Records go in and come out whole, alone and many at once, and Pos counts them.
func TestEcho(t *testing.T) {
	c := start(t, as(t, "echo"))
	write(t, c, `{"n":1}`)
	recs := []frame.Record{{[]byte(`{"n":`), []byte(`2}`)}, {[]byte(`{"n":3}`)}}
	if err := c.WriteRecords(t.Context(), recs); err != nil {
		t.Fatal(err)
	}
	got := []string{read(t, c), read(t, c), read(t, c)}
	if diff := cmp.Diff([]string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	if got, want := c.Pos(), (frame.Pos{Record: 3, Line: 3, Offset: 16}); got != want {
		t.Errorf("Pos = %v, want %v", got, want)
	}
	if got := c.Received(); got != 24 {
		t.Errorf("Received = %d, want 24", got)
	}
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if err := c.CloseWrite(); err != nil {
		t.Errorf("the second CloseWrite: %v", err)
	}
	if _, err := c.ReadRecord(); err != io.EOF {
		t.Errorf("after a clean end ReadRecord returns %v, want io.EOF itself", err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("Wait: %v", err)
	}
}

// Framing is the framing of both directions.
func TestFraming(t *testing.T) {
	cmd := as(t, "echo")
	cmd.Framing = frame.Header
	c := start(t, cmd)
	write(t, c, "two\nlines")
	if got := read(t, c); got != "two\nlines" {
		t.Errorf("got %q", got)
	}
}

// How a child ended is told by ReadRecord, Wait and the next write alike.
func TestHowItEnded(t *testing.T) {
	tests := []struct {
		does string
		args []string
		want *ExitError // nil for a clean end
		text string
	}{
		{"a clean end is io.EOF", []string{"0", "", "bye\n"}, nil, "EOF"},
		{"a failure carries the code and the last words", []string{"7", "", "starting\ndying"},
			&ExitError{Code: 7, Tail: "starting\ndying"},
			`exited with code 7; its stderr ended with: "starting\ndying"`},
		{"a failure without a word", []string{"1", "", ""}, &ExitError{Code: 1}, `exited with code 1`},
		{"the tail is the end of a long stderr", []string{"2", "", strings.Repeat("é", 4000) + "!"},
			&ExitError{Code: 2, Tail: strings.Repeat("é", 2047) + "!"}, `é!"`},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			c := start(t, as(t, "exit", tt.args...))
			_, err := c.ReadRecord()
			if !errors.Is(err, io.EOF) {
				t.Fatalf("%v does not match io.EOF", err)
			}
			if !strings.HasSuffix(err.Error(), tt.text) {
				t.Errorf("got  %s\nwant it to end with %s", err, tt.text)
			}
			got, _ := errors.AsType[*ExitError](err)
			if tt.want != nil {
				tt.want.Path = c.path
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ReadRecord (-want +got):\n%s", diff)
			}
			waited, _ := errors.AsType[*ExitError](c.Wait())
			if diff := cmp.Diff(tt.want, waited); diff != "" {
				t.Errorf("Wait (-want +got):\n%s", diff)
			}
			if _, ok := errors.AsType[*ExitError](c.WriteRecord([]byte("1"))); !ok {
				t.Error("a write to a child that is gone does not say how it ended")
			}
		})
	}
}

// A path in a message is quoted, and a long tail starts at a line.
func TestExitErrorText(t *testing.T) {
	tests := []struct {
		does string
		err  ExitError
		want string
	}{
		{"a code", ExitError{Path: "x", Code: 7, Tail: "dying"},
			`server "x" exited with code 7; its stderr ended with: "dying"`},
		{"a signal", ExitError{Path: "x", Code: 137, Signal: "SIGKILL"}, `server "x" was ended by SIGKILL`},
		{"nothing known", ExitError{Path: "x", Code: -1, Tail: "\n \n"}, `server "x" ended, and how is not known`},
		{"a long tail", ExitError{Path: "x", Code: 1, Tail: strings.Repeat("l", 1000) + "\n" + strings.Repeat("k", 500) + "\n"},
			`server "x" exited with code 1; its stderr ended with: "` + strings.Repeat("k", 500) + `"`},
		{"a long line", ExitError{Path: "x", Code: 1, Tail: strings.Repeat("é", 1000) + "x"},
			`server "x" exited with code 1; its stderr ended with: "` + strings.Repeat("é", 511) + `x"`},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.err.Error()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Case 093: whoever waits learns of the death within half a second, and why.
func TestDeathIsToldAtOnce(t *testing.T) {
	c := start(t, as(t, "last"))
	write(t, c, "1")
	soon(t, 2*time.Second, "learning of the death", func() {
		want := `exited with code 7; its stderr ended with: "boom: no config"`
		if _, err := c.ReadRecord(); !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	})
}

// Records that were written just before the exit are all read, and the last of them
// without its newline too (case 091).
func TestLastRecordsAreRead(t *testing.T) {
	c := start(t, as(t, "burst"))
	for i := range 3000 {
		if got := read(t, c); !strings.HasPrefix(got, fmt.Sprintf("%d x", i)) {
			t.Fatalf("record %d is %q", i, got)
		}
	}
	if _, err := c.ReadRecord(); err == nil || !strings.HasSuffix(err.Error(), "exited with code 3") {
		t.Errorf("at the end: %v", err)
	}

	c = start(t, as(t, "exit", "3", "one\ntwo", ""))
	<-c.Done()
	if got := []string{read(t, c), read(t, c)}; got[0] != "one" || got[1] != "two" {
		t.Errorf("got %q", got)
	}
}

// A death inside a record says both that the record is cut and how the child ended.
func TestDeathInsideRecord(t *testing.T) {
	cmd := as(t, "exit", "9", "Content-Length: 10\r\n\r\n{}", "")
	cmd.Framing = frame.Header
	_, err := start(t, cmd).ReadRecord()
	exit, ok := errors.AsType[*ExitError](err)
	if !errors.Is(err, io.ErrUnexpectedEOF) || !ok || exit.Code != 9 {
		t.Errorf("got %v, want io.ErrUnexpectedEOF and exit code 9", err)
	}
}

// A child that closes its stdout and lives on has ended the stream, not failed.
func TestStdoutClosed(t *testing.T) {
	c := start(t, as(t, "silent"))
	if _, err := c.ReadRecord(); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
	select {
	case <-c.Done():
		t.Error("the child has ended")
	default:
	}
}

// A record that the framing cannot carry is no sign of death and hurts nothing.
func TestRefusedRecord(t *testing.T) {
	c := start(t, as(t, "echo"))
	if _, ok := errors.AsType[*frame.RefusedError](c.WriteRecord([]byte("a\nb"))); !ok {
		t.Error("a record with LF is not refused")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.WriteRecords(ctx, []frame.Record{{[]byte("1")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled ctx: %v", err)
	}
	write(t, c, "ok")
	if got := read(t, c); got != "ok" {
		t.Errorf("got %q", got)
	}
}

// Twelve children at once do not share a pipe: each sees the end of its own.
func TestTwelveAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			c, err := Start(as(t, "echo"))
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			want := fmt.Sprint("child ", i)
			if err := c.WriteRecord([]byte(want)); err != nil {
				t.Error(err)
			}
			if got, err := c.ReadRecord(); err != nil || string(got) != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
			c.CloseWrite()
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

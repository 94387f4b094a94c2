package parley_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/reference"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/spawn"
)

// childMode is the variable that makes the test binary a child of a test.
const childMode = "PARLEY_TEST_CHILD"

// beChild is what the children of this package's tests do.
func beChild(mode string) {
	stream := frame.Lines.Stream(os.Stdin, os.Stdout)
	handler, opts := reference.NewMux(os.Exit).Handle, new(parley.Options)
	switch mode {
	case "serve":
	case "crash":
		opts.CrashOnPanic = true
	case "flood": // notes without end, whatever is asked
		for {
			if _, err := os.Stdout.WriteString(`{"jsonrpc":"2.0","method":"flood","params":["` + strings.Repeat("x", 1000) + "\"]}\n"); err != nil {
				return
			}
		}
	case "deaf": // never reads
		time.Sleep(time.Minute)
		return
	case "stderr": // 256 KiB of log before each answer
		handler = func(ctx context.Context, method string, params message.Raw) (any, error) {
			for range 4096 {
				fmt.Fprintln(os.Stderr, "a line of log of about sixty-four bytes, and one more after it..")
			}
			return params, nil
		}
	}
	if err := parley.Serve(context.Background(), stream, handler, opts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// startChild starts this test binary as a child and connects to it.
func startChild(t *testing.T, mode string, h parley.Handler) (*parley.Conn, *spawn.Child) {
	t.Helper()
	child, err := spawn.Start(spawn.Command{
		Path: os.Args[0], Env: []string{childMode + "=" + mode}, Grace: 200 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	conn := parley.Connect(child, h, nil)
	t.Cleanup(func() { _ = conn.Close() })
	return conn, child
}

// One host with twelve children: one dies, one floods, one never reads, one logs a lot.
// The answers of the others are unaffected.
func TestTwelveChildren(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	dying, child := startChild(t, "serve", nil)
	// The flood meets a note handler that blocks for ever.
	flood, _ := startChild(t, "flood", func(context.Context, string, message.Raw) (any, error) { <-block; return nil, nil })
	deaf, _ := startChild(t, "deaf", nil)
	logging, _ := startChild(t, "stderr", nil)
	var good []*parley.Conn
	for range 8 {
		conn, _ := startChild(t, "serve", nil)
		good = append(good, conn)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	big := []string{strings.Repeat("x", 100_000)}
	var all sync.WaitGroup
	all.Go(func() {
		p := dying.Start(ctx, "sleep", reference.SleepParams{MS: 60_000})
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		_ = child.Signal(os.Kill)
		err := p.Wait(ctx, nil)
		if !errors.Is(err, parley.ErrClosed) || !strings.Contains(err.Error(), "SIGKILL") || time.Since(began) > 2*time.Second {
			t.Errorf("the call to the child that was killed: %v after %v", err, time.Since(began))
		}
	})
	all.Go(func() {
		for range 50 {
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			if err := deaf.Call(short, "echo", big, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the call to the child that never reads: %v", err)
			}
			cancel()
		}
	})
	all.Go(func() {
		for range 10 {
			if err := logging.Call(ctx, "echo", []int{1}, nil); err != nil {
				t.Errorf("the call to the child that logs: %v", err)
			}
		}
	})
	all.Go(func() {
		short, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err := flood.Call(parley.Unordered(short), "echo", nil, nil); err == nil {
			t.Error("the child that floods has answered")
		}
	})
	for _, conn := range good {
		all.Go(func() {
			for i := range 200 {
				want := fmt.Sprint(i)
				var got []string
				if err := conn.Call(ctx, "echo", []string{want}, &got); err != nil || len(got) != 1 || got[0] != want {
					t.Errorf("got %v, %v, want %s", got, err, want)
					return
				}
			}
		})
	}
	all.Wait()
	t.Logf("twelve children: one killed, one flooding, one deaf, one logging; the other %d answered 200 calls each", len(good))
}

// A panic in a handler is contained, or ends the process if Options say so.
func TestPanicIsAChoice(t *testing.T) {
	contained, _ := startChild(t, "serve", nil)
	if err := contained.Call(t.Context(), "panic", nil, nil); !errors.Is(err, message.InternalError) {
		t.Errorf("contained: %v", err)
	}
	if err := contained.Call(t.Context(), "nil", nil, nil); err != nil {
		t.Errorf("after it: %v", err)
	}
	crashing, _ := startChild(t, "crash", nil)
	err := crashing.Call(t.Context(), "panic", nil, nil)
	if exit, ok := errors.AsType[*spawn.ExitError](err); !ok || exit.Code != 2 {
		t.Errorf("crashing: %v", err)
	}
}

// Case 012: an answer is readable at once, although stdin stays open; an error, a note
// and the answers to a batch too.
func TestAnswersAreFlushed(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childMode+"=serve")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for rec := range frame.Lines.Records(stdout) {
			lines <- string(rec)
		}
	}()
	for in, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":["x"]}`: `{"jsonrpc":"2.0","id":1,"result":["x"]}`,
		`{"jsonrpc":"2.0","id":2,"method":"nosuch"}`:              `{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"Method not found"}}`,
		`[{"jsonrpc":"2.0","id":3,"method":"nil"}]`:               `[{"jsonrpc":"2.0","id":3,"result":null}]`,
		`{broken`: `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
	} {
		if _, err := fmt.Fprintln(stdin, in); err != nil {
			t.Fatal(err)
		}
		select {
		case got := <-lines:
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s was not answered while stdin is open", in)
		}
	}
	// Case 083: the end of stdin is the end of the process.
	_ = stdin.Close()
	for range lines {
		t.Error("one more line came")
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit: %v", err)
	}
}

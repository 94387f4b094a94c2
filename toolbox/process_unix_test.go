//go:build unix

package toolbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-rpc/parley/dialect/mcp"
	"github.com/parley-rpc/parley/message"
)

// A tool that fails says how: its code or signal, the end of its stderr, and what it had
// to say.
func TestFailures(t *testing.T) {
	b := open(t, `
tools:
  - {name: exits, run: [sh, -c, "echo some; echo why >&2; exit 3"]}
  - {name: killed, run: [sh, -c, "kill -KILL $$"]}
  - {name: slow, run: [sleep, "60"], timeout: 50ms}
  - {name: deaf, run: [sh, -c, "trap '' TERM; sleep 60 & wait; wait"], timeout: 50ms}
  - {name: polite, run: [sh, -c, "trap 'exit 0' TERM; sleep 60 & wait"], timeout: 50ms}
`)
	three := 3
	for name, want := range map[string]struct {
		failure Failure
		text    string
	}{
		"exits":  {Failure{Exit: &three, Stderr: "why", Output: "some\n"}, "exits exited with code 3"},
		"killed": {Failure{Signal: "SIGKILL"}, "killed was ended by SIGKILL"},
		"slow":   {Failure{Timeout: "50ms"}, "slow was ended, as it ran longer than its timeout of 50ms"},
		"deaf":   {Failure{Timeout: "50ms"}, "deaf was ended, as it ran longer than its timeout of 50ms"},
		"polite": {Failure{Timeout: "50ms"}, "polite was ended, as it ran longer than its timeout of 50ms"},
	} {
		_, err := call(t, b, name, "")
		got, text := failure(t, err)
		if diff := cmp.Diff(want.failure, got); diff != "" || text != want.text {
			t.Errorf("%s: %q (-want +got):\n%s", name, text, diff)
		}
		result, err := served(t, b, name).Call(t.Context(), nil)
		if err != nil || !result.IsError {
			t.Errorf("%s as an MCP tool: %+v, %v", name, result, err)
			continue
		}
		if last := result.Content[len(result.Content)-1].Text; !strings.HasPrefix(last, want.text) {
			t.Errorf("%s as an MCP tool says %q", name, last)
		}
	}
	result, err := served(t, b, "exits").Call(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []mcp.Content{mcp.Text("some\n"), mcp.Text("exits exited with code 3; its stderr ended with:\nwhy")}
	if diff := cmp.Diff(want, result.Content); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := call(t, b, "none", ""); !errors.Is(err, message.MethodNotFound) {
		t.Errorf("an unknown tool: %v", err)
	}
}

// A program that is removed after Load is missed by the call, in words.
func TestProgramGoesAway(t *testing.T) {
	folder := t.TempDir()
	program := filepath.Join(folder, "sh")
	if err := os.Symlink("/bin/sh", program); err != nil {
		t.Fatal(err)
	}
	b := open(t, "tools: [{name: a, run: ["+program+"]}]")
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	_, err := call(t, b, "a", "")
	if _, text := failure(t, err); !strings.Contains(text, "a cannot be started: the program, or the interpreter") {
		t.Errorf("got %q", text)
	}
}

// runs reports whether a process is there and no zombie.
func runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// pidIn waits for a file with a process id and returns that.
func pidIn(t *testing.T, file string) int {
	t.Helper()
	for until := time.Now().Add(10 * time.Second); time.Now().Before(until); time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(file)
		if pid, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil {
			return pid
		}
	}
	t.Fatalf("%s has no process id", file)
	return 0
}

// A grandchild that goes on and holds the output open delays no answer and outlives no
// call; one that has left the group delays none either.
func TestGrandchild(t *testing.T) {
	folder := t.TempDir()
	b := open(t, `
tools:
  - {name: child, run: [sh, -c, 'sleep 60 & echo $! > `+folder+`/child; echo done']}
  - {name: deaf, run: [sh, -c, '(trap "" TERM; sleep 60) & echo $! > `+folder+`/deaf; echo done']}
`)
	for _, name := range []string{"child", "deaf"} {
		begun := time.Now()
		if got := text(t, b, name, ""); got != "done\n" {
			t.Errorf("%s: got %q", name, got)
		}
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("%s: the answer took %v", name, took)
		}
		if pid := pidIn(t, filepath.Join(folder, name)); runs(pid) {
			t.Errorf("%s: process %d is left running", name, pid)
		}
	}
}

// A call that is taken back ends its tool, and what that has started, before it returns.
func TestCancel(t *testing.T) {
	folder := t.TempDir()
	b := open(t, `
tools:
  - {name: wait, run: [sh, -c, 'sleep 60 & echo $! > `+folder+`/pid; wait']}
`)
	ctx, cancel := context.WithCancel(t.Context())
	var pid int
	go func() {
		pid = pidIn(t, filepath.Join(folder, "pid"))
		cancel()
	}()
	if _, err := b.Handle(ctx, "wait", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if runs(pid) {
		t.Errorf("process %d is left running", pid)
	}
}

// Who wants to know is told of each process, and when nothing is left of it.
func TestStarted(t *testing.T) {
	type started struct {
		pid  int
		gone <-chan struct{}
	}
	var all []started
	b, err := Load(write(t, "tools: [{name: pid, run: [sh, -c, 'sleep 60 & echo $$']}]"), &Options{
		Started: func(pid int, gone <-chan struct{}) { all = append(all, started{pid, gone}) },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	got := text(t, b, "pid", "")
	if len(all) != 1 || got != fmt.Sprintln(all[0].pid) {
		t.Fatalf("told of %v; the process is %s", all, got)
	}
	select {
	case <-all[0].gone:
	default:
		t.Error("it is not gone")
	}
}

// Close ends what runs, and lets nothing begin.
func TestClose(t *testing.T) {
	folder := t.TempDir()
	b := open(t, `
tools:
  - {name: wait, run: [sh, -c, 'sleep 60 & echo $! > `+folder+`/pid; wait']}
`)
	ended := make(chan error)
	go func() {
		_, err := b.Handle(context.Background(), "wait", nil)
		ended <- err
	}()
	pid := pidIn(t, filepath.Join(folder, "pid"))
	b.Close()
	b.Close()
	if runs(pid) {
		t.Errorf("process %d is left running", pid)
	}
	if err := <-ended; !errors.Is(err, message.InternalError) || !strings.Contains(err.Error(), "shutting down") {
		t.Errorf("got %v", err)
	}
	if _, err := call(t, b, "wait", ""); !errors.Is(err, message.InternalError) {
		t.Errorf("after Close: %v", err)
	}
}

// No more runs of a tool go on at once than it says; a call that waits can be taken back.
func TestConcurrency(t *testing.T) {
	folder := t.TempDir()
	b := open(t, `
tools:
  - name: alone
    run: [sh, -c, 'mkdir `+folder+`/lock || exit 9; sleep 0.02; rmdir `+folder+`/lock']
    concurrency: 1
  - {name: hold, run: [sh, -c, 'echo $$ > `+folder+`/pid; exec sleep 60'], concurrency: 1}
`)
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if _, err := call(t, b, "alone", ""); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()

	held, release := context.WithCancel(t.Context())
	calls.Go(func() { _, _ = b.Handle(held, "hold", nil) })
	pidIn(t, filepath.Join(folder, "pid"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := b.Handle(ctx, "hold", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	release()
	calls.Wait()
}

//go:build unix

package spawn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/parley-rpc/parley/frame"
)

// shortly is a grace that keeps the tests fast.
const shortly = 150 * time.Millisecond

// launcher returns a command that runs text in sh with "$SELF", this test binary.
func launcher(t *testing.T, role, text string) Command {
	t.Helper()
	cmd := as(t, role)
	cmd.Env = append(cmd.Env, "SELF="+cmd.Path)
	cmd.Path, cmd.Args = "sh", []string{"-c", text}
	cmd.Grace = shortly
	return cmd
}

// gone reports whether process pid runs no more. It may be a zombie where nobody
// reaps orphans, and that is as good.
func gone(pid int) bool {
	for range 100 {
		if syscall.Kill(pid, 0) == syscall.ESRCH || isZombie(pid) {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// Case 081: each kind of child is ended by the step that it needs, in bounded time.
func TestLadder(t *testing.T) {
	tests := []struct {
		does   string
		role   string
		args   []string
		least  time.Duration // the grace that has to pass
		signal string        // what ends the child; empty for exit code 0
		tail   string
	}{
		{"the end of stdin is enough", "echo", nil, 0, "", ""},
		{"a child that ignores the end of stdin gets SIGTERM", "deaf", nil, shortly, "SIGTERM", ""},
		{"a child that ignores SIGTERM gets SIGKILL", "deaf", []string{"term"}, 2 * shortly, "SIGKILL", ""},
		{"a child may take its grace to clean up", "polite", nil, shortly, "", "cleaned up\n"},
		{"a child that is blocked on a full stdout sees the end of stdin", "chatty", nil, 0, "", "saw the end\n"},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			cmd := as(t, tt.role, tt.args...)
			cmd.Grace = shortly
			if tt.role != "deaf" {
				cmd.Grace = 5 * time.Second // these end by themselves, on the slowest machine too
			}
			if tt.role == "polite" {
				cmd.Grace = time.Second
			}
			c := start(t, cmd)
			write(t, c, "hello")
			if got := read(t, c); got == "" {
				t.Error("an empty record")
			}
			begin := time.Now()
			if err := c.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			if took := time.Since(begin); took < tt.least || took > tt.least+4*time.Second {
				t.Errorf("Close takes %v, want a little over %v", took, tt.least)
			}
			select {
			case <-c.Done():
			default:
				t.Fatal("Close has returned before the child was reaped")
			}
			exit, _ := errors.AsType[*ExitError](c.Wait())
			switch {
			case tt.signal == "" && exit != nil:
				t.Errorf("the child ended with %v", exit)
			case tt.signal != "" && (exit == nil || exit.Signal != tt.signal):
				t.Errorf("the child ended with %v, want %s", exit, tt.signal)
			}
			if got := c.Tail(); got != tt.tail {
				t.Errorf("the tail is %q, want %q", got, tt.tail)
			}
			if _, err := c.ReadRecord(); !errors.Is(err, frame.ErrClosed) {
				t.Errorf("ReadRecord after Close: %v", err)
			}
			if err := c.WriteRecord([]byte("1")); !errors.Is(err, frame.ErrClosed) {
				t.Errorf("WriteRecord after Close: %v", err)
			}
		})
	}
}

// Case 085: with a launcher, the real server is ended too, whichever of them is
// stubborn, and with its full grace.
func TestLauncher(t *testing.T) {
	tests := []struct {
		does string
		role string
		text string
		tail string
	}{
		{"the launcher waits for a server that is deaf", "deaf", `"$SELF" <&0 & echo $!; wait`, ""},
		{"the server ignores SIGTERM", "deaf", `"$SELF" term <&0 & echo $!; wait`, ""},
		{"the launcher ignores SIGTERM", "deaf", `trap "" TERM; "$SELF" <&0 & echo $!; wait`, ""},
		{"the launcher dies first and the server cleans up", "polite", `"$SELF" <&0 & echo $!; wait`, "cleaned up\n"},
		{"the launcher has left long ago", "deaf", `"$SELF" <&0 & echo $!`, ""},
		{"the launcher has left a server that holds none of our pipes", "deaf", `"$SELF" <&0 >/dev/null 2>&1 & echo $!`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.does, func(t *testing.T) {
			cmd := launcher(t, tt.role, tt.text)
			if tt.role == "polite" {
				cmd.Grace = time.Second
			}
			c := start(t, cmd)
			pid, err := strconv.Atoi(read(t, c))
			if err != nil {
				t.Fatal(err)
			}
			if tt.role == "polite" {
				read(t, c) // "ready": its handler is in place
			}
			soon(t, 6*time.Second, "Close", func() {
				if err := c.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			if !gone(pid) {
				syscall.Kill(pid, syscall.SIGKILL)
				t.Errorf("the real server lives on")
			}
			if got := c.Tail(); got != tt.tail {
				t.Errorf("the tail is %q, want %q", got, tt.tail)
			}
		})
	}
}

func init() {
	// leaver starts a process in a session of its own that holds our pipes, tells its
	// pid, and exits with 7.
	roles["leaver"] = func([]string) {
		cmd := exec.Command("sleep", "60")
		cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
		os.Exit(7)
	}

	// numb closes its stdin and lives on.
	roles["numb"] = func([]string) {
		os.Stdin.Close()
		fmt.Println("ready")
		time.Sleep(time.Hour)
	}
}

// A child that closes its stdin and lives on has not died: the write says EPIPE.
func TestStdinClosedByChild(t *testing.T) {
	cmd := as(t, "numb")
	cmd.Grace = shortly
	c := start(t, cmd)
	read(t, c)
	err := c.WriteRecord([]byte("1"))
	if _, dead := errors.AsType[*ExitError](err); dead || !errors.Is(err, syscall.EPIPE) {
		t.Errorf("got %v, want EPIPE and no ExitError", err)
	}
}

// A grandchild that holds the pipes open hides neither the end of the child nor the
// end of its records. One of them has left the group, where the ladder cannot reach.
func TestGrandchildHoldsPipes(t *testing.T) {
	for _, tt := range []struct{ does, text string }{
		{"in the group", `sleep 60 & echo $!; exit 7`},
		{"outside the group", `exec "$SELF"`},
	} {
		t.Run(tt.does, func(t *testing.T) {
			c := start(t, launcher(t, "leaver", tt.text))
			pid, err := strconv.Atoi(read(t, c))
			if err != nil {
				t.Fatal(err)
			}
			defer syscall.Kill(pid, syscall.SIGKILL)
			soon(t, 2*time.Second, "the end of the stream", func() {
				_, err := c.ReadRecord()
				if exit, ok := errors.AsType[*ExitError](err); !ok || exit.Code != 7 {
					t.Errorf("ReadRecord: %v, want exit code 7", err)
				}
			})
			soon(t, 2*time.Second, "Wait", func() {
				if exit, ok := errors.AsType[*ExitError](c.Wait()); !ok || exit.Code != 7 {
					t.Errorf("Wait: %v, want exit code 7", err)
				}
			})
			soon(t, 4*time.Second, "Close", func() { c.Close() })
		})
	}
}

// Close frees whoever is blocked, and may be called by everybody at once.
func TestCloseFreesTheBlocked(t *testing.T) {
	t.Run("a blocked read", func(t *testing.T) {
		c := start(t, as(t, "echo"))
		failed := make(chan error, 1)
		go func() {
			_, err := c.ReadRecord()
			failed <- err
		}()
		c.Close()
		if err := <-failed; !errors.Is(err, frame.ErrClosed) {
			t.Errorf("ReadRecord returns %v, want frame.ErrClosed", err)
		}
	})
	t.Run("a blocked write", func(t *testing.T) {
		cmd := as(t, "mute")
		cmd.Grace = shortly
		c := start(t, cmd)
		read(t, c)
		failed := make(chan error, 2)
		for range 2 { // one blocks in the pipe, one waits for its turn
			go func() { failed <- c.WriteRecord([]byte(strings.Repeat("x", 1<<20))) }()
		}
		soon(t, 5*time.Second, "Close", func() { c.Close() })
		for range 2 {
			if err := <-failed; !errors.Is(err, frame.ErrClosed) {
				t.Errorf("WriteRecord returns %v, want frame.ErrClosed", err)
			}
		}
	})
	t.Run("Close itself", func(t *testing.T) {
		cmd := as(t, "deaf", "term")
		cmd.Grace = shortly
		c := start(t, cmd)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				if !c.hasExited() {
					t.Error("a Close has returned before the end")
				}
			})
		}
		wg.Wait()
	})
}

// A child that is killed from outside says by which signal, and takes no more.
func TestKilled(t *testing.T) {
	c := start(t, as(t, "echo"))
	write(t, c, "1")
	read(t, c)
	if err := syscall.Kill(c.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	soon(t, 2*time.Second, "learning of the death", func() {
		if _, err := c.ReadRecord(); !strings.HasSuffix(err.Error(), "was ended by SIGKILL") {
			t.Errorf("got %v, want SIGKILL", err)
		}
	})
	<-c.Done()
	if err := c.Signal(os.Kill); err != os.ErrProcessDone {
		t.Errorf("Signal after the end: %v, want os.ErrProcessDone", err)
	}
}

// A write that was blocked when the child died says how it died.
func TestDeathFreesWrite(t *testing.T) {
	c := start(t, as(t, "mute"))
	read(t, c)
	failed := make(chan error, 1)
	go func() { failed <- c.WriteRecord([]byte(strings.Repeat("x", 1<<20))) }()
	if err := c.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := <-failed
	exit, ok := errors.AsType[*ExitError](err)
	if !ok || exit.Signal != "SIGTERM" || exit.Code != 128+15 {
		t.Errorf("got %v, want SIGTERM", err)
	}
	if err := c.WriteRecord([]byte("1")); !errors.Is(err, exit) {
		if again, ok := errors.AsType[*ExitError](err); !ok || *again != *exit {
			t.Errorf("the next write: %v, want %v", err, exit)
		}
	}
}

// Signals reach the whole group, as they do from a terminal.
func TestSignal(t *testing.T) {
	c := start(t, launcher(t, "polite", `trap "" TERM; "$SELF" & wait; wait`))
	if got := read(t, c); got != "ready" {
		t.Fatalf("got %q", got)
	}
	if err := c.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ReadRecord(); err != io.EOF {
		t.Errorf("ReadRecord: %v, want io.EOF", err)
	}
	if got := c.Tail(); got != "cleaned up\n" {
		t.Errorf("the tail is %q", got)
	}
	if err := c.Signal(notASignal{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a signal of another system: %v", err)
	}
}

type notASignal struct{}

func (notASignal) Signal()        {}
func (notASignal) String() string { return "no signal" }

// A hundred starts leave no process behind, not even a zombie (goroutines are for
// TestMain to count), and no descriptor.
func TestHundredStarts(t *testing.T) {
	before := descriptors(t)
	for i := range 100 {
		c, err := Start(as(t, "echo"))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			write(t, c, "1")
			read(t, c)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(c.Pid(), 0); err != syscall.ESRCH {
			t.Fatalf("child %d is still there: %v", i, err)
		}
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open after, %d before", after, before)
	}
}

// descriptors counts the open descriptors of this process.
func descriptors(t *testing.T) int {
	t.Helper()
	dir, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(dir)
}

// A start that fails leaves no descriptor open either.
func TestFailedStartLeavesNothing(t *testing.T) {
	bad := Command{Path: "sh", Args: []string{strings.Repeat("x", 4<<20)}}
	before := descriptors(t)
	for range 10 {
		if c, err := Start(bad); err == nil {
			c.Close()
			t.Fatal("it started")
		}
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors are open after, %d before", after, before)
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// A screen is a terminal with the shell in front of it, and a person behind it.
type screen struct {
	*tool
	keys *os.File // what is typed goes in here
	name string   // of the terminal

	mu   sync.Mutex
	text []byte // all that was ever written
}

// newScreen starts "parley shell ARGS" on a terminal of its own. Its history is below the
// folder state.
func newScreen(t *testing.T, state string, args ...string) *screen {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	// pts(4): a new terminal is locked, and has a number.
	var unlocked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, keys.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	s := &screen{tool: newTool(t, append([]string{"shell"}, args...)...), keys: keys, name: fmt.Sprintf("/dev/pts/%d", number)}
	tty, err := os.OpenFile(s.name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	s.Stdin, s.Stdout, s.Stderr = tty, tty, tty
	s.Env = append(os.Environ(), "TERM=xterm", "XDG_STATE_HOME="+state)
	s.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := keys.Read(buf)
			s.mu.Lock()
			s.text = append(s.text, buf[:n]...)
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

// types presses keys and waits until the text has appeared so many times in all.
func (s *screen) types(keys, text string, times int) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
	timer := time.AfterFunc(awaited, func() { s.t.Logf("the screen: %q", s.shown()) })
	defer timer.Stop()
	await(s.t, fmt.Sprintf("%q on the screen", text), func() bool { return strings.Count(s.shown(), text) >= times })
}

func (s *screen) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.text)
}

// leaves waits for the end, with a code and a terminal that echoes again.
func (s *screen) leaves(code int) {
	s.t.Helper()
	timer := time.AfterFunc(awaited, func() { _ = s.Process.Kill() })
	defer timer.Stop()
	// While it is held open here, the terminal does not go with its last program.
	tty, err := os.OpenFile(s.name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	defer tty.Close()
	_ = s.Wait() // the exit code says more
	if got := s.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit code %d, want %d; the screen: %q", got, code, s.shown())
	}
	var state syscall.Termios
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, tty.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&state))); errno != 0 {
		s.t.Fatal(errno)
	}
	if state.Lflag&(syscall.ECHO|syscall.ICANON|syscall.ISIG) != syscall.ECHO|syscall.ICANON|syscall.ISIG {
		s.t.Error("the terminal was not given back as it was")
	}
}

// On a terminal TAB completes names, keys and values, the arrow keys bring lines back,
// also those of an earlier shell, and Ctrl-D leaves with 0 whatever the lines came to.
func TestShellOnATerminal(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	s := newScreen(t, state, "--", "peer", "tools", "legacy")
	s.types("", "parley: connected to fake 1 (MCP 2025-11-25); tools lists its tools", 1)
	s.types("git_l\tord\tn\tn=5\r", "{\"order\":\"new\",\"n\":5}\r\n", 1)
	s.types("\x1b[A\r", "{\"order\":\"new\",\"n\":5}\r\n", 2)
	s.types("g\t", "git_log  get_user  grow\r\n", 1)
	s.types("\x15fail\r", "parley: fail failed: disk full\r\n", 1)
	s.types(" git_log since=secret\r", `{"since":"secret"}`, 1)
	s.types(":he\t\r", ":call METHOD [ARGS]", 1)
	s.types("\x04", "", 0)
	s.leaves(0)

	path := filepath.Join(state, "parley", "history")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "git_log order=new n=5\nfail\n:help\n"; string(text) != want {
		t.Errorf("the history is %q, want %q", text, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the history is not its user's alone: %v, %v", info.Mode(), err)
	}

	again := newScreen(t, state, "--", "peer", "tools", "legacy")
	again.types("", "fake> ", 1)
	again.types("\x1b[A\x1b[A\r", "parley: fail failed: disk full\r\n", 1)
	again.types("\x04", "", 0)
	again.leaves(0)
}

// Ctrl-C takes the running call back, and the server is told; the shell goes on. Two at
// the prompt leave.
func TestShellInterrupted(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	s := newScreen(t, state, "--no-history", "--", "peer", "tools", "legacy")
	s.types("", "fake> ", 1)
	s.types("slow\r", "parley: slow: progress 1/10 half way\r\n", 1)
	s.types("\x03", "parley: slow was taken back\r\n", 1)
	s.types("", "peer: cancelled", 1)
	s.types("git_log n=1\r", "{\"n\":1}\r\n", 1)
	s.types("half a line\x03", "parley: Ctrl-C once more, or Ctrl-D, leaves\r\n", 1)
	s.types("\x03", "", 0)
	s.leaves(130)
	if _, err := os.Stat(filepath.Join(state, "parley")); !os.IsNotExist(err) {
		t.Errorf("--no-history left something: %v", err)
	}
}

// A server that dies is told at once, also while a line is being typed.
func TestShellWhoseServerDies(t *testing.T) {
	t.Parallel()
	s := newScreen(t, t.TempDir(), "--", "peer", "tools", "legacy")
	s.types("", "fake> ", 1)
	s.types("die\r", "peer: out of luck\r\n", 1)
	s.leaves(6)
	if !strings.Contains(s.shown(), "parley: the server \"peer\" exited with code 3: still owed by the server: tools/call (id ") {
		t.Errorf("the screen: %q", s.shown())
	}

	idle := newScreen(t, t.TempDir(), "--", "sh", "-c", `echo $$ >server.pid; exec peer tools legacy`)
	idle.types("half", "fake> half", 1)
	signalled(idle.pid("server"), syscall.SIGKILL)
	idle.leaves(6)
	if !strings.Contains(idle.shown(), "was ended by SIGKILL") {
		t.Errorf("the screen: %q", idle.shown())
	}
}

// SIGTERM ends a shell as it ends a call, and the terminal is given back.
func TestShellIsTerminated(t *testing.T) {
	t.Parallel()
	s := newScreen(t, t.TempDir(), "--", "peer", "tools", "legacy")
	s.types("", "fake> ", 1)
	signalled(s.Process.Pid, syscall.SIGTERM)
	s.leaves(130)
}

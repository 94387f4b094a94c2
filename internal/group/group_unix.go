//go:build unix

package group

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A Group is the process group that a child leads. Its id is the child's. The zero
// value is ready for Adopt.
type Group struct {
	id int // written by Adopt, before anything else is called

	mu   sync.Mutex
	over bool // the leader is reaped and no member is left: the id is not ours any more
}

// Adopt takes over the group of a process that was started with Attr.
func (g *Group) Adopt(leader *os.Process) { g.id = leader.Pid }

// Signal sends sig to every member.
func (g *Group) Signal(sig syscall.Signal) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return os.ErrProcessDone
	}
	switch err := syscall.Kill(-g.id, sig); {
	case err == syscall.ESRCH:
		return os.ErrProcessDone
	case err != nil:
		return fmt.Errorf("cannot send %s to process group %d: %w", SignalName(sig), g.id, err)
	}
	return nil
}

// Reap waits for the leader's exit and reaps it. No signal is sent between the
// reaping and the look at what is left: that is when the id could change hands.
func (g *Group) Reap(leader *exec.Cmd) {
	held := awaitExit(g.id)
	if held {
		g.mu.Lock()
	}
	_ = leader.Wait() // leader.ProcessState says more
	if !held {
		g.mu.Lock()
	}
	defer g.mu.Unlock()
	g.over = !HasMembers(g.id)
}

// Alive reports whether the group has a member that runs and that we may signal.
// It must not be called before Reap has returned: a leader that waits to be reaped
// counts as a member.
func (g *Group) Alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over {
		g.over = !HasMembers(g.id)
	}
	return !g.over
}

// Release frees what the system holds for the group, which is nothing here.
func (g *Group) Release() {}

// mayHaveMembers reports whether the system knows of a process in group id that we
// may signal. It may be a zombie, and on macOS it is none (kill says EPERM).
func mayHaveMembers(id int) bool { return syscall.Kill(-id, 0) == nil }

// ExitOf reads how a process ended from what wait(2) said: its exit code, and the name
// of the signal that ended it if one did, when the code is 128 plus the signal's number
// as in a shell. The code is -1 where somebody else reaped the process, or SIGCHLD is
// ignored, so that the state is nil.
func ExitOf(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), SignalName(ws.Signal())
	}
	return state.ExitCode(), ""
}

var signalNames = map[syscall.Signal]string{
	syscall.SIGABRT: "SIGABRT",
	syscall.SIGALRM: "SIGALRM",
	syscall.SIGBUS:  "SIGBUS",
	syscall.SIGFPE:  "SIGFPE",
	syscall.SIGHUP:  "SIGHUP",
	syscall.SIGILL:  "SIGILL",
	syscall.SIGINT:  "SIGINT",
	syscall.SIGKILL: "SIGKILL",
	syscall.SIGPIPE: "SIGPIPE",
	syscall.SIGPROF: "SIGPROF",
	syscall.SIGQUIT: "SIGQUIT",
	syscall.SIGSEGV: "SIGSEGV",
	syscall.SIGSYS:  "SIGSYS",
	syscall.SIGTERM: "SIGTERM",
	syscall.SIGTRAP: "SIGTRAP",
	syscall.SIGUSR1: "SIGUSR1",
	syscall.SIGUSR2: "SIGUSR2",
	syscall.SIGXCPU: "SIGXCPU",
	syscall.SIGXFSZ: "SIGXFSZ",
}

// SignalName returns the name of sig as kill(1) lists it.
func SignalName(sig syscall.Signal) string {
	if name, ok := signalNames[sig]; ok {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}

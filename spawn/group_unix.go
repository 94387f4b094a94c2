//go:build unix

package spawn

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// A group is the process group that the child leads. Its id is the child's.
type group struct {
	id int // written by adopt, before anything else is called

	mu   sync.Mutex
	over bool // the leader is reaped and no member is left: the id is not ours any more
}

// adopt takes over the group of a process that was started with childAttr.
func (g *group) adopt(leader *os.Process) { g.id = leader.Pid }

// signal sends sig to every member.
func (g *group) signal(sig syscall.Signal) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return os.ErrProcessDone
	}
	switch err := syscall.Kill(-g.id, sig); {
	case err == syscall.ESRCH:
		return os.ErrProcessDone
	case err != nil:
		return fmt.Errorf("cannot send %s to process group %d: %w", signalName(sig), g.id, err)
	}
	return nil
}

// reap waits for the leader's exit and reaps it. No signal is sent between the
// reaping and the look at what is left: that is when the id could change hands.
func (g *group) reap(leader *exec.Cmd) {
	held := awaitExit(g.id)
	if held {
		g.mu.Lock()
	}
	_ = leader.Wait() // leader.ProcessState says more
	if !held {
		g.mu.Lock()
	}
	defer g.mu.Unlock()
	g.over = !hasMembers(g.id)
}

// alive reports whether the group has a member that runs and that we may signal.
// It must not be called before reap has returned: a leader that waits to be reaped
// counts as a member.
func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.over {
		g.over = !hasMembers(g.id)
	}
	return !g.over
}

// release frees what the system holds for the group, which is nothing here.
func (g *group) release() {}

// mayHaveMembers reports whether the system knows of a process in group id that we
// may signal. It may be a zombie, and on macOS it is none (kill says EPERM).
func mayHaveMembers(id int) bool { return syscall.Kill(-id, 0) == nil }

// exitOf reads how a process ended from what wait(2) said. The state is nil where
// somebody else reaped the process, or SIGCHLD is ignored.
func exitOf(path string, state *os.ProcessState) ExitError {
	if state == nil {
		return ExitError{Path: path, Code: -1}
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return ExitError{Path: path, Code: 128 + int(ws.Signal()), Signal: signalName(ws.Signal())}
	}
	return ExitError{Path: path, Code: state.ExitCode()}
}

// brokenPipe reports that nobody reads the pipe that was written to.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

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

// signalName returns the name of sig as kill(1) lists it.
func signalName(sig syscall.Signal) string {
	if name, ok := signalNames[sig]; ok {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}

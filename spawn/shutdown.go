package spawn

import (
	"fmt"
	"io"
	"runtime"
	"syscall"
	"time"

	"github.com/parley-rpc/parley/internal/group"
)

// keep starts the child, waits for its exit and begins the ladder for what the
// child leaves behind. It stays on one thread from the fork to the exit, because
// Linux takes the death of the thread that forked for the death of the parent
// (prctl(2), PR_SET_PDEATHSIG). The thread is no extra cost: waiting holds one anyway.
func (c *Child) keep(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.proc.Start()
	if err == nil {
		c.group.Adopt(c.proc.Process)
	}
	started <- err
	if err != nil {
		return
	}
	c.group.Reap(c.proc)
	code, signal := group.ExitOf(c.proc.ProcessState)
	c.exit = ExitError{Path: c.path, Code: code, Signal: signal}
	_ = c.stdout.SetReadDeadline(time.Now()) // wakes source.Read, which sets its own once exited is closed
	close(c.exited)
	c.stop()
}

// stop begins the ladder, once.
func (c *Child) stop() { c.stopOnce.Do(func() { go c.climb() }) }

// climb is the shutdown ladder. Each step is over when the whole group is gone:
//
//	close stdin ── grace ──> SIGTERM ── grace ──> SIGKILL ── 2 s ──> stuck
//
// When a group may be signalled is a rule of package group.
func (c *Child) climb() {
	defer close(c.stopped)
	defer c.group.Release()
	_ = c.CloseWrite() // whether a step has worked is for gone to see
	if c.gone(c.grace) {
		return
	}
	_ = c.group.Signal(syscall.SIGTERM)
	if c.gone(c.grace) {
		return
	}
	err := c.group.Signal(syscall.SIGKILL)
	if c.gone(killWait) || c.hasExited() {
		return // nothing survives SIGKILL: what is left of the group is past running
	}
	if err == nil {
		err = fmt.Errorf("still there %v after SIGKILL", killWait)
	}
	c.stuck = fmt.Errorf("server %q (process %d) cannot be killed: %w", c.path, c.Pid(), err)
}

// gone waits at most d until the child has exited and no member of its group runs,
// and reports whether that is so.
func (c *Child) gone(d time.Duration) bool { return c.group.Gone(d, c.exited) }

// Close ends the child by the ladder that the package comment describes, and frees
// its pipes. It returns nil however the child ended, as the end was asked for, and
// an error only if the child could not be killed. It returns at the latest after
// twice Grace and three seconds. Close may be called at any time, by many
// goroutines and many times; each call returns when the work is done. When Close
// has returned, Command.Stderr is written to no more, unless a Write of it has
// been stuck for 250 ms.
func (c *Child) Close() error {
	c.closeOnce.Do(c.shut)
	return c.stuck
}

func (c *Child) shut() {
	c.closing.Store(true)
	c.stop()
	// A child that is blocked on a full stdout does not see the end of its stdin.
	go func() { _, _ = io.Copy(io.Discard, c.stdout) }()
	<-c.stopped
	c.settle()
	// Closing our end of a pipe has no way to fail that anybody could act on.
	_ = c.stream.Close()
	_ = c.stderr.Close() // ends drain, whoever holds the other end
	<-c.drained
	if c.copy != nil {
		within(drainWait, c.copy.done)
		c.copy.abandon()
	}
}

// Package group starts processes so that all of what they start can be signalled and
// waited for together: a process group on Unix, a job object on Windows. It is what
// packages spawn and toolbox have in common.
//
// A process is started with [Attr] and then adopted; the goroutine that started it
// reaps it with Reap and tells the others by closing a Go channel:
//
//	cmd.SysProcAttr = group.Attr()
//	runtime.LockOSThread() // Linux takes the end of this thread for ours
//	err := cmd.Start()
//	g.Adopt(cmd.Process)
//	g.Reap(cmd)
//	close(exited)
//
// A group id may only be signalled while it is certainly ours. Until the leader is
// reaped it is, and Reap sees to it that nobody signals in between. After that, the id
// stays taken as long as the group has a member (POSIX.1-2017, XBD 4.14, "Process ID
// Reuse"), and Gone looks every few milliseconds whether it has; once it has none, it is
// never signalled again.
package group

import "time"

// Gone waits at most d until exited is closed and no member of the group runs, and
// reports whether that is so. Whoever reaps the leader closes exited after that.
func (g *Group) Gone(d time.Duration, exited <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-exited:
	case <-timer.C:
		return false
	}
	// No system tells when a group that is not ours to wait for has ended.
	for pause := time.Millisecond; g.Alive(); pause = min(2*pause, 20*time.Millisecond) {
		select {
		case <-timer.C:
			return false
		case <-time.After(pause):
		}
	}
	return true
}

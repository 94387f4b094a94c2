//go:build unix && !linux

package group

import "syscall"

// Attr makes the child the leader of a group of its own.
func Attr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitExit cannot wait without reaping here: waitid(2) of macOS returns for a
// process that has only stopped (golang.org/issue/19314). The id of a group is then
// unprotected for the instant between the reaping and the look at what is left.
func awaitExit(int) bool { return false }

// HasMembers reports whether a process of group id is left.
func HasMembers(id int) bool { return mayHaveMembers(id) }

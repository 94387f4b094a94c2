//go:build unix && !linux && !aix && !solaris

package stdio

import "syscall"

// dup2 makes to another name for what from is.
func dup2(from, to int) error { return syscall.Dup2(from, to) }

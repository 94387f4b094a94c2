package stdio

import "syscall"

// dup2 makes to another name for what from is. Newer architectures have dup3 only.
func dup2(from, to int) error { return syscall.Dup3(from, to, 0) }

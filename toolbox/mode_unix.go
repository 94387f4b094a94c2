//go:build unix

package toolbox

import "os"

// writable says what is wrong with a file that others may write to: what is in it is
// run in our name.
func writable(mode os.FileMode) string {
	switch {
	case mode.Perm()&0o002 != 0:
		return "everybody may write to it, and so choose what we run; chmod go-w helps"
	case mode.Perm()&0o020 != 0:
		return "its group may write to it, and so choose what we run; chmod go-w helps"
	}
	return ""
}

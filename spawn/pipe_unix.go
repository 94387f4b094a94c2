//go:build unix

package spawn

import (
	"errors"
	"syscall"
)

// brokenPipe reports that nobody reads the pipe that was written to.
func brokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }

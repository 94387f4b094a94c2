package spawn

import (
	"errors"
	"syscall"
)

// errNoData is ERROR_NO_DATA, which package syscall does not have.
const errNoData = syscall.Errno(232)

// brokenPipe reports that nobody reads the pipe that was written to.
func brokenPipe(err error) bool {
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, errNoData)
}

package spawn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A StartError says why a command could not be started: what, where, and what to
// do about it.
type StartError struct {
	Path    string // as in the Command
	Problem string // one clause for people
	Err     error  // what the system said, for errors.Is
}

func (e *StartError) Error() string { return fmt.Sprintf("cannot start %q: %s", e.Path, e.Problem) }

func (e *StartError) Unwrap() error { return e.Err }

// refuse makes a StartError.
func (cmd *Command) refuse(err error, format string, args ...any) error {
	return &StartError{Path: cmd.Path, Problem: fmt.Sprintf(format, args...), Err: err}
}

// explain turns what fork and exec said into a StartError. The path and the folder
// were checked before, so that their errors mean something else by now.
func explain(path string, err error) error {
	problem := err.Error()
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		problem = "this system cannot run the file; it has no #! line, or was built for another system"
	case errors.Is(err, syscall.ENOENT):
		problem = "the file is there, but the interpreter its #! line names, or its loader, is not"
	case errors.Is(err, syscall.E2BIG):
		problem = "its arguments and environment are too long together"
	}
	return &StartError{Path: path, Problem: problem, Err: err}
}

// An ExitError says how a child ended. It is what ReadRecord returns in place of
// io.EOF, and matches io.EOF, when the child ended other than with exit code 0.
type ExitError struct {
	Path   string // as in the Command
	Code   int    // the exit code; 128 plus the signal's number if a signal ended it; -1 if unknown
	Signal string // the name of the signal that ended it, such as "SIGKILL"; else empty
	Tail   string // the last bytes the child wrote to stderr
}

// shownTail bounds how much of the tail an error message quotes, in bytes.
const shownTail = 1 << 10

func (e *ExitError) Error() string {
	var b strings.Builder
	switch {
	case e.Signal != "":
		fmt.Fprintf(&b, "server %q was ended by %s", e.Path, e.Signal)
	case e.Code < 0:
		fmt.Fprintf(&b, "server %q ended, and how is not known", e.Path)
	default:
		fmt.Fprintf(&b, "server %q exited with code %d", e.Path, e.Code)
	}
	if tail := lastLines(strings.TrimSpace(e.Tail), shownTail); tail != "" {
		fmt.Fprintf(&b, "; its stderr ended with: %q", tail)
	}
	return b.String()
}

// Is reports that an ExitError ends a stream as io.EOF does.
func (e *ExitError) Is(target error) bool { return target == io.EOF }

// clean reports an ending that is no failure.
func (e *ExitError) clean() bool { return e.Code == 0 }

// lastLines returns the end of s in at most n bytes. It begins at a line if one
// begins in there, and never inside a character.
func lastLines(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if _, rest, ok := strings.Cut(s, "\n"); ok && rest != "" {
		return rest
	}
	return wholeRunes(s)
}

// wholeRunes drops the rest of a character that was cut off at the start of s.
func wholeRunes(s string) string {
	for i := range min(len(s), utf8.UTFMax) {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	return s
}

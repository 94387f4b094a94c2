package spawn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/group"
)

// Bounds on waiting for what should come at once. None of them is a pause: each is
// cut short by what it waits for.
const (
	exitWait  = 500 * time.Millisecond // from the end of stdout, or a broken pipe, to the exit
	drainWait = 250 * time.Millisecond // from the exit to the end of stderr, and to its last copy
	silence   = 200 * time.Millisecond // from the exit, without a byte, to the end of stdout
	killWait  = 2 * time.Second        // from SIGKILL to the exit
)

// A Child is a peer that runs as a child process. Its methods may be called from
// many goroutines at once, but ReadRecord from one at a time.
type Child struct {
	path  string
	grace time.Duration
	proc  *exec.Cmd
	group group.Group

	stdin, stdout, stderr *os.File
	stream                frame.Stream // over stdin and stdout
	tail                  tail
	copy                  *relay // to Command.Stderr; nil if there is none

	received atomic.Int64 // bytes from stdout

	exited  chan struct{} // closed by keep when the child has been reaped
	exit    ExitError     // written by keep before exited is closed; its Tail stays empty
	drained chan struct{} // closed by drain at the end of stderr

	stopOnce sync.Once
	stopped  chan struct{} // closed by climb at the end of the ladder
	stuck    error         // written by climb before stopped is closed

	closing   atomic.Bool // Close has begun: nothing is read any more
	closeOnce sync.Once
}

var (
	_ frame.Stream     = (*Child)(nil)
	_ frame.ManyWriter = (*Child)(nil)
	_ frame.Positioner = (*Child)(nil)
	_ frame.Counter    = (*Child)(nil)
)

// newChild returns a child that is yet to be started, with our ends of its pipes.
func newChild(cmd Command, proc *exec.Cmd, ours [3]*os.File) *Child {
	c := &Child{
		path:    cmd.Path,
		grace:   cmd.Grace,
		proc:    proc,
		stdin:   ours[0],
		stdout:  ours[1],
		stderr:  ours[2],
		tail:    tail{limit: cmd.Tail},
		exited:  make(chan struct{}),
		drained: make(chan struct{}),
		stopped: make(chan struct{}),
	}
	if c.grace <= 0 {
		c.grace = defaultGrace
	}
	if c.tail.limit == 0 {
		c.tail.limit = defaultTail
	}
	if cmd.Stderr != nil {
		c.copy = newRelay(cmd.Stderr)
	}
	c.stream = cmd.Framing.Stream(source{c}, c.stdin)
	return c
}

// ReadRecord returns the next record that the child wrote to its stdout. At the
// end it returns an [*ExitError] if the child failed, and io.EOF if it did not.
// After Close has begun it returns an error that wraps frame.ErrClosed.
func (c *Child) ReadRecord() ([]byte, error) {
	rec, err := c.stream.ReadRecord()
	if c.closing.Load() {
		// Close reads too, to let the child finish, so that what was read here may
		// have a gap in it.
		return nil, fmt.Errorf("cannot read from server %q: %w", c.path, frame.ErrClosed)
	}
	if err == nil || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return rec, err
	}
	exit := c.exitWithin(exitWait)
	switch {
	case exit == nil || exit.clean():
		return rec, err
	case err == io.EOF:
		return rec, exit
	}
	return rec, fmt.Errorf("%w: %w", err, exit) // the end came inside a record
}

// WriteRecord writes one record to the child's stdin. It blocks while the pipe is
// full; Close frees it.
func (c *Child) WriteRecord(rec []byte) error {
	return c.writeError(c.stream.WriteRecord(rec))
}

// WriteRecords writes many records with as few system calls as it can.
func (c *Child) WriteRecords(ctx context.Context, recs []frame.Record) error {
	return c.writeError(c.stream.(frame.ManyWriter).WriteRecords(ctx, recs))
}

// writeError adds to a failed write how the child ended, if that is why. A child that
// has closed its stdin and lives on leaves the error as it is.
func (c *Child) writeError(err error) error {
	var wait time.Duration
	switch {
	case err == nil:
		return nil
	case c.closing.Load():
		return fmt.Errorf("cannot write to server %q: %w", c.path, frame.ErrClosed)
	case brokenPipe(err):
		wait = exitWait // the pipe breaks a moment before the child can be reaped
	case !errors.Is(err, os.ErrClosed):
		return err
	}
	if exit := c.exitWithin(wait); exit != nil {
		return fmt.Errorf("cannot write to a server that is gone: %w", exit)
	}
	return err
}

// Pos says how much was read from the child.
func (c *Child) Pos() frame.Pos { return c.stream.(frame.Positioner).Pos() }

// Written says how many bytes the child's stdin has taken.
func (c *Child) Written() int64 { return c.stream.(frame.Counter).Written() }

// Received says how many bytes of the child's stdout were read, whole records or not. It
// may be called while another goroutine reads.
func (c *Child) Received() int64 { return c.received.Load() }

// CloseWrite closes the child's stdin and nothing else, which asks a well-behaved
// server to finish and exit. A write that is under way is cut off.
func (c *Child) CloseWrite() error {
	if err := c.stdin.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}

// Wait waits until the child has exited, and briefly for the end of its stderr. It
// returns nil for exit code 0, else an [*ExitError]. It asks for nothing: a server
// that waits for input runs on until CloseWrite or Close.
func (c *Child) Wait() error {
	<-c.exited
	if exit := c.exitWithin(0); !exit.clean() {
		return exit
	}
	return nil
}

// Done returns a Go channel that is closed when the child has exited and has been reaped.
func (c *Child) Done() <-chan struct{} { return c.exited }

// Gone returns a Go channel that is closed when nothing is left of the child and of what
// runs in its group, or what is left cannot be killed. The id of the group, which is Pid,
// may then come to belong to others. Unless Close has begun before, this can take twice
// Grace and two seconds from Done on: what a launcher leaves behind is taken down first.
func (c *Child) Gone() <-chan struct{} { return c.stopped }

// Pid returns the process id of the child.
func (c *Child) Pid() int { return c.proc.Process.Pid }

// Tail returns the last bytes that the child has written to stderr so far.
func (c *Child) Tail() string { return c.tail.String() }

// Signal sends sig to the child's whole process group, as a terminal does, so that
// a server behind a launcher gets it too. After the child's exit it returns
// os.ErrProcessDone. Windows knows os.Kill and SIGTERM, which both end it at once.
func (c *Child) Signal(sig os.Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok {
		return fmt.Errorf("cannot send %v to server %q: %w", sig, c.path, errors.ErrUnsupported)
	}
	if c.hasExited() {
		return os.ErrProcessDone
	}
	return c.group.Signal(s)
}

func (c *Child) hasExited() bool {
	select {
	case <-c.exited:
		return true
	default:
		return false
	}
}

// exitWithin returns how the child ended, with the tail of its stderr, or nil if
// it still runs after wait.
func (c *Child) exitWithin(wait time.Duration) *ExitError {
	if !c.hasExited() && !within(wait, c.exited) {
		return nil
	}
	c.settle()
	exit := c.exit
	exit.Tail = c.tail.String()
	return &exit
}

// settle waits a little for what a child that has exited left in its stderr. A
// process that inherited the pipe can hold it open for ever.
func (c *Child) settle() {
	if within(drainWait, c.drained) && c.copy != nil {
		within(drainWait, c.copy.done)
	}
}

// within reports whether done is closed before d has passed.
func within(d time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// A source is the child's stdout. It ends with the pipe; after the child's exit it
// ends also when nothing comes for a while, because a process outside the group may
// hold the pipe open, and calls that wait for an answer must learn of the death.
type source struct{ c *Child }

func (s source) Read(p []byte) (int, error) {
	for {
		dead := s.c.hasExited()
		if dead {
			// Windows has no such deadline for a pipe, and ends the whole job anyway.
			_ = s.c.stdout.SetReadDeadline(time.Now().Add(silence))
		}
		n, err := s.c.stdout.Read(p)
		s.c.received.Add(int64(n))
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if dead {
			return 0, io.EOF
		}
		<-s.c.exited // keep has woken this read; what is left in the pipe comes next
	}
}

func (s source) Close() error { return s.c.stdout.Close() }

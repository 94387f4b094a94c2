package stdio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-rpc/parley/frame"
)

// ErrClaimed means that Claim was called before in this process.
var ErrClaimed = errors.New("this process's stdin and stdout are claimed already; Claim them once and share the stream")

// closeWait bounds Close where the system will not close a descriptor under a
// blocked read, as Windows does not for a console.
const closeWait = time.Second

// A Stdio is the stream of records over this process's stdin and stdout. Its
// methods may be called from many goroutines at once, but ReadRecord from one at a
// time.
type Stdio struct {
	stream frame.Stream
	taken  *taken
	closed atomic.Bool // Close has begun: there is nothing left to give back
}

var (
	_ frame.Stream     = (*Stdio)(nil)
	_ frame.ManyWriter = (*Stdio)(nil)
	_ frame.Positioner = (*Stdio)(nil)
	_ frame.Counter    = (*Stdio)(nil)
)

// claim is the one that holds this process's stdin and stdout, if any does. It also
// keeps what os.Stdin and os.Stdout were from being collected, which would close
// descriptors 0 and 1.
var claim struct {
	sync.Mutex
	holder *Stdio
}

// Claim takes this process's stdin and stdout for records. It can be done once; a
// second Claim returns [ErrClaimed]. When Claim fails, nothing has changed.
func Claim(f frame.Framing) (*Stdio, error) {
	claim.Lock()
	defer claim.Unlock()
	if claim.holder != nil {
		return nil, ErrClaimed
	}
	t, err := take()
	if err != nil {
		return nil, fmt.Errorf("cannot claim stdin and stdout: %w", err)
	}
	t.install()
	claim.holder = &Stdio{stream: f.Stream(t.in, t.out), taken: t}
	return claim.holder, nil
}

// ReadRecord returns the next record from stdin, and io.EOF at its end.
func (s *Stdio) ReadRecord() ([]byte, error) { return s.stream.ReadRecord() }

// WriteRecord writes one record to stdout. If nobody reads that any more, the error
// matches syscall.EPIPE, except on Windows, which has its own.
func (s *Stdio) WriteRecord(rec []byte) error { return s.stream.WriteRecord(rec) }

// WriteRecords writes many records with as few system calls as it can.
func (s *Stdio) WriteRecords(ctx context.Context, recs []frame.Record) error {
	return s.stream.(frame.ManyWriter).WriteRecords(ctx, recs)
}

// Pos says how much was read.
func (s *Stdio) Pos() frame.Pos { return s.stream.(frame.Positioner).Pos() }

// Written says how many bytes have gone out.
func (s *Stdio) Written() int64 { return s.stream.(frame.Counter).Written() }

// Bytes returns the two byte streams behind the records, for who has to see the first
// bytes before the framing is known. Whoever uses them leaves ReadRecord and the writing
// of records alone: both would read ahead. They end with Close.
func (s *Stdio) Bytes() (in io.Reader, out io.Writer) { return s.taken.in, s.taken.out }

// Close closes our side of both directions, after which the peer sees the end of
// our stdout. It returns within a second, though a read or write that is blocked in
// the system stays so. The redirection stays: what is printed later still goes to
// stderr. Close may be called more than once.
func (s *Stdio) Close() error {
	s.closed.Store(true)
	done := make(chan error, 1)
	go func() { done <- s.stream.Close() }()
	timer := time.NewTimer(closeWait)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return nil
	}
}

// Release undoes Claim: descriptors 0 and 1, os.Stdin and os.Stdout are what they
// were, and Claim may be called again. The stream is closed. It is for tests, and
// for programs that speak in records for a part of their life only. What the stream
// has read ahead is lost. Release must come before Close, which leaves nothing to
// give back; it then returns an error that matches os.ErrClosed.
func (s *Stdio) Release() error {
	claim.Lock()
	defer claim.Unlock()
	if claim.holder != s {
		return nil // released before
	}
	if s.closed.Load() {
		return fmt.Errorf("cannot release stdin and stdout after Close: %w", os.ErrClosed)
	}
	if err := s.taken.giveBack(); err != nil {
		return fmt.Errorf("cannot release stdin and stdout: %w", err)
	}
	s.taken.uninstall()
	claim.holder = nil
	return s.Close()
}

// taken is what Claim takes, and what it puts in its place.
type taken struct {
	in  io.ReadCloser  // private; what stdin was
	out io.WriteCloser // private; what stdout was

	null  *os.File // what os.Stdin and descriptor 0 are now
	stray *os.File // what os.Stdout and descriptor 1 are now: stderr, by another descriptor

	stdin, stdout  *os.File // what os.Stdin and os.Stdout were
	restoreSIGPIPE func()   // undoes surviveSIGPIPE
}

// install sets the variables of package os. os.Stdout becomes a file of its own
// rather than os.Stderr, so that closing the one does not close the other.
func (t *taken) install() {
	t.stdin, t.stdout = os.Stdin, os.Stdout
	os.Stdin, os.Stdout = t.null, t.stray
	t.restoreSIGPIPE = surviveSIGPIPE()
}

// uninstall undoes install.
func (t *taken) uninstall() {
	os.Stdin, os.Stdout = t.stdin, t.stdout
	t.restoreSIGPIPE()
	// Somebody may have closed them before, as os.Stdin and os.Stdout.
	_ = t.null.Close()
	_ = t.stray.Close()
}

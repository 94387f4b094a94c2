//go:build unix && !aix && !solaris

package stdio

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// firstPrivate is the lowest descriptor for what is ours. Go raises SIGPIPE for
// broken writes to 1 and 2 only, and nobody expects a protocol there.
const firstPrivate = 3

// take moves descriptors 0 and 1 away and points them elsewhere.
func take() (*taken, error) {
	var opened []*os.File
	undo := func(err error) (*taken, error) {
		for _, f := range opened {
			_ = f.Close()
		}
		return nil, err
	}
	for fd, name := range []string{"stdin", "stdout", "stderr"} {
		f, err := dup(fd, name)
		if err != nil {
			return undo(err)
		}
		opened = append(opened, f)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return undo(err)
	}
	opened = append(opened, null)
	in, out, stray := opened[0], opened[1], opened[2]

	if err := point(0, null); err != nil {
		return undo(err)
	}
	if err := point(1, stray); err != nil {
		return undo(errors.Join(err, point(0, in)))
	}
	return &taken{in: inherited{in}, out: inherited{out}, null: null, stray: stray}, nil
}

// giveBack points descriptors 0 and 1 at what they were.
func (t *taken) giveBack() error {
	if err := point(0, t.in.(inherited).file); err != nil {
		return err
	}
	return point(1, t.out.(inherited).file)
}

// dup returns a file that shares what descriptor fd is, by a private descriptor. The
// flags of what is shared are not touched: os.NewFile uses the poller if somebody
// made it non-blocking before, and blocks otherwise.
func dup(fd int, name string) (*os.File, error) {
	private, _, errno := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, firstPrivate)
	switch errno {
	case 0:
		return os.NewFile(private, name), nil
	case syscall.EBADF:
		return nil, fmt.Errorf("%s is closed: %w", name, errno)
	}
	return nil, fmt.Errorf("cannot duplicate %s: %w", name, errno)
}

// point makes descriptor fd another name for what f is. It does not use f.Fd, which
// may change the flags of what f shares.
func point(fd int, f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var dupErr error
	err = conn.Control(func(from uintptr) { dupErr = dup2(int(from), fd) })
	if err = errors.Join(err, dupErr); err != nil {
		return fmt.Errorf("cannot point descriptor %d at %s: %w", fd, f.Name(), err)
	}
	return nil
}

// surviveSIGPIPE makes a broken stderr an error of the write to it, until undo. What
// the program ignores already is left alone.
func surviveSIGPIPE() (undo func()) {
	if signal.Ignored(syscall.SIGPIPE) {
		return func() {}
	}
	wanted := make(chan os.Signal, 1) // nobody receives: that it is wanted is enough
	signal.Notify(wanted, syscall.SIGPIPE)
	return func() { signal.Stop(wanted) }
}

// An inherited file may become non-blocking at any time, when another process that
// shares it makes it so. Go then returns EAGAIN, as it took the file for a blocking
// one. These methods try again until there is something to read, or room to write.
//
// The file is not embedded: its other methods would pass these by.
type inherited struct{ file *os.File }

// againPause bounds the pause between two tries.
const againPause = 10 * time.Millisecond

func (f inherited) Read(p []byte) (n int, err error) {
	err = again(func() (progress bool, err error) {
		n, err = f.file.Read(p)
		return n > 0, err
	})
	return n, err
}

func (f inherited) Write(p []byte) (n int, err error) {
	err = again(func() (progress bool, err error) {
		m, err := f.file.Write(p[n:])
		n += m
		return m > 0, err
	})
	return n, err
}

func (f inherited) Close() error { return f.file.Close() }

// again calls try until it returns something else than EAGAIN.
func again(try func() (progress bool, err error)) error {
	for pause := time.Millisecond; ; pause = min(2*pause, againPause) {
		progress, err := try()
		if !errors.Is(err, syscall.EAGAIN) {
			return err
		}
		if progress {
			pause = time.Millisecond
		}
		time.Sleep(pause)
	}
}

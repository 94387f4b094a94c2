package stdio

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

var setStdHandle = syscall.NewLazyDLL("kernel32.dll").NewProc("SetStdHandle")

// take keeps the handles that os.Stdin and os.Stdout have, hides them from
// children, and puts others in the process's table in their place.
func take() (*taken, error) {
	if os.Stdin == nil || os.Stdout == nil || os.Stderr == nil {
		return nil, errors.New("the process was started without stdin, stdout or stderr")
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	stray, err := dup(os.Stderr)
	if err != nil {
		_ = null.Close()
		return nil, err
	}
	in, out := os.Stdin, os.Stdout
	if err := point(null, stray); err != nil {
		err = errors.Join(err, point(in, out))
		_ = null.Close()
		_ = stray.Close()
		return nil, err
	}
	inherit(in, false)
	inherit(out, false)
	return &taken{in: in, out: out, null: null, stray: stray}, nil
}

// giveBack puts back what stdin and stdout were. The stream must not close them
// later, so that it gets files of its own to close.
func (t *taken) giveBack() error {
	in, err := dup(t.stdin)
	if err != nil {
		return err
	}
	out, err := dup(t.stdout)
	if err != nil {
		_ = in.Close()
		return err
	}
	t.stdin, t.stdout = in, out
	inherit(in, true)
	inherit(out, true)
	return point(in, out)
}

// dup returns a file that shares what f is, by a handle that children do not get.
func dup(f *os.File) (*os.File, error) {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return nil, err
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	var h syscall.Handle
	var dupErr error
	err = conn.Control(func(from uintptr) {
		dupErr = syscall.DuplicateHandle(self, syscall.Handle(from), self, &h, 0, false, syscall.DUPLICATE_SAME_ACCESS)
	})
	if err = errors.Join(err, dupErr); err != nil {
		return nil, fmt.Errorf("cannot duplicate %s: %w", f.Name(), err)
	}
	return os.NewFile(uintptr(h), f.Name()), nil
}

// point makes in and out the process's stdin and stdout, for this program, for the
// children it starts and for who asks the system.
func point(in, out *os.File) error {
	for id, f := range map[int]*os.File{syscall.STD_INPUT_HANDLE: in, syscall.STD_OUTPUT_HANDLE: out} {
		if ok, _, err := setStdHandle.Call(uintptr(uint32(id)), f.Fd()); ok == 0 {
			return fmt.Errorf("cannot set a standard handle to %s: %w", f.Name(), err)
		}
	}
	syscall.Stdin, syscall.Stdout = syscall.Handle(in.Fd()), syscall.Handle(out.Fd())
	return nil
}

// inherit says whether children that inherit handles inherit f. A console handle of
// an old system cannot be told, and is then left as it is.
func inherit(f *os.File, yes bool) {
	var flag uint32
	if yes {
		flag = syscall.HANDLE_FLAG_INHERIT
	}
	_ = syscall.SetHandleInformation(syscall.Handle(f.Fd()), syscall.HANDLE_FLAG_INHERIT, flag)
}

// surviveSIGPIPE has nothing to do on Windows, where a broken pipe is an error of the
// write and no more.
func surviveSIGPIPE() (undo func()) { return func() {} }

//go:build !windows && (!unix || aix || solaris)

package stdio

import "errors"

// take cannot move descriptors here. Serve on frame.Lines.Stream(os.Stdin,
// os.Stdout) there, and print nothing.
func take() (*taken, error) { return nil, errors.ErrUnsupported }

func (t *taken) giveBack() error    { return errors.ErrUnsupported }
func surviveSIGPIPE() (undo func()) { return func() {} }

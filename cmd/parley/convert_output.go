package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// An output is where values go.
type output interface {
	io.Writer
	// end closes it. whole says whether all values have been written that were meant to be.
	end(whole bool) error
}

// open returns what to write to.
func (f *convertFlags) open(a *app, in io.Reader) (output, error) {
	if f.output == "" {
		return keptOpen{a.stdout}, nil
	}
	into, err := os.Stat(f.output)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return begin(f.output, 0o666)
	case err != nil:
		return nil, usagef("%v", err)
	case isFile(a.stdout, into): // as /dev/stdout
		return keptOpen{a.stdout}, nil
	case !into.Mode().IsRegular():
		return direct(f.output)
	case isFile(in, into):
		// To write to the file that is read would be to lose what has not been read yet.
		return nil, usagef("--output %s: that is the input", quoteArg(f.output))
	}
	return replace(f.output, into.Mode().Perm())
}

// isRegular reports whether a stream is a regular file.
func isRegular(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode().IsRegular()
}

// isFile reports whether a stream is a file.
func isFile(stream any, is fs.FileInfo) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && os.SameFile(info, is)
}

// keptOpen is an output that is not ours to close.
type keptOpen struct{ io.Writer }

func (keptOpen) end(bool) error { return nil }

// A device is an output that cannot be taken back: a pipe, a terminal, a disk.
type device struct{ *os.File }

// direct opens a device for writing alone: who holds the reading end of a pipe as well never
// learns that its reader has gone.
func direct(path string) (output, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return device{file}, nil
}

func (d device) end(bool) error { return d.Close() }

// A draft is a file that takes the place of another one when it is whole. Until then
// whoever reads the other finds what was there before.
type draft struct {
	*os.File
	path string // of the other
}

// replace begins a file that takes the place of path, which is there and has a mode.
func replace(path string, mode fs.FileMode) (output, error) {
	// Who may not write to a file may still be allowed to replace it, and does not want to.
	old, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return nil, usagef("%v", err)
	}
	_ = old.Close() // nothing was written
	// It is the file behind a link that is replaced, and not the link.
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	d, err := begin(path, mode)
	if err != nil {
		return nil, err
	}
	if err := d.Chmod(mode); err != nil { // the umask may have taken something away
		_ = d.end(false)
		return nil, usagef("%v", err)
	}
	return d, nil
}

// begin begins a file that becomes path. It stands beside path, since a file can take the
// place of another one only within a folder.
func begin(path string, mode fs.FileMode) (draft, error) {
	name := fmt.Sprintf(".%s.%x", filepath.Base(path), rand.Uint64())
	file, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		bad.Path = path
	}
	if err != nil {
		return draft{}, usagef("%v", err)
	}
	return draft{file, path}, nil
}

func (d draft) end(whole bool) error {
	err := d.Close()
	if whole && err == nil {
		err = os.Rename(d.Name(), d.path)
	}
	if !whole || err != nil {
		_ = os.Remove(d.Name()) // it is of no use to anybody
	}
	return err
}

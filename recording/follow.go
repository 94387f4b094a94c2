package recording

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

// pollEvery is how often the end of a followed file is looked at again. It is short
// enough for a person who watches, and costs next to nothing.
const pollEvery = 200 * time.Millisecond

// FollowOptions say how a file is followed. Nil and the zero value are fine.
type FollowOptions struct {
	// Again is called when reading begins at the start of a file again, with the reason in
	// words: "the file became shorter". Nil: nobody is told. It is called by Read, and must
	// not block.
	Again func(why string)
}

// Follow opens a file that somebody still writes to. At its end Read waits for more, and
// gives io.EOF only when ctx has ended. If the file becomes shorter than what has been
// read, it is read from its start again; if another file takes its name, that one is
// read, after the rest of the old one. A record that was cut off by either runs into the
// first one that follows.
//
// The file has to be a regular one: nothing else can be waited for in this way.
func Follow(ctx context.Context, path string, opts *FollowOptions) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = file.Close() // it was read only
		if err == nil {
			err = fmt.Errorf("recording: %s is no regular file: only such a file can be followed", path)
		}
		return nil, err
	}
	f := &follower{ctx: ctx, path: path, file: file, again: func(string) {}}
	if opts != nil && opts.Again != nil {
		f.again = opts.Again
	}
	return f, nil
}

// A follower is what Follow returns.
type follower struct {
	ctx    context.Context // bounds every Read, which has none of its own
	path   string
	file   *os.File
	offset int64    // bytes of file that have been read
	next   *os.File // has taken the name of file, and is read after it; nil: none has
	again  func(why string)
}

// Read reads what is there, or waits for it.
func (f *follower) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for f.ctx.Err() == nil {
		n, err := f.file.Read(p)
		f.offset += int64(n)
		if n > 0 || err != nil && err != io.EOF {
			return n, err
		}
		again, err := f.turn()
		if err != nil {
			return 0, err
		}
		if again {
			continue
		}
		select {
		case <-f.ctx.Done():
		case <-time.After(pollEvery):
		}
	}
	return 0, io.EOF
}

// turn looks, at the end of the file, for another place to read from. It reports whether
// there may be one now.
func (f *follower) turn() (again bool, err error) {
	if f.next != nil {
		_ = f.file.Close() // it was read only
		f.file, f.offset, f.next = f.next, 0, nil
		f.again("another file has taken its name")
		return true, nil
	}
	info, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() < f.offset {
		f.offset, err = f.file.Seek(0, io.SeekStart)
		f.again("the file became shorter")
		return true, err
	}
	// There may be no file of that name for a while, when files are rotated.
	named, err := os.Stat(f.path)
	if err != nil || os.SameFile(info, named) || !named.Mode().IsRegular() {
		return false, nil //nolint:nilerr // what cannot be seen now may be seen the next time
	}
	// The old file may have grown since its end was met: it is read once more.
	f.next, err = os.Open(f.path)
	return err == nil, nil
}

// Close closes what is open. It must not be called while somebody reads.
func (f *follower) Close() error {
	if f.next != nil {
		_ = f.next.Close() // it was read only
	}
	return f.file.Close()
}

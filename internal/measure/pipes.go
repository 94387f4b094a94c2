package measure

import (
	"errors"
	"io"
	"os"
	"time"
)

const (
	// piece is how much goes into one write, as a stream of package frame does it.
	piece = 64 << 10
	// leastRoom is what a pipe of any system holds.
	leastRoom = 4 << 10
)

// room returns how many bytes, up to one piece, an empty pipe takes without a reader.
// A system can be short of room for pipes, and a write that waits for itself to read
// would wait for ever.
func room(r, w *os.File) (int, error) {
	if err := w.SetWriteDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		return leastRoom, nil //nolint:nilerr // This system cannot interrupt a write, so that there is no asking.
	}
	n, err := w.Write(make([]byte, piece))
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, err
	}
	if _, err := io.ReadFull(r, make([]byte, n)); err != nil {
		return 0, err
	}
	return max(n, 1), w.SetWriteDeadline(time.Time{})
}

// through returns an op that puts data through a pipe and takes it out again, in
// pieces that fit. One goroutine does both, so that nobody has to be woken.
func through(data []byte) (op, func() error, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	done := func() error { return errors.Join(w.Close(), r.Close()) }
	most, err := room(r, w)
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	into := make([]byte, min(most, len(data))) // made once: what a reader allocates is framing
	return func(n int) error {
		for range n {
			for rest := data; len(rest) > 0; {
				m := min(most, len(rest))
				if _, err := w.Write(rest[:m]); err != nil {
					return err
				}
				if _, err := io.ReadFull(r, into[:m]); err != nil {
					return err
				}
				rest = rest[m:]
			}
		}
		return nil
	}, done, nil
}

// drained returns the end of a pipe that somebody reads as fast as he can. done closes
// it and returns when the reader has gone.
func drained() (w *os.File, done func() error, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		// io.Copy would read less at a time than a stream does.
		into := make([]byte, piece)
		for {
			if _, err := r.Read(into); err != nil {
				return
			}
		}
	}()
	return w, func() error {
		err := w.Close()
		<-gone
		return errors.Join(err, r.Close())
	}, nil
}

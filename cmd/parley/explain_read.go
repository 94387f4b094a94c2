package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/recording"
)

// An input is where explain reads from.
type input struct {
	name string // for errors
	io.Reader
	file  io.ReaderAt // a regular file, which can be read twice; nil: none
	start int64       // where in the file the input begins
	size  int64       // bytes from there on
	close func() error
}

// openInput opens a file, or stdin for "-". What is no regular file, or is followed, is
// read once, as it comes.
func (x *explainFlags) openInput(ctx context.Context, a *app, name string) (*input, error) {
	in := &input{name: name, Reader: a.stdin, close: func() error { return nil }}
	switch {
	case name == "-":
		in.name = "stdin"
		if x.follow {
			return in, nil // a pipe is followed in any case
		}
	case x.follow:
		file, err := recording.Follow(ctx, name, &recording.FollowOptions{Again: func(why string) {
			a.tell.printf("parley: %s: %s: it is read from its start", name, why)
		}})
		if err != nil {
			return nil, usagef("%v", err)
		}
		in.Reader, in.close = file, file.Close
		return in, nil
	default:
		file, err := os.Open(name)
		if err != nil {
			return nil, usagef("%v", err)
		}
		in.Reader, in.close = file, file.Close
	}
	file, ok := in.Reader.(*os.File)
	if !ok {
		return in, nil
	}
	info, err := file.Stat()
	switch {
	case err == nil && info.IsDir():
		_ = in.close()
		return nil, usagef("%s is a directory", in.name)
	case err != nil || !info.Mode().IsRegular():
		return in, nil //nolint:nilerr // what cannot be looked at may still be read
	}
	if in.start, err = file.Seek(0, io.SeekCurrent); err == nil {
		in.file, in.size = file, max(info.Size()-in.start, 0)
	}
	return in, nil
}

// A liveReader reads an input that may have nothing to say for a long time. Before it
// waits it calls idle, and once more after patience. It ends when ctx does, even if the
// input never does.
type liveReader struct {
	ctx      context.Context // bounds every Read, which has none of its own
	chunks   <-chan chunk
	free     chan<- []byte
	patience time.Duration
	idle     func(waited bool) error // its error ends the reading

	now  chunk
	rest []byte // of now
}

// A chunk is what one Read of an input gave.
type chunk struct {
	bytes []byte
	err   error
}

// liveChunk is how much is read ahead at a time, while what was read before is shown.
const liveChunk = 64 << 10

// newLiveReader reads an input in the background. A Read of it that is blocked when ctx
// ends is left behind, for the end of the process.
func newLiveReader(ctx context.Context, in io.Reader, patience time.Duration) *liveReader {
	chunks, free := make(chan chunk, 1), make(chan []byte, 2)
	free <- make([]byte, liveChunk)
	free <- make([]byte, liveChunk)
	go func() {
		for buffer := range free {
			n, err := in.Read(buffer)
			select {
			case chunks <- chunk{buffer[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return &liveReader{ctx: ctx, chunks: chunks, free: free, patience: patience, idle: func(bool) error { return nil }}
}

// Read gives what has been read ahead, or waits.
func (r *liveReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.now.err != nil {
			return 0, r.now.err
		}
		if r.now.bytes != nil {
			r.free <- r.now.bytes[:liveChunk]
			r.now.bytes = nil
		}
		if err := r.wait(); err != nil {
			return 0, err
		}
		r.rest = r.now.bytes
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// wait takes the next chunk.
func (r *liveReader) wait() error {
	if r.ctx.Err() != nil { // also of an input that never makes anybody wait
		r.now.err = io.EOF
		return io.EOF
	}
	select {
	case r.now = <-r.chunks:
		return nil
	default:
	}
	if r.now.err = r.idle(false); r.now.err != nil {
		return r.now.err
	}
	patience := time.NewTimer(r.patience)
	defer patience.Stop()
	for {
		select {
		case r.now = <-r.chunks:
			return nil
		case <-patience.C:
			r.now.err = r.idle(true)
		case <-r.ctx.Done():
			r.now.err = io.EOF
		}
		if r.now.err != nil {
			return r.now.err
		}
	}
}

// ledgerRecord is what the ledger is told of a record.
func ledgerRecord(rec *recording.Record) ledger.Record {
	out := ledger.Record{At: ledger.Untimed, From: rec.From, Raw: rec.Raw, What: rec.Process}
	if rec.Timed {
		out.At = rec.Time
	}
	if rec.Err != nil {
		out.Err = rec.Err
		// Where it is in the input is told with the record, once.
		if skipped, ok := errors.AsType[*frame.SkipError](rec.Err); ok {
			out.Err = skipped.Err
		}
	}
	return out
}

// keepRecord returns a record that is good beyond the next Read.
func keepRecord(rec recording.Record) recording.Record {
	rec.Raw = slices.Clone(rec.Raw)
	return rec
}

// readError says that an input broke off, which is no fault of the command line. What was
// read is shown.
func (in *input) readError(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	f := usagef("cannot read %s: %v", in.name, err)
	f.word = "input"
	return f
}

// inputText says in words what an input looks like.
func inputText(r *recording.Reader) string {
	switch r.Shape() {
	case recording.ShapeTranscript:
		return "a transcript: " + r.Why()
	case recording.ShapeArray:
		return "a JSON array: " + r.Why()
	case recording.ShapeRaw:
	}
	return fmt.Sprintf("records in the framing %v: %s", r.Framing(), r.Why())
}

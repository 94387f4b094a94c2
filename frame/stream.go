package frame

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"sync/atomic"
)

// A Stream carries records both ways. ReadRecord and WriteRecord may be called at
// the same time. WriteRecord is safe for any number of goroutines; ReadRecord is
// for one at a time.
type Stream interface {
	// ReadRecord returns the next record, which belongs to the caller. The errors
	// are those of [Framing.Read]; after a [*SkipError] the next call goes on.
	ReadRecord() ([]byte, error)

	// WriteRecord writes one record, whole or not at all as far as other writers
	// can tell. It does not keep rec.
	WriteRecord(rec []byte) error

	// Close ends both directions and may be called more than once. It waits for
	// no write that is going on.
	Close() error
}

// A Record is one record in parts. It is written as if they were joined, so that
// a caller can put an envelope around bytes without copying them.
type Record [][]byte

// A ManyWriter is a [Stream] that writes many records at once. The records arrive
// in order and nothing comes between them. ctx bounds the wait for other writers;
// a write that has begun is not given up. If one record is refused, none is
// written.
type ManyWriter interface {
	WriteRecords(ctx context.Context, recs []Record) error
}

// A Positioner tells where the record began that was read last, or the thing that
// was skipped. It is for the goroutine that reads. A [Reader] is one, and so is
// every stream of [Framing.Stream].
type Positioner interface {
	Pos() Pos
}

// A Counter tells how many bytes of a stream have gone out, so that somebody who waits
// for a slow reader can tell it from a dead one. It may be called at any time. Every
// stream of [Framing.Stream] is one.
type Counter interface {
	Written() int64
}

// maxScratch is the size in bytes above which a stream lets go of the buffer in
// which it puts records together, so that one large record does not cost memory
// for as long as the stream lives.
const maxScratch = 1 << 20

// maxPiece is the size in bytes up to which one call of out.Write takes all. More
// goes out in pieces of this size, one after the other and with nothing between
// them, so that a slow reader of a large record can be told from a dead one.
const maxPiece = 64 << 10

// Stream returns a stream that reads records from in and writes records to out.
// It is also a [ManyWriter], a [Positioner] and a [Counter].
//
// Each write of one or many records is one call of out.Write up to 64 KiB, and as
// few as that allows beyond. A write that fails
// breaks the write side: it and all later writes return [ErrBroken] with the cause.
//
// Close closes out and then in, as far as they are io.Closers, and once if they
// are the same value. What is blocked in them returns if their Close makes it
// return; writers that wait for their turn return in any case.
func (f Framing) Stream(in io.Reader, out io.Writer) Stream {
	s := &stream{
		framing: f,
		reader:  NewReader(in),
		out:     out,
		turn:    make(chan struct{}, 1),
		closed:  make(chan struct{}),
	}
	s.close = sync.OnceValue(func() error {
		close(s.closed)
		return closeBoth(out, in)
	})
	return s
}

// stream is what [Framing.Stream] returns.
type stream struct {
	framing Framing
	reader  *Reader // of the goroutine that reads
	out     io.Writer
	close   func() error
	closed  chan struct{} // closed by the first Close

	// turn is the lock of the write side: who has put a value in, writes. It is a
	// Go channel and no mutex, because whoever waits for it must be able to give
	// up while the writer before it is blocked in out.
	turn    chan struct{}
	scratch []byte // records with their marks; empty between writes
	broken  error  // why nothing can be written any more

	written atomic.Int64
}

var (
	_ ManyWriter = (*stream)(nil)
	_ Positioner = (*stream)(nil)
	_ Counter    = (*stream)(nil)
)

// Pos returns where the record began that ReadRecord returned last.
func (s *stream) Pos() Pos { return s.reader.Pos() }

// ReadRecord returns the next record.
func (s *stream) ReadRecord() ([]byte, error) {
	if s.isClosed() {
		return nil, ErrClosed
	}
	rec, err := s.framing.Read(s.reader)
	if err == nil || err == io.EOF {
		return rec, err
	}
	if _, skipped := errors.AsType[*SkipError](err); !skipped && s.isClosed() {
		err = fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return nil, err
}

// WriteRecord writes one record in its turn.
func (s *stream) WriteRecord(rec []byte) error {
	if err := s.lock(context.Background()); err != nil {
		return err
	}
	defer s.unlock()
	b, err := s.framing.Append(s.scratch, rec)
	if err != nil {
		return err
	}
	return s.writeLocked(b)
}

// WriteRecords writes many records in one write.
func (s *stream) WriteRecords(ctx context.Context, recs []Record) error {
	if err := s.lock(ctx); err != nil {
		return err
	}
	defer s.unlock()
	b := s.scratch
	for i, rec := range recs {
		var err error
		if b, err = s.framing.appendParts(b, rec...); err != nil {
			return fmt.Errorf("record %d of %d, none of which is written: %w", i+1, len(recs), err)
		}
	}
	if len(b) == 0 {
		return nil
	}
	return s.writeLocked(b)
}

// lock waits for the turn to write. Where it returns an error, there is nothing
// to unlock.
func (s *stream) lock(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return ErrClosed
	}
	// The turn may have come together with a reason not to take it.
	err := s.broken
	if s.isClosed() {
		err = ErrClosed
	} else if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		s.unlock()
	}
	return err
}

// unlock lets the next writer have its turn.
func (s *stream) unlock() { <-s.turn }

// writeLocked hands b to out, and keeps the buffer for the next write unless it
// has become too large.
func (s *stream) writeLocked(b []byte) error {
	if cap(b) <= maxScratch {
		s.scratch = b[:0]
	}
	n, err := 0, error(nil)
	for err == nil && n < len(b) {
		piece := b[n:min(n+maxPiece, len(b))]
		m, failed := s.out.Write(piece)
		if failed == nil && m < len(piece) {
			failed = io.ErrShortWrite
		}
		n, err = n+m, failed
		s.written.Add(int64(m))
	}
	if err == nil {
		return nil
	}
	s.broken = fmt.Errorf("%w (%d of %d bytes went out): %w", ErrBroken, n, len(b), err)
	if s.isClosed() {
		return fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return s.broken
}

// Written returns how many bytes have gone out so far.
func (s *stream) Written() int64 { return s.written.Load() }

// Close closes both sides. It must not wait for the turn to write, because it is
// what sets a blocked writer free.
func (s *stream) Close() error { return s.close() }

// isClosed reports whether Close has been called.
func (s *stream) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// closeBoth closes out and in, once if they are the same.
func closeBoth(out io.Writer, in io.Reader) error {
	var outErr, inErr error
	if c, ok := out.(io.Closer); ok {
		outErr = c.Close()
	}
	if c, ok := in.(io.Closer); ok && !same(in, out) {
		inErr = c.Close()
	}
	return errors.Join(outErr, inErr)
}

// same reports whether a and b are one value. Values that cannot be compared,
// which would panic, count as different.
func same(a, b any) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

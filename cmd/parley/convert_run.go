package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/recording"
)

// A conversion is one run of convert.
type conversion struct {
	*convertFlags

	tell   *console
	name   string // of the input, for people
	reader *recording.Reader
	out    *valueWriter
	code   exitCode // of what was found and did not end it
}

// interruptPatience is how long an interrupted conversion may take to write what it has.
const interruptPatience = time.Second

// until converts in to its end, or until ctx ends, which is as good an end as any: what was
// read by then is written. Whoever does not take that within interruptPatience is left.
func (c *conversion) until(ctx context.Context, in io.Reader) (exitCode, error) {
	reading, done := context.WithCancel(ctx)
	defer done()
	live := newLiveReader(reading, in, sniffPatience)
	// Whoever reads records asks for more bytes only when all records are out that were whole.
	// So no value waits in a buffer of ours while the input has nothing to give.
	live.idle = func(bool) error { return c.out.flush() }
	writing, leave := context.WithCancel(context.WithoutCancel(ctx))
	defer leave()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(interruptPatience, leave) })
	defer stop()
	code, err := abandonable(writing, func() (exitCode, error) { return c.run(live) })
	if f, ok := errors.AsType[*failure](err); ok && f.code == exitFindings && ctx.Err() != nil {
		err = nil // it is no fault of the input that it was cut off
	}
	return code, err
}

// run converts in to its end.
func (c *conversion) run(in io.Reader) (exitCode, error) {
	c.reader = recording.NewReader(decoded(c.encoding, in), c.options())
	err := c.convert()
	// Whatever happened, what was written so far is made whole: an array gets its end.
	if failed := c.out.end(); failed != nil {
		return exitOK, outputError(failed)
	}
	return c.code, err
}

// options are those of the reader.
func (c *conversion) options() *recording.Options {
	opts := &recording.Options{Limit: int64(c.limit)}
	switch c.from {
	case wordArray:
		opts.Shape = recording.ShapeArray
	case wordTranscript:
		opts.Shape = recording.ShapeTranscript
	case framingAuto:
	default: // also of a transcript, the lines are asked for and not what they hold
		opts.Shape, opts.Framing = recording.ShapeRaw, c.from
	}
	return opts
}

// convert writes one value after the other. An error of the output ends it too.
func (c *conversion) convert() error {
	for rec, err := range c.reader.All() {
		if err != nil {
			return c.stopped(err)
		}
		if c.passes(rec) {
			continue
		}
		if bad := c.fault(rec); bad != nil {
			if !c.skipBad {
				return bad
			}
			c.found("%s; passed over", bad.text)
			continue
		}
		if c.side != sideBoth && c.reader.Shape() != recording.ShapeTranscript {
			return usagef("--side %s: only a transcript says who wrote what, and %s is %s", c.side, c.name, inputText(c.reader))
		}
		if at := lostIn(c.encoding, rec.Raw); at >= 0 {
			c.found("%s: bytes that mean nothing in %s have become U+FFFD", c.place(rec, at), c.encoding)
		}
		// The white space around a value is not the value's, and not every framing can
		// carry it.
		if err := c.out.add(bytes.Trim(rec.Raw, " \t\r\n")); err != nil {
			return err
		}
	}
	return nil
}

// found tells of something that does not end the conversion.
func (c *conversion) found(format string, args ...any) {
	c.tell.printf("parley: "+format, args...)
	c.code = exitFindings
}

// passes reports whether a record is none of those that are asked for: a blank line, or in
// a transcript one of the process, or of the other side.
func (c *conversion) passes(rec recording.Record) bool {
	if rec.Err == nil && len(rec.Raw) == 0 && rec.Pos.Line > 0 {
		return true
	}
	if c.reader.Shape() != recording.ShapeTranscript || rec.Err != nil && rec.From == parley.SideUnknown {
		return false
	}
	return rec.Process != "" || c.side != sideBoth && c.side != rec.From.String()
}

// fault says what is wrong with a record, nil if it is one value.
func (c *conversion) fault(rec recording.Record) *failure {
	switch {
	case errors.Is(rec.Err, frame.ErrTooLong):
		return failf(exitFindings, "%s: longer than the limit of %v", c.place(rec, 0), &c.limit).
			withHint("--limit raises it, --skip-bad passes over such values")
	case rec.Err != nil:
		return failf(exitFindings, "%s: %v", c.place(rec, 0), errors.Unwrap(rec.Err)).
			withHint("--skip-bad passes over it")
	case jsonx.Valid(rec.Raw):
		return nil
	}
	at, why := int64(0), "nested too deep"
	if bad := badJSON(rec.Raw); bad != nil {
		at, why = bad.Offset, bad.Reason
	}
	return failf(exitFindings, "%s: no JSON: %s", c.place(rec, int(at)), why).
		withHint("--skip-bad passes over what is no JSON")
}

// place names a byte of a record.
func (c *conversion) place(rec recording.Record, at int) string {
	s := fmt.Sprintf("%s: record %d", c.name, rec.Pos.Record)
	if rec.Pos.Line > 0 {
		s = fmt.Sprintf("%s: line %d", c.name, rec.Pos.Line)
	}
	if c.reader.Shape() == recording.ShapeTranscript && rec.Err == nil {
		return fmt.Sprintf("%s, byte %d of its raw", s, at)
	}
	return fmt.Sprintf("%s, offset %d", s, rec.Pos.Offset+int64(at))
}

// stopped says why the input ended before its end.
func (c *conversion) stopped(err error) error {
	if c.out.failed != nil {
		return c.out.failed // the reader passes it on, and it is no failure of the input
	}
	if bad, ok := errors.AsType[*frame.FramingError](err); ok {
		f := failf(exitFindings, "%s: record %d, offset %d: %s", c.name, bad.Pos.Record, bad.Pos.Offset, bad.Msg)
		if errors.Is(bad, io.ErrUnexpectedEOF) {
			return f
		}
		return f.withHint("nothing behind it can be read; --from says how values are marked in the input")
	}
	if foreign, ok := errors.AsType[*dialect.ForeignError](err); ok {
		return failf(exitFindings, "%s: %s and no stream of values: %s", c.name, foreign.Protocol, foreign.Why)
	}
	return usagef("cannot read %s: %v", c.name, err)
}

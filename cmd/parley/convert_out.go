package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A valueWriter writes JSON values in a framing, as one array, or for people. After its
// first error it writes nothing and returns that error.
type valueWriter struct {
	out     *bufio.Writer
	to      string        // as --to says
	framing frame.Framing // where to names one
	compact bool
	shown   func([]byte) []byte // what is written for a text; nil: just that
	begun   bool                // a value has been written
	failed  error

	value  bytes.Buffer // of laidOut
	framed []byte       // of marked
}

func newValueWriter(out io.Writer, to string, compact bool) *valueWriter {
	w := &valueWriter{out: bufio.NewWriterSize(out, 64<<10), to: to, compact: compact}
	if f, err := frame.ByName(to); err == nil {
		w.framing = f
	}
	return w
}

// add writes one value, which is JSON without white space around it.
func (w *valueWriter) add(value []byte) error {
	text, err := w.laidOut(value)
	if err == nil {
		text, err = w.marked(text)
	}
	if err != nil {
		return w.fail(err)
	}
	w.begun = true
	if w.shown != nil {
		text = w.shown(text)
	}
	_, err = w.out.Write(text)
	return w.fail(err)
}

// laidOut returns the value with the white space between its tokens as it is to be. The
// text is good until the next one.
func (w *valueWriter) laidOut(value []byte) ([]byte, error) {
	w.value.Reset()
	switch {
	case w.to == wordPretty:
		err := json.Indent(&w.value, value, "", "  ")
		return w.value.Bytes(), err
	case w.compact:
		err := json.Compact(&w.value, value)
		return w.value.Bytes(), err
	case w.to == frame.Lines.String():
		w.value.Grow(len(value))
		return message.OneLine(w.value.AvailableBuffer(), value), nil
	}
	return value, nil
}

// marked returns a value as it goes out. The text is good until the next one.
func (w *valueWriter) marked(value []byte) (text []byte, err error) {
	switch w.to {
	case wordPretty:
		w.framed = append(append(w.framed[:0], value...), '\n')
	case wordArray:
		w.framed = append(append(w.framed[:0], w.separator()...), value...)
	default:
		w.framed, err = w.framing.Append(w.framed[:0], value)
	}
	return w.framed, err
}

// separator is what stands in an array before the next value.
func (w *valueWriter) separator() string {
	if w.begun {
		return ",\n"
	}
	return "["
}

// fail keeps the first error.
func (w *valueWriter) fail(err error) error {
	if w.failed == nil {
		w.failed = err
	}
	return w.failed
}

// flush hands what was written to whoever reads.
func (w *valueWriter) flush() error { return w.fail(w.out.Flush()) }

// end closes the array, if it is one, and flushes.
func (w *valueWriter) end() error {
	if w.to == wordArray {
		text := "]\n"
		if !w.begun {
			text = "[]\n"
		}
		_, _ = io.WriteString(w.out, text) // the error comes again with Flush
	}
	return w.flush()
}

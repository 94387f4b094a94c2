package main

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// A result goes out byte for byte as the other side wrote it: digits beyond what a
// float64 holds, escapes, the order of members. Nothing is parsed and encoded again.
// On a terminal what it could obey is escaped, as JSON allows inside strings.

// print writes one result and a newline.
func (a *app) print(text []byte) error {
	_, err := a.stdout.Write(append(a.shown(text), '\n'))
	return outputError(err)
}

// shown is text as it may be shown on stdout.
func (a *app) shown(text []byte) []byte {
	if a.terminal {
		return []byte(term.EscapeText(string(text)))
	}
	return slices.Clip(text) // whoever appends must not write behind it
}

// outputError says that a result could not be written. A reader that has gone wanted
// no more: that stays the error that it is, for report.
func outputError(err error) error {
	if err == nil || isGone(err) {
		return err
	}
	return failf(exitAnswer, "cannot write the result: %v", err)
}

// answers writes the answers of many calls: one object a line, or with --format json
// one array of them.
//
//	{"id":1,"result":8}
//	{"id":2,"error":{"code":1,"message":"boom"}}
type answers struct {
	app   *app
	out   *bufio.Writer
	array bool
	count int
}

func (a *app) answers() *answers {
	return &answers{app: a, out: bufio.NewWriterSize(a.stdout, 32<<10), array: a.format == formatJSON}
}

// add writes an answer, which is a result, or an error if that is not nil.
func (w *answers) add(id int64, result message.Raw, fault *message.Error) error {
	name := `,"result":`
	if fault != nil {
		var err error
		if result, err = fault.MarshalJSON(); err != nil {
			return err
		}
		name = `,"error":`
	}
	text := append([]byte(nil), w.separator()...)
	text = append(text, `{"id":`...)
	text = strconv.AppendInt(text, id, 10)
	text = append(text, name...)
	text = message.OneLine(text, result)
	text = append(text, '}')
	if !w.array {
		text = append(text, '\n')
	}
	w.count++
	_, err := w.out.Write(w.app.shown(text))
	return outputError(err)
}

// separator is what stands before the next answer.
func (w *answers) separator() string {
	switch {
	case !w.array:
		return ""
	case w.count == 0:
		return "["
	}
	return ",\n"
}

// flush hands what was written to whoever reads.
func (w *answers) flush() error { return outputError(w.out.Flush()) }

// end closes the array, if it is one, and flushes.
func (w *answers) end() error {
	if w.array {
		open := ""
		if w.count == 0 {
			open = "["
		}
		_, _ = io.WriteString(w.out, open+"]\n") // the error comes again with Flush
	}
	return w.flush()
}

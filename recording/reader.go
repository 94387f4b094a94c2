package recording

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/parley-rpc/parley/frame"
)

// A Reader reads a recording. It is for one goroutine at a time.
type Reader struct {
	source  *source
	options Options

	// Known once settle has run.
	settled bool
	shape   Shape
	framing frame.Framing // of the bytes that frames reads; a transcript's is Lines
	why     string
	frames  *frame.Reader

	err error  // what ended the reading; stays
	raw []byte // of the last record of a transcript, for the next one

	line int64   // the next one that is to be delivered, in the framing Lines
	held *Record // what is behind blank lines that have not been delivered yet
}

// NewReader returns a Reader over in. It reads nothing yet.
func NewReader(in io.Reader, opts *Options) *Reader {
	r := &Reader{source: &source{in: in}}
	if opts != nil {
		r.options = *opts
	}
	return r
}

// Read returns the next record. It returns io.EOF at the end of the input, and any error
// again and again. A record that could not be read is no error of Read: it has the
// reason in its Err.
//
// In lines, a blank line is a record with nothing in its Raw, unless nothing but blank
// lines follow: so the number of a record is that of its line.
func (r *Reader) Read() (Record, error) {
	r.settle()
	if r.held == nil {
		rec, err := r.next()
		if err != nil || rec.Pos.Line <= r.line {
			r.line = rec.Pos.Line + 1
			return rec, err
		}
		r.held = &rec
	}
	rec := *r.held
	if r.line < rec.Pos.Line {
		rec = Record{Pos: frame.Pos{Line: r.line}}
	} else {
		r.held = nil
	}
	r.line++
	return rec, nil
}

// next returns the next record that is not blank.
func (r *Reader) next() (Record, error) {
	if r.err != nil {
		return Record{}, r.err
	}
	text, err := r.framing.Read(r.frames)
	pos := r.frames.Pos()
	if err != nil {
		skipped, ok := errors.AsType[*frame.SkipError](err)
		if !ok {
			r.err = err
			return Record{}, err
		}
		return r.skipped(skipped), nil
	}
	if r.shape == ShapeTranscript {
		return r.entry(text, pos), nil
	}
	return Record{Raw: text, Pos: pos}, nil
}

// All returns the records, one after the other. It yields the error that ends the
// reading, unless that is io.EOF. Ranging over the sequence again goes on behind the
// record where the range before stopped.
func (r *Reader) All() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			rec, err := r.Read()
			if err == io.EOF || !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Framing returns the framing of the input. If nothing has been read yet it looks at the
// first bytes, and waits for them; so do Shape and Why.
func (r *Reader) Framing() frame.Framing {
	r.settle()
	return r.framing
}

// Shape returns the shape of the input.
func (r *Reader) Shape() Shape {
	r.settle()
	return r.shape
}

// Why says in words why the shape and the framing are what they are, as part of a
// sentence: "the first line is a Content-Length header".
func (r *Reader) Why() string {
	r.settle()
	return r.why
}

// settle finds what the options do not say, once.
func (r *Reader) settle() {
	if r.settled {
		return
	}
	r.settled = true
	r.find()
	limit := frame.Lines.Limit(r.options.Limit).MaxRecord()
	var in io.Reader = r.source
	switch r.shape {
	case ShapeTranscript:
		r.framing = frame.Lines
		limit = lineLimit(limit)
	case ShapeArray:
		r.framing = frame.Concat
		in = &elements{in: in}
	case ShapeRaw:
	}
	r.framing = r.framing.Limit(limit)
	r.frames = frame.NewReader(in)
	r.line = 1
}

// find sets shape, framing and why. It sets err where the options make no sense, or the
// input is another protocol.
func (r *Reader) find() {
	named := r.options.Framing
	if named == "auto" {
		named = ""
	}
	r.shape, r.why = r.options.Shape, "it was asked for"
	switch {
	case r.shape == ShapeTranscript, r.shape == ShapeArray:
	case r.shape != "" && r.shape != ShapeRaw:
		r.err = fmt.Errorf("recording: no shape is called %q; use one of raw, transcript, array", r.shape)
	case named != "":
		r.shape = ShapeRaw
		r.framing, r.err = frame.ByName(named)
	default:
		var f found
		f, r.err = r.source.sniff(r.shape == ShapeRaw)
		r.shape, r.framing, r.why = f.shape, f.framing, f.why
	}
}

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

	settled bool      // the rest is known
	found             // what is read now
	coming  *found    // what is behind the prelude, which is read now; nil: none is
	base    frame.Pos // what is read now begins behind this
	guessed bool      // no option says what it is
	joins   bool      // the raws of a transcript are pieces

	// What reads: one of frames and values, or joined over frames. The framing of a
	// transcript is that of its entries, Lines.
	frames   *frame.Reader
	values   *values
	joined   *joined
	elements *elements // what values reads, in an array

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
		if err != nil || r.joined != nil || rec.Pos.Line <= r.line {
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
	for r.err == nil {
		rec, err := r.one()
		switch {
		case err == nil:
			return rec, nil
		case err == io.EOF && r.coming != nil:
			r.base = r.frames.Pos()
			r.base.Offset = int64(r.source.given)
			r.begin(*r.coming)
			continue
		case err == io.EOF && r.elements != nil && r.elements.late != nil:
			err = r.elements.late
		}
		if bad, ok := errors.AsType[*frame.FramingError](err); ok {
			bad.Pos = r.placed(bad.Pos)
		}
		r.err = err
	}
	return Record{}, r.err
}

// one returns the next record of what is read now.
func (r *Reader) one() (Record, error) {
	switch {
	case r.joined != nil:
		return r.joined.read(r.framed)
	case r.values == nil:
		return r.framed()
	}
	rec, err := r.values.read()
	rec.Pos = r.placed(rec.Pos)
	if skip, ok := skipOf(rec.Err); ok {
		skip.Pos = rec.Pos
	}
	return rec, err
}

// framed returns the next record of frames.
func (r *Reader) framed() (Record, error) {
	text, err := r.framing.Read(r.frames)
	pos := r.placed(r.frames.Pos())
	if skip, ok := skipOf(err); ok {
		skip.Pos = pos
		return r.skipped(skip), nil
	}
	switch {
	case err != nil:
		return Record{}, err
	case r.shape == ShapeTranscript:
		return r.entry(text, pos), nil
	}
	return Record{Raw: text, Pos: pos}, nil
}

// skipOf returns an error as that of one record.
func skipOf(err error) (*frame.SkipError, bool) {
	if err == nil {
		return nil, false
	}
	return errors.AsType[*frame.SkipError](err)
}

// placed returns a place behind the prelude as one in the input.
func (r *Reader) placed(pos frame.Pos) frame.Pos {
	pos.Record += r.base.Record
	pos.Offset += r.base.Offset
	if pos.Line > 0 {
		pos.Line += r.base.Line
	}
	return pos
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
// first bytes, and waits for them; so do Shape and Why. While nothing but lines of text was
// read, which stand before many streams, it is Lines, and may become another one with the
// first record.
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
	if r.coming != nil && r.coming.isLines() {
		return r.coming.why
	}
	return r.why
}

// settle finds what the options do not say, once.
func (r *Reader) settle() {
	if r.settled {
		return
	}
	r.settled = true
	r.line = 1
	f := r.find()
	if r.err == nil && f.text > 0 && (f.open || !f.isLines()) {
		r.begin(found{shape: ShapeRaw, framing: frame.Lines, why: "so far there is text, and only lines can pass over that"})
		r.coming = &f
		r.frames = frame.NewReader(prelude{r.source, r.options.Shape == ShapeRaw, r.coming})
		return
	}
	r.begin(f)
}

// find returns what the options say, or what the first bytes do. It sets err where the
// options make no sense, or the input is another protocol.
func (r *Reader) find() found {
	named := r.options.Framing
	if named == "auto" {
		named = ""
	}
	f := found{shape: r.options.Shape, why: "it was asked for"}
	concat := named == frame.Concat.String()
	switch {
	case f.shape == ShapeTranscript:
		r.joins = concat
	case f.shape == ShapeArray:
	case f.shape != "" && f.shape != ShapeRaw:
		r.err = fmt.Errorf("recording: no shape is called %q; use one of raw, transcript, array", f.shape)
	case named == "":
		r.guessed = true
		f, r.err = r.source.sniff(f.shape == ShapeRaw)
	case concat && f.shape == "" && r.source.entryFirst():
		r.joins = true
		f.shape, f.why = ShapeTranscript, "the first value is an object with dir and raw"
	default:
		f.shape = ShapeRaw
		f.framing, r.err = frame.ByName(named)
	}
	return f
}

// begin has f read from here on.
func (r *Reader) begin(f found) {
	r.found, r.coming = f, nil
	limit := frame.Lines.Limit(r.options.Limit).MaxRecord()
	var in io.Reader = r.source
	switch {
	case f.shape == ShapeTranscript:
		r.framing = frame.Lines
		if r.joins {
			r.joined = newJoined(limit)
		}
		limit = lineLimit(limit)
	case f.shape == ShapeArray:
		r.framing = frame.Concat
		r.elements = &elements{in: in, loose: r.guessed}
		r.values = &values{in: r.elements, limit: limit}
	case f.framing == frame.Concat && r.guessed:
		r.values = &values{in: in, limit: limit}
	}
	r.framing = r.framing.Limit(limit)
	r.frames = frame.NewReader(in)
}

package lint

import (
	"bytes"
	"io"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/recording"
)

// An Input is an input on its way to a [recording.Reader]. It notes what no record shows:
// a byte order mark at the start, which a reader drops, how the input ends, and, if the
// reader is one of [NewReader], what stands between the bodies of the header framing.
type Input struct {
	in     io.Reader
	head   []byte  // the first bytes, as many as a mark has
	size   int64   // bytes so far
	last   byte    // the last one
	margin *margin // nil: the framing has none
}

// utf8Mark is the byte order mark in UTF-8.
var utf8Mark = []byte("\xEF\xBB\xBF")

// NewInput returns an Input over in, to be read from in its place.
func NewInput(in io.Reader) *Input { return &Input{in: in} }

// Read reads from the input.
func (i *Input) Read(b []byte) (int, error) {
	n, err := i.in.Read(b)
	if n > 0 {
		if missing := len(utf8Mark) - len(i.head); missing > 0 {
			i.head = append(i.head, b[:min(n, missing)]...)
		}
		i.size += int64(n)
		i.last = b[n-1]
		if i.margin != nil {
			i.margin.feed(b[:n])
		}
	}
	return n, err
}

// bom reports whether the input begins with a byte order mark.
func (i *Input) bom() bool { return bytes.Equal(i.head, utf8Mark) }

// NewReader returns a reader of the records of in, as lint wants them: opts are those of
// the recording, and nil is fine. It differs from [recording.NewReader] in one case. An
// input that begins with a value over several lines, or with two in one line, is taken
// for lines all the same unless opts say otherwise, since these are faults that lint is
// there to find.
func NewReader(in *Input, opts *recording.Options) *recording.Reader {
	var o recording.Options
	if opts != nil {
		o = *opts
	}
	if o.Shape != "" || o.Framing != "" && o.Framing != "auto" {
		in.follow(&o, nil)
		return recording.NewReader(in, &o)
	}
	// A look at the input takes its first bytes, which are read once more.
	var head bytes.Buffer
	look := recording.NewReader(io.TeeReader(in, &head), &o)
	switch o.Shape = look.Shape(); {
	case o.Shape != recording.ShapeRaw:
	case look.Framing().String() == frame.Concat.String():
		o.Framing = frame.Lines.String()
	default:
		o.Framing = look.Framing().String()
	}
	in.follow(&o, head.Bytes())
	return recording.NewReader(io.MultiReader(&head, in), &o)
}

// follow begins to follow the header framing, if that is what is read; head is what has
// been read already.
func (i *Input) follow(opts *recording.Options, head []byte) {
	raw := opts.Shape == "" || opts.Shape == recording.ShapeRaw
	if raw && opts.Framing == frame.Header.String() {
		i.margin = newMargin()
		i.margin.feed(head)
	}
}

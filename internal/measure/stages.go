package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A layer is a stage that is yet to be measured.
type layer struct {
	name  string
	what  string // is measured
	floor string // what stands beside it
	parts func(*fixture) (parts, error)
}

// parts are the ops of a layer.
type parts struct {
	whole op
	less  []op         // what whole does beside the layer: it is taken off
	floor op           // nil: the layer is a floor itself
	done  func() error // frees what they use; may be nil
}

// The layers are in the order in which a request goes through them. Together they are
// the way from the write(2) of its line to the write(2) of its answer: no part of that
// is in two of them.
var layers = []layer{
	{
		"raw pipe", "write(2) and read(2) of the request's line on a pipe of the system, by one goroutine",
		"it is the one of every transport over stdio", (*fixture).rawPipe,
	},
	{
		"framing", "frame.Lines finds the line in memory and gives it out as a record",
		"bytes.IndexByte over what was read, and one copy of it", (*fixture).framing,
	},
	{
		"scan", "message.Strict.Parse checks the record's grammar and text and finds its members",
		"utf8.Valid: one look at each byte", (*fixture).scan,
	},
	{
		"decode", "message.Raw.Decode of the params into a struct of four fields",
		"encoding/json.Unmarshal of the same: what everybody has, and so it may be beaten", (*fixture).decode,
	},
	{
		"dispatch", "the peer books the call, runs its handler (an empty one) by a Mux in a goroutine, and hands the reply to the writer; one call at a time",
		"one goroutine begun, and one value handed back by it", (*fixture).dispatch,
	},
	{
		"answer", "message.Encode of the result, and Append of the reply around it",
		"append of the ready bytes", (*fixture).reply,
	},
	{
		"write", "WriteRecord of the reply on a frame.Stream over a pipe that another goroutine empties",
		"write(2) of the ready line there", (*fixture).write,
	},
}

// rawPipe is what two programs in any language pay that talk over a pipe.
func (f *fixture) rawPipe() (p parts, err error) {
	p.whole, p.done, err = through(f.sent)
	return p, err
}

// lineSource gives the same line over and over, as fast as memory goes. It fills what
// it is given only to the end of the line, as a pipe does whose writer waits for the
// answer.
type lineSource struct {
	line []byte
	at   int
}

func (s *lineSource) Read(p []byte) (int, error) {
	n := copy(p, s.line[s.at:])
	if s.at += n; s.at == len(s.line) {
		s.at = 0
	}
	return n, nil
}

// framing takes off the copying of the source, which stands for the read(2) that is in
// the raw pipe already. Its floor looks at one piece again and again, because that is
// where a reader finds every piece: in one buffer.
func (f *fixture) framing() (parts, error) {
	reader, source, into := frame.NewReader(&lineSource{line: f.sent}), &lineSource{line: f.sent}, make([]byte, piece)
	return parts{
		whole: func(n int) (err error) {
			for range n {
				if f.made, err = frame.Lines.Read(reader); err != nil {
					return err
				}
			}
			return nil
		},
		less: []op{func(n int) error {
			for left := n * len(f.sent); left > 0; {
				got, err := source.Read(into)
				if err != nil {
					return err
				}
				left -= got
			}
			return nil
		}},
		floor: func(n int) error {
			for range n {
				f.made = make([]byte, 0, len(f.sent))
				for left := len(f.sent); left > 0; {
					hot := f.sent[:min(left, piece)]
					if bytes.IndexByte(hot, '\n') >= 0 {
						hot = hot[:len(hot)-1]
					}
					f.made = append(f.made, hot...)
					left -= piece
				}
			}
			return nil
		},
	}, nil
}

// parse is the op of Strict.Parse. The message is dropped: to make it is in the price.
func parse(rec []byte) op {
	return func(n int) error {
		for range n {
			if _, err := message.Strict.Parse(rec); err != nil {
				return err
			}
		}
		return nil
	}
}

// scan has the honest floor of everything that reads text from elsewhere: to look at
// each byte once. json.Valid would be none, because it can be beaten.
func (f *fixture) scan() (parts, error) {
	return parts{
		whole: parse(f.request),
		floor: func(n int) error {
			for range n {
				if !utf8.Valid(f.request) {
					return errors.New("measure: the request is not UTF-8")
				}
			}
			return nil
		},
	}, nil
}

// decode has no floor that could be written down in a line: what is the least depends
// on the struct. So the standard library stands beside it.
func (f *fixture) decode() (parts, error) {
	return parts{
		whole: func(n int) error {
			for range n {
				var doc document
				if err := f.params.Decode(&doc); err != nil {
					return err
				}
			}
			return nil
		},
		floor: func(n int) error {
			for range n {
				var doc document
				if err := json.Unmarshal(f.params, &doc); err != nil {
					return err
				}
			}
			return nil
		},
	}, nil
}

// respond is the op of Encode and Append, as the peer does them for a reply.
func (f *fixture) respond(result any) op {
	return func(n int) error {
		for range n {
			raw, err := message.Encode(result)
			if err != nil {
				return err
			}
			if _, err := message.Strict.Append(nil, &message.Response{ID: f.id, Result: raw}); err != nil {
				return err
			}
		}
		return nil
	}
}

// reply makes a new record each time, as the peer does: the record belongs to the
// writer then, who may be slow.
func (f *fixture) reply() (parts, error) {
	return parts{
		whole: f.respond(f.doc),
		floor: func(n int) error {
			for range n {
				f.made = append([]byte(nil), f.answer...)
			}
			return nil
		},
	}, nil
}

// dispatch serves calls without params from memory, each after the answer to the one
// before it, and takes off what scanning and answering them costs. What is left does
// not depend on the size: the peer hands a record on without looking into it.
//
// Each run has a connection of its own. Its beginning and end are in the time; a run
// has some thousand calls, which make them small.
func (f *fixture) dispatch() (parts, error) {
	rec, err := message.Strict.Append(nil, &message.Request{ID: f.id, Method: string(nothing)})
	if err != nil {
		return parts{}, err
	}
	back := make(chan struct{})
	return parts{
		whole: func(n int) error {
			return parley.Serve(context.Background(), newTurnstile(rec, n), handler(), nil)
		},
		less: []op{parse(rec), f.respond(nil)},
		floor: func(n int) error {
			for range n {
				go func() { back <- struct{}{} }()
				<-back
			}
			return nil
		},
	}, nil
}

// write has the wake-up of a reader in it where there is one to wake, and so has its
// floor.
func (f *fixture) write() (parts, error) {
	w, done, err := drained()
	if err != nil {
		return parts{}, err
	}
	stream := frame.Lines.Stream(nil, w)
	return parts{
		whole: func(n int) error {
			for range n {
				if err := stream.WriteRecord(f.answer); err != nil {
					return err
				}
			}
			return nil
		},
		floor: func(n int) error {
			for range n {
				if _, err := w.Write(f.replied); err != nil {
					return err
				}
			}
			return nil
		},
		done: done,
	}, nil
}

package main

import (
	"bufio"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// A printer writes what call would send (--print), marks of the framing included, from
// the handshake to the last call. What depends on an answer is written as if the
// answer were there.
type printer struct {
	out     *bufio.Writer
	dialect parley.Dialect
	codec   message.Codec
	framing frame.Framing
	ask     []string // where calls ask for progress; nil: they do not
	lastID  int64
}

// printAll is --print. It takes the same way through flags and files as the real thing,
// and writes with the same codec and framing, so that what it shows is what would be sent.
func (j *job) printAll() error {
	p := &printer{out: bufio.NewWriter(j.app.stdout)}
	var shake *handshake
	p.dialect, p.framing, shake = j.resolve()
	p.codec = p.dialect.Codec
	if p.codec == nil {
		p.codec = message.Strict
	}
	if j.progressResets {
		p.ask = p.dialect.Progress.Ask
	}
	err := p.handshake(shake, j.replies)
	code := exitOK
	switch {
	case err != nil:
	case j.file == "":
		err = p.write(j.one)
	case j.batch:
		var batch []request
		if batch, err = j.readBatch(); err == nil {
			err = p.writeBatch(batch)
		}
	default:
		for r, bad := range j.requests() {
			if bad != nil {
				code = worst(code, j.app.report(bad))
			} else if err = p.write(r); err != nil {
				break
			}
		}
	}
	if err == nil {
		err = outputError(p.out.Flush())
	}
	return ended(worst(code, j.app.report(err)))
}

// handshake writes the greeting and the note after its answer. The goodbye is left out:
// it is no part of what was asked for.
func (p *printer) handshake(shake *handshake, can map[string]message.Raw) error {
	if shake == nil {
		return nil
	}
	hello, err := message.Encode(shake.params(can))
	if err != nil {
		return err
	}
	ready := request{method: shake.ready, note: true}
	if shake.readying != nil {
		if ready.params, err = message.Encode(shake.readying); err != nil {
			return err
		}
	}
	if err := p.write(request{method: shake.greeting, params: hello}); err != nil {
		return err
	}
	if ready.method == "" {
		return nil
	}
	return p.write(ready)
}

// write writes one request.
func (p *printer) write(r request) error {
	m, err := p.envelope(r)
	if err != nil {
		return err
	}
	return p.record(m)
}

// writeBatch writes many requests as one record.
func (p *printer) writeBatch(requests []request) error {
	batch := make(message.Batch, len(requests))
	for i, r := range requests {
		var err error
		if batch[i], err = p.envelope(r); err != nil {
			return err
		}
	}
	return p.record(batch)
}

// envelope gives a call its id, as the connection would.
func (p *printer) envelope(r request) (*message.Request, error) {
	m := &message.Request{Method: r.method, Params: r.params}
	if r.note {
		return m, nil
	}
	p.lastID++
	m.ID = p.dialect.CallID(p.lastID)
	if len(p.ask) == 0 {
		return m, nil
	}
	params, err := r.params.Set(message.Raw(m.ID.String()), p.ask...)
	if err != nil {
		return nil, usagef("%s cannot ask for progress: %v", r.method, err)
	}
	m.Params = params
	return m, nil
}

// record writes one message with the marks of the framing.
func (p *printer) record(m message.Message) error {
	rec, err := p.codec.Append(nil, m)
	if err == nil {
		rec, err = p.framing.Append(nil, rec)
	}
	if err != nil {
		return usagef("cannot be written: %v", err)
	}
	_, err = p.out.Write(rec)
	return outputError(err)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/message"
)

// abandonable does what reads our input before anything is started. That may be a pipe
// that nobody writes to, and a read of one cannot be interrupted: when ctx ends, it is
// left behind, for the end of the process.
func abandonable[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := read()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, failf(exitInterrupted, "interrupted")
	}
}

// requests reads the requests of --file, a line at a time and no further than they are
// asked for. A line that is no request comes as a failure, and reading goes on; so does
// an input that cannot be read, and then it ends.
func (j *job) requests() iter.Seq2[request, error] {
	return func(yield func(request, error) bool) {
		// The file is opened only now: that of a pipe waits for somebody to write to it.
		in, name := j.app.stdin, "stdin"
		if j.file != "-" {
			file, err := os.Open(j.file)
			if err != nil {
				yield(request{}, usagef("%v", err))
				return
			}
			defer func() { _ = file.Close() }() // it was read only
			in, name = file, j.file
		}
		framing, r := frame.Lines.Limit(int64(j.limit)), frame.NewReader(in)
		for {
			rec, err := framing.Read(r)
			_, skipped := errors.AsType[*frame.SkipError](err)
			if err == io.EOF {
				return
			}
			line := r.Pos().Line
			var req request
			switch {
			case skipped:
				err = usagef("%s: line %d is over the limit of %v; --limit raises it", name, line, &j.limit)
			case err != nil:
				err = usagef("cannot read %s: %v", name, err)
			default:
				if req, err = parseRequest(rec); err != nil {
					err = usagef("%s: line %d: %v", name, line, err)
					skipped = true
				}
			}
			req.line = line
			if !yield(req, err) || err != nil && !skipped {
				return
			}
		}
	}
}

// parseRequest reads one line of --file. A member that we would not use is refused,
// since whoever wrote it means something by it: an id, a misspelled "param".
func parseRequest(rec []byte) (request, error) {
	if bad := badJSON(rec); bad != nil {
		return request{}, fmt.Errorf("no JSON: %s (byte %d)", bad.Reason, bad.Offset)
	}
	// A map, since the names that we do not know matter as much as those that we do. Its
	// decoding refuses a member that is there twice.
	var members map[string]message.Raw
	err := message.Raw(rec).Decode(&members)
	if err != nil || members == nil {
		return request{}, errors.New(`want an object {"method","params","notify"} without a member twice`)
	}
	var req request
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		switch name {
		case "method":
			err = value.Decode(&req.method)
		case "params":
			req.params = value
		case "notify":
			err = value.Decode(&req.note)
		case "id":
			err = errors.New("ids are given by parley: 1, 2, 3 over the calls")
		default:
			err = errors.New("unknown; a line has method, params and notify")
		}
		if err != nil {
			return request{}, fmt.Errorf("member %q: %w", name, err)
		}
	}
	switch {
	case req.method == "":
		return request{}, errors.New("no method")
	case req.params.String() == "null":
		req.params = nil
	case len(req.params) > 0 && !isWhole(req.params.String()):
		return request{}, errors.New(`member "params": want an array or an object`)
	}
	return req, nil
}

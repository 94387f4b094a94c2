package main

import (
	"errors"
	"io"

	"github.com/parley-rpc/parley/frame"
)

// script returns what reads lines from a pipe or a file. A line over --limit is refused
// and passed over, as in a file of calls.
func (s *shell) script() func() (string, error) {
	framing, r := frame.Lines.Limit(int64(s.limit)), frame.NewReader(s.app.stdin)
	return func() (string, error) {
		rec, err := framing.Read(r)
		switch _, skipped := errors.AsType[*frame.SkipError](err); {
		case err == nil, err == io.EOF:
			return string(rec), err
		case skipped:
			err = usagef("stdin: line %d is over the limit of %v; --limit raises it", r.Pos().Line, &s.limit)
		default:
			err = usagef("cannot read stdin: %v", err)
		}
		return "", err
	}
}

package recording

import (
	"io"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
)

// joined takes a transcript whose raws are pieces of what was written, cut anywhere, for
// values end to end: those of each side are joined. A value has the time and the place of
// the entry that its last byte came in.
type joined struct {
	sides [2]values // the client's and the server's
	from  *values   // nil: nothing is left of the last entry
	entry Record    // the last one, as far as its values have it
	ended int       // sides that have been read to their end, at the end of the input
	count int64     // records so far
}

func newJoined(limit int64) *joined {
	j := new(joined)
	for i := range j.sides {
		j.sides[i] = values{limit: limit, started: true}
	}
	return j
}

// of returns the side that a record of the stream is of, nil for any other record.
func (j *joined) of(rec *Record) *values {
	switch {
	case rec.Err != nil || rec.Process != "":
		return nil
	case rec.From == parley.SideClient:
		return &j.sides[0]
	}
	return &j.sides[1]
}

// read returns the next value, or the next entry that holds none. Its entries come from
// next, whole.
func (j *joined) read(next func() (Record, error)) (Record, error) {
	for {
		if j.from != nil {
			if rec, ok := j.from.next(pieceEnds); ok {
				return j.counted(j.with(rec)), nil
			}
			j.from = nil
		}
		rec, err := next()
		switch {
		case err == io.EOF:
			return j.rest()
		case err != nil:
			return Record{}, err
		}
		if j.from = j.of(&rec); j.from == nil {
			return j.counted(rec), nil
		}
		j.from.add(rec.Raw)
		j.entry = rec
		j.entry.Raw = nil
	}
}

// with returns a record of a side as one of the transcript.
func (j *joined) with(rec Record) Record {
	whole := j.entry
	whole.Raw, whole.Err = rec.Raw, rec.Err
	return whole
}

// counted numbers a record.
func (j *joined) counted(rec Record) Record {
	j.count++
	rec.Pos.Record = j.count
	if skip, ok := skipOf(rec.Err); ok {
		skip.Pos = rec.Pos
	}
	return rec
}

// rest returns what the sides have left at the end of the input.
func (j *joined) rest() (Record, error) {
	for ; j.ended < len(j.sides); j.ended++ {
		side := &j.sides[j.ended]
		rec, ok := side.next(inputEnded)
		if !ok && side.at > side.lo {
			rec, ok = side.skip(side.at-side.lo, frame.ErrTruncated), true
		}
		if ok {
			j.entry.From = [...]parley.Side{parley.SideClient, parley.SideServer}[j.ended]
			return j.counted(j.with(rec)), nil
		}
	}
	return Record{}, io.EOF
}

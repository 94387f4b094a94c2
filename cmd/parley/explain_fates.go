package main

import (
	"time"

	"github.com/parley-rpc/parley/ledger"
)

// A fate is what became of a debt.
type fate struct {
	state   ledger.State
	by      int64         // the record that answered it, in time or late; 0: none
	endedBy int64         // the record that took it back; 0: none
	took    time.Duration // until it was settled, or ledger.Untimed
}

// fates remember what became of every debt of a stream, by serial. A stream of a
// gigabyte may have tens of millions of them, so that a settled one costs four bytes
// here, and eight where there are times. One that stays open costs none, unless others
// of its age are settled.
type fates struct {
	chunks []*fateChunk
	beyond map[int64]fate // by serial: those whose numbers are too large for a chunk
}

// chunkSize is how many debts a chunk holds.
const chunkSize = 4096

// A fateChunk holds the fates of chunkSize debts. Records are told by how far they are
// from the one that made the debt.
type fateChunk struct {
	settled [chunkSize]uint32  // the state, and the distance to by or 0; 0: open
	ended   *[chunkSize]uint32 // the distance to endedBy; nil: none was taken back
	took    *[chunkSize]uint32 // as packTime has it; nil: no times
}

// stateBits are the low bits of settled that hold the state.
const (
	stateBits   = 3
	maxDistance = 1<<(32-stateBits) - 1
)

// note takes down what became of a debt. It is called again when a late answer comes.
func (f *fates) note(d *ledger.Debt) {
	is := fate{state: d.State, by: d.SettledBy, endedBy: d.EndedBy, took: ledger.Untimed}
	if d.At != ledger.Untimed && d.SettledAt != ledger.Untimed && d.SettledBy != 0 {
		is.took = max(d.SettledAt-d.At, 0)
	}
	by, ended := distance(d.N, is.by), distance(d.N, is.endedBy)
	if by > maxDistance || ended > maxDistance {
		if f.beyond == nil {
			f.beyond = make(map[int64]fate)
		}
		f.beyond[d.Serial] = is
		return
	}
	chunk, at := f.chunk(d.Serial)
	chunk.settled[at] = uint32(by)<<stateBits | uint32(is.state)
	set(&chunk.ended, at, uint32(ended))
	set(&chunk.took, at, packTime(is.took))
}

// distance is how far the record by is behind the record from, 0 if there is none.
func distance(from, by int64) int64 {
	if by == 0 {
		return 0
	}
	return by - from
}

// set sets a value in a part of a chunk that is made only if it is needed.
func set(part **[chunkSize]uint32, at int, value uint32) {
	if *part == nil {
		if value == 0 {
			return
		}
		*part = new([chunkSize]uint32)
	}
	(*part)[at] = value
}

// chunk returns the chunk of a debt, made if it must be, and the place in it.
func (f *fates) chunk(serial int64) (*fateChunk, int) {
	i, at := serial/chunkSize, int(serial%chunkSize)
	for int64(len(f.chunks)) <= i {
		f.chunks = append(f.chunks, nil)
	}
	if f.chunks[i] == nil {
		f.chunks[i] = new(fateChunk)
	}
	return f.chunks[i], at
}

// of returns what became of the debt that the record n made.
func (f *fates) of(serial, n int64) fate {
	open := fate{state: ledger.StateOpen, took: ledger.Untimed}
	if is, ok := f.beyond[serial]; ok {
		return is
	}
	i, at := serial/chunkSize, serial%chunkSize
	if i >= int64(len(f.chunks)) || f.chunks[i] == nil || f.chunks[i].settled[at] == 0 {
		return open
	}
	chunk := f.chunks[i]
	is := fate{state: ledger.State(chunk.settled[at] & (1<<stateBits - 1)), took: ledger.Untimed}
	if by := chunk.settled[at] >> stateBits; by != 0 {
		is.by = n + int64(by)
	}
	if chunk.ended != nil && chunk.ended[at] != 0 {
		is.endedBy = n + int64(chunk.ended[at])
	}
	if chunk.took != nil {
		is.took = unpackTime(chunk.took[at])
	}
	return is
}

// inMilliseconds marks a packed time that is not in microseconds.
const inMilliseconds = 1 << 31

// packTime puts a duration into 32 bits: 0 is Untimed; up to half an hour microseconds
// are kept, up to 24 days milliseconds, and what is longer counts as that.
func packTime(d time.Duration) uint32 {
	if d < 0 {
		return 0
	}
	if us := d.Microseconds() + 1; us < inMilliseconds {
		return uint32(us)
	}
	return inMilliseconds | uint32(min(d.Milliseconds(), inMilliseconds-1))
}

func unpackTime(t uint32) time.Duration {
	switch {
	case t == 0:
		return ledger.Untimed
	case t&inMilliseconds != 0:
		return time.Duration(t&^inMilliseconds) * time.Millisecond
	}
	return time.Duration(t-1) * time.Microsecond
}

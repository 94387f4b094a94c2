package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/recording"
)

// oddities are what a transcript has that no single record shows: most likely it was not
// written as explain reads it.
type oddities struct {
	sided   bool   // some record is of a side
	strange string // the dir of the first record that tells neither a side nor of the process
	pieces  int64  // records that hold more than one value, or the beginning of one
}

// add looks at a record.
func (o *oddities) add(rec *recording.Record, e *ledger.Entry) {
	o.sided = o.sided || rec.From != parley.SideUnknown
	if o.strange == "" && !recording.IsProcess(rec.Process) {
		o.strange = rec.Process
	}
	if e.Kind == ledger.KindInvalid && rec.Err == nil && rec.From != parley.SideUnknown && isPiece(rec.Raw) {
		o.pieces++
	}
}

// isPiece reports whether text holds several values that stand end to end, or the beginning
// of one that has no end. A single value that is faulty is none.
func isPiece(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	// The decoder of the standard library tells half a value from a faulty one.
	in := json.NewDecoder(bytes.NewReader(text))
	var value json.RawMessage
	if err := in.Decode(&value); err != nil {
		return errors.Is(err, io.ErrUnexpectedEOF)
	}
	rest := bytes.TrimLeft(text[in.InputOffset():], " \t\r\n")
	return len(rest) > 0 && (rest[0] == '{' || rest[0] == '[')
}

// notes says what is odd, in sentences without a period.
func (o *oddities) notes(shape recording.Shape) []string {
	notes := []string{}
	if shape != recording.ShapeTranscript {
		return notes
	}
	if o.strange != "" && !o.sided {
		notes = append(notes, fmt.Sprintf("no record is of either side: dir is %q, and has to be c2s or s2c for what was said", o.strange))
	}
	if o.pieces > 0 {
		notes = append(notes, fmt.Sprintf("%s several values, or half of one: if these are pieces of a stream, --framing %v joins them",
			plural(o.pieces, "record holds", "records hold"), frame.Concat))
	}
	return notes
}

package recording

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
)

// writers says for each dir of a transcript whose words those are.
var writers = map[string]struct {
	side    parley.Side
	process string
}{
	"c2s":        {side: parley.SideClient},
	"sdk->agent": {side: parley.SideClient},
	"s2c":        {side: parley.SideServer},
	"agent->sdk": {side: parley.SideServer},
	"err":        {process: ProcessStderr},
	"argv":       {process: ProcessArgv},
	"env":        {process: ProcessEnv},
	"exit":       {process: ProcessExit},
	"eof":        {process: ProcessEOF},
}

// IsProcess reports whether a name is one of those that [Record.Process] has here, and not
// the dir of a transcript that nobody knows.
func IsProcess(name string) bool {
	switch name {
	case ProcessStderr, ProcessArgv, ProcessEnv, ProcessExit, ProcessEOF:
		return true
	}
	return false
}

// lineLimit is how long a line of a transcript may be whose record has at most limit
// bytes: quotes and backslashes are escaped, and there is something around the record.
func lineLimit(limit int64) int64 {
	const around = 1 << 10
	if limit > (math.MaxInt64-around)/2 {
		return math.MaxInt64
	}
	return 2*limit + around
}

// entry reads a line of a transcript.
func (r *Reader) entry(line []byte, pos frame.Pos) Record {
	rec := Record{Pos: pos}
	text, ok := rec.usual(line)
	if ok {
		ok = r.unquote(text)
	}
	if !ok {
		rec = Record{Pos: pos}
		text, ok = rec.fill(line)
		ok = ok && jsonx.Valid(line) && r.unquote(text)
	}
	if !ok {
		return r.refused(rec, line, ErrNotEntry)
	}
	rec.Raw = r.raw
	if limit := frame.Lines.Limit(r.options.Limit).MaxRecord(); int64(len(rec.Raw)) > limit {
		return r.refused(rec, rec.Raw, frame.ErrTooLong)
	}
	if body, ok := bytes.CutSuffix(rec.Raw, []byte("\n")); ok && !r.joins {
		rec.Raw = bytes.TrimSuffix(body, []byte("\r"))
	}
	return rec
}

// unquote sets r.raw to what text stands for, and reports whether it is a string.
func (r *Reader) unquote(text []byte) bool {
	var err error
	r.raw, err = jsonx.AppendUnquote(r.raw[:0], text)
	return err == nil
}

// usual sets what a line says about its record if the line looks as nearly all do:
//
//	{"t":12.5,"dir":"c2s","raw":"…"}
//
// It returns the text of raw, which is still to be checked. To look for the members of
// an object whose order is not known takes five times as long.
func (rec *Record) usual(line []byte) (text []byte, ok bool) {
	line, ok = bytes.CutPrefix(line, []byte(`{"t":`))
	if !ok {
		return nil, false
	}
	t, line, _ := bytes.Cut(line, []byte(`,"dir":"`))
	dir, line, _ := bytes.Cut(line, []byte(`","raw":`))
	text, ok = bytes.CutSuffix(line, []byte("}"))
	writer, known := writers[string(dir)]
	if !ok || !known || !isDecimal(t) {
		return nil, false
	}
	rec.From, rec.Process = writer.side, writer.process
	rec.Time, rec.Timed = milliseconds(t)
	return text, true
}

// isDecimal reports whether a number has digits and a point and nothing else.
func isDecimal(number []byte) bool {
	whole, part, fraction := bytes.Cut(number, []byte{'.'})
	if fraction && len(part) == 0 {
		return false
	}
	for _, digits := range [][]byte{whole, part} {
		for _, c := range digits {
			if c < '0' || c > '9' {
				return false
			}
		}
	}
	return len(whole) == 1 || len(whole) > 1 && whole[0] != '0'
}

// fill sets what a line says about its record, and returns the text of its raw, nil if
// there is none. It reports whether the line has a dir. It takes a line that was cut
// off, as far as that goes.
func (rec *Record) fill(line message.Raw) (text message.Raw, known bool) {
	dir, _ := line.Member("dir")
	if !isString(dir) {
		return nil, false
	}
	name := string(dir[1 : len(dir)-1])
	writer, ok := writers[name]
	if !ok { // it may be escaped, as "sdk-\u003eagent", or be a word of its own
		name, _ = jsonx.Unquote(dir)
		if writer, ok = writers[name]; !ok {
			writer.process = name
		}
	}
	rec.From, rec.Process = writer.side, writer.process
	if t, ok := line.Member("t"); ok {
		rec.Time, rec.Timed = milliseconds(t)
	}
	text, _ = line.Member("raw")
	return text, name != "" // a nameless record would pass for one of the stream
}

// isString reports whether the text of a JSON value is a string.
func isString(text message.Raw) bool { return len(text) > 0 && text[0] == '"' }

// milliseconds reads the t of a line.
func milliseconds(t message.Raw) (time.Duration, bool) {
	// A number of up to 15 digits is by far the most frequent, and costs no allocation.
	var n int64
	for i, c := range t {
		if c < '0' || c > '9' || i == 15 {
			ms, err := strconv.ParseFloat(string(t), 64)
			ns := math.Round(ms * float64(time.Millisecond))
			if err != nil || math.Abs(ns) >= math.MaxInt64 {
				return 0, false
			}
			return time.Duration(ns), true
		}
		n = 10*n + int64(c-'0')
	}
	if n > math.MaxInt64/int64(time.Millisecond) {
		return 0, false
	}
	return time.Duration(n) * time.Millisecond, true
}

// refused returns rec as one that cannot be delivered, for the text that is at fault.
func (r *Reader) refused(rec Record, text []byte, why error) Record {
	rec.Raw = text[:min(len(text), frame.HeadSize)]
	rec.Err = &frame.SkipError{
		Framing: r.framing,
		Pos:     rec.Pos,
		Size:    int64(len(text)),
		Limit:   frame.Lines.Limit(r.options.Limit).MaxRecord(),
		Head:    bytes.Clone(rec.Raw),
		Err:     why,
	}
	return rec
}

// skipped returns the record that the framing has skipped.
func (r *Reader) skipped(e *frame.SkipError) Record {
	rec := Record{Raw: e.Head, Pos: e.Pos, Err: e}
	if r.shape == ShapeTranscript && errors.Is(e.Err, frame.ErrTooLong) {
		// What was asked for is a limit of the record, and not the one of its line.
		e.Limit = frame.Lines.Limit(r.options.Limit).MaxRecord()
		rec.fill(e.Head)
		if r.unquoteHead(e.Head) {
			rec.Raw = r.raw
		}
	}
	return rec
}

// unquoteHead sets r.raw to what the head of a line says of its raw, if the head ends inside
// of that. Whose call it was can then be told by an id that stands early.
func (r *Reader) unquoteHead(head []byte) bool {
	// The cut may go through a character or an escape; the longest, a pair of surrogates, has
	// twelve bytes.
	const longest = 12
	closed := make([]byte, 0, len(head)+len(`"}`))
	for lost := range min(longest, len(head)) {
		closed = append(append(closed[:0], head[:len(head)-lost]...), `"}`...)
		if text, ok := message.Raw(closed).Member("raw"); ok && r.unquote(text) {
			return true
		}
	}
	return false
}

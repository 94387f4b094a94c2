package lint

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/recording"
)

// Bounds of a value over several lines.
const (
	maxHeld = 4 << 20 // bytes
	// maxLooks is how many of the lines of one that has no end may begin another one that
	// has. It keeps the work linear: each costs a look at all others.
	maxLooks = 8
)

// A held is a line that ends inside a value, and the lines that go on with it.
type held struct {
	first recording.Record // its Raw is not valid any more
	bad   *message.ParseError
	text  []byte // all lines, with their line feeds
	lines []line
	end   follower
}

// A line is one of them.
type line struct {
	rec      recording.Record
	from, to int // in the text
}

// mayGoOn reports whether the value that this record begins may go on in the next one.
func (p *pass) mayGoOn(text []byte) bool {
	if p.framing.String() != frame.Lines.String() || len(text) > maxHeld {
		return false
	}
	var f follower
	return f.follow(text) == unfinished
}

// hold waits for the lines that follow.
func (p *pass) hold(rec recording.Record, bad *message.ParseError) {
	h := &held{first: rec, bad: bad}
	h.add(rec)
	h.end.follow(rec.Raw)
	p.held = h
}

// add appends a line. A value is the same whatever white space stands in it.
func (h *held) add(rec recording.Record) {
	from := len(h.text)
	h.text = append(h.text, rec.Raw...)
	h.lines = append(h.lines, line{rec, from, len(h.text)})
	h.text = append(h.text, '\n')
}

// more takes the record that follows those held. It is false if the record is no part of
// the value; what was held has been let go then.
func (l *Linter) more(rec recording.Record) bool {
	h := l.held
	if rec.Process != "" {
		l.take(rec) // standard error and the like may come at any time
		return true
	}
	if rec.Err != nil || rec.From != h.first.From || len(h.text)+len(rec.Raw) > maxHeld {
		l.letGo()
		return false
	}
	state := h.end.follow(rec.Raw)
	switch state {
	case broken:
		l.letGo()
		return false
	case unfinished:
		h.add(rec)
		return true
	case finished:
	}
	h.add(rec)
	l.held = nil
	l.last, l.bad = placeOf(rec.Pos), true
	l.spans(h)
	return true
}

// spans reports a value over several lines.
func (l *Linter) spans(h *held) {
	if l.marks != ownMarks { // where it may be
		h.first.Raw = bytes.TrimSpace(h.text)
		l.take(h.first)
		return
	}
	p := pass{Linter: l, place: placeOf(h.first.Pos), text: h.text, index: -1}
	if !jsonx.Valid(h.text) {
		p.reportAs(notJSON, int(h.bad.Offset), "", "not JSON, though its brackets fit, on lines "+h.span())
		return
	}
	what := "value"
	if e := p.quietly(h.first, bytes.TrimSpace(h.text)); e.Err == nil {
		what = "message"
	}
	p.reportAs(prettyPrinted, 0, "", fmt.Sprintf("%s spans lines %s", what, h.span()))
}

// span returns the first and the last line: "1-5".
func (h *held) span() string {
	return fmt.Sprintf("%d-%d", h.first.Pos.Line, h.lines[len(h.lines)-1].rec.Pos.Line)
}

// letGo gives up waiting: the value that the first line begins has no end, and the lines
// that went on with it are pieces of it, one fault altogether. A message among them
// stands for itself.
func (l *Linter) letGo() {
	h := l.held
	if h == nil {
		return
	}
	l.held = nil
	var messages [][2]int // their first and last lines
	last, looks := 0, maxLooks
	for i := 1; i < len(h.lines); i++ {
		if to := l.messageAt(h, i, &looks); to >= 0 {
			messages = append(messages, [2]int{i, to})
			i = to
		} else if h.lines[i].from < h.lines[i].to { // it is not blank
			last = i
		}
	}
	p := pass{Linter: l, place: placeOf(h.first.Pos), text: h.text[:h.lines[0].to], index: -1}
	text := "not JSON: " + h.bad.Reason + hint(p.text, int(h.bad.Offset))
	if last > 0 {
		text = "not JSON: the value that begins here goes on to line " + strconv.FormatInt(h.lines[last].rec.Pos.Line, 10) + " and has no end; was it cut off?"
	}
	p.reportAs(notJSON, int(h.bad.Offset), "", text)
	for _, m := range messages {
		if of := h.part(m[0], m[1]); len(of.lines) > 1 {
			l.spans(of)
		} else {
			of.first.Raw = of.text
			l.take(of.first)
		}
	}
}

// messageAt returns the last line of the message that begins with a line, -1 if none
// does. looks is how many lines may still be looked at beyond their end.
func (l *Linter) messageAt(h *held, first int, looks *int) int {
	from, to := h.lines[first].from, h.lines[first].to
	if text := bytes.TrimSpace(h.text[from:to]); !isJSONStart(text) {
		return -1
	}
	size, ok := valueEnd(h.text[from:to])
	if !ok && *looks > 0 {
		*looks--
		size, ok = valueEnd(h.text[from:])
	}
	if !ok {
		return -1
	}
	last := first
	for h.lines[last].to < from+size {
		last++
	}
	text := h.text[from:h.lines[last].to]
	if m, err := l.codec().Parse(text); err != nil || m == nil {
		return -1
	}
	return last
}

// part returns some of the lines.
func (h *held) part(first, last int) *held {
	from, to := h.lines[first].from, h.lines[last].to
	return &held{first: h.lines[first].rec, text: h.text[from:to:to], lines: h.lines[first : last+1]}
}

// A follower goes over a JSON value in pieces that are lines, closely enough to tell
// whether the next one can belong to it. A string never goes over the end of a line.
type follower struct {
	open []byte // the brackets that are open
	last byte   // the last token: a bracket, a comma, a colon, or 'v' for a value
}

// A state is what a follower has come to.
type state uint8

const (
	unfinished state = iota // the value goes on
	finished                // it has ended, and nothing follows it
	broken                  // this is no piece of it
)

// follow takes the next piece.
func (f *follower) follow(text []byte) state {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isSpace(c):
			continue
		case len(f.open) == 0 && f.last != 0:
			return broken // something follows the value
		case !f.fits(c):
			return broken
		}
		switch c {
		case '"':
			if i = stringEnd(text, i); i == len(text) {
				return broken
			}
			f.last = 'v'
		case '{', '[':
			f.open = append(f.open, c)
			f.last = c
		case '}', ']':
			f.open = f.open[:len(f.open)-1]
			f.last = 'v'
		case ',', ':':
			f.last = c
		default:
			for i+1 < len(text) && !isSpace(text[i+1]) && bytes.IndexByte([]byte(",:{}[]\""), text[i+1]) < 0 {
				i++
			}
			f.last = 'v'
		}
	}
	if len(f.open) == 0 {
		return finished
	}
	return unfinished
}

// fits reports whether the token that begins with c may follow the last one.
func (f *follower) fits(c byte) bool {
	if len(f.open) == 0 {
		return c == '{' || c == '['
	}
	top := f.open[len(f.open)-1]
	object := top == '{'
	value := c == '"' || c == '{' || c == '[' || c == '-' || '0' <= c && c <= '9' || c == 't' || c == 'f' || c == 'n'
	switch f.last {
	case '{':
		return c == '"' || c == '}'
	case '[':
		return value || c == ']'
	case ',':
		return c == '"' || value && !object
	case ':':
		return value
	}
	return c == ',' || c == ':' && object || c == top+2
}

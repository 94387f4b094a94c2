package lint

import (
	"bytes"
	"fmt"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/message"
	"github.com/parley-rpc/parley/recording"
)

// Bounds of a value over several lines.
const (
	maxHeld = 4 << 20 // bytes
	// maxRehold is how many of the lines that turned out to be no part of such a value
	// may begin another one. It keeps the work linear: each costs a look at all others.
	maxRehold = 8
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
	if p.framing.String() != frame.Lines.String() || p.rehold == 0 || len(text) > maxHeld {
		return false
	}
	var f follower
	return f.follow(text) == unfinished
}

// hold waits for the lines that follow.
func (p *pass) hold(rec recording.Record, bad *message.ParseError) {
	p.rehold--
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
		return l.held != nil && l.more(rec)
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

// letGo gives up waiting: the first line is not JSON, and the others stand for
// themselves.
func (l *Linter) letGo() {
	h := l.held
	if h == nil {
		return
	}
	l.held = nil
	p := pass{Linter: l, place: placeOf(h.first.Pos), text: h.text[:h.lines[0].to], index: -1}
	p.reportAs(notJSON, int(h.bad.Offset), "", "not JSON: "+h.bad.Reason+hint(p.text, int(h.bad.Offset)))
	for _, line := range h.lines[1:] {
		line.rec.Raw = h.text[line.from:line.to:line.to]
		if l.held == nil || !l.more(line.rec) {
			l.take(line.rec)
		}
	}
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

package lint

import (
	"bytes"
	"strconv"
)

// A margin is what stands between the bodies of the header framing, which no record
// shows: readers pass over fields that they do not know, and so over the output of a
// logger that has a colon in it. It follows the bytes of the input from body to body. What
// is wrong with the framing itself ends it; that is for the reader to report.
type margin struct {
	at   int64  // the offset of the next byte
	body int64  // bytes of the body that are still to come
	lost bool   // there is no telling where the next body is
	line []byte // the line of a header, as far as it has come

	fields int   // of the header, so far
	size   int64 // the length that it announces, -1 for none yet
	behind bool  // a body ends where the header begins

	odd           []oddLine
	bareLF, blank bool // there was such a line already
}

// An oddLine is one that should not be there.
type oddLine struct {
	offset int64
	rule   *Rule
	text   string
	fix    string // "": that of the rule
}

// Bounds of a margin. That of the header is the one of package frame.
const (
	maxHeader = 8 << 10 // bytes of a line
	maxOdd    = 1 << 16 // lines that nobody has asked for yet
)

// newMargin returns the margin at the start of an input.
func newMargin() *margin { return &margin{size: -1} }

// feed takes the next bytes of the input.
func (m *margin) feed(b []byte) {
	for len(b) > 0 && !m.lost {
		if m.body > 0 {
			n := min(m.body, int64(len(b)))
			m.body -= n
			m.at += n
			b = b[n:]
			continue
		}
		part, rest, ended := bytes.Cut(b, []byte{'\n'})
		m.line = append(m.line, part...)
		m.at += int64(len(b) - len(rest))
		b = rest
		if len(m.line) > maxHeader {
			m.lost = true
		} else if ended {
			m.end(m.line, m.at-int64(len(m.line))-1)
			m.line = m.line[:0]
		}
	}
}

// end reads a line of a header, which began at an offset.
func (m *margin) end(line []byte, at int64) {
	if at == 0 {
		line = bytes.TrimPrefix(line, utf8Mark)
	}
	text, whole := bytes.CutSuffix(line, []byte("\r"))
	glued := m.behind
	m.behind = false
	switch {
	case len(bytes.TrimSpace(text)) > 0:
		m.fields++
		if !m.field(text, at, glued, whole) {
			return
		}
	case m.fields == 0:
		if at > 0 {
			m.once(&m.blank, at, "an empty line before a header, and a header begins where the body before it ends; it is told once")
		}
		return
	case m.size < 0:
		m.lost = true
		return
	default:
		m.body, m.behind, m.fields, m.size = m.size, true, 0, -1
	}
	if !whole {
		m.once(&m.bareLF, at, "a line of a header ends in LF alone, want CR LF; it is told once")
	}
}

// field reads a field of a header. It is false if the line is no field.
func (m *margin) field(text []byte, at int64, glued, whole bool) bool {
	name, value, ok := bytes.Cut(text, []byte(":"))
	if !ok {
		m.lost = true
		return false
	}
	switch {
	case bytes.EqualFold(name, []byte("content-length")):
		n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
		m.size, m.lost = n, err != nil || n < 0
		return true
	case bytes.EqualFold(name, []byte("content-type")):
		return true
	case whole && isNamedLikeField(name):
		m.add(oddLine{at, headerLine, excerpt(text) + ": the base protocol has no such field", ""})
		return true
	case glued:
		m.add(oddLine{at, gluedText, "text after a message, where it passes for a header: " + excerpt(text), strayText.Fix})
	default:
		m.add(oddLine{at, strayText, "text that passes for a header: " + excerpt(text), ""})
	}
	return false
}

// isNamedLikeField reports whether somebody meant a line to be a field. A logger has
// names of its own.
func isNamedLikeField(name []byte) bool {
	name = bytes.ToLower(name)
	return bytes.HasPrefix(name, []byte("content-")) || bytes.HasPrefix(name, []byte("x-"))
}

// once notes what is told only the first time.
func (m *margin) once(told *bool, at int64, text string) {
	if !*told {
		*told = true
		m.add(oddLine{at, headerLine, text, ""})
	}
}

func (m *margin) add(o oddLine) {
	if len(m.odd) < maxOdd {
		m.odd = append(m.odd, o)
	}
}

// margin reports what stands before an offset of the input and belongs to no record, as a
// part of the record that follows. It reports whether there was text in place of a header.
func (l *Linter) margin(record, before int64) (text bool) {
	if l.input == nil || l.input.margin == nil {
		return false
	}
	m := l.input.margin
	for len(m.odd) > 0 && m.odd[0].offset < before {
		o := m.odd[0]
		m.odd = m.odd[1:]
		text = text || o.rule != headerLine
		p := pass{Linter: l, place: place{line: record, offset: o.offset}, index: -1}
		f := p.finding(o.rule, 0, "", o.text)
		if o.fix != "" {
			f = f.advise(o.fix)
		}
		l.add(f)
	}
	return text
}

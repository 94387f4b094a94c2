package lint

import (
	"bytes"

	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/jsonx"
	"github.com/parley-rpc/parley/recording"
)

// marks are how a stream of lines turns out to be framed by whoever wrote it.
type marks uint8

const (
	ownMarks    marks = iota // by lines
	headerMarks              // by Content-Length headers
	eventMarks               // by the fields of an event stream, as an HTTP server sends it
)

// linesOnly are the dialects that are lines, whatever a writer may think.
var linesOnly = map[string]bool{"mcp": true, "mcp-legacy": true, "mcp-modern": true, "acp": true, "codex": true, "claude": true}

// wrongMarks reports headers in a dialect that has none, at the first record.
func (p *pass) wrongMarks() {
	if p.framing.String() == frame.Header.String() && linesOnly[p.dialect.Name] {
		p.add(p.finding(wrongFraming, 0, "", "Content-Length headers, and the "+p.dialect.Name+" dialect is lines").advise(p.unheaded()))
	}
}

// unheaded is what to do about headers, which depends on what is spoken.
func (p *pass) unheaded() string {
	const withHeaders = "say --framing header, and print nothing to stdout: one line before the first header makes all look like lines"
	switch {
	case linesOnly[p.dialect.Name]:
		return "write each message on a line of its own, without a header"
	case p.dialect.Name == "lsp":
		return withHeaders
	}
	return "if the headers are meant, as in LSP, " + withHeaders + "; if not, write each message on a line of its own"
}

// foreign reports a line that has the marks of another framing, once. It is false if the
// line has none. From then on all marks of that framing are taken off, those of this line
// first: what they would be found guilty of comes from the same cause.
func (p *pass) foreign(rec recording.Record) bool {
	if p.framing.String() != frame.Lines.String() || p.marks != ownMarks {
		return false
	}
	field, isField := eventField(p.text)
	switch at := headerIn(p.text); {
	case at >= 0:
		p.marks = headerMarks
		p.add(p.finding(wrongFraming, at, "", "Content-Length headers: the header framing is spoken here, in a stream that is read as lines").advise(p.unheaded()))
	case isField && field != "data":
		// Any log may have such a line, but none goes on with data.
		p.events = append(p.events, p.finding(strayText, 0, "", "text that is no JSON: "+excerpt(p.text)))
		return true
	case isField && jsonx.Valid(unfield(p.text)):
		p.isEvents(p.finding(wrongFraming, 0, "", ""))
	default:
		return false
	}
	l := p.Linter // reading on takes the pass
	l.read(rec)
	return true
}

// isEvents reports that the lines are an event stream.
func (l *Linter) isEvents(f Finding) {
	l.marks, l.events = eventMarks, nil
	f.Rule, f.Severity, f.Message = wrongFraming, wrongFraming.Severity, "the fields of an event stream (SSE), as an HTTP server sends it: its messages stand behind data:"
	l.add(f.advise("pass on what stands behind data:, as sed -n 's/^data: *//p' does; over stdio, write each message on a line of its own"))
}

// maxEvents is how many lines may wait for the data that makes them an event stream.
const maxEvents = 8

// noEvents reports lines that could have begun an event stream as text.
func (l *Linter) noEvents() {
	for _, f := range l.events {
		l.add(f)
	}
	l.events = nil
}

// unmark takes the marks off a record. It is false if the record is nothing but marks.
func (l *Linter) unmark(rec recording.Record) (recording.Record, bool) {
	text := rec.Raw
	if rec.Process != "" || rec.Err != nil || len(bytes.TrimSpace(text)) == 0 {
		return rec, true
	}
	field, isField := eventField(text)
	if len(l.events) > 0 {
		switch {
		case isField && field == "data":
			l.isEvents(l.events[0])
		case !isField || len(l.events) == maxEvents:
			l.noEvents()
		}
	}
	switch l.marks {
	case headerMarks:
		at := headerIn(text)
		if at < 0 {
			return rec, true
		}
		rec.Raw = text[:at]
		return rec, at > 0
	case eventMarks:
		if !isField {
			return rec, true
		}
		rec.Raw = unfield(text)
		rec.Pos.Offset += int64(len(text) - len(rec.Raw))
		// What is no JSON is data of another kind, such as an address.
		return rec, field == "data" && (isJSONStart(rec.Raw) || l.held != nil)
	case ownMarks:
	}
	return rec, true
}

// headerIn returns where in a line a header begins, -1 if none does: at its start or,
// since no line feed ends a body, behind that.
func headerIn(text []byte) int {
	if isHeaderField(text) {
		return 0
	}
	if at := bytes.LastIndexByte(text, '}') + 1; at > 0 && isHeaderField(text[at:]) {
		return at
	}
	return -1
}

// isHeaderField reports whether a line is a field of the base protocol.
func isHeaderField(text []byte) bool {
	name, value, ok := bytes.Cut(text, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case !ok || len(value) == 0:
		return false
	case bytes.EqualFold(name, []byte("content-length")):
		return len(bytes.Trim(value, "0123456789")) == 0
	}
	return bytes.EqualFold(name, []byte("content-type")) && bytes.Contains(value, []byte("vscode-jsonrpc"))
}

// eventField returns the name of the field of an event stream that a line is (HTML,
// "Interpreting an event stream"); "" is a comment.
func eventField(text []byte) (name string, ok bool) {
	field, value, found := bytes.Cut(text, []byte(":"))
	if !found {
		return "", false
	}
	value = bytes.TrimPrefix(value, []byte(" "))
	switch name := string(field); name {
	case "data", "":
		return name, true
	case "event", "id", "retry":
		return name, bytes.IndexByte(value, ' ') < 0 // a name or a number, and no sentence
	}
	return "", false
}

// unfield returns the value of such a field.
func unfield(text []byte) []byte {
	_, value, _ := bytes.Cut(text, []byte(":"))
	return bytes.TrimPrefix(value, []byte(" "))
}

// isJSONStart reports whether a value begins like a message.
func isJSONStart(text []byte) bool {
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

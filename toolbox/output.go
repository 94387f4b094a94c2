package toolbox

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/parley-rpc/parley/dialect/mcp"
)

// Bounds on what is kept of stderr.
const (
	tailSize = 4 << 10 // bytes that an error shows
	lineSize = 8 << 10 // bytes of a line
	maxLines = 1000    // lines of a run that become log notes
)

// A stdout keeps the first bytes that a program writes, and counts the others.
type stdout struct {
	limit int
	kept  strings.Builder
	over  int64 // bytes that were not kept
}

func (o *stdout) Write(p []byte) (int, error) {
	n := min(len(p), o.limit-o.kept.Len())
	o.kept.Write(p[:n])
	o.over += int64(len(p) - n)
	return len(p), nil
}

// text returns what was written as text, with a mark if it is not all of it. What is not
// UTF-8 becomes U+FFFD.
func (o *stdout) text() string {
	kept := o.kept.String()
	if o.over == 0 {
		return strings.ToValidUTF8(kept, "\uFFFD")
	}
	whole := kept
	for i := range min(len(kept), utf8.UTFMax-1) { // a character that was cut is no bad one
		if c := kept[len(kept)-1-i]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(kept[len(kept)-1-i:]) {
				whole = kept[:len(kept)-1-i]
			}
			break
		}
	}
	more := o.over + int64(len(kept)-len(whole))
	return strings.ToValidUTF8(whole, "\uFFFD") + fmt.Sprintf("\n[cut here: %s more]", bytesText(more))
}

// bytesText writes a number of bytes.
func bytesText[T int | int64](n T) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// A stderr takes what a program writes to stderr apart into lines, and keeps the end.
// It is written to by one goroutine, and read when that has ended.
type stderr struct {
	line     func(text string)               // takes a line; at most maxLines come
	progress func(report mcp.ProgressParams) // takes a report of progress; nil: none is looked for

	part  []byte  // of the line that goes on; at most lineSize and a mark
	cut   bool    // part is full
	lines int     // how many there were
	last  float64 // the progress of the last report
	any   bool    // there was one
	tail  []byte  // the last bytes; at most twice tailSize, so that a byte is moved once on average
}

func (e *stderr) Write(p []byte) (int, error) {
	e.keep(p)
	for rest := p; ; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		room := lineSize - len(e.part)
		e.part = append(e.part, line[:min(len(line), room)]...)
		e.cut = e.cut || len(line) > room
		if !ended {
			return len(p), nil
		}
		e.flush()
		rest = after
	}
}

// keep adds to the tail.
func (e *stderr) keep(p []byte) {
	p = p[max(0, len(p)-tailSize):]
	if len(e.tail)+len(p) > 2*tailSize {
		e.tail = append(e.tail[:0], e.tail[max(0, len(e.tail)-tailSize):]...)
	}
	e.tail = append(e.tail, p...)
}

// end tells the last line, if it had no end, and returns the tail.
func (e *stderr) end() string {
	if len(e.part) > 0 {
		e.flush()
	}
	tail := e.tail[max(0, len(e.tail)-tailSize):]
	return strings.TrimSpace(strings.ToValidUTF8(string(tail), ""))
}

// flush tells the line that has come to its end.
func (e *stderr) flush() {
	text := strings.ToValidUTF8(strings.TrimSuffix(string(e.part), "\r"), "\uFFFD")
	if e.cut {
		text += "…"
	}
	e.part, e.cut = e.part[:0], false
	if e.progress != nil && e.report(text) {
		return
	}
	if e.lines++; e.lines > maxLines || strings.TrimSpace(text) == "" {
		return
	}
	if e.lines == maxLines {
		text = fmt.Sprintf("there were %d lines; no more of them are passed on", maxLines)
	}
	e.line(text)
}

// progressLine is "progress 3 text", "progress 3/10" or "progress 0.3/1 text".
var progressLine = regexp.MustCompile(`^progress ([0-9]+(?:\.[0-9]+)?)(?:/([0-9]+(?:\.[0-9]+)?))?(?: (.*))?$`)

// report tells a line that is a report of progress. One that does not go beyond the last
// is dropped: progress grows (MCP, "Progress").
func (e *stderr) report(line string) bool {
	m := progressLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	done, err := strconv.ParseFloat(m[1], 64)
	if err != nil || e.any && done <= e.last {
		return true
	}
	e.any, e.last = true, done
	report := mcp.ProgressParams{Progress: done, Message: m[3]}
	if total, err := strconv.ParseFloat(m[2], 64); err == nil {
		report.Total = &total
	}
	e.progress(report)
	return true
}

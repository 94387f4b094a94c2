package main

import (
	"bufio"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/ledger"
)

// A textView shows accounts to a person, a line each:
//
//	19    597 ms  ← request  0  item/commandExecution/requestApproval  touch x  (owed by client: answered on 20 after 2 ms)  [waiting for approval]
//
// They have the number of the record, its time, who wrote it, what it is, its id and
// method, what matters in it, must it be answered and was it, and what the agent does if
// that has changed. Runs of pieces of the same text are one line.
type textView struct {
	out  *bufio.Writer
	look term.Look

	of    *origin
	agent string // what it did after the last line
	begun bool
	run   series
}

func newTextView(out *bufio.Writer, look term.Look) *textView {
	return &textView{out: out, look: look}
}

func (v *textView) begin(of *origin) error {
	v.of = of
	v.printf("%s%s\n\n", v.paint(titleStyle, "dialect: "+of.dialect), v.paint(faintStyle, " ("+of.why+")"))
	return nil
}

// idle flushes. A run that is not over stays open: its first line has been shown.
func (v *textView) idle() error { return v.out.Flush() }

func (v *textView) show(a *account) error {
	v.begun = true
	// A state that changes inside a run must be seen where it does.
	if a.Agent.String() == v.agent && v.run.takes(a) {
		return nil
	}
	v.endRun()
	if a.Agent.String() == v.agent && v.run.begins(a) {
		if v.of.live {
			v.line(a, v.run.name, v.run.text)
		}
		return nil
	}
	v.line(a, a.Method, summarize(a.dialect.Name, &a.Entry, a.raw))
	v.parts(a)
	// What could not be written comes again with Flush.
	return nil
}

// endRun shows the run that is over, or what of it was not shown yet.
func (v *textView) endRun() {
	r := &v.run
	defer r.reset()
	switch {
	case r.count == 0, r.count == 1 && v.of.live:
	case v.of.live:
		v.printf("%s\n", v.paint(faintStyle, fmt.Sprintf("%s… %s, up to record %d", v.indent(), r.method(), r.last)))
	default:
		a := account{Entry: r.first, dialect: r.dialect}
		v.line(&a, r.method(), r.text)
	}
}

// parts shows the messages of a batch, and the one inside a control message.
func (v *textView) parts(a *account) {
	for i := range a.Parts {
		part := &a.Parts[i]
		mark := "inside: "
		if a.Kind == ledger.KindBatch {
			mark = "batch: "
		}
		text := summarize(innerDialect(a.dialect.Name, a.Kind), part, nil)
		v.printf("%s%s", v.indent(), v.paint(faintStyle, mark))
		v.words(a, part, len(v.indent())+len(mark), part.Method, text, "")
	}
}

// innerDialect is the dialect of what a record holds: the messages of a batch speak as
// the others do, those in control messages speak MCP.
func innerDialect(outer string, kind ledger.Kind) string {
	if kind == ledger.KindBatch {
		return outer
	}
	return "mcp"
}

// The widths of the columns before the words of a line.
const (
	numberColumn = 4
	timeColumn   = 10
)

// indent is as wide as what stands before the words of a line.
func (v *textView) indent() string {
	width := numberColumn + len("  → ")
	if v.of.timed {
		width += timeColumn
	}
	return strings.Repeat(" ", width)
}

// line shows one record.
func (v *textView) line(a *account, method, summary string) {
	v.printf("%s", v.paint(faintStyle, fmt.Sprintf("%*d", numberColumn, a.N)))
	if v.of.timed {
		v.printf("%s", v.paint(faintStyle, fmt.Sprintf("%*s", timeColumn, clock(a.At))))
	}
	v.printf("  %s ", v.arrow(a.From))
	if a.Kind == ledger.KindProcess {
		method = a.What
	}
	remark := ""
	if does := a.Agent.String(); does != v.agent {
		remark = "[" + does + "]"
		v.agent = does
	}
	v.words(a, &a.Entry, len(v.indent()), method, summary, remark)
}

// words ends a line, of which a number of columns are used up, with what an entry is, what
// is owed, and a remark. On a terminal they get what is left of the line.
func (v *textView) words(a *account, e *ledger.Entry, used int, method, summary, remark string) {
	kind, id := e.Kind.String(), cut(term.Escape(e.ID.String()), maxID)
	method = cut(term.Escape(method), maxMethod)
	summary = cut(term.Escape(strings.TrimSpace(summary)), maxSummary)
	owed := a.owed(e)
	if owed != "" {
		owed = "(" + owed + ")"
	}
	if v.look.Terminal {
		// The summary goes first, since the record has it, and what is owed goes last, since
		// nothing else says it.
		fit(v.look.Width-used-len(kind),
			cuttable{&summary, 0}, cuttable{&method, 12}, cuttable{&id, 6}, cuttable{&owed, 16}, cuttable{&method, 0}, cuttable{&id, 0}, cuttable{&remark, 0}, cuttable{&owed, 0})
	}
	v.printf("%s", v.paint(v.ink(a, e), kind))
	for _, of := range []struct {
		text string
		ink  lipgloss.Style
	}{{id, lipgloss.NewStyle()}, {method, titleStyle}, {summary, lipgloss.NewStyle()}, {owed, faintStyle}, {remark, remarkStyle}} {
		if of.text != "" {
			v.printf("  %s", v.paint(of.ink, of.text))
		}
	}
	v.printf("\n")
}

// The bounds of what a peer chose, in characters.
const (
	maxID     = 80
	maxMethod = 120
)

// A cuttable is a part of a line that can be cut to a number of characters.
type cuttable struct {
	text  *string
	least int
}

// fit cuts the parts of a line, one after the other, until they take no more than room.
func fit(room int, parts ...cuttable) {
	over := -room
	seen := make(map[*string]bool)
	for _, p := range parts {
		if !seen[p.text] {
			over += columns(*p.text)
		}
		seen[p.text] = true
	}
	for _, p := range parts {
		if over <= 0 {
			return
		}
		before := columns(*p.text)
		if keep := max(utf8.RuneCountInString(*p.text)-over, p.least); keep > 1 {
			*p.text = cut(*p.text, keep)
		} else {
			*p.text = "" // a mark alone says nothing
		}
		over -= before - columns(*p.text)
	}
}

// columns is how many columns a text takes behind another one.
func columns(text string) int {
	if text == "" {
		return 0
	}
	return len("  ") + utf8.RuneCountInString(text)
}

// ink is the colour of what a record is.
func (v *textView) ink(a *account, e *ledger.Entry) lipgloss.Style {
	switch is := a.fate(e); {
	case e.Kind == ledger.KindInvalid, e.Kind == ledger.KindError, is.state == ledger.StateOrphan, is.state == ledger.StateLate:
		return faultStyle
	case is.state == ledger.StateOpen:
		return remarkStyle
	case e.From == parley.SideClient:
		return sentStyle
	case e.From == parley.SideServer:
		return gotStyle
	}
	return faintStyle
}

// arrow shows who wrote a record: the client to the right, the server to the left.
func (v *textView) arrow(from parley.Side) string {
	switch from {
	case parley.SideClient:
		return v.paint(sentStyle, arrow(parley.Outbound))
	case parley.SideServer:
		return v.paint(gotStyle, arrow(parley.Inbound))
	case parley.SideUnknown:
	}
	return v.paint(faintStyle, "·")
}

func (v *textView) printf(format string, args ...any) { fmt.Fprintf(v.out, format, args...) }

func (v *textView) paint(ink lipgloss.Style, text string) string {
	if !v.look.Colour {
		return text
	}
	return ink.Render(text)
}

// clock writes a time or a duration: "597 ms", "12.617 s".
func clock(d time.Duration) string {
	switch {
	case d < 0:
		return "-"
	case d >= 10*time.Second:
		return fmt.Sprintf("%.3f s", d.Seconds())
	case d >= time.Millisecond || d == 0:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%d µs", d.Microseconds())
}

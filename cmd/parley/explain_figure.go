package main

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/ledger"
)

// A figureView draws accounts as a sequence diagram of Mermaid: ->> is a request, -->>
// an answer, -) a note. What a process does, and what is open at the end, is a note over
// whom it is about.
//
// Mermaid has no quotes: text runs to the end of the line, save for what [figureText]
// escapes.
type figureView struct {
	out  *bufio.Writer
	live bool
	runs series
}

// The names of the participants in the diagram, by side. What a reader sees is their
// alias.
var figureNames = map[parley.Side]string{parley.SideClient: "client", parley.SideServer: "server"}

// figureAliases are what the sides are called in a dialect, the client first.
var figureAliases = map[string][2]string{
	"acp":    {"editor", "agent"},
	"claude": {"host", "agent"},
	"codex":  {"client", "app-server"},
	"lsp":    {"editor", "server"},
}

func (v *figureView) begin(of *origin) error {
	v.live = of.live
	names, ok := figureAliases[family(of.dialect)]
	if !ok {
		names = [2]string{"client", "server"}
	}
	v.printf("sequenceDiagram\n    participant client as %s\n    participant server as %s\n", names[0], names[1])
	return nil
}

func (v *figureView) idle() error { return v.out.Flush() }

func (v *figureView) show(a *account) error {
	if v.runs.takes(a) {
		return nil
	}
	v.endRun()
	if v.runs.begins(a) {
		return nil
	}
	v.draw(a, &a.Entry, a.Method, summarize(a.dialect.Name, &a.Entry, a.raw))
	for i := range a.Parts {
		part := &a.Parts[i]
		v.draw(a, part, part.Method, summarize(innerDialect(a.dialect.Name, a.Kind), part, nil))
	}
	return nil
}

// endRun draws a run of pieces as one arrow.
func (v *figureView) endRun() {
	if v.runs.count > 0 {
		a := account{Entry: v.runs.first, dialect: v.runs.dialect}
		v.draw(&a, &a.Entry, v.runs.method(), v.runs.text)
	}
	v.runs.reset()
}

// maxFigure is how many characters of a summary a figure shows.
const maxFigure = 60

// draw draws one entry.
func (v *figureView) draw(a *account, e *ledger.Entry, method, summary string) {
	if e.Kind == ledger.KindBlank || e.Kind == ledger.KindBatch && len(e.Parts) > 0 {
		return // there is nothing to see, or the messages of the batch are drawn
	}
	if e.Kind == ledger.KindProcess {
		method = e.What
	}
	var said []string
	if id := e.ID.String(); id != "" {
		said = append(said, cut(id, maxFigure))
	}
	if method != "" {
		said = append(said, cut(method, maxMethod))
	}
	if summary != "" {
		said = append(said, cut(summary, maxFigure))
	}
	if len(said) == 0 {
		said = append(said, e.Kind.String())
	}
	text := figureText(strings.Join(said, " "))
	from, known := figureNames[e.From]
	if !known || e.Kind == ledger.KindProcess {
		v.printf("    Note over client,server: %s\n", text)
		return
	}
	v.printf("    %s%s%s: %s\n", from, figureArrow(e), figureNames[e.From.Other()], text)
	if is := a.fate(e); is.state == ledger.StateOpen && !v.live && e.MustAnswer {
		v.printf("    Note over %s: %s\n", figureNames[e.OwedBy], figureText(fmt.Sprintf("owed since record %d, not answered", e.N)))
	}
}

// figureArrow is the arrow of an entry.
func figureArrow(e *ledger.Entry) string {
	switch e.Kind {
	case ledger.KindRequest, ledger.KindControlRequest:
		return "->>"
	case ledger.KindResponse, ledger.KindError, ledger.KindControlResponse:
		return "-->>"
	case ledger.KindInvalid:
		return "-x"
	default:
		return "-)"
	}
}

// end has nothing to draw: what is open was drawn where it began.
func (v *figureView) end(*ending) error {
	v.endRun()
	return v.out.Flush()
}

func (v *figureView) printf(format string, args ...any) { fmt.Fprintf(v.out, format, args...) }

// figureEscapes are the characters that mean something to Mermaid inside a text: the end
// of a statement, a comment, an entity, tags of HTML, mathematics, and breaks.
var figureEscapes = strings.NewReplacer(
	"#", "#35;", ";", "#59;", "%", "#37;", "<", "#lt;", ">", "#gt;", "$", "#36;", "\\", "#92;", "\n", " ", "\r", " ", "\t", " ",
)

// figureEnd is a word that ends a block of a diagram, wherever it stands, and figureWrap
// is one that says how to break the lines of a text.
var (
	figureEnd  = regexp.MustCompile(`(?i)\bend\b`)
	figureWrap = regexp.MustCompile(`(?i)^\s*((?:no)?wrap):`)
)

// figureText returns text as it may stand behind a colon.
func figureText(text string) string {
	text = figureEscapes.Replace(text)
	text = figureWrap.ReplaceAllString(text, "$1#58;")
	text = figureEnd.ReplaceAllStringFunc(text, func(end string) string { return end[:1] + "#110;" + end[2:] })
	return term.Escape(text)
}

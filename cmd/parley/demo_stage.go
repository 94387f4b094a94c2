package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/internal/term"
)

// A wireLine is a record that has passed, and which way.
type wireLine struct {
	at  time.Duration // since the section began
	dir parley.Direction
	rec []byte
}

// A stage shows a demo: headings, wire lines with an arrow and a meaning, the sum.
// It counts what it shows and shows what it counts.
type stage struct {
	out  io.Writer
	look term.Look

	// Whoever reads and whoever writes on a connection both report to the stage.
	mu      sync.Mutex
	broken  error // why nothing can be shown any more
	count   count
	began   time.Time  // the section that runs
	owing   int        // how many answers it leaves open
	passed  []wireLine // its lines so far
	says    []string   // what its next lines mean
	surplus int        // its lines that came after those
}

// begin opens a section.
func (s *stage) begin(number int, sec section) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.begin(sec.speaks)
	s.began, s.owing, s.passed, s.says, s.surplus = time.Now(), sec.owing, nil, nil, 0
	if sec.part != "" {
		s.printf("\n%s\n", s.paint(partStyle, sec.part))
	}
	s.printf("\n%s  %s\n", s.paint(numberStyle, fmt.Sprintf("%2d", number)), s.paint(titleStyle, sec.title))
	s.text(sec.lesson, faintStyle)
	s.printf("\n")
}

// end closes a section. It is an error if its lines were fewer or more than it had
// words for, or if an answer is owed: then something is not as it says.
func (s *stage) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	if n := len(s.says); n > 0 {
		errs = append(errs, fmt.Errorf("%d more lines should have come: %s", n, strings.Join(s.says, "; ")))
	}
	if s.surplus > 0 {
		errs = append(errs, fmt.Errorf("%d lines came that it does not expect", s.surplus))
	}
	if owed := s.count.ledger.Open(); len(owed) != s.owing {
		errs = append(errs, fmt.Errorf("%d answers are still owed, not %d", len(owed), s.owing))
		for _, d := range owed {
			errs = append(errs, fmt.Errorf("still owed by the %s: %s", d.Owes, d.Name()))
		}
	}
	if s.count.strays > 0 {
		errs = append(errs, fmt.Errorf("%d answers that nobody asked for", s.count.strays))
		s.count.strays = 0
	}
	return errors.Join(errs...)
}

// expect sets what the next lines mean, one text a line.
func (s *stage) expect(says ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.says = append(s.says, says...)
}

// record shows a line with the meaning that was set for it. It is a hook of
// parley.Trace.
func (s *stage) record(dir parley.Direction, rec []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.says) == 0 {
		s.surplus++
		s.showLocked(dir, rec, "a line that this section does not expect")
		return
	}
	s.showLocked(dir, rec, s.says[0])
	s.says = s.says[1:]
}

// show shows a line and says what it means.
func (s *stage) show(dir parley.Direction, rec []byte, meaning string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.showLocked(dir, rec, meaning)
}

// showLocked also counts the line. The record is copied: a hook may not keep it.
func (s *stage) showLocked(dir parley.Direction, rec []byte, meaning string) {
	rec = append([]byte(nil), rec...)
	s.passed = append(s.passed, wireLine{time.Since(s.began), dir, rec})
	s.count.add(dir, rec)
	ink := sentStyle
	if dir == parley.Inbound {
		ink = gotStyle
	}
	s.wireLocked(s.paint(ink, arrow(dir)), term.Escape(string(rec)), meaning)
}

// piece shows bytes that are no line yet. They are not counted.
func (s *stage) piece(text, meaning string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wireLocked(s.paint(faintStyle, "…"), term.Escape(text), meaning)
}

// remark says something between lines.
func (s *stage) remark(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text(fmt.Sprintf(format, args...), remarkStyle)
}

// fault says what differs from what the section claims.
func (s *stage) fault(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for text := range strings.Lines(err.Error()) {
		s.text("DIFFERS: "+strings.TrimSpace(text), faultStyle)
	}
}

// lines returns the lines of this section so far.
func (s *stage) lines() []wireLine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]wireLine(nil), s.passed...)
}

// owes returns the ids of our calls in this section that have no answer yet.
func (s *stage) owes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.count.owed(parley.Outbound), ", ")
}

// waiting returns how many answers are owed in this section.
func (s *stage) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.count.ledger.Open())
}

// age returns how long the section has been running.
func (s *stage) age() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Since(s.began)
}

// verbatim shows what a command prints.
func (s *stage) verbatim(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.printf("\n")
	for line := range strings.Lines(text) {
		s.printf("%s\n", strings.TrimRight(strings.Repeat(" ", wireIndent)+line, " \n"))
	}
}

// sum shows what was sent, answered and is still owed.
func (s *stage) sum() {
	s.mu.Lock()
	defer s.mu.Unlock()
	out, in := s.count.tallies[parley.Outbound], s.count.tallies[parley.Inbound]
	s.printf("\n%s\n\n", s.paint(partStyle, "Sent, answered, still owed"))
	s.printf("    %-46s    %s    %s\n", "", s.paint(sentStyle, arrow(parley.Outbound)), s.paint(gotStyle, arrow(parley.Inbound)))
	row := func(what string, sent, got int) { s.printf("    %-46s %4d %4d\n", what, sent, got) }
	row("lines", out.lines, in.lines)
	row("asked: calls", out.asked, in.asked)
	row("answered", out.answered, in.answered)
	row("still owed", out.asked-out.answered, in.asked-in.answered)
	row("notes and events, which are owed nothing", out.free, in.free)
	row("bad lines, which name no call", out.bad, in.bad)
}

// The columns in front of a wire line and of the prose below it.
const (
	wireIndent  = 4
	proseIndent = 6
)

// wireLocked writes one line of the wire, folded if need be, and its meaning: beside
// it where there is room in the right two fifths, else below.
func (s *stage) wireLocked(mark, text, meaning string) {
	folded := fold(text, s.look.Width-wireIndent)
	s.printf("  %s %s", mark, strings.Join(folded, "\n"+strings.Repeat(" ", wireIndent)))
	beside := s.look.Width * 3 / 5
	gap := beside - wireIndent - lipgloss.Width(folded[0])
	if len(folded) == 1 && gap > 0 && beside+lipgloss.Width(meaning) <= s.look.Width {
		s.printf("%s%s\n", strings.Repeat(" ", gap), s.paint(faintStyle, meaning))
		return
	}
	s.printf("\n")
	s.prose(meaning, proseIndent, faintStyle)
}

// text writes prose below a heading or between lines.
func (s *stage) text(text string, ink lipgloss.Style) { s.prose(text, wireIndent, ink) }

func (s *stage) prose(text string, indent int, ink lipgloss.Style) {
	for part := range strings.Lines(lipgloss.Wrap(text, s.look.Width-indent, "")) {
		s.printf("%s%s\n", strings.Repeat(" ", indent), s.paint(ink, strings.TrimRight(part, " \n")))
	}
}

// printf writes to the output of the command, until that fails.
func (s *stage) printf(format string, args ...any) {
	if s.broken == nil {
		_, s.broken = fmt.Fprintf(s.out, format, args...)
	}
}

func arrow(dir parley.Direction) string {
	if dir == parley.Inbound {
		return "←"
	}
	return "→"
}

// The colours are the sixteen that every terminal has and that its owner has chosen.
var (
	partStyle   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Magenta)
	numberStyle = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Yellow)
	titleStyle  = lipgloss.NewStyle().Bold(true)
	sentStyle   = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Cyan)
	gotStyle    = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Green)
	faintStyle  = lipgloss.NewStyle().Faint(true)
	remarkStyle = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	faultStyle  = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Red)
)

// paint colours text where the output may have colour.
func (s *stage) paint(ink lipgloss.Style, text string) string {
	if !s.look.Colour {
		return text
	}
	return ink.Render(text)
}

// fold cuts a wire line into parts of at most width columns. It cuts behind a comma
// where it can, the outermost and of those the last, so that what belongs together
// stays together; else behind another mark of JSON, or behind a space; and inside a
// word (an id, a path) only if that alone is wider than a line.
func fold(text string, width int) (parts []string) {
	for {
		at := foldAt(text, width)
		parts = append(parts, strings.TrimRight(text[:at], " "))
		if text = text[at:]; text == "" {
			return parts
		}
	}
}

// foldAt returns how many bytes of text go into one part.
func foldAt(text string, width int) int {
	var comma, mark, space int // where the best of each kind ends
	columns, depth, outermost := 0, 0, len(text)
	quoted, escaped := false, false
	for i, r := range text {
		if columns += lipgloss.Width(string(r)); columns > width {
			return cmp.Or(comma, mark, space, i, len(string(r)))
		}
		next := i + len(string(r))
		switch {
		case escaped:
			escaped = false
		case r == '"':
			quoted = !quoted
		case r == '\\':
			escaped = quoted
		case r == ' ':
			space = next
		case quoted:
		case r == ',' && depth <= outermost:
			comma, outermost = next, depth
		case r == '{', r == '[':
			depth++
			mark = next
		case r == '}', r == ']':
			depth--
		case r == ':':
			mark = next
		}
	}
	return len(text)
}

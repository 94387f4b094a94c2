package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/message"
)

// A report tells findings in one format. An error is that of the output.
type report interface {
	// begin is called once before all others. lines says that the places of findings
	// are lines, and not records.
	begin(lines bool) error
	add(f *lint.Finding) error
	flush() error
	end() error
}

// The formats that only lint has.
const (
	formatJUnit format = "junit"
	formatSARIF format = "sarif"
)

// A lintFormat is the --format of lint, which is that of results: errors have the one
// that goes with it, since SARIF is JSON, and nobody parses errors as JUnit.
type lintFormat struct {
	choice[format]
	errors *format
}

func (f *lintFormat) Set(text string) error {
	if err := f.choice.Set(text); err != nil {
		return err
	}
	*f.errors = formatText
	if *f.value == formatJSON || *f.value == formatSARIF {
		*f.errors = formatJSON
	}
	return nil
}

// addFormats adds --format.
func (f *lintFlags) addFormats(cmd *cobra.Command, a *app) {
	known := []format{formatText, formatJSON, formatJUnit, formatSARIF}
	cmd.Flags().Var(&lintFormat{choice[format]{"format", &f.format, known}, &a.format}, "format", "how results and errors are written: "+list(known))
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	complete(cmd, "format", names...)
}

// report returns the report that --format asks for.
func (f *lintFlags) report(a *app, name string) report {
	out := bufio.NewWriterSize(a.stdout, 64<<10)
	switch f.format {
	case formatJSON:
		return &jsonReport{app: a, out: out}
	case formatSARIF:
		return &sarifReport{jsonReport: jsonReport{app: a, out: out}, name: name}
	case formatJUnit:
		return &junitReport{out: out, name: name, flags: f}
	default:
		return &textReport{out: out, name: name, advised: make(map[string]bool)}
	}
}

// A textReport is for a person: a line for each finding, in the form that editors and
// compilers agree on, and what to do about it, once.
type textReport struct {
	out     *bufio.Writer
	name    string
	lines   bool
	advised map[string]bool // what has been advised, by its words
}

func (r *textReport) begin(lines bool) error {
	r.lines = lines
	return nil
}

func (r *textReport) add(f *lint.Finding) error {
	record := ""
	if !r.lines {
		record = "record "
	}
	// Messages quote the peer, and nothing of that may move a cursor.
	_, err := fmt.Fprintf(r.out, "%s:%s%d: %v: %s (%s)\n", term.Escape(r.name), record, f.Line, f.Severity, term.Escape(f.Message), f.Rule.ID)
	if f.Fix != "" && !r.advised[f.Fix] {
		r.advised[f.Fix] = true
		_, err = fmt.Fprintf(r.out, "    fix: %s\n", f.Fix)
	}
	return err
}

func (r *textReport) flush() error { return r.out.Flush() }
func (r *textReport) end() error   { return r.out.Flush() }

// A jsonReport is one list, written as it grows.
type jsonReport struct {
	app   *app
	out   *bufio.Writer
	count int
}

func (r *jsonReport) begin(bool) error {
	_, err := r.out.WriteString("[")
	return err
}

func (r *jsonReport) add(f *lint.Finding) error {
	return r.element(struct {
		Rule     string `json:"rule"`
		Severity string `json:"severity"`
		Line     int64  `json:"line"`
		Offset   int64  `json:"offset"`
		Pointer  string `json:"pointer"`
		Message  string `json:"message"`
	}{f.Rule.ID, f.Severity.String(), f.Line, f.Offset, f.Pointer, f.Message})
}

// element writes one element of a list, on a line of its own.
func (r *jsonReport) element(v any) error {
	text, err := message.Encode(v)
	if err != nil {
		return err
	}
	if r.count++; r.count > 1 {
		_, _ = r.out.WriteString(",") // an error stays, and comes again below
	}
	_, err = r.out.Write(append([]byte("\n"), r.app.shown(text)...))
	return err
}

func (r *jsonReport) flush() error { return r.out.Flush() }

func (r *jsonReport) end() error {
	_, _ = r.out.WriteString("\n]\n") // an error stays, and comes again with Flush
	return r.out.Flush()
}

// printRules prints what the rules are.
func (f *lintFlags) printRules(a *app) error {
	if f.format != formatText && f.format != formatJSON {
		return usagef("--rules prints text or json, not %s", f.format)
	}
	out := bufio.NewWriter(a.stdout)
	list := jsonReport{app: a, out: out}
	if f.format == formatJSON {
		_ = list.begin(true) // an error stays, and comes again at the end
	}
	for i, r := range lint.Rules {
		if f.format == formatJSON {
			_ = list.element(ruleJSON{r.ID, r.Severity.String(), r.Title, r.Doc, r.Fix, r.Source})
			continue
		}
		if i > 0 {
			_, _ = io.WriteString(out, "\n")
		}
		fmt.Fprintf(out, "%s (%v): %s\n%s\n", r.ID, r.Severity, r.Title, wrapped(r.Doc))
		fmt.Fprintf(out, "%s\n%s\n", wrapped("Fix: "+r.Fix), wrapped("Source: "+r.Source))
	}
	if f.format == formatJSON {
		return outputError(list.end())
	}
	return outputError(out.Flush())
}

// A ruleJSON is a rule as --rules writes it for programs.
type ruleJSON struct {
	ID       string `json:"id"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Doc      string `json:"doc"`
	Fix      string `json:"fix"`
	Source   string `json:"source"`
}

// wrapped breaks a text into lines of up to 84 columns, indented by four.
func wrapped(text string) string {
	const width, indent = 84, "    "
	var out strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
			out.WriteString(indent)
			column = len(indent)
		case column+1+len(word) > width:
			out.WriteString("\n" + indent)
			column = len(indent)
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}

package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/lint"
	"github.com/parley-rpc/parley/recording"
)

// lint reads a stream once and tells what is wrong with it, as it finds it. The way of a
// record:
//
//	input ─ lint.Input ─ recording.Reader ─ lint.Linter ─ report
//
// The rules are those of package lint; here is only how they are asked for and told.

// lintFlags are the flags of lint.
type lintFlags struct {
	explainFlags // how the input is read: dialect, framing, limit

	format  format // of results
	failOn  string
	disable []string
	rules   bool
}

func lintCommand(a *app) *cobra.Command {
	f := lintFlags{
		explainFlags: explainFlags{limit: frame.DefaultLimit, framing: framingAuto, dialect: framingAuto, side: sideAuto},
		format:       formatText,
		failOn:       lint.Error.String(),
	}
	cmd := &cobra.Command{
		Use:   "lint [FILE] [flags]",
		Short: "Say what is wrong with a stream of messages, and what to do about it",
		Long: `lint reads what two programs said to each other, in any dialect and framing, or as a
transcript of objects {"t","dir","raw"}, and prints a line for each fault: text that is no
message, messages of a wrong shape, ids that are used twice, answers to nothing, requests
that nobody answers, methods that the dialect does not have.

It reads FILE, or stdin if there is none or FILE is "-". The framing is lines unless the
first bytes are those of another one; that a message is spread over several lines, or
shares its line with another one, is a fault that lint finds, and --framing concat says
that it is meant.

Of each rule 1,000 findings are told, and then how many more there are. --rules prints the
rules; docs/lint.md has them with examples.

Formats. text is FILE:LINE: severity: message (rule), and below it what to do, the first
time. json is one list of {"rule","severity","line","offset","pointer","message"}; line is
the record where there are no lines, offset counts bytes from the start of the input to
the fault, and in a transcript, whose records are escaped, to the start of its line;
pointer names the member. junit has a test for each rule, sarif is SARIF 2.1.0. With json
and sarif an error is told as {"error":{"code","message"}} on stderr.

Exit codes: 0 nothing as bad as --fail-on, 1 cannot write, 2 usage, or FILE cannot be
read, 5 findings, 130 interrupted.`,
		Example: `  parley lint transcript.jsonl
  some-server < requests.jsonl | parley lint --fail-on warning
  parley lint --format sarif --disable long-record log.jsonl > lint.sarif`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("lint takes one file, got %s too", quoteArg(args[1]))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if f.rules {
				return f.printRules(a)
			}
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return f.lint(cmd.Context(), a, name)
		},
	}
	f.addFlags(cmd)
	f.addFormats(cmd, a)
	return cmd
}

func (f *lintFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	known := append(dialect.Names(), framingAuto)
	levels := []string{lint.Error.String(), lint.Warning.String()}
	flags.Var(&choice[string]{"dialect", &f.dialect, known}, "dialect",
		"what both sides agreed on: "+list(known)+", which is as the first records have it")
	flags.Var(&choice[string]{"framing", &f.framing, framings}, "framing",
		"how records are marked: "+list(framings)+", which is as the first bytes have it")
	flags.Var(&f.limit, "limit", "largest record that is read, as 65536, 64k or 64MiB")
	flags.Var(&choice[string]{"severity", &f.failOn, levels}, "fail-on", "the least severity that ends with exit code 5: "+list(levels))
	flags.StringSliceVar(&f.disable, "disable", nil, "turn a `RULE` off; may be given more than once")
	flags.BoolVar(&f.rules, "rules", false, "print the rules, and read nothing")
	f.addSide(cmd)
	complete(cmd, "dialect", known...)
	complete(cmd, "framing", framings...)
	complete(cmd, "fail-on", levels...)
	complete(cmd, "disable", ruleNames()...)
}

// check refuses rules that do not exist: a typing error must not look like a clean input.
func (f *lintFlags) check() error {
	for _, name := range f.disable {
		if _, ok := lint.Lookup(name); !ok {
			return usagef("--disable: no rule is called %s", quoteArg(name)).withHint("the rules: %s", strings.Join(ruleNames(), ", "))
		}
	}
	return nil
}

func ruleNames() []string {
	names := make([]string, len(lint.Rules))
	for i, r := range lint.Rules {
		names[i] = r.ID
	}
	return names
}

// lint reads one input and tells of it. It is read in the background, so that an interrupt
// is heard while a pipe is silent; what was found until then is told.
func (f *lintFlags) lint(ctx context.Context, a *app, name string) error {
	in, err := f.openInput(ctx, a, name)
	if err != nil {
		return err
	}
	if in.file != nil {
		// What is no file is not closed: somebody may be blocked reading it.
		defer func() { _ = in.close() }() // it was read only
	}
	// The progress goes to stderr and is for files only, whose size is known.
	p := newProgress(a.stderr, a.getenv, in.size, 1)
	defer p.clear()
	if in.file == nil || a.terminal {
		p.to = nil // there is no end to come nearer to, or the findings stand there
	}
	live := newLiveReader(ctx, in, sniffPatience)
	from := lint.NewInput(&countedReader{live, p, true})
	run := &linting{flags: f, app: a, report: f.report(a, in.name), input: from}
	run.records = lint.NewReader(from, &recording.Options{Framing: f.framing, Limit: int64(f.limit)})
	live.idle = run.idle
	err = run.all()
	p.clear()
	switch {
	case ctx.Err() != nil && err == nil:
		return ended(exitInterrupted) // what there was to say has been said
	case err != nil && run.broken == nil:
		return in.readError(err)
	case err != nil:
		return err
	}
	return run.verdict()
}

// A linting is one run over an input.
type linting struct {
	flags   *lintFlags
	app     *app
	report  report
	input   *lint.Input
	records *recording.Reader

	head   prefix // until the dialect is known
	linter *lint.Linter
	chosen chosen
	count  int64 // records
	broken error // the output is
}

// all reads to the end. It returns what the output or, if that is fine, the input failed
// with.
func (r *linting) all() error {
	for {
		rec, err := r.records.Read()
		switch {
		case r.broken != nil:
			return r.broken
		case err != nil:
			return r.end(err)
		}
		r.count++
		if r.linter != nil {
			r.tell(r.linter.Record(rec))
		} else if r.head.add(rec) {
			r.begin()
		}
	}
}

// begin chooses the dialect and lints what was kept until then. A dialect that may still
// turn out to be another one is a guess, and lint is mild with it.
func (r *linting) begin() {
	if r.linter != nil {
		return
	}
	r.chosen = r.flags.choose(r.records.Framing(), r.head.records)
	r.linter = lint.New(&lint.Options{
		Dialect: &r.chosen.dialect,
		From:    r.chosen.side,
		Guess:   !r.chosen.sure,
		Disable: r.flags.disable,
		Framing: r.records.Framing(),
		Shape:   r.records.Shape(),
		Input:   r.input,
	})
	r.broken = outputError(r.report.begin(r.records.Framing().String() == frame.Lines.String()))
	for _, rec := range r.head.records {
		r.tell(r.linter.Record(rec))
	}
	r.head.records = nil
}

// idle is called before somebody waits for more input: what was found is told by then.
// Its error ends the reading.
func (r *linting) idle(waited bool) error {
	if len(r.head.records) > 0 && (waited || r.flags.choose(r.records.Framing(), r.head.records).sure) {
		r.begin()
	}
	if r.linter != nil && r.broken == nil {
		r.broken = outputError(r.report.flush())
	}
	return r.broken
}

// tell reports findings.
func (r *linting) tell(findings []lint.Finding) {
	for i := range findings {
		if r.broken != nil {
			return
		}
		r.broken = outputError(r.report.add(&findings[i]))
	}
}

// end tells what is left, and returns the error that the input broke off with. Bad framing
// is a finding like any other; what the system says of the file is not.
func (r *linting) end(err error) error {
	r.begin()
	bad, framing := errors.AsType[*frame.FramingError](err)
	if framing {
		r.tell(r.linter.Fail(bad))
	}
	r.tell(r.linter.End())
	if r.broken == nil {
		r.broken = outputError(r.report.end())
	}
	switch {
	case r.broken != nil:
		return r.broken
	case framing, errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// verdict tells the count to a person, and the exit code to everybody.
func (r *linting) verdict() error {
	errs, warnings, infos := r.linter.Counts()
	if r.flags.format == formatText {
		r.app.tell.printf("parley: %s, %s, %s in %s (dialect %s: %s)",
			plural(errs, "error", "errors"), plural(warnings, "warning", "warnings"), plural(infos, "info", "infos"),
			plural(r.count, "record", "records"), r.chosen.dialect.Name, r.chosen.why)
	}
	if errs > 0 || warnings > 0 && r.flags.failOn == lint.Warning.String() {
		return ended(exitFindings)
	}
	return nil
}

// isEnabled reports whether a rule was not disabled.
func (f *lintFlags) isEnabled(r *lint.Rule) bool { return !slices.Contains(f.disable, r.ID) }

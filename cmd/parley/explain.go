package main

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley"
	"github.com/parley-rpc/parley/dialect"
	"github.com/parley-rpc/parley/frame"
	"github.com/parley-rpc/parley/internal/query"
	"github.com/parley-rpc/parley/ledger"
	"github.com/parley-rpc/parley/recording"
)

// explain reads a stream and says of each record: must it be answered, by whom, and was
// it. The way of a record:
//
//	input ─ recording.Reader ─ ledger ─ account ─ query ─ view
//
// A regular file goes that way twice: the first time to learn how each debt ends, the
// second time to tell it with the record that made it.

// explainFlags are the flags of explain.
type explainFlags struct {
	follow  bool
	only    onlyFlag
	figure  bool
	dialect string
	framing string
	side    string
	limit   byteSize
	verbose bool
}

// An onlyFlag is a query that may be given in parts.
type onlyFlag struct {
	text  string
	query query.Query
}

func (f *onlyFlag) String() string { return f.text }

// Type is what help shows for the value.
func (*onlyFlag) Type() string { return "filter" }

// Set adds terms.
func (f *onlyFlag) Set(text string) error {
	if _, err := query.Parse(text); err != nil {
		return err
	}
	if f.text != "" {
		text = f.text + " " + text
	}
	f.text = text
	var err error
	f.query, err = query.Parse(text)
	return err
}

func explainCommand(a *app) *cobra.Command {
	x := explainFlags{limit: frame.DefaultLimit, framing: framingAuto, dialect: dialectAuto, side: sideAuto}
	cmd := &cobra.Command{
		Use:   "explain [FILE] [flags]",
		Short: "Say of each record whether it must be answered, by whom, and whether it was",
		Long: `explain reads what two programs said to each other, in any dialect and framing, or as
a transcript of objects {"t","dir","raw"}, and prints a line for each record: its time,
who wrote it, what it is, must it be answered and by whom, and was it. It ends with what
is still open, the oldest first, and with what the agent was doing.

It reads FILE, or stdin if there is none or FILE is "-". What it tells of a regular file
is what holds at the end of it, for which the file is read twice. From a pipe, or with
--follow, each line tells the state so far, and the line of an answer names what it
settles.

Who owes an answer is no fault of explain: it ends with 0 whatever is open.

Filters. --only shows the records for which every term holds; given more than once, all
of the terms count. What is open at the end is told of the whole stream all the same.

  method:tools/*     the method; of an answer, that of its request
  id:7               the id: 7 or "7"; id:"7" is the string only
  kind:request       request, notification, response, error, batch, event,
                     control_request, control_response, control_cancel_request,
                     process, blank, invalid
  from:client        client, server, unknown
  owed-by:server     client, server
  status:open        open, answered, failed, cancelled, withdrawn, late, orphan
  dur:>1s            how long the answer took; also <, <=, = and >=
  open, error ...    a status, or invalid, error, approval, input (it waits for a person)
  -method:ping       not; !method:ping is the same
  kind:request,error either of them; * and ? stand for any text and any character

Formats. json is one value {"dialect","records","open","agent","counts"}; jsonl is one
object a record and nothing else. Members that do not apply are null, but process, inner
and batch are left out; n counts records from 1, t_ms and latency_ms are milliseconds, id
is the exact id. --figure prints a sequence diagram in the language of Mermaid.

Transcripts. raw is one record. Where it is a piece of values that stand end to end,
--framing concat joins the pieces of each side.`,
		Example: `  parley explain transcript.jsonl
  parley explain --only open --format jsonl transcript.jsonl
  some-agent | tee /dev/tty | parley explain --dialect acp`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("explain takes one file, got %q too", args[1])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "-"
			if len(args) > 0 {
				name = args[0]
			}
			return x.run(cmd.Context(), a, name)
		},
	}
	x.addFlags(cmd)
	addFormat(cmd, a, formatText, formatJSON, formatJSONL)
	return cmd
}

func (x *explainFlags) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	known := append(dialect.Names(), dialectAuto)
	flags.BoolVarP(&x.follow, "follow", "f", false, "go on when the file grows, until interrupted")
	flags.Var(&x.only, "only", "show only some records, as open or \"kind:request method:tools/*\"")
	flags.BoolVar(&x.figure, "figure", false, "print a sequence diagram for Mermaid")
	flags.Var(&choice[string]{"dialect", &x.dialect, known}, "dialect",
		"what both sides agreed on: "+list(known)+", which is as the first records have it")
	flags.Var(&choice[string]{"framing", &x.framing, framings}, "framing",
		"how records are marked: "+list(framings)+", which is as the first bytes have it")
	flags.Var(&x.limit, "limit", "largest record that is read, as 65536, 64k or 64MiB")
	flags.BoolVarP(&x.verbose, "verbose", "v", false, "tell on stderr what the stream is taken for")
	x.addSide(cmd)
	complete(cmd, "dialect", known...)
	complete(cmd, "framing", framings...)
}

// addSide adds --side, which lint has as well.
func (x *explainFlags) addSide(cmd *cobra.Command) {
	cmd.Flags().Var(&choice[string]{"side", &x.side, explainSides}, "side",
		"who wrote the records of which nobody noted that: "+list(explainSides)+", where auto is as the first records have it")
	complete(cmd, "side", explainSides...)
}

// run explains one input.
func (x *explainFlags) run(ctx context.Context, a *app, name string) error {
	if x.figure && a.format != formatText {
		return usagef("--figure prints text for Mermaid, not --format %s", a.format)
	}
	in, err := x.openInput(ctx, a, name)
	if err != nil {
		return err
	}
	if in.file == nil {
		// It is not closed: somebody may be blocked reading it.
		return x.once(ctx, a, in)
	}
	defer func() { _ = in.close() }() // it was read only
	return x.twice(ctx, a, in)
}

// view returns the view that the flags ask for, over a buffer.
func (x *explainFlags) view(a *app) view {
	out := bufio.NewWriterSize(a.stdout, 64<<10)
	switch {
	case x.figure:
		return &figureView{out: out}
	case a.format == formatText:
		return newTextView(out, a.page().look)
	}
	return &jsonView{app: a, out: out, whole: a.format == formatJSON}
}

func (x *explainFlags) reader(in io.Reader) *recording.Reader {
	return recording.NewReader(in, &recording.Options{Framing: x.framing, Limit: int64(x.limit)})
}

// A telling is one pass over a stream that is shown.
type telling struct {
	flags   *explainFlags
	app     *app
	view    view
	reader  *recording.Reader // whose records are told
	ledger  *ledger.Ledger
	dialect parley.Dialect
	fates   *fates // nil: the end is not known

	side     parley.Side // of all whose side nobody noted, if that is one
	sideWhy  string
	inferred int64
	last     time.Duration
	oddities oddities
}

// begin says what the stream is taken for. timed says that its records have times.
func (t *telling) begin(c chosen, r *recording.Reader, timed bool) error {
	t.dialect, t.last, t.reader = c.dialect, ledger.Untimed, r
	t.ledger = ledger.New(&ledger.Options{Dialect: &t.dialect, From: c.side})
	t.side, t.sideWhy = c.side, c.sideWhy
	if t.flags.verbose {
		t.app.tell.printf("parley: dialect: %s (%s)", c.dialect.Name, c.why)
		t.app.tell.printf("parley: input: %s", inputText(r))
	}
	of := &origin{
		dialect: c.dialect.Name, why: c.why, shape: r.Shape(), framing: r.Framing(), timed: timed, live: t.fates == nil,
	}
	return outputError(t.view.begin(of))
}

// add tells of one record.
func (t *telling) add(rec *recording.Record) error {
	a := account{Entry: t.ledger.Add(ledgerRecord(rec)), dialect: &t.dialect, raw: rec.Raw, fates: t.fates}
	if a.Inferred {
		t.inferred++
	}
	t.oddities.add(rec, &a.Entry)
	if a.At != ledger.Untimed {
		t.last = max(t.last, a.At)
	}
	if !a.shown(t.flags.only.query) {
		return nil
	}
	return outputError(t.view.show(&a))
}

// end tells what is left.
func (t *telling) end() error {
	return outputError(t.view.end(&ending{
		open: t.ledger.Open(), chain: t.ledger.Chain, agent: t.ledger.Agent(), counts: t.ledger.Counts(),
		inferred: t.inferred, side: t.side, sideWhy: t.sideWhy, last: t.last, notes: t.oddities.notes(t.reader.Shape()),
	}))
}

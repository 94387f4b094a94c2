package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

const (
	// defaultRuns is how often bench cold starts CMD; maxRuns keeps a slip of the finger
	// from starting it for hours.
	defaultRuns = 10
	maxRuns     = 10_000

	// anyMethod is called where nothing else is named. Few servers have it, but each
	// answers it, and more is not asked.
	anyMethod = "ping"
)

// coldFlags are the flags of bench cold.
type coldFlags struct {
	callFlags

	method string // "": the handshake's answer is the first, or else that to anyMethod
	runs   int
}

func benchColdCommand(a *app) *cobra.Command {
	var f coldFlags
	cmd := &cobra.Command{
		Use:   "cold [flags] -- CMD [ARGS]",
		Short: "Measure how long a program takes from its start to its first answer",
		Long: `cold starts CMD, calls a method, and ends CMD, again and again. The time is from just
before the start of the process to its first answer. Any answer counts, an error too:
without --method it is the one to the method ` + anyMethod + `, which most servers do not have
(-32601), or with --init the one to the handshake.

Exit codes: 0 ok, 1 the handshake was answered with an error, 2 usage, 3 CMD cannot be
started, 4 timed out, 6 CMD died before it answered, 7 the answer broke the protocol,
130 interrupted.`,
		Example: `  parley bench cold -- parley serve --reference
  parley bench cold --runs 3 --init mcp -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ours, command := atDash(cmd, args)
			b, err := f.job(a, ours, command)
			if err != nil {
				return err
			}
			return b.run(cmd.Context())
		},
	}
	addClientFlags(cmd, &f.callFlags)
	cmd.Flags().StringVar(&f.method, "method", "", "wait for the answer to `METHOD`, after the handshake if there is one")
	cmd.Flags().IntVar(&f.runs, "runs", defaultRuns, "start CMD `N` times")
	addFormat(cmd, a, formatText, formatJSON)
	return cmd
}

// A coldJob is what one run of bench cold is to do.
type coldJob struct {
	*job
	runs int
}

// job checks what was asked for before anything is started. A job without a method is
// done with the handshake.
func (f *coldFlags) job(a *app, args, command []string) (*coldJob, error) {
	const usage = "parley bench cold -- CMD"
	switch {
	case len(args) > 0:
		return nil, usagef("cold takes no argument before --, got %s", quoteArg(args[0])).withHint(usage)
	case len(command) == 0:
		return nil, usagef("which command? It comes after --").withHint(usage)
	case f.runs < 1 || f.runs > maxRuns:
		return nil, usagef("--runs %d: want 1 to %d", f.runs, maxRuns)
	}
	method := f.method
	if method == "" {
		method = anyMethod
	}
	j, err := f.callFlags.job(a, []string{method}, command)
	if err == nil && f.method == "" && f.init != "" {
		j.one.method = ""
	}
	return &coldJob{j, f.runs}, err
}

// coldReport is what bench cold has found.
type coldReport struct {
	Machine machine  `json:"machine"`
	Command []string `json:"command"`
	Answer  string   `json:"answer_to"` // the method
	Runs    int64    `json:"runs"`
	MinNS   int64    `json:"min_ns,omitzero"`
	P50NS   int64    `json:"p50_ns,omitzero"`
	P90NS   int64    `json:"p90_ns,omitzero"`
	MaxNS   int64    `json:"max_ns,omitzero"`
	TookNS  []int64  `json:"took_ns"` // each run, in order
}

// run starts the command again and again, until once fails: what did not answer now
// will hardly answer the next time, and each wait is as long as the last.
func (b *coldJob) run(ctx context.Context) error {
	answer := b.one.method
	if answer == "" {
		answer = handshakes[b.init].greeting
	}
	r := coldReport{Machine: thisMachine(), Command: b.command, Answer: answer, TookNS: []int64{}}
	var times measure.Histogram
	code := exitOK
	for range b.runs {
		took, err := b.once(ctx)
		if err != nil {
			code = b.app.report(err)
			break
		}
		times.Add(took)
		r.TookNS = append(r.TookNS, int64(took))
	}
	if r.Runs = times.Count(); r.Runs > 0 {
		r.MinNS, r.MaxNS = int64(times.Min()), int64(times.Max())
		r.P50NS, r.P90NS = int64(times.Quantile(0.50)), int64(times.Quantile(0.90))
	}
	if err := b.show(r); err != nil {
		code = worst(code, b.app.report(err))
	}
	return ended(code)
}

// once starts the command, waits for its first answer, and ends it. The end is not in
// the time.
func (b *coldJob) once(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	c, err := b.connect(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer c.close()
	if err := c.greet(); err != nil {
		return 0, err
	}
	// With a handshake and no method, the answer to the greeting was the first.
	if method := b.one.method; method != "" {
		// An error is an answer, and the server had to be up for it.
		_, err := c.call(method, nil)
		if fault, _ := errors.AsType[*message.Error](err); err != nil && fault == nil {
			return 0, c.failure(method, err)
		}
	}
	return time.Since(began), nil
}

// show shows nothing where there was no answer: the failure says it all.
func (b *coldJob) show(r coldReport) error {
	switch {
	case r.Runs == 0:
		return nil
	case b.app.format == formatJSON:
		return b.app.value(r)
	}
	starts := measure.Count(r.Runs) + " starts"
	if r.Runs == 1 {
		starts = "One start"
	}
	s := b.app.page()
	s.headline("cold", b.command, fmt.Sprintf("%s, each from the start of the process to its answer to %s. %v.",
		starts, term.Escape(r.Answer), r.Machine))
	var t measure.Table
	t.Rows = make([][]string, 1)
	for i, ns := range []int64{r.MinNS, r.P50NS, r.P90NS, r.MaxNS} {
		t.Columns = append(t.Columns, measure.Column{Head: []string{"min", "p50", "p90", "max"}[i], Right: true})
		t.Rows[0] = append(t.Rows[0], measure.Duration(float64(ns)))
	}
	s.table(t)
	return outputError(s.broken)
}

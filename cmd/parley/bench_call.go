package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/measure"
	"github.com/parley-rpc/parley/internal/term"
	"github.com/parley-rpc/parley/message"
)

// defaultCalls is how many calls a window has that is given neither a number nor a time.
const defaultCalls = 1000

// loadFlags are the flags of bench call.
type loadFlags struct {
	callFlags
	loadPlan
}

// A loadPlan is how many calls to make, and how many of them at once.
type loadPlan struct {
	windows []int         // measured in turn
	calls   int64         // a window
	lasting time.Duration // a window; 0: calls counts
}

func benchCallCommand(a *app) *cobra.Command {
	var f loadFlags
	cmd := &cobra.Command{
		Use:   "call METHOD [ARGS] [flags] -- CMD [ARGS]",
		Short: "Measure the calls of a program over its stdin and stdout",
		Long: `call starts CMD once, calls METHOD again and again, and shows for each window, which is
how many calls are open at once: calls per second, and how long answers took, from
before the call is encoded to when its answer is read. The first call does not count.
Params are written as for parley call.

Answers with an error are answers, and are counted by their code. When an answer is
owed and none comes for --timeout, the measuring ends there.

Exit codes: 0 ok, 1 there were answers with an error, 2 usage, 3 CMD cannot be started,
4 timed out, 6 CMD died, 7 an answer broke the protocol, 130 interrupted.`,
		Example: `  parley bench call add a:=3 b:=5 -- parley serve --reference
  parley bench call --init mcp --window 1,16 --for 2s tools/list -- npx -y @modelcontextprotocol/server-everything`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ours, command := atDash(cmd, args)
			switch changed := cmd.Flags().Changed; {
			case changed("for") && changed("calls"):
				return usagef("--calls and --for: want one of them")
			case changed("for") && f.lasting <= 0:
				return usagef("--for %v: want a time, as 500ms or 10s", f.lasting)
			}
			b, err := abandonable(cmd.Context(), func() (*loadJob, error) { return f.job(a, ours, command) })
			if err != nil {
				return err
			}
			return b.run(cmd.Context())
		},
	}
	addClientFlags(cmd, &f.callFlags)
	cmd.Flags().IntSliceVar(&f.windows, "window", []int{1, 8, 64}, "how many calls are open at once: `N,N`, each measured in turn")
	cmd.Flags().Int64Var(&f.calls, "calls", defaultCalls, "make `N` calls a window")
	cmd.Flags().DurationVar(&f.lasting, "for", 0, "make calls for so long a window, rather than a number of them")
	addFormat(cmd, a, formatText, formatJSON)
	return cmd
}

// A loadJob is what one run of bench call is to do.
type loadJob struct {
	*job
	loadPlan
}

// job checks what was asked for before anything is started.
func (f *loadFlags) job(a *app, args, command []string) (*loadJob, error) {
	const usage = "parley bench call METHOD [ARGS] -- CMD"
	switch {
	case len(args) == 0:
		return nil, usagef("which method?").withHint(usage)
	case len(command) == 0:
		return nil, usagef("which command? It comes after --").withHint(usage)
	case f.calls < 1:
		return nil, usagef("--calls %d: want at least one", f.calls)
	case len(f.windows) == 0:
		return nil, usagef("--window: want at least one")
	}
	for _, window := range f.windows {
		if window < 1 || window > maxWindow {
			return nil, usagef("--window %d: want 1 to %d", window, maxWindow)
		}
	}
	j, err := f.callFlags.job(a, args, command)
	return &loadJob{j, f.loadPlan}, err
}

// loadReport is what bench call has found.
type loadReport struct {
	Machine machine      `json:"machine"`
	Command []string     `json:"command"`
	Method  string       `json:"method"`
	Windows []*loadRound `json:"windows"`
}

// run measures one window after the other, and ends early where there is no going on.
func (b *loadJob) run(ctx context.Context) error {
	l := newLoad(slices.Max(b.windows))
	var err error
	if l.client, err = b.connect(ctx, l.settle); err != nil {
		return err
	}
	defer l.close()
	if err := l.greet(); err != nil {
		return b.told(err)
	}
	// Calls of a round do not look at a ctx, see load.start.
	// When our patience or the user's is over, what is open fails all at once.
	stop := context.AfterFunc(l.ctx, func() { _ = l.conn.Close() })
	defer stop()

	rounds := []*loadRound{} // and not nil, which JSON would show as null
	// The first call finds a program that still loads itself: that is what bench cold
	// measures. If it finds nothing at all, it is what there is to show.
	warm := l.round(1, func(sent int64) bool { return sent < 1 })
	if warm.lost != nil {
		rounds = append(rounds, warm)
	}
	for _, window := range b.windows {
		if l.lost == nil {
			rounds = append(rounds, l.round(window, b.more()))
		}
	}
	if err := b.show(loadReport{thisMachine(), b.command, b.one.method, rounds}); err != nil {
		return b.told(err)
	}
	return ended(b.outcome(l, rounds))
}

// more returns what says whether to make another call in a window that begins now.
func (b *loadJob) more() func(sent int64) bool {
	if b.lasting <= 0 {
		return func(sent int64) bool { return sent < b.calls }
	}
	until := time.Now().Add(b.lasting)
	return func(int64) bool { return time.Now().Before(until) }
}

// outcome tells what went wrong, and is the exit code. Answers with an error are in the
// table already.
func (b *loadJob) outcome(l *load, rounds []*loadRound) exitCode {
	code := exitOK
	for _, r := range rounds {
		if len(r.Errors) > 0 {
			code = worst(code, exitAnswer)
		}
	}
	if l.broken != nil {
		code = worst(code, b.app.report(l.protocol(b.one.method, l.broken)))
	}
	if l.lost != nil {
		code = worst(code, b.app.report(l.failure(b.one.method, l.lost)))
	}
	return code
}

// show shows a row for each window, and below it what is of all of them.
func (b *loadJob) show(r loadReport) error {
	if b.app.format == formatJSON {
		return b.app.value(r)
	}
	calls := measure.Count(b.calls) + " calls"
	if b.lasting > 0 {
		calls = "Calls for " + measure.Duration(float64(b.lasting))
	}
	s := b.app.page()
	s.headline("call "+term.Escape(b.one.method), b.command, fmt.Sprintf("%s a window, after one that does not count. %v.", calls, r.Machine))
	s.table(roundTable(r.Windows))
	s.printf("\n")
	// The table counts what failed; which code it was is said once for all windows.
	var params, results int64
	faults := map[message.Code]answerCount{}
	for _, round := range r.Windows {
		params += round.ParamsBytes
		results += round.ResultBytes
		for _, e := range round.Errors {
			sum := faults[e.Code]
			faults[e.Code] = answerCount{e.Code, e.Message, sum.Count + e.Count}
		}
	}
	s.text(fmt.Sprintf("%s bytes of params were sent, and %s bytes of results received.", measure.Count(params), measure.Count(results)), faintStyle)
	for _, code := range slices.Sorted(maps.Keys(faults)) {
		e := faults[code]
		s.text(fmt.Sprintf("%s answers were error %d: %s", measure.Count(e.Count), e.Code, term.Escape(e.Message)), remarkStyle)
	}
	return outputError(s.broken)
}

// roundTable has a row for each window. Where no answer came there is no time to show.
func roundTable(rounds []*loadRound) measure.Table {
	var t measure.Table
	for head := range strings.SplitSeq("window,calls,calls/s,p50,p90,p99,max,errors,no answer", ",") {
		t.Columns = append(t.Columns, measure.Column{Head: head, Right: true})
	}
	for _, r := range rounds {
		row := []string{strconv.Itoa(r.Window), measure.Count(r.Calls), "", "", "", "", ""}
		if r.MaxNS > 0 {
			row[2] = measure.Count(int64(r.PerSecond))
			for i, ns := range []int64{r.P50NS, r.P90NS, r.P99NS, r.MaxNS} {
				row[3+i] = measure.Duration(float64(ns))
			}
		}
		var failed int64
		for _, e := range r.Errors {
			failed += e.Count
		}
		t.Rows = append(t.Rows, append(row, measure.Count(failed+r.Broken), measure.Count(r.Unanswered)))
	}
	return t
}

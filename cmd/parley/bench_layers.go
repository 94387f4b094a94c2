package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/parley-rpc/parley/internal/measure"
)

// The bounds of --for of bench layers: below the least there is nothing but noise, and
// the most is half an hour in all.
const (
	leastBudget   = time.Millisecond
	mostBudget    = 100 * time.Second
	defaultBudget = 100 * time.Millisecond
)

// layersRun is one run of bench layers.
type layersRun struct {
	app    *app
	size   byteSize
	budget time.Duration
}

func benchLayersCommand(a *app) *cobra.Command {
	b := &layersRun{app: a, size: 100, budget: defaultBudget}
	cmd := &cobra.Command{
		Use:   "layers [flags]",
		Short: "Measure what each layer costs",
		Long: `layers takes one request through the layers of parley in turn, and shows what each
costs: its time, its share of the sum, and beside it a floor, which is the least that
anybody would have to do there. At the end are whole calls over two pipes, beside the
sum of their parts. What is measured and what each floor is stands below the table.

It starts no process, and takes two to three seconds.`,
		Example: `  parley bench layers
  parley bench layers --size 1m --format json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case b.size < measure.MinSize || b.size > measure.MaxSize:
				return usagef("--size %d: want %d to %d bytes", b.size, measure.MinSize, measure.MaxSize)
			case b.budget < leastBudget || b.budget > mostBudget:
				return usagef("--for %v: want %v to %v", b.budget, leastBudget, mostBudget)
			}
			return b.run(cmd.Context())
		},
	}
	cmd.Flags().Var(&b.size, "size", "how many bytes the params have, as 100, 4k or 1m")
	cmd.Flags().DurationVar(&b.budget, "for", b.budget, "how long each layer is measured, its floor as long again")
	addFormat(cmd, a, formatText, formatJSON)
	return cmd
}

// run measures and shows. A pipe that cannot be made is all that can fail.
func (b *layersRun) run(ctx context.Context) error {
	report, err := measure.Layers(ctx, measure.Options{Size: int(b.size), Budget: b.budget})
	if report == nil || err != nil && ctx.Err() == nil {
		return failf(exitStart, "cannot measure: %v", err)
	}
	// An interrupt takes nothing away: what was measured until then is as true.
	if shown := b.show(report); shown != nil {
		return shown
	}
	if err != nil {
		return failf(exitInterrupted, "interrupted; measured were %d stages, and whole calls in %d ways", len(report.Stages), len(report.Calls))
	}
	return nil
}

// show shows what was measured, and for a person what each number means.
func (b *layersRun) show(r *measure.Report) error {
	switch {
	case len(r.Stages) == 0:
		return nil
	case b.app.format == formatJSON:
		return b.app.value(struct {
			Machine machine `json:"machine"`
			*measure.Report
		}{thisMachine(), r})
	}
	s := b.app.page()
	s.headline("layers", nil, fmt.Sprintf(
		"A request of %s bytes, %s of them params, from the write(2) of its line to the write(2) of its answer of %s bytes. "+
			"Each number is the median of %d runs, %s in all. %v.",
		measure.Count(int64(r.RequestBytes)), measure.Count(int64(r.ParamsBytes)), measure.Count(int64(r.AnswerBytes)),
		r.Runs, measure.Duration(float64(b.budget)), thisMachine()))
	s.table(s.stageTable(r))
	if len(r.Calls) > 0 {
		s.table(callsTable(r))
	}
	s.printf("\n")
	if len(r.Calls) > 0 {
		s.text(fmt.Sprintf("The parts of a call are the stages above and what its caller does by the same layers (encode, framing, scan, decode), "+
			"%s in all. Beyond them, one call at a time waits for whoever sleeps to be woken, on both sides; "+
			"many at once wake hardly anybody, share their writes, and keep both sides busy side by side.",
			measure.Duration(r.Sum.NS+r.Caller.NS)), faintStyle)
	}
	for _, stage := range r.Stages {
		s.text(stage.Name+": "+stage.What+". Floor: "+stage.FloorWhat+".", faintStyle)
	}
	return outputError(s.broken)
}

// The room for a bar, in columns: what the numbers beside it leave in the width of the
// output.
const (
	besideBar = 57
	leastBar  = 18
	mostBar   = 40
)

// stageTable has a row for each stage, and their sum. The bars are in proportion to
// each other, and their solid part is the floor: what is pale is ours.
func (s *stage) stageTable(r *measure.Report) measure.Table {
	most := 0.0
	for _, stage := range r.Stages {
		most = max(most, stage.NS)
	}
	// Bars of one table share one scale, or they could not be compared.
	room := min(max(s.look.Width-besideBar, leastBar), mostBar)
	t := measure.Table{Columns: []measure.Column{
		{Head: "stage"},
		{Head: "█ floor ░ above it", Paint: func(cell string) string { return s.paint(sentStyle, cell) }},
		{Head: "time", Right: true},
		{Head: "share", Right: true},
		{Head: "floor", Right: true},
		{Head: "× floor", Right: true},
		{Head: "allocs", Right: true},
	}}
	for _, stage := range r.Stages {
		floor, times := measure.Duration(stage.Floor.NS), fmt.Sprintf("%.1f", stage.Times)
		if stage.Floor == stage.Cost {
			floor, times = "is one", "" // a stage that is its own floor
		}
		t.Rows = append(t.Rows, []string{
			stage.Name, measure.Bar(stage.NS, stage.Floor.NS, most, room), measure.Duration(stage.NS),
			fmt.Sprintf("%.1f %%", stage.Share), floor, times, fmt.Sprintf("%.0f", stage.Allocs),
		})
	}
	t.Rows = append(t.Rows, []string{"sum", "", measure.Duration(r.Sum.NS), "100.0 %", "", "", fmt.Sprintf("%.0f", r.Sum.Allocs)})
	return t
}

// callsTable has a row for each way to call.
func callsTable(r *measure.Report) measure.Table {
	t := measure.Table{Columns: []measure.Column{
		{Head: "whole calls"},
		{Head: "time", Right: true},
		{Head: "× parts", Right: true},
		{Head: "calls/s", Right: true},
		{Head: "allocs", Right: true},
	}}
	for _, c := range r.Calls {
		name := fmt.Sprintf("%d at once", c.Window)
		if c.Window == 1 {
			name = "one at a time"
		}
		t.Rows = append(t.Rows, []string{
			name, measure.Duration(c.NS), fmt.Sprintf("%.1f", c.Times), perSecond(c.NS), fmt.Sprintf("%.0f", c.Allocs),
		})
	}
	return t
}

// perSecond is how often a thing that takes ns nanoseconds is done in a second.
func perSecond(ns float64) string {
	if ns <= 0 {
		return ""
	}
	return measure.Count(int64(float64(time.Second) / ns))
}

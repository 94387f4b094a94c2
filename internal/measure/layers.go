package measure

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Options says what [Layers] is to measure, and for how long.
type Options struct {
	// Size is how many bytes of JSON the params have, and the result as well: from
	// MinSize to MaxSize. 0 is 100.
	Size int

	// Budget is how long each op is measured, all its runs together: a layer, its
	// floor, what is taken off. There are 18. 0 is 100 ms.
	Budget time.Duration

	// Runs is how many runs an op has, of which the median counts. 0 is 5.
	Runs int
}

// A Report is what [Layers] has found. What was not measured, because ctx had ended,
// is not in it.
type Report struct {
	ParamsBytes  int     `json:"params_bytes"`
	RequestBytes int     `json:"request_bytes"` // its line, LF included
	AnswerBytes  int     `json:"answer_bytes"`  // likewise
	Runs         int     `json:"runs"`
	BudgetMS     float64 `json:"budget_ms"` // for each op

	Stages []Stage `json:"stages"`
	Sum    Cost    `json:"sum"` // of the stages

	// Caller is what the other side of a call does by the same layers: it encodes the
	// params, and frames, scans and decodes the answer. Its read(2) is not in it.
	Caller Cost `json:"caller"`

	Calls []Calls `json:"calls"`
}

// A Stage is one layer, with its floor beside it.
type Stage struct {
	Name string `json:"name"`
	What string `json:"what"` // is measured
	Cost
	Share     float64 `json:"share_percent"` // of the time of all stages
	FloorWhat string  `json:"floor_what"`    // what the floor is
	Floor     Cost    `json:"floor"`         // the same as the stage, where that is a floor itself
	Times     float64 `json:"times_floor"`
}

// Calls are whole calls, through all layers of both sides and two pipes.
type Calls struct {
	Window int `json:"window"` // how many are open at once
	Cost
	Times float64 `json:"times_parts"` // beside the sum and the caller's part
}

// windows are those of the whole calls: one at a time, and enough to keep both sides
// busy.
var windows = []int{1, 64}

// Layers measures one request and its answer, layer by layer and then whole. It takes
// two to three seconds with the default Options. When ctx ends it returns what it has,
// and the error of ctx.
func Layers(ctx context.Context, o Options) (*Report, error) {
	o.Size, o.Runs, o.Budget = cmp.Or(o.Size, 100), cmp.Or(o.Runs, 5), cmp.Or(o.Budget, 100*time.Millisecond)
	f, err := newFixture(o.Size)
	if err != nil {
		return nil, err
	}
	r := &Report{
		ParamsBytes:  len(f.params),
		RequestBytes: len(f.sent),
		AnswerBytes:  len(f.replied),
		Runs:         o.Runs,
		BudgetMS:     float64(o.Budget) / float64(time.Millisecond),
		Stages:       []Stage{},
		Calls:        []Calls{},
	}
	k := clock{o.Budget, o.Runs}
	for _, l := range layers {
		s, err := l.measure(ctx, k, f)
		if err != nil {
			return r.settle(), fmt.Errorf("measure: %s: %w", l.name, err)
		}
		r.Stages = append(r.Stages, s)
	}
	r.settle() // whole calls are held against the sum
	err = r.measureCalls(ctx, k, f)
	return r, err
}

// measure measures one layer. Of what is taken off the fastest run counts: it is in
// every run of the whole, and a busy moment of the machine is not.
func (l layer) measure(ctx context.Context, k clock, f *fixture) (s Stage, err error) {
	p, err := l.parts(f)
	if err != nil {
		return s, err
	}
	if p.done != nil {
		// An error of closing matters too: a reader that failed has not read all.
		defer func() { err = errors.Join(err, p.done()) }()
	}
	ops := append([]op{p.whole}, p.less...)
	if p.floor != nil {
		ops = append(ops, p.floor)
	}
	costs, err := k.measure(ctx, ops...)
	if err != nil {
		return s, err
	}
	own := median(costs[0])
	for _, less := range costs[1 : 1+len(p.less)] {
		own = own.minus(least(less))
	}
	s = Stage{Name: l.name, What: l.what, FloorWhat: l.floor, Cost: own.rounded()}
	s.Floor = s.Cost
	if p.floor != nil {
		s.Floor = median(costs[len(costs)-1]).rounded()
	}
	s.Times = ratio(s.NS, s.Floor.NS)
	return s, nil
}

// settle works out what follows from the stages, however many there are.
func (r *Report) settle() *Report {
	times := make([]float64, len(r.Stages))
	for i, s := range r.Stages {
		times[i] = s.NS
		r.Sum = r.Sum.plus(s.Cost)
		switch s.Name {
		case "framing", "scan", "decode", "answer":
			r.Caller = r.Caller.plus(s.Cost)
		}
	}
	for i, share := range Shares(times) {
		r.Stages[i].Share = round(share, 2)
	}
	r.Sum, r.Caller = r.Sum.rounded(), r.Caller.rounded()
	return r
}

// measureCalls makes whole calls. They share one connection, as the calls of a program
// do.
func (r *Report) measureCalls(ctx context.Context, k clock, f *fixture) (err error) {
	c, err := newCouple()
	if err != nil {
		return fmt.Errorf("measure: whole calls: %w", err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	for _, window := range windows {
		costs, err := k.measure(ctx, c.calls(ctx, f.doc, window))
		if err != nil {
			return fmt.Errorf("measure: whole calls: %w", err)
		}
		cost := median(costs[0]).rounded()
		r.Calls = append(r.Calls, Calls{window, cost, ratio(cost.NS, r.Sum.NS+r.Caller.NS)})
	}
	return nil
}

// rounded drops the digits that mean nothing.
func (c Cost) rounded() Cost { return Cost{round(c.NS, 1), round(c.Allocs, 2), round(c.Bytes, 0)} }

func round(v float64, places int) float64 {
	unit := math.Pow10(places)
	return math.Round(v*unit) / unit
}

// ratio is a beside b, 0 where there is no b.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return round(a/b, 2)
}

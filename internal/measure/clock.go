package measure

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"
)

// A Cost is what it costs to do something once.
type Cost struct {
	NS     float64 `json:"ns"`     // wall time, in nanoseconds
	Allocs float64 `json:"allocs"` // allocations on the heap, of the whole process
	Bytes  float64 `json:"bytes"`  // and their size
}

func (c Cost) minus(d Cost) Cost { return Cost{c.NS - d.NS, c.Allocs - d.Allocs, c.Bytes - d.Bytes} }

func (c Cost) plus(d Cost) Cost { return Cost{c.NS + d.NS, c.Allocs + d.Allocs, c.Bytes + d.Bytes} }

// median takes each number by itself: the time of one run and the allocations of
// another may both be typical.
func median(costs []Cost) Cost {
	of := func(number func(Cost) float64) float64 {
		all := make([]float64, len(costs))
		for i, c := range costs {
			all[i] = number(c)
		}
		slices.Sort(all)
		return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
	}
	return Cost{
		NS:     of(func(c Cost) float64 { return c.NS }),
		Allocs: of(func(c Cost) float64 { return c.Allocs }),
		Bytes:  of(func(c Cost) float64 { return c.Bytes }),
	}
}

// least is the fastest of the runs.
func least(costs []Cost) Cost {
	return slices.MinFunc(costs, func(a, b Cost) int { return cmp.Compare(a.NS, b.NS) })
}

// An op does a thing n times. It has the loop inside, so that the call of a function
// value is not measured with what takes a few nanoseconds itself.
type op func(n int) error

// A clock measures ops.
type clock struct {
	budget time.Duration // for each op, all its runs and the search for their length
	runs   int
}

// measure runs the ops by turns, and returns for each what its runs cost. It ends
// early, with the error of ctx, between two runs.
func (k clock) measure(ctx context.Context, ops ...op) ([][]Cost, error) {
	times := make([]int, len(ops))
	for i, o := range ops {
		var err error
		if times[i], err = k.calibrate(ctx, o); err != nil {
			return nil, err
		}
	}
	costs := make([][]Cost, len(ops))
	for range k.runs {
		for i, o := range ops {
			c, err := run(ctx, o, times[i])
			if err != nil {
				return nil, err
			}
			costs[i] = append(costs[i], c)
		}
	}
	return costs, nil
}

// calibrate finds out how often an op is to be done in one run. It also warms up what
// the op uses. Of two tries the faster counts, or a busy moment of the machine in the
// first of them, which is short, would make all runs as short.
func (k clock) calibrate(ctx context.Context, o op) (int, error) {
	want := float64(k.budget) / float64(k.runs+2)
	for n := 1; ; {
		a, err := run(ctx, o, n)
		if err != nil {
			return 0, err
		}
		b, err := run(ctx, o, n)
		if err != nil {
			return 0, err
		}
		each := max(min(a.NS, b.NS), 0.1)
		fits := int(want / each)
		if each*float64(n) >= want/2 {
			return max(fits, 1), nil
		}
		// The first times are slow, and a prediction from them is a guess.
		n = min(max(fits, n+1), 100*n)
	}
}

// run does an op n times, and returns what one of them costs. The garbage of what ran
// before is collected first: it is not ours to pay for.
func run(ctx context.Context, o op, n int) (Cost, error) {
	if err := ctx.Err(); err != nil {
		return Cost{}, err
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	err := o(n)
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	if ctx.Err() != nil {
		err = ctx.Err() // it may be why the op failed, and in any case why it is not whole
	}
	times := float64(n)
	return Cost{
		NS:     float64(took) / times,
		Allocs: float64(after.Mallocs-before.Mallocs) / times,
		Bytes:  float64(after.TotalAlloc-before.TotalAlloc) / times,
	}, err
}

package measure

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		sentence string
		runs     []Cost
		want     Cost
	}{
		{"one run is its own", []Cost{{5, 2, 64}}, Cost{5, 2, 64}},
		{"one run that is far off counts for nothing", []Cost{{5, 1, 8}, {1e9, 1, 8}, {6, 1, 8}}, Cost{6, 1, 8}},
		{"of an even number it is between the middle two", []Cost{{4, 0, 0}, {1, 0, 0}, {3, 0, 0}, {2, 0, 0}}, Cost{2.5, 0, 0}},
		{"each number has its own", []Cost{{1, 30, 200}, {2, 10, 300}, {3, 20, 100}}, Cost{2, 20, 200}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, median(tt.runs)); diff != "" {
				t.Errorf("median (-want +got):\n%s", diff)
			}
		})
	}
}

// Each op is run as often as the others, and what it does once is what is measured.
func TestMeasure(t *testing.T) {
	var made [2][]byte
	alloc := func(i, size int) op {
		return func(n int) error {
			for range n {
				made[i] = make([]byte, size)
			}
			return nil
		}
	}
	costs, err := clock{2 * time.Millisecond, 3}.measure(t.Context(), alloc(0, 64), alloc(1, 1024))
	if err != nil {
		t.Fatal(err)
	}
	for i, bytes := range []float64{64, 1024} {
		if len(costs[i]) != 3 {
			t.Errorf("op %d has %d runs, want 3", i, len(costs[i]))
		}
		got := median(costs[i])
		// The runtime allocates for itself at times, but never as much.
		if got.NS <= 0 || got.Allocs < 1 || got.Allocs > 1.1 || got.Bytes < bytes || got.Bytes > 1.1*bytes {
			t.Errorf("op %d costs %+v, want one allocation of %v bytes", i, got, bytes)
		}
	}
}

// An op that takes long is done once a run, however small the budget.
func TestMeasureWhatTakesLong(t *testing.T) {
	var times []int
	slow := func(n int) error {
		times = append(times, n)
		time.Sleep(time.Millisecond)
		return nil
	}
	if _, err := (clock{time.Microsecond, 2}).measure(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{1, 1, 1, 1}, times); diff != "" {
		t.Errorf("n of the runs (-want +got):\n%s", diff)
	}
}

func TestMeasureEnds(t *testing.T) {
	broken := errors.New("broken")
	if _, err := (clock{time.Second, 5}).measure(t.Context(), func(int) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("an op that fails: %v, want its error", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := clock{time.Hour, 5}.measure(ctx, func(int) error {
		calls++
		cancel()
		return errors.New("because of ctx")
	})
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Errorf("ctx ends in the first run: %v after %d runs, want context.Canceled after 1", err, calls)
	}
}

package measure

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestQuantile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	tests := []struct {
		sentence string
		values   []time.Duration
		want     map[float64]time.Duration
	}{
		{"nothing has no quantile but zero", nil, map[float64]time.Duration{0: 0, 0.5: 0, 1: 0}},
		{"one value is all of them", []time.Duration{7_654_321}, map[float64]time.Duration{0: 7_654_321, 0.5: 7_654_321, 1: 7_654_321}},
		{"of an even number the lower one is the median", []time.Duration{4, 1, 3, 2}, map[float64]time.Duration{0.25: 1, 0.5: 2, 0.51: 3, 0.75: 3, 0.76: 4}},
		{"by nearest rank, whatever the order they came in", hundred, map[float64]time.Duration{0.01: 1, 0.5: 50, 0.9: 90, 0.99: 99, 0.991: 100, 1: 100}},
		{"a clock that was set back counts as no time", []time.Duration{-5, 5}, map[float64]time.Duration{0.5: 0, 1: 5}},
		{"the largest there is", []time.Duration{math.MaxInt64, 1}, map[float64]time.Duration{0.5: 1, 1: math.MaxInt64}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			h := new(Histogram)
			for _, v := range tt.values {
				h.Add(v)
			}
			got := map[float64]time.Duration{}
			for q := range tt.want {
				got[q] = h.Quantile(q)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("quantiles (-want +got):\n%s", diff)
			}
			if h.Count() != int64(len(tt.values)) {
				t.Errorf("Count is %d, want %d", h.Count(), len(tt.values))
			}
		})
	}
}

// What a histogram says is within 0.4 % of what sorting all values would say, and its
// least and largest are exact.
func TestHistogramAgreesWithSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Min(0), 1, 200).Draw(t, "values")
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		h := new(Histogram)
		for _, v := range values {
			h.Add(time.Duration(v))
		}
		slices.Sort(values)
		want := values[max(int(math.Ceil(q*float64(len(values)))), 1)-1]
		got := int64(h.Quantile(q))
		if off := math.Abs(float64(got) - float64(want)); off > 0.004*float64(want) {
			t.Errorf("Quantile(%v) = %d, want %d", q, got, want)
		}
		if int64(h.Min()) != values[0] || int64(h.Max()) != values[len(values)-1] {
			t.Errorf("from %d to %d, want %d to %d", h.Min(), h.Max(), values[0], values[len(values)-1])
		}
	})
}

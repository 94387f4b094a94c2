package measure

import (
	"math"
	"math/bits"
	"time"
)

// halfBits is how many bits of a value a [Histogram] keeps behind the leading one: its
// buckets are 1/128 of their value wide, and their middle is off by 0.4 % at most.
const halfBits = 7

// A Histogram counts durations. However many there are, it takes 57 KiB. The zero
// value is empty and ready; it is for one goroutine at a time.
type Histogram struct {
	counts [(64 - halfBits) << halfBits]uint64
	count  uint64
	min    time.Duration
	max    time.Duration
}

// bucketOf returns where v is counted. Values of up to 8 bits have a bucket each; of
// larger ones, the leading 8 bits count.
func bucketOf(v uint64) int {
	shift := max(bits.Len64(v)-halfBits-1, 0)
	return shift<<halfBits + int(v>>shift)
}

// middle returns the value that stands for all that are counted in a bucket.
func middle(bucket int) uint64 {
	shift := max(bucket>>halfBits-1, 0)
	low := uint64(bucket-shift<<halfBits) << shift
	return low + 1<<shift/2
}

// Add counts a duration; one below zero, which a clock that was set back can give,
// counts as zero.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	if h.count == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.count++
	h.counts[bucketOf(uint64(d))]++
}

// Count returns how many durations were added.
func (h *Histogram) Count() int64 { return int64(h.count) }

// Min returns the least of them, exactly; 0 if there is none.
func (h *Histogram) Min() time.Duration { return h.min }

// Max returns the largest of them, exactly; 0 if there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile returns the least duration that q of all are at most, by nearest rank and
// to 0.4 %: Quantile(0.5) of 1, 2, 3 and 4 is 2. It is 0 if there is none.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := uint64(max(math.Ceil(q*float64(h.count)), 1))
	if rank >= h.count {
		return h.max
	}
	seen := uint64(0)
	for bucket, n := range h.counts {
		if seen += n; n > 0 && seen >= rank {
			return min(max(time.Duration(middle(bucket)), h.min), h.max)
		}
	}
	return h.max
}

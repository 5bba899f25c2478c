// Package thinktime counts how long moves took: a [Histogram] of durations whose size does not depend on
// how many were counted.
package thinktime

import (
	"math"
	"math/bits"
	"time"
)

// Histogram counts durations in bins that grow by a factor of the square root of two, from 1 µs to 18
// minutes, so that the times of a hundred thousand games take no more room than those of one. Bin i counts
// what took at least Floor(i) and less than Floor(i+1).
type Histogram [size]uint32

const size = 62

// Bin counts durations from From to below To.
type Bin struct {
	From, To time.Duration
	Count    int
}

// Add counts one duration.
func (h *Histogram) Add(d time.Duration) {
	us := uint64(max(d.Microseconds(), 1))
	whole := bits.Len64(us) - 1 // 2^whole µs at most
	i := 2 * whole
	if float64(us) >= math.Sqrt2*float64(uint64(1)<<whole) {
		i++
	}
	h[min(i, size-1)]++
}

// Merge adds the counts of others.
func (h *Histogram) Merge(others Histogram) {
	for i, n := range others {
		h[i] += n
	}
}

// Total is how many were counted.
func (h *Histogram) Total() (n int) {
	for _, count := range h {
		n += int(count)
	}
	return n
}

// Floor is the shortest duration of a bin.
func (Histogram) Floor(i int) time.Duration {
	return time.Duration(math.Pow(2, float64(i)/2) * float64(time.Microsecond))
}

// Quantile is a duration that a share q of the times do not exceed by more than a bin's width; zero
// without times.
func (h *Histogram) Quantile(q float64) time.Duration {
	rest := int(math.Ceil(q * float64(h.Total())))
	for i, count := range h {
		if rest -= int(count); count > 0 && rest <= 0 {
			return h.Floor(i + 1)
		}
	}
	return 0
}

// Bins are those that are not empty.
func (h Histogram) Bins() (bins []Bin) {
	for i, n := range h {
		if n > 0 {
			bins = append(bins, Bin{From: h.Floor(i), To: h.Floor(i + 1), Count: int(n)})
		}
	}
	return bins
}

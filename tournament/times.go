package tournament

import (
	"math"
	"math/bits"
	"time"
)

// Times counts durations in buckets that grow by a factor of the square root of two, from 1 µs to 18
// minutes, so that the times of a hundred thousand games take no more room than those of one. Bucket i
// counts what took at least Floor(i) and less than Floor(i+1).
type Times [bucketsOfTimes]uint32

const bucketsOfTimes = 62

// Add counts one duration.
func (t *Times) Add(d time.Duration) {
	us := uint64(max(d.Microseconds(), 1))
	whole := bits.Len64(us) - 1 // 2^whole µs at most
	i := 2 * whole
	if float64(us) >= math.Sqrt2*float64(uint64(1)<<whole) {
		i++
	}
	t[min(i, bucketsOfTimes-1)]++
}

// Merge adds the counts of others.
func (t *Times) Merge(others Times) {
	for i, n := range others {
		t[i] += n
	}
}

// Total is how many were counted.
func (t *Times) Total() (n int) {
	for _, count := range t {
		n += int(count)
	}
	return n
}

// Floor is the least duration of a bucket.
func (Times) Floor(i int) time.Duration {
	return time.Duration(math.Pow(2, float64(i)/2) * float64(time.Microsecond))
}

// Quantile is a duration that a share q of the times do not exceed by more than a bucket's width; zero
// without times.
func (t *Times) Quantile(q float64) time.Duration {
	rest := int(math.Ceil(q * float64(t.Total())))
	for i, count := range t {
		if rest -= int(count); count > 0 && rest <= 0 {
			return t.Floor(i + 1)
		}
	}
	return 0
}

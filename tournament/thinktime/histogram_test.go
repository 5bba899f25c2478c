package thinktime

import (
	"testing"
	"time"
)

func TestHistogram(t *testing.T) {
	var times Histogram
	for i := range 1000 {
		times.Add(time.Duration(i+1) * time.Millisecond)
	}
	times.Add(0)
	times.Add(100 * time.Hour)
	if n := times.Total(); n != 1002 {
		t.Errorf("%d times", n)
	}
	for q, want := range map[float64]time.Duration{0.25: 250 * time.Millisecond, 0.5: 500 * time.Millisecond, 0.9: 900 * time.Millisecond} {
		if got := times.Quantile(q); got < want || float64(got) > 1.5*float64(want) {
			t.Errorf("quantile %v: %v, want %v to a bucket more", q, got, want)
		}
	}
	total := 0
	for _, b := range times.Bins() {
		total += b.Count
		if b.From >= b.To {
			t.Errorf("%+v", b)
		}
	}
	if total != 1002 {
		t.Errorf("%d in bins", total)
	}
}

package tournament

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSlots(t *testing.T) {
	for _, test := range []struct {
		cores       []int
		concurrency int
		want        []Slot
	}{
		{[]int{4, 5, 6, 7}, 2, []Slot{{{4}, {5}}, {{6}, {7}}}},
		{[]int{4, 5, 6}, 2, []Slot{{{4}, {4}}, {{5}, {5}}}},
		{[]int{4}, 2, []Slot{{}, {}}},
	} {
		got, err := Slots(test.cores, test.concurrency, false)
		if err != nil || !cmp.Equal(got, test.want) {
			t.Errorf("%v, %d at a time: %v, %v; want %v", test.cores, test.concurrency, got, err, test.want)
		}
	}
	if _, err := Slots([]int{4}, 2, true); err == nil {
		t.Error("too few processors, and no error")
	}
}

func TestTimes(t *testing.T) {
	var times Times
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

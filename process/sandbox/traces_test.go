package sandbox

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func refusal(call, detail string, count int, at time.Time) Refusal {
	return Refusal{Call: call, Detail: detail, Count: count, At: at}
}

// TestTraces: of what one run tells several times the last count holds, runs are added up, and no program can fill the
// result.
func TestTraces(t *testing.T) {
	early, late := time.Unix(100, 0), time.Unix(200, 0)
	var all Traces
	all.Add([]Refusal{refusal("connect", "x", 1, late), refusal("connect", "x", 2, late), refusal("connect", "x", 4, late), refusal("ptrace", "", 1, late)}, []string{"b", "a"})
	all.Add([]Refusal{refusal("connect", "x", 3, early)}, []string{"a", "c"})
	if want := []Refusal{refusal("connect", "x", 7, early), refusal("ptrace", "", 1, late)}; !slices.Equal(all.Refused, want) {
		t.Errorf("refused are %v, want %v", all.Refused, want)
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(all.Changed, want) {
		t.Errorf("changed are %q, want %q", all.Changed, want)
	}
	for i := range 500 {
		all.Add([]Refusal{refusal("connect", fmt.Sprint(i), 1, late)}, []string{fmt.Sprint(i)})
	}
	sum := 0
	for _, r := range all.Refused {
		sum += r.Count
	}
	if len(all.Refused) != maxTraces || sum != 508 || len(all.Changed) != maxTraces {
		t.Errorf("%d kinds of %d calls, and %d files; want %d of 508, and %d", len(all.Refused), sum, len(all.Changed), maxTraces, maxTraces)
	}
}

package sandbox

import (
	"cmp"
	"slices"

	"luzhanqi/process/sandbox/filter"
)

// Traces are what programs were refused and what they changed, in one or several runs: evidence of what they tried.
type Traces struct {
	Refused []Refusal `json:"refused,omitempty"`
	Changed []string  `json:"changed,omitempty"` // files
}

const (
	maxTraces = 50 // of either kind
	more      = "…"
)

// Add adds what one run has left. Of a call that is told several times with the same detail, the last count holds.
func (t *Traces) Add(refused []Refusal, changed []string) {
	var last []Refusal
	for _, r := range refused {
		if at := find(last, r); at >= 0 {
			last[at].Count = max(last[at].Count, r.Count)
		} else {
			last = append(last, r)
		}
	}
	t.Merge(Traces{last, changed})
}

// Merge adds those of other runs. What is beyond the bound is counted as other calls.
func (t *Traces) Merge(o Traces) {
	for _, r := range o.Refused {
		if find(t.Refused, r) < 0 && len(t.Refused) >= maxTraces-1 {
			r.Call, r.Detail = filter.FurtherCalls, ""
		}
		at := find(t.Refused, r)
		if at < 0 {
			t.Refused = append(t.Refused, r)
			continue
		}
		known := &t.Refused[at]
		known.Count += r.Count
		if r.At.Before(known.At) {
			known.At = r.At
		}
	}
	slices.SortStableFunc(t.Refused, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(a.Detail, b.Detail))
	})
	t.Changed = slices.Compact(slices.Sorted(slices.Values(append(t.Changed, o.Changed...))))
	if len(t.Changed) > maxTraces {
		t.Changed = append(t.Changed[:maxTraces-1:maxTraces-1], more)
	}
}

func find(all []Refusal, r Refusal) int {
	return slices.IndexFunc(all, func(o Refusal) bool { return o.Call == r.Call && o.Detail == r.Detail })
}

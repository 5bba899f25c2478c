package tournament

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAffinities(t *testing.T) {
	for _, test := range []struct {
		cores       []int
		concurrency int
		want        []Affinity
	}{
		{[]int{4, 5, 6, 7}, 2, []Affinity{{{4}, {5}}, {{6}, {7}}}},
		{[]int{4, 5, 6}, 2, []Affinity{{{4}, {4}}, {{5}, {5}}}},
		{[]int{4}, 2, []Affinity{{}, {}}},
	} {
		got, err := affinities(test.cores, test.concurrency, false)
		if err != nil || !cmp.Equal(got, test.want) {
			t.Errorf("%v, %d at a time: %v, %v; want %v", test.cores, test.concurrency, got, err, test.want)
		}
	}
	if _, err := affinities([]int{4}, 2, true); err == nil {
		t.Error("too few processors, and no error")
	}
}

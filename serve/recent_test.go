package serve

import (
	"fmt"
	"testing"
)

// TestRecent: the latest are known, and no others; what is made twice is kept once.
func TestRecent(t *testing.T) {
	var r recent[int]
	for i := range remembered + 1 {
		r.keep(fmt.Sprint(i), i)
		r.keep(fmt.Sprint(i), i)
	}
	if _, known := r.find("0"); known || len(r.all) != remembered || len(r.order) != remembered {
		t.Errorf("%d are known, the oldest: %v", len(r.all), known)
	}
	for i := 1; i <= remembered; i++ {
		if got, known := r.find(fmt.Sprint(i)); !known || got != i {
			t.Errorf("%d: %d, %v", i, got, known)
		}
	}
}

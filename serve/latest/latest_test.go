package latest

import (
	"fmt"
	"testing"
)

// TestLatest: the latest are known, and no others; what is made twice is kept once.
func TestLatest(t *testing.T) {
	var r Of[int]
	for i := range remembered + 1 {
		r.Keep(fmt.Sprint(i), i)
		r.Keep(fmt.Sprint(i), i)
	}
	if _, known := r.Find("0"); known || len(r.all) != remembered || len(r.order) != remembered {
		t.Errorf("%d are known, the oldest: %v", len(r.all), known)
	}
	for i := 1; i <= remembered; i++ {
		if got, known := r.Find(fmt.Sprint(i)); !known || got != i {
			t.Errorf("%d: %d, %v", i, got, known)
		}
	}
}

package referee

import (
	"testing"
	"time"
)

// TestGive: what was taken is given, up to nine limits or a second beyond limit and grace, however long the grace is; a turn to
// which nothing more can be given is spent, one to which nothing more is due is not.
func TestGive(t *testing.T) {
	for limit, most := range map[time.Duration]time.Duration{
		150 * time.Millisecond: 1350 * time.Millisecond, 10 * time.Second: 90 * time.Second, 50 * time.Millisecond: time.Second,
	} {
		c := &turnClock{limit: limit}
		for _, step := range []struct {
			due, given  time.Duration
			more, spent bool
		}{
			{0, 0, false, false},
			{10 * time.Millisecond, 10 * time.Millisecond, true, false},
			{10*time.Millisecond + least/2, 10 * time.Millisecond, false, false},
			{most - time.Millisecond, most - time.Millisecond, true, false},
			{most + time.Hour, most, true, false},
			{most + 2*time.Hour, most, false, true},
		} {
			if more := c.give(step.due); more != step.more || c.given != step.given || c.spent != step.spent {
				t.Errorf("limit %v, due %v: given %v, more %v, spent %v; want %+v", limit, step.due, c.given, more, c.spent, step)
			}
		}
	}
}

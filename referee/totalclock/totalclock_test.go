package totalclock

import (
	"testing"
	"time"
)

// TestBudgets: who takes what it should never runs out of time, with an increment or without, however long the game is.
func TestBudgets(t *testing.T) {
	for _, increment := range []time.Duration{0, 10 * time.Millisecond, time.Second} {
		c := New(10*time.Second, increment)
		for move := range 1000 {
			budget := c.Budget()
			if budget > c.Left() && c.Left() > time.Millisecond || budget < time.Millisecond {
				t.Fatalf("move %d, increment %v: %v of %v", move, increment, budget, c.Left())
			}
			c.Moved(budget)
		}
		if increment > time.Millisecond && c.Left() < increment {
			t.Errorf("increment %v: %v left", increment, c.Left())
		}
	}
}

// TestGrace: what a move took beyond what was left does not make debts.
func TestGrace(t *testing.T) {
	c := New(time.Second, time.Millisecond)
	if c.Moved(1100 * time.Millisecond); c.Left() != time.Millisecond {
		t.Error(c.Left())
	}
	c = New(time.Second, 0)
	if c.Moved(1500 * time.Nanosecond); c.Left() != time.Second-time.Microsecond {
		t.Error(c.Left())
	}
}

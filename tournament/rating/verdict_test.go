package rating

import "testing"

// TestVerdict is the line for a match that is still being played.
func TestVerdict(t *testing.T) {
	sprt, err := NewSPRT(0, 5, 0.05, 0.05, Logistic)
	test := &sprt
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []struct {
		counts Counts
		test   *SPRT
		want   string
	}{
		{Games{Wins: 880, Draws: 1863, Losses: 759}, test, "Elo +12.01 ± 7.87, LOS 99.9 %, LLR 2.95 (-2.94 to 2.94): H1 accepted"},
		{Pairs{0, 1, 3, 2, 0}, nil, "Elo +29.02 ± 98.82, LOS 72.4 %"},
		{Games{Wins: 45, Losses: 1}, nil, "Elo +661.29 (+466.38 to +∞), LOS 100.0 %"},
		{Games{Losses: 2}, test, "Elo -∞ (-∞ to +290.51), LOS 12.5 %, LLR -0.03 (-2.94 to 2.94): continue"},
	} {
		if got := NewVerdict(line.counts, line.test).String(); got != line.want {
			t.Errorf("%v: %s, want %s", line.counts, got, line.want)
		}
	}
}

package rating

import (
	"fmt"
	"strings"
	"testing"
)

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

// Two programs that always play alike: their first pair decides nothing however often it is repeated, and the test says so.
func TestRepeatedPairsCountOnce(t *testing.T) {
	test, err := NewSPRT(0, 10, 0.05, 0.05, Logistic)
	if err != nil {
		t.Fatal(err)
	}
	s, unknown := Sequential{Test: &test}, Sequential{Test: &test}
	for pair := range 300 {
		s.Add(pair, Win, "0:a")
		s.Add(pair, Win, "1:b")
		unknown.Add(pair, Win, "")
		unknown.Add(pair, Win, "")
	}
	v := s.Verdict()
	if s.Decided() || v.Repeated != 299 || !strings.Contains(v.String(), "299 pairs that repeat others") {
		t.Errorf("decided %t: %v", s.Decided(), v)
	}
	if d := s.Courses.Distinct(); d != (Distinct{Games: 600, Distinct: 2}) || !d.Repeats() {
		t.Errorf("%+v", d)
	}
	if d := unknown.Courses.Distinct(); !unknown.Decided() || d != (Distinct{Unknown: 600}) || d.Repeats() {
		t.Errorf("of unknown courses: %v, %+v", unknown.Verdict(), d)
	}
	for pair := 300; pair < 600; pair++ { // the same first game, another second
		s.Add(pair, Win, "0:a")
		s.Add(pair, Win, fmt.Sprint("1:", pair))
	}
	if !s.Decided() {
		t.Errorf("pairs that differ do not decide: %v", s.Verdict())
	}
}

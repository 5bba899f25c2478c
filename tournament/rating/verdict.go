package rating

import (
	"fmt"
	"math"
)

// Verdict combines an estimate from the counts of a match with the state of its test.
type Verdict struct {
	Estimate
	Counts   Counts
	Test     *SPRT // nil: none
	LLR      float64
	Decision Decision
}

// NewVerdict estimates the difference, and asks the test if there is one.
func NewVerdict(c Counts, test *SPRT) Verdict {
	v := Verdict{Estimate: NewEstimate(c), Counts: c, Test: test}
	if test != nil {
		v.LLR = test.LLR(c)
		v.Decision = test.Decide(v.LLR)
	}
	return v
}

func (v Verdict) String() string {
	elo := fmt.Sprintf("Elo %s ± %s", Signed(v.Elo.Value, 2), v.Elo.Margin(2))
	if math.IsInf(v.Elo.Error(), 0) {
		elo = fmt.Sprintf("Elo %s (%s to %s)", Signed(v.Elo.Value, 2), Signed(v.Elo.Low, 2), Signed(v.Elo.High, 2))
	}
	text := fmt.Sprintf("%s, LOS %.1f %%", elo, 100*v.Superiority)
	if v.Test != nil {
		text += fmt.Sprintf(", %s: %v", v.Progress(), v.Decision)
	}
	return text
}

// Progress is how far the test is.
func (v Verdict) Progress() string {
	lower, upper := v.Test.Bounds()
	return fmt.Sprintf("LLR %.2f (%.2f to %.2f)", v.LLR, lower, upper)
}

// Sequential follows a match: what its games are worth so far, and whether they suffice. Once the test has decided,
// games that were still being played do not undo it.
type Sequential struct {
	Test     *SPRT // nil: none
	Tally    Tally
	decision Decision
}

// Add counts a game of a pair and says whether it has completed the pair.
func (s *Sequential) Add(pair int, r Result) (paired bool) {
	if paired = s.Tally.Add(pair, r); paired && !s.Decided() {
		s.decision = s.Verdict().Decision
	}
	return paired
}

// Decided says whether the test has decided.
func (s *Sequential) Decided() bool { return s.decision != Continue }

// Verdict returns that of the games so far.
func (s *Sequential) Verdict() Verdict {
	v := NewVerdict(s.Tally.Counts(), s.Test)
	if s.Decided() {
		v.Decision = s.decision
	}
	return v
}

// Signed writes a difference with its sign, to so many decimals; as a whole number, zero has none.
func Signed(x float64, decimals int) string {
	switch {
	case math.IsInf(x, 1):
		return "+∞"
	case math.IsInf(x, -1):
		return "-∞"
	case decimals > 0:
		return fmt.Sprintf("%+.*f", decimals, x)
	}
	if x = math.Round(x); x == 0 {
		return "0"
	}
	return fmt.Sprintf("%+.0f", x)
}

// Margin writes what comes after ±, to so many decimals.
func (i Interval) Margin(decimals int) string {
	if e := i.Error(); !math.IsInf(e, 0) {
		return fmt.Sprintf("%.*f", decimals, e)
	}
	return "∞"
}

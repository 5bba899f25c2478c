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
	Repeated int // pairs that went as earlier ones: the test does not count them
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
	text := fmt.Sprintf("LLR %.2f (%.2f to %.2f)", v.LLR, lower, upper)
	if v.Repeated > 0 {
		text += fmt.Sprintf(" without %d pairs that repeat others", v.Repeated)
	}
	return text
}

// Sequential follows a match: what its games are worth so far, and whether they suffice. Once the test has decided,
// games that were still being played do not undo it. A pair that went as an earlier one says nothing new: the test counts it once.
type Sequential struct {
	Test     *SPRT // nil: none
	Whole    bool  // all games are over: those after a decision count, too
	Tally    Tally
	Courses  Courses
	tested   Tally
	open     map[int]game    // the first of each pair
	pairs    map[string]bool // that were seen, by their courses
	repeated int
	decision Decision
}

// game is one of a pair.
type game struct {
	result Result
	course string
}

// Add counts a game of a pair and says whether it has completed the pair. course tells how it went and who had the first
// seat; empty: that is not known, and it counts as new.
func (s *Sequential) Add(pair int, r Result, course string) (paired bool) {
	if r == Void {
		return false
	}
	s.Courses.Add(course)
	first, found := s.open[pair]
	if paired = s.Tally.Add(pair, r); !paired {
		if s.open == nil {
			s.open = map[int]game{}
		}
		s.open[pair] = game{r, course}
		return false
	}
	delete(s.open, pair)
	if !found || s.Decided() {
		return true
	}
	if s.repeats(first.course, course) {
		s.repeated++
		return true
	}
	s.tested.Add(pair, first.result)
	s.tested.Add(pair, r)
	if !s.Whole {
		s.decision = s.Verdict().Decision
	}
	return true
}

// repeats says whether a pair of games that went so was seen before.
func (s *Sequential) repeats(a, b string) bool {
	if a == "" || b == "" || s.Test == nil {
		return false
	}
	if s.pairs == nil {
		s.pairs = map[string]bool{}
	}
	key := min(a, b) + max(a, b)
	seen := s.pairs[key]
	s.pairs[key] = true
	return seen
}

// Decided says whether the test has decided.
func (s *Sequential) Decided() bool { return s.decision != Continue }

// Verdict returns that of the games so far.
func (s *Sequential) Verdict() Verdict {
	v := NewVerdict(s.Tally.Counts(), nil)
	if v.Test = s.Test; s.Test != nil {
		v.LLR, v.Repeated = s.Test.LLR(s.tested.Counts()), s.repeated
		v.Decision = s.Test.Decide(v.LLR)
	}
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

package marks

import (
	"fmt"
	"math"
	"strconv"

	"luzhanqi/grading/course"
)

// Sheet is the marks of a submission.
type Sheet struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"` // with bonus
	Max   float64 `json:"max"`   // without bonus
	Items []Item  `json:"items"`

	Adjustments []Adjustment `json:"adjustments,omitempty"` // of the sum, which Score has in it
}

// Item is the marks for one item of the rubric.
type Item struct {
	Number  string      `json:"number"`
	Kind    course.Kind `json:"kind"`
	Title   string      `json:"title"`
	Points  float64     `json:"points"`
	Max     float64     `json:"max"`
	Bonus   bool        `json:"bonus,omitempty"`
	Summary string      `json:"summary"`
	Reasons []Reason    `json:"reasons,omitempty"`

	Correction *Correction `json:"correction,omitempty"`
}

// Reason is why points were lost. Text depends on nothing but results; the rest is what happened in the
// first such case.
type Reason struct {
	Text   string   `json:"text"`
	Detail string   `json:"-"`
	Lines  []string `json:"-"` // "> " sent to the program, "< " received from it
	Exit   string   `json:"-"`
	Stderr string   `json:"-"`
	Output string   `json:"-"` // of a build
	Again  string   `json:"-"` // a command line that shows it again
	Record string   `json:"-"` // file in the folder of records
	Board  string   `json:"-"` // file in the folder of games
}

// Full says whether no point was lost.
func (i Item) Full() bool { return i.Points >= i.Max }

// maxReasons is how many reasons an item has, that of the rest included.
const maxReasons = 12

// Of marks a submission.
func Of(c *course.Course, e *Evidence) Sheet {
	s := Sheet{Name: e.Name, Max: cents(c.Max())}
	for n, rule := range c.Items {
		var share float64
		var summary string
		var reasons []Reason
		if e.Built() || rule.Kind == course.Builds {
			share, summary, reasons = award(rule, n, e)
		} else {
			summary, reasons = unbuilt(e)
		}
		item := Item{
			Number: strconv.Itoa(n + 1), Kind: rule.Kind, Title: rule.Title, Max: rule.Points, Bonus: rule.Bonus,
			Points: cents(rule.Points * rule.Curve.At(share)), Summary: summary,
		}
		if !item.Full() {
			item.Reasons = limited(reasons, maxReasons, "And %d reasons more.")
		}
		s.Items = append(s.Items, item)
		s.Score = cents(s.Score + item.Points)
	}
	return s
}

// award gives the share that is reached in an item.
func award(rule course.Item, n int, e *Evidence) (share float64, summary string, reasons []Reason) {
	switch rule.Kind {
	case course.Builds:
		return builds(e)
	case course.Conformance:
		return conformance(rule, e)
	case course.Level:
		return level(rule, e.Matches[n])
	case course.Time:
		return discipline(rule, e)
	}
	return class(rule, e)
}

// unbuilt is why nothing could be played.
func unbuilt(e *Evidence) (string, []Reason) {
	why := "Your program could not be built, so that nothing else could be tried."
	if e.Build == nil {
		why = "Your submission could not be unpacked, so that nothing else could be tried."
	}
	return "not tried", []Reason{{Text: why}}
}

// limited is not more than so many reasons, the last of which says how many there are besides.
func limited(reasons []Reason, limit int, others string) []Reason {
	if len(reasons) <= limit {
		return reasons
	}
	rest := len(reasons) - (limit - 1)
	return append(reasons[:limit-1:limit-1], Reason{Text: fmt.Sprintf(others, rest)})
}

// cents rounds marks to two decimals, so that no last bit of a computer's arithmetic decides anything.
func cents(x float64) float64 { return math.Round(x*100+1e-7) / 100 }

// Format writes marks without needless zeros.
func Format(points float64) string { return strconv.FormatFloat(points, 'f', -1, 64) }

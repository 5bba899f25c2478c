package marks

import (
	"fmt"

	"luzhanqi/grading/course"
	"luzhanqi/grading/roster"
)

// Adjustment is what happens to the sum after the items: a curve, what is lost by being late, a teacher's correction.
type Adjustment struct {
	Kind   string  `json:"kind"`   // curve, late or correction
	Points float64 `json:"points"` // what it adds, mostly less than nothing
	Text   string  `json:"text"`
}

// Correction is what a teacher has set an item to.
type Correction struct {
	Before float64 `json:"before"`
	Reason string  `json:"reason"`
}

// Adjust applies to a sheet, in this order, corrections of items, the course's curve, what being late costs, and corrections
// of the sum.
func (s *Sheet) Adjust(c *course.Course, corrections []course.Correction, late roster.Lateness) {
	for _, k := range corrections {
		if k.Item == 0 || k.Item > len(s.Items) {
			continue
		}
		i := &s.Items[k.Item-1]
		before := i.Points
		if i.Points = cents(k.Points); k.Add {
			i.Points = min(max(0, cents(before+k.Points)), i.Max)
		}
		if i.Correction != nil {
			before = i.Correction.Before
		}
		i.Correction = &Correction{Before: before, Reason: k.Reason}
		i.Reasons = append([]Reason{{Text: fmt.Sprintf("Corrected by hand from %s to %s: %s", Format(before), Format(i.Points), k.Reason)}}, i.Reasons...)
	}
	if len(corrections) > 0 {
		s.Score = 0
		for _, i := range s.Items {
			s.Score = cents(s.Score + i.Points)
		}
	}
	if c.Curved && s.Max > 0 {
		bonus := 0.0
		for _, i := range s.Items {
			if i.Bonus {
				bonus += i.Points
			}
		}
		own := s.Score - bonus
		s.adjust("curve", cents(s.Max*c.Overall.At(own/s.Max)-own), fmt.Sprintf("%s of %s points without bonus, by the curve of the course", Format(cents(own)), Format(s.Max)))
	}
	if late.Days > 0 {
		s.adjust("late", -cents(s.Score*late.Lost), late.String())
	}
	for _, k := range corrections {
		if k.Item > 0 {
			continue
		}
		by := k.Points
		if !k.Add {
			by = cents(k.Points - s.Score)
		}
		s.adjust("correction", max(by, -s.Score), "corrected by hand: "+k.Reason)
	}
}

func (s *Sheet) adjust(kind string, points float64, why string) {
	s.Adjustments = append(s.Adjustments, Adjustment{kind, cents(points) + 0, why})
	s.Score = cents(s.Score + points)
}

// Signed writes what is added or taken off.
func Signed(points float64) string {
	if points > 0 {
		return "+" + Format(points)
	}
	return Format(points)
}

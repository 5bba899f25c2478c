package marks

import (
	"strings"
	"testing"

	"luzhanqi/grading/course"
	"luzhanqi/grading/roster"
)

// TestAdjust: corrections of items come first, then the curve over what is no bonus, then what being late costs, then corrections
// of the sum; each is named, and marks stay at two decimals.
func TestAdjust(t *testing.T) {
	sheet := func() Sheet {
		return Sheet{Score: 47, Max: 100, Items: []Item{
			{Number: "1", Points: 20, Max: 50}, {Number: "2", Points: 25, Max: 50}, {Number: "3", Points: 2, Max: 5, Bonus: true},
		}}
	}
	curved := &course.Course{Curved: true, Overall: course.Curve{{0, 0}, {0.5, 0.75}, {1, 1}}}
	plain := &course.Course{}
	late := roster.Lateness{Known: true, Days: 2, Charged: 1, Lost: 0.1}
	for _, test := range []struct {
		name        string
		course      *course.Course
		corrections []course.Correction
		late        roster.Lateness
		score       float64
		kinds       string
	}{
		{"nothing", plain, nil, roster.Lateness{Known: true}, 47, ""},
		{"an item", plain, []course.Correction{{Item: 1, Points: 30, Reason: "r"}}, roster.Lateness{}, 57, ""},
		{"an item, by more than it has", plain, []course.Correction{{Item: 1, Points: 99, Add: true, Reason: "r"}}, roster.Lateness{}, 77, ""},
		{"a curve", curved, nil, roster.Lateness{}, 69.5, "curve +22.5"},
		{"late", plain, nil, late, 42.3, "late -4.7"},
		{"the sum", plain, []course.Correction{{Points: 50, Reason: "r"}}, late, 50, "late -4.7, correction +7.7"},
		{"less than nothing", plain, []course.Correction{{Points: -60, Add: true, Reason: "r"}}, roster.Lateness{}, 0, "correction -47"},
		{"all", curved, []course.Correction{{Item: 2, Points: 30, Reason: "r"}, {Points: 1.05, Add: true, Reason: "r"}}, late, 70.35, "curve +25, late -7.7, correction +1.05"},
	} {
		s := sheet()
		s.Adjust(test.course, test.corrections, test.late)
		var kinds []string
		for _, a := range s.Adjustments {
			kinds = append(kinds, a.Kind+" "+Signed(a.Points))
		}
		if s.Score != test.score || strings.Join(kinds, ", ") != test.kinds {
			t.Errorf("%s: %v by %q, want %v by %q", test.name, s.Score, kinds, test.score, test.kinds)
		}
	}
	s := sheet()
	s.Adjust(plain, []course.Correction{{Item: 1, Points: 30, Reason: "the step was right"}}, roster.Lateness{})
	if i := s.Items[0]; i.Correction == nil || i.Correction.Before != 20 || i.Reasons[0].Text != "Corrected by hand from 20 to 30: the step was right" {
		t.Errorf("the item is %+v", i)
	}
}

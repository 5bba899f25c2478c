package report

import (
	"fmt"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
)

// classroom is what GitHub Classroom's reporter (autograding-grading-reporter@v1) reads of a step: it adds up the scores of the
// tests, and compares them with max_score.
type classroom struct {
	Version  int             `json:"version"` // 1
	Status   string          `json:"status"`  // pass, or fail if any point but bonus was lost
	MaxScore float64         `json:"max_score"`
	Tests    []classroomTest `json:"tests"`
}

type classroomTest struct {
	Name     string  `json:"name"`
	Status   string  `json:"status"`
	Score    float64 `json:"score"`
	Message  string  `json:"message"`
	TestCode string  `json:"test_code"`
	Filename string  `json:"filename"`
	LineNo   int     `json:"line_no"`
	Duration int     `json:"duration"`
}

// classroomResults writes classroom.json. What happened to the sum is a test of its own, so that the tests add up to it.
func classroomResults(_ *course.Course, s Student) ([]byte, error) {
	out := classroom{Version: 1, Status: "pass", MaxScore: s.Sheet.Max}
	add := func(name string, score float64, passed bool, message string) {
		t := classroomTest{Name: name, Status: "pass", Score: score, Message: message}
		if !passed {
			t.Status = "fail"
		}
		out.Tests = append(out.Tests, t)
	}
	for _, i := range s.Sheet.Items {
		if !i.Full() && !i.Bonus {
			out.Status = "fail"
		}
		add(fmt.Sprintf("%s. %s (%s of %s)", i.Number, i.Title, marks.Format(i.Points), marks.Format(i.Max)), i.Points, i.Full() || i.Bonus, explain(i))
	}
	for _, a := range s.Sheet.Adjustments {
		add(a.Text, a.Points, a.Points >= 0, a.Text)
	}
	return Indented(out)
}

package report

import (
	"bytes"
	"fmt"

	"luzhanqi/check/junit"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
)

// junitOf writes the marks of one submission as a suite with a case for each item, which fails unless the item
// has all its points.
func junitOf(c *course.Course, s Student) ([]byte, error) {
	return encodeSuites(c, []junit.Suite{suiteOf(c, s)})
}

// classJUnit has a suite for each submission. One that could not be graded is an error.
func classJUnit(c *course.Course, students []Student, class *Class) ([]byte, error) {
	var all []junit.Suite
	for _, s := range students {
		all = append(all, suiteOf(c, s))
	}
	for _, f := range class.Failed {
		all = append(all, junit.Suite{Name: f.Name, Cases: []junit.Case{{
			Name: "graded", Class: f.Name, Error: &junit.Problem{Message: "could not be graded", Type: "grader", Text: f.Text},
		}}})
	}
	return encodeSuites(c, all)
}

func suiteOf(c *course.Course, s Student) junit.Suite {
	out := junit.Suite{Name: s.Sheet.Name, Properties: []junit.Property{
		{Name: "game", Value: c.Game.Name()},
		{Name: "score", Value: marks.Format(s.Sheet.Score)},
		{Name: "max", Value: marks.Format(s.Sheet.Max)},
	}}
	for _, i := range s.Sheet.Items {
		one := junit.Case{Name: i.Number + ". " + i.Title, Class: s.Sheet.Name}
		if i.Full() {
			one.Out = explain(i)
		} else {
			message := fmt.Sprintf("%s of %s points: %s", marks.Format(i.Points), marks.Format(i.Max), i.Summary)
			one.Failure = &junit.Problem{Message: message, Type: string(i.Kind), Text: explain(i)}
		}
		out.Cases = append(out.Cases, one)
	}
	return out
}

func encodeSuites(c *course.Course, all []junit.Suite) ([]byte, error) {
	var out bytes.Buffer
	err := junit.Write(&out, junit.Suites{Name: c.Title, Suites: all})
	return out.Bytes(), err
}

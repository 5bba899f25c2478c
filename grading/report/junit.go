package report

import (
	"encoding/xml"
	"fmt"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Properties []property `xml:"properties>property,omitempty"`
	Cases      []xmlCase  `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type xmlCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Failure *problem `xml:"failure"`
	Error   *problem `xml:"error"`
	Out     string   `xml:"system-out,omitempty"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junit writes the marks of one submission as a suite with a case for each item, which fails unless the item
// has all its points.
func junit(c *course.Course, s Student) ([]byte, error) {
	return encodeSuites(c, []suite{suiteOf(c, s)})
}

// classJUnit has a suite for each submission. One that could not be graded is an error.
func classJUnit(c *course.Course, students []Student, class *Class) ([]byte, error) {
	var all []suite
	for _, s := range students {
		all = append(all, suiteOf(c, s))
	}
	for _, f := range class.Failed {
		all = append(all, suite{Name: xmlText(f.Name), Tests: 1, Errors: 1, Cases: []xmlCase{{
			Name: "graded", Class: xmlText(f.Name), Error: &problem{Message: "could not be graded", Type: "grader", Text: xmlText(f.Reason)},
		}}})
	}
	return encodeSuites(c, all)
}

func suiteOf(c *course.Course, s Student) suite {
	name := xmlText(s.Sheet.Name)
	out := suite{Name: name, Tests: len(s.Sheet.Items), Properties: []property{
		{"game", c.Game.Name()},
		{"score", marks.Format(s.Sheet.Score)},
		{"max", marks.Format(s.Sheet.Max)},
	}}
	for _, i := range s.Sheet.Items {
		one := xmlCase{Name: xmlText(i.Number + ". " + i.Title), Class: name}
		if i.Full() {
			one.Out = xmlText(explain(i))
		} else {
			out.Failures++
			message := fmt.Sprintf("%s of %s points: %s", marks.Format(i.Points), marks.Format(i.Max), i.Summary)
			one.Failure = &problem{Message: xmlText(message), Type: string(i.Kind), Text: xmlText(explain(i))}
		}
		out.Cases = append(out.Cases, one)
	}
	return out
}

func encodeSuites(c *course.Course, all []suite) ([]byte, error) {
	out := suites{Name: xmlText(c.Title), Suites: all}
	for _, s := range all {
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
	}
	text, err := xml.MarshalIndent(out, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// xmlText replaces what no XML 1.0 document may hold, not even escaped.
func xmlText(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xd7ff || c >= 0xe000 && c <= 0xfffd || c >= 0x10000 {
			return c
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// Package junit writes verdicts as JUnit XML, as Jenkins, GitLab and the GitHub actions read it.
//
// The format has no standard; these are the elements of https://github.com/testmoapp/junitxml that all readers
// know.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"
)

// Suites is a document. Write counts its cases.
type Suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr,omitempty"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Skipped  int      `xml:"skipped,attr"`
	Time     string   `xml:"time,attr,omitempty"`
	Suites   []Suite  `xml:"testsuite"`
}

// Suite is the cases of one subject.
type Suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr,omitempty"`
	Properties []Property `xml:"properties>property,omitempty"`
	Cases      []Case     `xml:"testcase"`
}

// Property is a fact about a suite.
type Property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is one verdict: passed, unless it has one of Failure, Error and Skipped.
type Case struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    string   `xml:"time,attr,omitempty"`
	Skipped *Skipped `xml:"skipped"`
	Failure *Problem `xml:"failure"`
	Error   *Problem `xml:"error"`
	Out     string   `xml:"system-out,omitempty"`
}

// Skipped says why there is no verdict.
type Skipped struct {
	Message string `xml:"message,attr"`
}

// Problem says what is wrong.
type Problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Seconds writes a duration as JUnit does, with milliseconds behind the point. Fields that are left empty were not
// measured, or must not make a difference.
func Seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// Write counts the cases and writes the document. Characters that XML cannot hold become U+FFFD,
// by the encoder.
func Write(w io.Writer, s Suites) error {
	s.count()
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *Suites) count() {
	s.Tests, s.Failures, s.Errors, s.Skipped = 0, 0, 0, 0
	for i := range s.Suites {
		one := &s.Suites[i]
		one.Tests, one.Failures, one.Errors, one.Skipped = len(one.Cases), 0, 0, 0
		for _, c := range one.Cases {
			switch {
			case c.Failure != nil:
				one.Failures++
			case c.Error != nil:
				one.Errors++
			case c.Skipped != nil:
				one.Skipped++
			}
		}
		s.Tests += one.Tests
		s.Failures += one.Failures
		s.Errors += one.Errors
		s.Skipped += one.Skipped
	}
}

package check

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteJUnit writes a report as JUnit XML, as Jenkins, GitLab and the GitHub actions read it: one suite, a case a
// step. Characters that XML cannot hold become U+FFFD.
func (r *Report) WriteJUnit(w io.Writer) error {
	suite := junitSuite{
		Name: "luzhanqi check", Tests: len(r.Steps), Failures: r.Failed, Skipped: r.Skipped, Time: seconds(r.Took),
		Properties: []junitProperty{
			{"subject", xmlText(r.Subject)},
			{"role", r.Role},
			{"game", r.Game},
			{"dialect", r.Dialect},
			{"seed", fmt.Sprint(r.Seed)},
		},
	}
	if r.Adapter != "" {
		suite.Properties = append(suite.Properties, junitProperty{"adapter", xmlText(r.Adapter)})
	}
	for _, s := range r.Steps {
		c := junitCase{Name: s.Step + ": " + xmlText(s.Title), Class: "check." + r.Game + "." + r.Dialect, Time: seconds(s.Took)}
		switch {
		case s.Verdict == Skip:
			c.Skipped = &junitSkipped{xmlText(s.Note)}
		case s.Failure != nil:
			var text strings.Builder
			(&Text{Out: &text}).failure(s, true)
			c.Failure = &junitFailure{Message: xmlText(s.Failure.Happened), Type: s.Step, Text: xmlText(strings.TrimSpace(text.String()))}
		case s.Note != "":
			c.Out = xmlText(s.Note)
		}
		suite.Cases = append(suite.Cases, c)
	}
	all := junitSuites{Tests: suite.Tests, Failures: suite.Failures, Skipped: suite.Skipped, Time: suite.Time, Suites: []junitSuite{suite}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Skipped *junitSkipped `xml:"skipped"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func seconds(milliseconds float64) string { return fmt.Sprintf("%.3f", milliseconds/1000) }

// xmlText replaces what no XML 1.0 document may hold, not even escaped.
func xmlText(text string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c <= 0xd7ff || c >= 0xe000 && c <= 0xfffd || c >= 0x10000 {
			return c
		}
		return '\uFFFD'
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

package page

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"sync"
	"time"

	_ "embed"

	"luzhanqi/grading/marks"
	"luzhanqi/serve/courses"
	"luzhanqi/text"
)

// Course is the page of a course as it stands, for a student or for a teacher.
type Course struct {
	Name    string
	Student string // whose page it is; empty: a teacher's
	Rules   courses.Rules
	Seq     string
	Problem string // with what was handed in
	*courses.View
}

// coursePage is what the template gets.
type coursePage struct {
	shell
	Course
	Sheet, Status string
	List          []Listed
}

// HTML is the page.
func (c Course) HTML() ([]byte, error) {
	return renderCourse(coursePage{shell: newShell(c.Title, "/courses", "live.js"), Course: c, Sheet: sheet(), Status: c.Status()})
}

// Courses is the page of all courses that somebody takes part in.
func Courses(all []Listed) ([]byte, error) {
	return renderCourse(coursePage{shell: newShell("Courses", "/courses", ""), Sheet: sheet(), List: all})
}

func renderCourse(p coursePage) ([]byte, error) {
	var b strings.Builder
	err := courseTemplate().ExecuteTemplate(&b, "layout.html", p)
	return []byte(b.String()), err
}

//go:embed course.html
var courseHTML string

var courseTemplate = sync.OnceValue(func() *template.Template {
	t := template.New("").Funcs(template.FuncMap{
		"when": when, "path": url.PathEscape, "zone": func(t time.Time) string { return t.Format("2006-01-02 15:04 -07:00") },
		"points": marks.Format, "count": text.Count, "size": text.Bytes, "said": said,
		"span": func(d time.Duration) string {
			if whole, ok := strings.CutSuffix(d.String(), "m0s"); ok {
				return whole + "m"
			}
			return d.String()
		},
	})
	return template.Must(template.Must(t.ParseFS(files, "layout.html")).Parse(courseHTML))
})

// Status says in a line how a course stands.
func (c Course) Status() string {
	count := map[courses.State]int{}
	for _, a := range c.Attempts {
		count[a.State]++
	}
	var parts []string
	if n := len(c.Attempts); n == 0 {
		parts = append(parts, "nothing is handed in yet")
	} else {
		parts = append(parts, fmt.Sprintf("%s handed in, %d graded", text.Count(n, "submission"), count[courses.Graded]))
	}
	switch {
	case count[courses.Grading] > 0 && c.Student == "":
		parts = append(parts, fmt.Sprintf("%d being graded", count[courses.Grading]))
	case c.Busy && c.Student == "":
		parts = append(parts, "the grader is at work")
	}
	if c.Waiting > 0 {
		parts = append(parts, fmt.Sprintf("%s of the class in line", text.Count(c.Waiting, "submission")))
	}
	said := strings.Join(parts, "; ")
	return strings.ToUpper(said[:1]) + said[1:] + "."
}

// when is by what its student knows a submission.
func when(a courses.Attempt) string {
	switch {
	case !a.At.IsZero():
		return a.At.UTC().Format(time.DateTime) + " UTC"
	case a.Which != "":
		return "Attempt " + a.Which
	}
	return "Handed in elsewhere"
}

// said is the state of a submission in words.
func said(a courses.Attempt) string {
	switch a.State {
	case courses.Graded:
		return fmt.Sprintf("%s of %s points", marks.Format(a.Score), marks.Format(a.Max))
	case courses.Grading:
		switch {
		case a.Against != "":
			return fmt.Sprintf("plays against %s: %s over", a.Against, text.Count(a.Games, "game"))
		case len(a.Steps) == 0:
			return "is unpacked and built"
		}
		return "is being graded"
	case courses.Again:
		return "could not be graded, through no fault of its own; it is tried again"
	case courses.Past:
		return "is not graded, since a later one counts"
	}
	switch a.Line {
	case 0:
		return "waits to be graded"
	case 1:
		return "waits, and is next in line"
	}
	return fmt.Sprintf("waits, number %d in line", a.Line)
}

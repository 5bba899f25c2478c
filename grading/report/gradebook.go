package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
)

// gradebook writes grades.csv (RFC 4180, UTF-8): a line for each submission, a column for each item. What a
// spreadsheet would take for a formula begins with an apostrophe.
func gradebook(c *course.Course, students []Student, class *Class) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	head := []string{"name", "score", "max"}
	for n, i := range c.Items {
		head = append(head, cell(strconv.Itoa(n+1)+". "+i.Title))
	}
	w.Write(append(head, "remark"))
	for _, s := range students {
		line := []string{cell(s.Sheet.Name), marks.Format(s.Sheet.Score), marks.Format(s.Sheet.Max)}
		for _, i := range s.Sheet.Items {
			line = append(line, marks.Format(i.Points))
		}
		w.Write(append(line, ""))
	}
	for _, f := range class.Failed {
		line := []string{cell(f.Name), "", marks.Format(c.Max())}
		for range c.Items {
			line = append(line, "")
		}
		w.Write(append(line, "could not be graded, which is not its fault"))
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// cell keeps a text from being a formula, also behind blanks.
func cell(text string) string {
	if first := strings.TrimLeft(text, " \t\r\n"); first != "" && strings.ContainsRune("=+-@", rune(first[0])) || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

type classJSON struct {
	Title    string        `json:"title"`
	Game     string        `json:"game"`
	Seed     uint64        `json:"seed"`
	Max      float64       `json:"max"`
	Students []marks.Sheet `json:"submissions"`
	Failed   []string      `json:"not_graded"`
}

// classResults writes all marks for machines.
func classResults(c *course.Course, students []Student, class *Class) ([]byte, error) {
	out := classJSON{Title: c.Title, Game: c.Game.Name(), Seed: c.Seed, Max: c.Max(), Students: []marks.Sheet{}, Failed: []string{}}
	for _, s := range students {
		out.Students = append(out.Students, s.Sheet)
	}
	for _, f := range class.Failed {
		out.Failed = append(out.Failed, f.Name)
	}
	return lines(out)
}

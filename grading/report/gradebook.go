package report

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

// gradebook writes grades.csv (RFC 4180, UTF-8): a line for each submission, a column for each item.
func gradebook(c *course.Course, students []Student, class *Class) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	head := []string{"name", "score", "max"}
	for n, i := range c.Items {
		head = append(head, text.Cell(strconv.Itoa(n+1)+". "+i.Title))
	}
	w.Write(append(head, "remark"))
	for _, s := range students {
		line := []string{text.Cell(s.Sheet.Name), marks.Format(s.Sheet.Score), marks.Format(s.Sheet.Max)}
		for _, i := range s.Sheet.Items {
			line = append(line, marks.Format(i.Points))
		}
		w.Write(append(line, ""))
	}
	for _, f := range class.Failed {
		line := []string{text.Cell(f.Name), "", marks.Format(c.Max())}
		for range c.Items {
			line = append(line, "")
		}
		w.Write(append(line, "could not be graded, which is not its fault"))
	}
	w.Flush()
	return b.Bytes(), w.Error()
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
	return Indented(out)
}

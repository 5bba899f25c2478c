package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

// studentBook writes students.csv: a line for each student of the roster, whose is which submission; without a roster, for
// each who hands in. Who has handed in nothing has no points there rather than none at all, and a remark.
func studentBook(c *course.Course, students []Student, class *Class) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	head := []string{"id", "name", "group", "submission", "attempt", "submitted", "days late", "score", "max"}
	for n, i := range c.Items {
		head = append(head, text.Cell(strconv.Itoa(n+1)+". "+i.Title))
	}
	w.Write(append(head, "remark"))
	line := func(id, name, group string, s *Student, remark string) {
		cells := []string{text.Cell(id), text.Cell(name), text.Cell(group), "", "", "", "", "", marks.Format(c.Max())}
		for range c.Items {
			cells = append(cells, "")
		}
		if s != nil {
			cells[3], cells[4], cells[7] = text.Cell(s.Sheet.Name), text.Cell(s.Attempt), marks.Format(s.Sheet.Score)
			if s.Late.Known {
				cells[5], cells[6] = s.Late.At.Format("2006-01-02 15:04"), strconv.Itoa(s.Late.Days)
			}
			for n, i := range s.Sheet.Items {
				cells[9+n] = marks.Format(i.Points)
			}
			var why []string
			for _, a := range s.Sheet.Adjustments {
				why = append(why, marks.Signed(a.Points)+" "+a.Text)
			}
			for _, i := range s.Sheet.Items {
				if i.Correction != nil {
					why = append(why, "item "+i.Number+" corrected by hand: "+i.Correction.Reason)
				}
			}
			remark = text.Cell(strings.Join(why, "; "))
		}
		w.Write(append(cells, remark))
	}
	counting := map[string]*Student{}
	for i, s := range students {
		if s.Counts {
			counting[s.Base] = &students[i]
		}
	}
	failed := map[string]bool{}
	for _, f := range class.Failed {
		failed[f.Name] = true
	}
	for _, who := range c.Roster {
		s := counting[who.Submission]
		remark := "nothing was handed in"
		if failed[who.Submission] {
			remark = "could not be graded, which is not their fault"
		}
		line(who.ID, who.Name, who.Group, s, remark)
	}
	for i, s := range students {
		if s.Counts && len(s.Who) == 0 {
			line("", "", "", &students[i], "")
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

package report

import (
	"cmp"
	"slices"
	"strconv"

	"luzhanqi/grading/course"
	"luzhanqi/tournament/page"
)

// publicPage writes the page of the class that may be shown to all: numbers instead of names, and nothing by which a number
// could be told to be somebody's but the points that are on it.
func publicPage(c *course.Course, students []Student, class *Class) ([]byte, error) {
	counting := slices.DeleteFunc(slices.Clone(students), func(s Student) bool { return !s.Counts })
	slices.SortFunc(counting, func(a, b Student) int { return cmp.Compare(a.Number, b.Number) })
	data := map[string]any{
		"Course": c, "Style": page.Style(), "Items": columns(c), "Max": c.Max(), "Students": counting,
		"Distribution": distribution(scores(students), c.Max()), "Run": class.Run.day(), "Shut": class.Shut,
	}
	if class.Table != nil {
		numbers := map[string]string{}
		for _, s := range students {
			numbers[s.Sheet.Name] = strconv.Itoa(s.Number)
		}
		table := *class.Table
		table.Rows = slices.Clone(table.Rows)
		for i := range table.Rows {
			table.Rows[i].Name = cmp.Or(numbers[table.Rows[i].Name], "–")
		}
		data["Tournament"] = page.Standings(&table)
	}
	return render("public.html", data)
}

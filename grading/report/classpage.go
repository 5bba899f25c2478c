package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/referee"
	"luzhanqi/tournament/page"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

// row is a submission on the page of the class.
type row struct {
	Sheet  marks.Sheet
	Link   string
	Number int
	Mark   string // of a mark that did not come about by the rubric alone
}

// attempts are what a submission tried, on the page of the class.
type attempts struct {
	Name, Link string
	All        []marks.Tried
}

const maxRated = 1000 // as many players as can be rated together

// classPage writes the page of the class.
func classPage(c *course.Course, students []Student, class *Class) ([]byte, error) {
	data := map[string]any{"Course": c, "Style": page.Style(), "Failed": class.Failed, "Notes": class.Notes, "Look": class.Look, "Shut": class.Shut, "Run": class.Run.String(), "Max": c.Max()}
	given := page.Given{All: given(students)}
	for _, s := range affected(students) {
		given.Players = append(given.Players, page.GivenRow{Name: s.Sheet.Name, Given: s.Evidence.Given()})
	}
	data["Given"] = page.GivenTime(given)
	data["Items"] = columns(c)
	var rows []row
	var tried []attempts
	var endings []page.PlayerRow
	names, times := make([]string, len(students)), make([]thinktime.Histogram, len(students))
	for i, s := range students {
		rows = append(rows, row{s.Sheet, "../" + link(s.Evidence.Folder, "index.html")[2:], s.Number, adjusted(s)})
		endings = append(endings, page.PlayerRow{Name: s.Sheet.Name, Endings: lost(s.Evidence)})
		if all := s.Evidence.Tried(c); len(all) > 0 {
			tried = append(tried, attempts{s.Sheet.Name, rows[i].Link, all})
		}
		names[i], times[i] = s.Sheet.Name, s.Evidence.Times
		if at := slices.Index(class.Names, s.Sheet.Name); at >= 0 {
			times[i].Merge(class.Times[at])
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.Sheet.Score, a.Sheet.Score) })
	table, err := all(c, students, class)
	if err != nil {
		return nil, err
	}
	data["Tried"] = tried
	data["Distribution"] = distribution(scores(students), c.Max())
	data["Students"], data["Endings"], data["Times"] = rows, page.Endings(endings), page.Histograms(names, times)
	data["Ratings"], data["Cross"] = page.Ratings(page.Bars(table)), page.CrossTable(table)
	if class.Table != nil {
		data["Tournament"] = page.Standings(class.Table)
	}
	return render("class.html", data)
}

// adjusted says how a mark came about besides the rubric.
func adjusted(s Student) string {
	var said []string
	if s.Attempt != "" && !s.Counts {
		said = append(said, "another attempt counts")
	}
	for _, a := range s.Sheet.Adjustments {
		said = append(said, marks.Signed(a.Points)+" "+a.Text)
	}
	for _, i := range s.Sheet.Items {
		if i.Correction != nil {
			said = append(said, fmt.Sprintf("item %s by hand, before %s: %s", i.Number, marks.Format(i.Correction.Before), i.Correction.Reason))
		}
	}
	return strings.Join(said, "; ")
}

// columns are the items as the head of a table.
func columns(c *course.Course) (all []marks.Item) {
	for _, i := range marks.Of(c, &marks.Evidence{Unpack: &marks.Unpack{}}).Items {
		i.Points = i.Max
		all = append(all, i)
	}
	return all
}

// lost is how many games a submission lost against staff levels, by the codes of their endings.
func lost(e *marks.Evidence) map[string]int {
	codes := map[string]int{}
	for _, s := range e.Matches {
		for _, g := range s.Games {
			if g.Points == 0 {
				code := g.Code
				if !g.Own {
					code = referee.Won
				}
				codes[string(code)]++
			}
		}
	}
	return codes
}

// all is the standings of all games that were played: submissions and levels are players.
func all(c *course.Course, students []Student, class *Class) (*standings.Table, error) {
	var names []string
	place := map[string]int{}
	player := func(kind, name string) int {
		at, known := place[kind+name]
		if !known {
			at = len(names)
			place[kind+name] = at
			names = append(names, name)
		}
		return at
	}
	var games []standings.Game
	for _, s := range students {
		if !s.Evidence.Built() {
			continue
		}
		me := player("submission ", s.Sheet.Name)
		for _, n := range slices.Sorted(maps.Keys(s.Evidence.Matches)) {
			staff := player("level ", level(c.Items[n]))
			for _, g := range s.Evidence.Matches[n].Games {
				one := standings.Game{First: me, Second: staff, Result: result(g.Points), Foul: g.Foul() && g.Points == 0}
				if g.Seat == 2 {
					one.First, one.Second, one.Result = staff, me, result(1-g.Points)
				}
				games = append(games, one)
			}
		}
	}
	for _, g := range class.Games {
		g.First, g.Second = player("submission ", class.Names[g.First]), player("submission ", class.Names[g.Second])
		games = append(games, g)
	}
	order := standings.Gauntlet
	if len(names) > maxRated {
		order.By = standings.Score
	}
	return standings.Compute(names, games, order)
}

// level is how a staff level is called among submissions.
func level(i course.Item) string {
	if i.Nodes > 0 {
		return i.Name + " at " + marks.Format(float64(i.Nodes)) + " nodes (staff)"
	}
	return i.Name + " (staff)"
}

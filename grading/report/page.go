package report

import (
	"bytes"
	"embed"
	"html/template"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/grading/course"
	"luzhanqi/grading/marks"
	"luzhanqi/tournament/page"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/thinktime"
)

//go:embed templates
var files embed.FS

// templates are parsed when the first page is written, and not at the start of every command.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"points": marks.Format, "signed": marks.Signed, "parts": parts,
		"record": func(file string) string { return link(Records, file) },
		"board":  func(file string) string { return link(Boards, file) },
	}).ParseFS(files, "templates/*.html"))
})

// render fills in a page. What would not be XML in it is replaced.
func render(name string, data map[string]any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return nil, err
	}
	return bytes.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c >= 0x7f && c < 0xa0 || c == 0xfffe || c == 0xffff {
			return utf8.RuneError
		}
		return c
	}, b.Bytes()), nil
}

// link is a relative address: names may hold anything.
func link(parts ...string) string {
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return "./" + strings.Join(parts, "/")
}

// studentPage writes a submission's page.
func studentPage(c *course.Course, s Student) ([]byte, error) {
	data := map[string]any{"Course": c, "Sheet": s.Sheet, "Style": page.Style() + ownStyle, "Games": gameRows(c, s.Evidence)}
	data["Line"] = s.line()
	if b := s.Evidence.Build; b != nil {
		data["Language"], data["Run"] = b.Language, strings.Join(b.Run, " ")
	}
	if s.Evidence.Check != nil {
		data["Steps"] = s.Evidence.Check.Steps
	}
	data["InClass"] = classRows(s.Evidence.Name, s.InClass)
	data["Shut"], data["Given"] = s.Evidence.Shut, s.Evidence.Given().Sentences()
	data["Tried"] = s.Evidence.Tried(c)
	data["Times"] = page.Histograms([]string{s.Sheet.Name}, []thinktime.Histogram{s.Evidence.Times})
	return render("student.html", data)
}

// ownStyle is for what no other page has.
const ownStyle = template.CSS(`
pre { background: rgba(var(--good), .07); border-left: 3px solid var(--line); padding: .4rem .7rem; margin: .2rem 0 .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
section { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1rem 0; }
section p { margin: .3rem 0; }
`)

// gameRows lists all games of a submission against staff levels.
func gameRows(c *course.Course, e *marks.Evidence) template.HTML {
	var list []page.GameRow
	for _, n := range slices.Sorted(maps.Keys(e.Matches)) {
		for _, g := range e.Matches[n].Games {
			row := page.GameRow{
				ID: c.Items[n].Name + " " + g.ID, First: e.Name, Second: c.Items[n].Name, Result: result(g.Points),
				Code: string(g.Code), Reason: g.Reason, Plies: g.Plies,
			}
			if g.Seat == 2 {
				row.First, row.Second, row.Result = row.Second, row.First, result(1-g.Points)
			}
			if g.Board != "" {
				row.Record = link(Boards, g.Board)
			} else if g.Record != "" {
				row.Record = link(Records, g.Record)
			}
			list = append(list, row)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return page.Games(list, 0)
}

// classRows lists the games that a submission lost to others, which are not named.
func classRows(name string, lost []ClassGame) template.HTML {
	var list []page.GameRow
	for _, g := range lost {
		row := page.GameRow{ID: g.ID, First: name, Second: "another submission", Result: rating.Loss, Code: g.Code, Reason: g.Reason, Plies: g.Plies}
		if g.Seat == game.Second {
			row.First, row.Second, row.Result = row.Second, row.First, rating.Win
		}
		if g.Board != "" {
			row.Record = link(Boards, g.Board)
		}
		list = append(list, row)
	}
	if len(list) == 0 {
		return ""
	}
	return page.Games(list, 0)
}

func result(points float64) rating.Result {
	switch points {
	case 0:
		return rating.Loss
	case 1:
		return rating.Win
	}
	return rating.Draw
}

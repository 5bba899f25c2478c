// Package page makes HTML of tournaments: one self-contained file without script, that loads nothing and
// is readable in light and dark and by screen readers. [Write] makes the page of a tournament; the
// pieces it consists of can be used on other pages, which need [Style] for them. All of it is well-formed
// XML, too.
//
// Everything here is a pure function: the same input gives the same bytes. All text is escaped, and
// stripped of what is not printable, whoever wrote it.
package page

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strconv"
	"sync"

	"luzhanqi/text"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

// Tournament is the content of its page.
type Tournament struct {
	Title    string
	Settings []Setting
	Table    *standings.Table
	Players  []PlayerRow // in any order
	Games    []GameRow   // the page shows the first 1,000
	Total    int         // of games, if Games is only part of them; 0: it is not
	Given    Given
	Distinct rating.Distinct // of all games
}

// Setting is a line of what was agreed: format, game, limits, seed.
type Setting struct{ Key, Value string }

// PlayerRow holds a player's think times and how its lost games ended.
type PlayerRow struct {
	Name    string
	Times   thinktime.Histogram // of its moves
	Endings map[string]int      // games that it lost, by how they ended
}

// GameRow is one line in the list of games.
type GameRow struct {
	ID            string
	First, Second string        // the players who moved first and second
	Result        rating.Result // of First
	Code, Reason  string        // how it ended
	Plies         int
	Record        string // where the game can be seen, a relative link; empty: nowhere
}

// Bounds of a page. What is left out is said.
const (
	maxGames   = 1000
	maxCross   = 60  // players
	maxPlayers = 200 // with bars, times and endings
)

//go:embed style.css
var style string

//go:embed templates
var files embed.FS

// templates are parsed when the first page is written, and not at the start of every command.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"text": text.Printable, "points": standings.FormatPoints, "elo": func(x float64) string { return rating.Signed(x, 0) },
		"err":     func(i rating.Interval) string { return i.Margin(0) },
		"percent": func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) },
	}).ParseFS(files, "templates/*.html"))
})

// Style is the stylesheet of all pieces.
func Style() template.CSS { return template.CSS(style) }

// Write writes the page of a tournament.
func Write(w io.Writer, t Tournament) error {
	if t.Table == nil {
		return errors.New("page of a tournament: found no table; it may be empty, but must be there")
	}
	if t.Total != 0 && t.Total < len(t.Games) {
		return fmt.Errorf("page of a tournament: found %d games in all, and %d in the list", t.Total, len(t.Games))
	}
	times := make([]thinktime.Histogram, len(t.Players))
	names := make([]string, len(t.Players))
	for i, p := range t.Players {
		names[i], times[i] = p.Name, p.Times
	}
	return templates().ExecuteTemplate(w, "tournament.html", map[string]any{
		"Style": Style(), "Title": t.Title, "Settings": t.Settings, "Voids": t.Table.Voids, "Games": t.Table.Games,
		"Standings": Standings(t.Table), "Ratings": Ratings(Bars(t.Table)), "CrossTable": CrossTable(t.Table),
		"Times": Histograms(names, times), "Endings": Endings(t.Players), "List": Games(t.Games, t.Total),
		"Given": GivenTime(t.Given), "Distinct": t.Distinct,
	})
}

// render fills in a piece. The templates are ours and their data of known types, so they cannot fail.
func render(name string, data any) template.HTML {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		panic("page: " + err.Error())
	}
	return template.HTML(b.String())
}

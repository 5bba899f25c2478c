package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"math"
	"strings"
	"sync"
	"time"

	_ "embed"

	"luzhanqi/serve/tournaments"
	"luzhanqi/text"
	standing "luzhanqi/tournament/page"
)

// Tournament is the page of a tournament as it stands.
type Tournament struct {
	Name string // by which it is known here
	*tournaments.View
}

// tournamentPage is what the template gets.
type tournamentPage struct {
	shell
	Tournament
	Sheet, Status    string
	Standings, Cross template.HTML
	Plot             *plot
	List             []Listed
}

// Listed is a tournament in the list of all.
type Listed struct{ Href, Title, Text string }

// HTML is the page.
func (t Tournament) HTML() ([]byte, error) {
	p := tournamentPage{shell: newShell(t.Title, "/tournaments", "live.js"), Tournament: t, Sheet: sheet(), Status: t.Status()}
	if t.Table != nil {
		p.Standings, p.Cross, p.Plot = standing.Standings(t.Table), standing.CrossTable(t.Table), plotOf(t.Curves, t.Steps)
	}
	return renderTournament(p)
}

// Tournaments is the page of all tournaments.
func Tournaments(all []Listed) ([]byte, error) {
	return renderTournament(tournamentPage{shell: newShell("Tournaments", "/tournaments", ""), Sheet: sheet(), List: all})
}

func renderTournament(p tournamentPage) ([]byte, error) {
	var b strings.Builder
	err := tournamentTemplate().ExecuteTemplate(&b, "layout.html", p)
	return []byte(b.String()), err
}

//go:embed tournament.html
var tournamentHTML string

var tournamentTemplate = sync.OnceValue(func() *template.Template {
	t := template.New("").Funcs(template.FuncMap{
		"at":    func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"count": text.Count,
	})
	return template.Must(template.Must(t.ParseFS(files, "layout.html")).Parse(tournamentHTML))
})

// sheet is the address of the style of tournaments, which changes when it does.
var sheet = sync.OnceValue(func() string {
	sum := sha256.Sum256(append(static("tournament.css"), static("live.js")...))
	return "/static/tournament.css?" + hex.EncodeToString(sum[:6])
})

// Status says in a line how far a tournament is.
func (t Tournament) Status() string {
	if t.Problem != "" {
		return t.Problem
	}
	of := fmt.Sprint(t.Max)
	if t.Min != t.Max {
		of = fmt.Sprintf("%d to %d", t.Min, t.Max)
	}
	said := fmt.Sprintf("%d of %s games", t.Finished, of)
	if t.Voids > 0 {
		said += fmt.Sprintf(", %d void and played again", t.Voids)
	}
	switch {
	case t.Complete:
		return said + ": it is over."
	case t.Running:
		return said + "; it is being played."
	}
	return said + "; nobody plays it on this machine now."
}

// plot is a picture of ratings over time.
type plot struct {
	Width, Height int
	Lines         []tick // across
	Steps         []tick
	Curves        []drawn
}

type tick struct {
	At   int
	Text string
}

// drawn is a curve and its label at the end.
type drawn struct {
	Name  string
	Class int // of its colour
	Path  string
	X, Y  int
	Label int // where the name stands, so that none covers another
	Elo   string
}

const (
	plotWidth, plotHeight = 860, 340
	plotLeft, plotRight   = 52, 660
	plotTop, plotBottom   = 16, 304
	labelled              = 18 // names beside the plot: as many as have room
	colours               = 8
)

// plotOf draws curves; nil: there is nothing to draw.
func plotOf(curves []tournaments.Curve, steps []int) *plot {
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, e := range c.Elo {
			if !math.IsNaN(e) {
				low, high = min(low, e), max(high, e)
			}
		}
	}
	if len(steps) < 2 || low > high {
		return nil
	}
	every := 10.0
	for _, wide := range []float64{25, 50, 100, 200, 500, 1000} {
		if (high-low)/every > 6 {
			every = wide
		}
	}
	low, high = every*math.Floor(low/every), every*math.Ceil(high/every)
	if low == high {
		low, high = low-every, high+every
	}
	x := func(games int) float64 {
		return plotLeft + (plotRight-plotLeft)*float64(games)/float64(steps[len(steps)-1])
	}
	y := func(elo float64) float64 { return plotBottom - (plotBottom-plotTop)*(elo-low)/(high-low) }
	p := &plot{Width: plotWidth, Height: plotHeight}
	for e := low; e <= high; e += every {
		p.Lines = append(p.Lines, tick{int(y(e)), fmt.Sprintf("%+.0f", e)})
	}
	for n := range 5 {
		games := steps[len(steps)-1] * n / 4
		p.Steps = append(p.Steps, tick{int(x(games)), fmt.Sprint(games)})
	}
	for i, c := range curves {
		d := drawn{Name: c.Name, Class: i % colours}
		pen := "M"
		for n, e := range c.Elo {
			if math.IsNaN(e) {
				pen = "M"
				continue
			}
			d.Path += fmt.Sprintf("%s%.1f %.1f", pen, x(steps[n]), y(e))
			pen, d.X, d.Y, d.Elo = "L", int(x(steps[n])), int(y(e)), fmt.Sprintf("%+.0f", e)
		}
		if d.Path != "" {
			p.Curves = append(p.Curves, d)
		}
	}
	p.label()
	return p
}

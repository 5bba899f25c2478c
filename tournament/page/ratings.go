package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"luzhanqi/text"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
)

// Bar is a rating with its error.
type Bar struct {
	Name string
	Elo  rating.Interval
}

// Bars are the ratings of a table, by rank; none if it is not rated, or nobody has met anybody.
func Bars(t *standings.Table) (bars []Bar) {
	if t.Rated && t.Games > 0 {
		for _, r := range t.Rows {
			bars = append(bars, Bar{r.Name, r.Elo})
		}
	}
	return bars
}

// Sizes of plots, in units of SVG.
const (
	plotWidth  = 720
	nameWidth  = 190 // of the names beside a plot
	nameCut    = 24  // columns
	rowHeight  = 22
	axisHeight = 28
	plotMargin = 24
)

type plot struct {
	Width, Height float64
	Left, Right   float64 // of the axis
	Axis          float64 // its place
	Title, Full   string  // Full is the name that Title may be cut from
	Text          string
	Summary       string
	Ticks         []tick
	Bars          []plotBar
	Columns       []column
	Left0         int // how many are not shown
}

type tick struct {
	X     float64
	Label string
}

type plotBar struct {
	Name, Full, Value string
	Y, X, Low, High   float64
	OpenLow, OpenHigh bool // the interval goes on
}

// Ratings is a plot of ratings with error bars; an arrow says that a bar goes on. Of more than 200 bars
// it shows the first 200.
func Ratings(bars []Bar) template.HTML {
	shown := bars[:min(len(bars), maxPlayers)]
	p := plot{
		Width: plotWidth, Height: float64(len(shown)*rowHeight + axisHeight), Left: nameWidth, Right: plotWidth - plotMargin,
		Axis: float64(len(shown) * rowHeight), Title: "Ratings", Left0: len(bars) - len(shown),
		Text: fmt.Sprintf("Elo of %d players around their mean, with intervals at 95 %%. The standings have the numbers.", len(bars)),
	}
	if len(shown) == 0 {
		return render("ratings.html", p)
	}
	from, to := eloRange(shown)
	at := func(elo float64) float64 { return round(p.Left + (p.Right-p.Left)*(elo-from)/(to-from)) }
	for i, b := range shown {
		p.Bars = append(p.Bars, plotBar{
			Name: standings.Cut(text.Printable(b.Name), nameCut), Full: b.Name,
			Value: rating.Signed(b.Elo.Value, 0) + " ± " + b.Elo.Margin(0),
			Y:     float64(i*rowHeight) + rowHeight/2, X: at(min(max(b.Elo.Value, from), to)),
			Low: at(max(b.Elo.Low, from)), High: at(min(b.Elo.High, to)), OpenLow: b.Elo.Low < from, OpenHigh: b.Elo.High > to,
		})
	}
	step := nice((to - from) / 8)
	for elo := math.Ceil(from/step) * step; elo <= to; elo += step {
		p.Ticks = append(p.Ticks, tick{at(elo), rating.Signed(elo, 0)})
	}
	return render("ratings.html", p)
}

// eloRange returns the range of the axis: every rating, and error bars clipped so that differences stay visible.
func eloRange(bars []Bar) (from, to float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, b := range bars {
		low, high = min(low, b.Elo.Value), max(high, b.Elo.Value)
	}
	from, to = low, high
	room := max(high-low, 200)
	for _, b := range bars {
		if b.Elo.Low >= low-room {
			from = min(from, b.Elo.Low)
		} else {
			from = low - room
		}
		if b.Elo.High <= high+room {
			to = max(to, b.Elo.High)
		} else {
			to = high + room
		}
	}
	margin := max((to-from)*0.03, 1)
	return from - margin, to + margin
}

// nice is a step for ticks not below x: 1, 2 or 5 times a power of ten.
func nice(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x {
			return m * power
		}
	}
	return 10 * power
}

// round keeps pages small, and free of the last bits of a computer's arithmetic.
func round(x float64) float64 { return math.Round(x*10)/10 + 0 }

// number writes a number of a plot.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

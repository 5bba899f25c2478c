package page

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"time"

	"luzhanqi/text"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/thinktime"
)

const (
	timesWidth  = 360
	timesHeight = 120
	timesTop    = 22
	labelWidth  = 45 // of a tick, with what keeps it apart from the next
)

type column struct {
	X, Y, Width, Height float64
	Text                string
}

// Histograms are the plots of players' think times, all on one axis, without those of whom no move is known. Of more
// than 200 players they are those of the first 200.
func Histograms(names []string, times []thinktime.Histogram) (plots []template.HTML) {
	from, to := Span(times...)
	for i, h := range times[:min(len(times), maxPlayers)] {
		if h.Total() > 0 {
			plots = append(plots, Histogram(names[i], h, from, to))
		}
	}
	return plots
}

// Span is the range of the logarithmic axis on which histograms fit, in whole powers of ten; zeros if nothing
// was counted.
func Span(all ...thinktime.Histogram) (from, to time.Duration) {
	var sum thinktime.Histogram
	for _, h := range all {
		sum.Merge(h)
	}
	bins := sum.Bins()
	if len(bins) == 0 {
		return 0, 0
	}
	for from = 1; 10*from <= bins[0].From; {
		from *= 10
	}
	for to = from; to < bins[len(bins)-1].To; {
		to *= 10
	}
	return from, to
}

// Histogram is a plot of think times on a logarithmic axis in milliseconds, from one power of ten to another, as
// [Span] gives them.
func Histogram(name string, h thinktime.Histogram, from, to time.Duration) template.HTML {
	p := plot{
		Width: timesWidth, Height: timesTop + timesHeight + axisHeight, Left: plotMargin, Right: timesWidth - plotMargin,
		Axis: timesTop + timesHeight, Title: standings.Cut(text.Printable(name), nameCut), Full: name,
	}
	n := h.Total()
	if n == 0 || to <= from {
		p.Text = "No think times are known."
		return render("times.html", p)
	}
	at := func(d time.Duration) float64 {
		return round(p.Left + (p.Right-p.Left)*math.Log(float64(d)/float64(from))/math.Log(float64(to)/float64(from)))
	}
	highest := slices.Max(h[:])
	for _, b := range h.Bins() {
		height := max(round(timesHeight*float64(b.Count)/float64(highest)), 1)
		p.Columns = append(p.Columns, column{
			X: at(b.From), Y: round(p.Axis - height), Width: round(max(at(b.To)-at(b.From)-0.5, 0.5)), Height: height,
			Text: fmt.Sprintf("%s to %s ms: %d", milliseconds(b.From), milliseconds(b.To), b.Count),
		})
	}
	decades := math.Log10(float64(to) / float64(from))
	every := int(math.Ceil(decades * labelWidth / (p.Right - p.Left)))
	for i, d := 0, from; d <= to; i, d = i+1, d*10 {
		label := ""
		if i%every == 0 {
			label = milliseconds(d)
		}
		p.Ticks = append(p.Ticks, tick{at(d), label})
	}
	half, nearlyAll := milliseconds(h.Quantile(0.5)), milliseconds(h.Quantile(0.99))
	p.Text = fmt.Sprintf("%d moves; half of them took less than %s ms, and 99 %% less than %s ms.", n, half, nearlyAll)
	p.Summary = fmt.Sprintf("ms; half < %s, 99 %% < %s", half, nearlyAll)
	return render("times.html", p)
}

// milliseconds writes a duration to three digits.
func milliseconds(d time.Duration) string {
	if d <= 0 {
		return "0"
	}
	ms := float64(d) / float64(time.Millisecond)
	digits := math.Pow(10, 2-math.Floor(math.Log10(ms)))
	return number(math.Round(ms*digits) / digits)
}

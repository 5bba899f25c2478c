package page

import (
	"fmt"
	"html/template"
	"math"
	"time"

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

// Span is the range of the logarithmic axis on which bins fit, in whole powers of ten; zeros if nothing
// was counted.
func Span(sets ...[]thinktime.Bin) (from, to time.Duration) {
	least, most := time.Duration(math.MaxInt64), time.Duration(0)
	for _, bins := range sets {
		for _, b := range bins {
			if b.Count > 0 && b.From > 0 && b.To > b.From {
				least, most = min(least, b.From), max(most, b.To)
			}
		}
	}
	if most == 0 {
		return 0, 0
	}
	for from = 1; from <= least/10; {
		from *= 10
	}
	for to = from; to < most; {
		if to > math.MaxInt64/10 {
			return from, math.MaxInt64
		}
		to *= 10
	}
	return from, to
}

func count(bins []thinktime.Bin) (n int) {
	for _, b := range bins {
		n += max(b.Count, 0)
	}
	return n
}

// Histogram is a plot of think times on a logarithmic axis in milliseconds; where from and to are 0,
// the axis spans the bins. Bins beyond the axis are not drawn, nor are those from 0.
func Histogram(name string, bins []thinktime.Bin, from, to time.Duration) template.HTML {
	if from <= 0 || to <= from {
		from, to = Span(bins)
	}
	n := count(bins)
	p := plot{
		Width: timesWidth, Height: timesTop + timesHeight + axisHeight, Left: plotMargin, Right: timesWidth - plotMargin,
		Axis: timesTop + timesHeight, Title: standings.Cut(standings.Printable(name), nameCut), Full: name,
	}
	if n == 0 || to == 0 {
		p.Text = "No think times are known."
		return render("times.html", p)
	}
	at := func(d time.Duration) float64 {
		return round(p.Left + (p.Right-p.Left)*math.Log(float64(d)/float64(from))/math.Log(float64(to)/float64(from)))
	}
	highest := 0
	for _, b := range bins {
		highest = max(highest, b.Count)
	}
	for _, b := range bins {
		if b.Count <= 0 || b.From < from || b.To > to || b.To <= b.From {
			continue
		}
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
		if d > math.MaxInt64/10 {
			break
		}
	}
	half, most := milliseconds(quantile(bins, 0.5)), milliseconds(quantile(bins, 0.99))
	p.Text = fmt.Sprintf("%d moves; half of them took less than %s ms, and 99 %% less than %s ms.", n, half, most)
	p.Summary = fmt.Sprintf("ms; half < %s, 99 %% < %s", half, most)
	return render("times.html", p)
}

// quantile is the end of the bin by which a share of all durations has been counted.
func quantile(bins []thinktime.Bin, share float64) time.Duration {
	need := int(math.Ceil(share * float64(count(bins))))
	for _, b := range bins {
		if need -= max(b.Count, 0); need <= 0 && b.Count > 0 {
			return b.To
		}
	}
	return 0
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

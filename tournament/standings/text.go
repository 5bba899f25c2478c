package standings

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"luzhanqi/text"
	"luzhanqi/tournament/rating"
)

// column is one of the table's, without the player's name.
type column struct {
	title string
	room  int // where room is short, columns with the greatest number go first, all at once; 0: never
	text  func(r Row) string
}

const (
	titleLOS = "LOS"
	minName  = 12 // of a name that is cut so that a column may stay
	between  = "  "
)

// Text writes the standings for a terminal of so many columns; 0: as wide as they are. Where they do
// not fit, first the less important columns go, and then names are cut.
func (t *Table) Text(w io.Writer, width int) error {
	columns := t.columns()
	names := make([]string, len(t.Rows))
	longest := len("player")
	for i, r := range t.Rows {
		names[i] = inLine(r.Name)
		longest = max(longest, uniseg.StringWidth(names[i]))
	}
	cells := make([][]string, len(columns))
	widths := make([]int, len(columns))
	taken := len(strconv.Itoa(len(t.Rows))) + len(between)
	for i, c := range columns {
		widths[i] = uniseg.StringWidth(c.title)
		for _, r := range t.Rows {
			cells[i] = append(cells[i], c.text(r))
			widths[i] = max(widths[i], uniseg.StringWidth(cells[i][len(cells[i])-1]))
		}
		taken += len(between) + widths[i]
	}
	shown := make([]int, len(columns))
	for i := range shown {
		shown[i] = i
	}
	name := longest
	if width > 0 {
		for taken+min(longest, minName) > width {
			last := 0
			for _, i := range shown {
				last = max(last, columns[i].room)
			}
			if last == 0 {
				break
			}
			shown = slices.DeleteFunc(shown, func(i int) bool {
				if columns[i].room == last {
					taken -= len(between) + widths[i]
				}
				return columns[i].room == last
			})
		}
		name = max(min(longest, width-taken), 1)
	}
	var b strings.Builder
	line := func(place, player string, cell func(i int) string) {
		b.WriteString(pad(place, len(strconv.Itoa(len(t.Rows))), true) + between + pad(Cut(player, name), name, false))
		for _, i := range shown {
			b.WriteString(between + pad(cell(i), widths[i], true))
		}
		b.WriteByte('\n')
	}
	line("#", "player", func(i int) string { return columns[i].title })
	for place, r := range t.Rows {
		line(strconv.Itoa(r.Rank), names[place], func(i int) string { return cells[i][place] })
	}
	b.WriteByte('\n')
	for _, line := range t.summary(slices.ContainsFunc(shown, func(i int) bool { return columns[i].title == titleLOS })) {
		if width > 0 {
			line = strings.Join(text.Wrap(line, width), "\n")
		}
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// columns are all of a table's, in order.
func (t *Table) columns() []column {
	number := func(n int) string { return strconv.Itoa(n) }
	list := []column{
		{"games", 2, func(r Row) string { return number(r.Games) }},
		{"points", 0, func(r Row) string { return FormatPoints(r.Points) }},
		{"%", 3, func(r Row) string {
			if r.Games == 0 {
				return "-"
			}
			return fmt.Sprintf("%.1f", 100*r.Score)
		}},
		{"+", 5, func(r Row) string { return number(r.Wins) }},
		{"=", 5, func(r Row) string { return number(r.Draws) }},
		{"-", 5, func(r Row) string { return number(r.Losses) }},
	}
	if t.Order.By == Reached {
		list = append([]column{{"rounds", 0, func(r Row) string { return number(r.Reached) }}}, list...)
	}
	if t.Fouls() {
		list = append(list, column{"fouls", 4, func(r Row) string { return number(r.Fouls) }})
	}
	if t.Rated {
		list = append(
			list,
			column{"Elo", 1, func(r Row) string { return rating.Signed(r.Elo.Value, 0) }},
			column{"±", 2, func(r Row) string { return r.Elo.Margin(0) }},
			column{titleLOS, 6, func(r Row) string {
				if r.Rank == len(t.Rows) {
					return ""
				}
				return fmt.Sprintf("%.1f", 100*r.Superiority)
			}},
		)
	}
	for _, tie := range t.Order.TieBreaks {
		switch tie {
		case HeadToHead:
			list = append(list, column{"H2H", 7, func(r Row) string { return FormatPoints(r.HeadToHead) }})
		case SonnebornBerger:
			list = append(list, column{"SB", 8, func(r Row) string { return strconv.FormatFloat(r.SonnebornBerger, 'f', 2, 64) }})
		case Buchholz:
			list = append(list, column{"Bh", 7, func(r Row) string { return FormatPoints(r.Buchholz) }})
		}
	}
	return list
}

// summary says what holds for all players, and what the columns mean.
func (t *Table) summary(los bool) []string {
	played := text.Count(t.Games, "game")
	if t.Voids > 0 {
		played += fmt.Sprintf(" and %d void, which do not count", t.Voids)
	}
	played += fmt.Sprintf("; whoever moved first: +%d =%d -%d", t.First.Wins, t.First.Draws, t.First.Losses)
	if t.Rated && t.Games > 0 {
		first := t.FirstMove()
		played += fmt.Sprintf(", which is worth %s ± %s Elo", rating.Signed(first.Value, 0), first.Margin(0))
	}
	if !t.Rated {
		return []string{played}
	}
	elo := "Elo: difference to the mean of all, ± at 95 %."
	if los {
		elo += " LOS: likelihood, in %, to be stronger than the next."
	}
	return []string{played, elo}
}

// FormatPoints writes points, which are halves.
func FormatPoints(p float64) string { return strconv.FormatFloat(p, 'f', 1, 64) }

// inLine is a name as part of a line: no tab moves what follows.
func inLine(name string) string { return strings.ReplaceAll(text.Printable(name), "\t", " ") }

// Cut shortens text to a width on the screen, and says so.
func Cut(line string, width int) string {
	if uniseg.StringWidth(line) <= width {
		return line
	}
	kept, used := "", 0
	for g := uniseg.NewGraphemes(line); g.Next() && used+g.Width() < width; used += g.Width() {
		kept += g.Str()
	}
	return kept + "…"
}

// pad fills text with blanks up to a width on the screen.
func pad(cell string, width int, right bool) string {
	blanks := strings.Repeat(" ", max(width-uniseg.StringWidth(cell), 0))
	if right {
		return blanks + cell
	}
	return cell + blanks
}

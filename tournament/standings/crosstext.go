package standings

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// CrossText writes the cross-table for a terminal: what each player scored against each other, of so
// many games; the columns are the players by rank. If it is wider than width, the last columns are
// left out, and a line says so; 0: it may be as wide as it is.
func (t *Table) CrossText(w io.Writer, width int) error {
	n := len(t.Rows)
	place := len(strconv.Itoa(n))
	name, cell := len("player"), place
	for _, r := range t.Rows {
		name = max(name, uniseg.StringWidth(inLine(r.Name)))
	}
	entries := make([][]string, n)
	for i, r := range t.Rows {
		for j, other := range t.Rows {
			entry := "·"
			if c := t.Cell(r.Player, other.Player); i != j && c.Games > 0 {
				entry = fmt.Sprintf("%s/%d", strconv.FormatFloat(c.Points, 'f', -1, 64), c.Games)
			}
			cell = max(cell, uniseg.StringWidth(entry))
			entries[i] = append(entries[i], entry)
		}
	}
	shown := n
	if width > 0 {
		name = min(name, max(minName, width-place-len(between)-n*(len(between)+cell)))
		shown = max(min(n, (width-place-len(between)-name)/(len(between)+cell)), 0)
	}
	var b strings.Builder
	line := func(first, player string, entry func(j int) string) {
		b.WriteString(pad(first, place, true) + between + pad(Cut(player, name), name, false))
		for j := range shown {
			b.WriteString(between + pad(entry(j), cell, true))
		}
		b.WriteByte('\n')
	}
	line("#", "player", func(j int) string { return strconv.Itoa(j + 1) })
	for i, r := range t.Rows {
		line(strconv.Itoa(r.Rank), inLine(r.Name), func(j int) string { return entries[i][j] })
	}
	if shown < n {
		fmt.Fprintf(&b, "(%d of %d columns; the others do not fit)\n", shown, n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

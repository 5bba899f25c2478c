package page

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/picture"
)

// Lost draws the pieces of a side that are gone, as far as the eyes know them: looks that are rarer than at the beginning. No more
// are drawn than are missing, since a piece that is revealed, or promoted, looks different, too.
func (m Match) Lost(number int) string {
	var then, now []picture.Piece
	for _, p := range m.Film.Pieces(m.Eyes, 0) {
		if p.Side == number {
			then = append(then, p)
		}
	}
	there := map[string]int{}
	for _, p := range m.Film.Pieces(m.Eyes, m.Ply) {
		if p.Side == number {
			now = append(now, p)
			there[p.Face+p.Shape]++
		}
	}
	type gone struct {
		piece picture.Piece
		n     int
	}
	var all []gone
	missing := len(then) - len(now)
	for _, p := range then {
		if there[p.Face+p.Shape]--; there[p.Face+p.Shape] >= 0 || missing <= 0 {
			continue
		}
		missing--
		at := slices.IndexFunc(all, func(g gone) bool { return g.piece.Face+g.piece.Shape == p.Face+p.Shape })
		if at < 0 {
			at, all = len(all), append(all, gone{piece: p})
		}
		all[at].n++
	}
	b := m.Film.Board()
	still := picture.Board{Squares: []picture.Square{{}}}
	var s strings.Builder
	for _, g := range all {
		times, label := "", picture.Escape(g.piece.Name)
		if g.n > 1 {
			times, label = fmt.Sprintf(`<small aria-hidden="true">×%d</small>`, g.n), fmt.Sprintf("%d × %s", g.n, label)
		}
		g.piece.Square = 0
		fmt.Fprintf(&s, `<svg class="board" role="img" aria-label="%s" viewBox="%d %d %d %d">%s</svg>%s`, label, -b.Cell[0]/2, -b.Cell[1]/2, b.Cell[0], b.Cell[1], still.Piece(g.piece, number == 2), times)
	}
	return s.String()
}

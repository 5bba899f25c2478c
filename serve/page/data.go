package page

import (
	"strings"

	"luzhanqi/serve/film"
)

// briefPly is a move as the page's data have it: what the script can tell itself is left out.
type briefPly struct {
	Side  int     `json:"side"`
	Trace []int   `json:"trace,omitempty"`
	Text  string  `json:"text,omitempty"` // empty: as Short
	Short string  `json:"short"`
	Took  float64 `json:"ms"`
	Said  string  `json:"said,omitempty"`
}

func briefPlies(plies []film.Ply) []briefPly {
	all := make([]briefPly, len(plies))
	for i, p := range plies {
		all[i] = briefPly{p.Side, p.Trace, p.Text, p.Short, p.Took, p.Said}
		if p.Text == p.Short {
			all[i].Text = ""
		}
	}
	return all
}

// changes are frames as the page's data have them: the first as it is, and of each other one what differs from the one before, a
// square and what is on it by turns, squares numbered as faces are.
func changes(frames map[film.Eyes][]film.Frame) map[film.Eyes][]string {
	all := map[film.Eyes][]string{}
	for eyes, of := range frames {
		var before []rune
		for _, frame := range of {
			now := []rune(frame)
			if before == nil {
				all[eyes] = append(all[eyes], string(frame))
			} else {
				var s strings.Builder
				for sq := range now {
					if now[sq] != before[sq] {
						s.WriteRune(rune(film.FirstFace + sq))
						s.WriteRune(now[sq])
					}
				}
				all[eyes] = append(all[eyes], s.String())
			}
			before = now
		}
	}
	return all
}

package hiddeninfo

import (
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// repair drops what does not fit: beginning with the army's composition alone, it takes in fact
// after fact, the most trusted kinds first, and leaves out each with which no assignment is left.
// The error names those.
func repair(a *army, side game.Side) (masks [Pieces]Mask, dropped error) {
	for p := range masks {
		masks[p] = AnyRank
	}
	const maxNamed = 3
	var names []string
	n := 0
	for kind := range a.facts {
		for p := range a.facts[kind] {
			before := masks[p]
			if before&^a.facts[kind][p] == 0 {
				continue
			}
			masks[p] &= a.facts[kind][p]
			if fits(&masks) {
				continue
			}
			masks[p] = before
			if n++; n <= maxNamed {
				names = append(names, fmt.Sprintf("%s of the piece from %s", factNames[kind], luzhanqi.SquareName(Piece(p).home(side))))
			}
		}
	}
	text := strings.Join(names, ", ")
	if n > maxNamed {
		text += fmt.Sprintf(" and %d more", n-maxNamed)
	}
	return masks, fmt.Errorf("%s", text)
}

// fits says whether there is any assignment: a matching of pieces with places in the army, one
// augmenting path after another.
func fits(masks *[Pieces]Mask) bool {
	m := matching{masks: masks}
	for p := range masks {
		m.tried = 0
		if !m.place(p) {
			return false
		}
	}
	return true
}

type matching struct {
	masks *[Pieces]Mask
	holds [rankCodes][]int // pieces by rank
	tried Mask
}

// place gives the piece a rank, if need be one from which another piece can move on.
func (m *matching) place(p int) bool {
	for ranks := m.masks[p] & AnyRank &^ m.tried; ranks != 0; ranks &= ranks - 1 {
		rank := ranks.first()
		if m.tried.Has(rank) {
			continue
		}
		m.tried |= Only(rank)
		if len(m.holds[rank]) < luzhanqi.Count(rank) {
			m.holds[rank] = append(m.holds[rank], p)
			return true
		}
		for i, q := range m.holds[rank] {
			if m.place(q) {
				m.holds[rank][i] = p
				return true
			}
		}
	}
	return false
}

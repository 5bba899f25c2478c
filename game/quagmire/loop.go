package quagmire

import (
	"luzhanqi/game"
)

// A jump over an enemy piece must cross a closed loop of enemy pieces, in which walls count as
// pieces and a diagonal contact leaks: the squares before and behind the jump lie in different
// parts of the board without that colour's pieces, where squares are joined to all eight around
// them. The jumper's own pieces do not close anything.

// seals returns, by axis, the enemy pieces over which a jump along the axis is not refuted by the
// squares right around them: no step or two past the piece joins both sides of it. Few pieces
// pass, and only for these is the whole board looked at.
func seals(enemy Squares) [4]Squares {
	north, south := enemy>>8, enemy<<8 // the squares with an enemy to the north …
	east, west := enemy>>1&^columnH, enemy<<1&^columnA
	return [4]Squares{
		horizontal: enemy & (north | row8) & (south | row1),
		vertical:   enemy & (east | columnH) & (west | columnA),
		rising:     enemy & (west | north) & (south | east),
		falling:    enemy & (west | south) & (north | east),
	}
}

// enclosure is the last part of the board that was filled, kept for the next jump of the same position.
type enclosure struct{ inside Squares }

// between says whether a closed loop lies between two squares that have no enemy on them.
func (e *enclosure) between(a, b game.Square, enemy Squares) bool {
	if !e.inside.Has(a) {
		e.inside = flood(a, ^enemy)
	}
	return !e.inside.Has(b)
}

// flood returns the part of open that is joined to sq.
func flood(sq game.Square, open Squares) Squares {
	reached := Bit(sq)
	for {
		next := reached.Around() & open
		if next == reached {
			return reached
		}
		reached = next
	}
}

// leak returns a shortest way from one square to another around the enemy, both included; nil if
// a closed loop lies between them.
func leak(from, to game.Square, enemy Squares) []game.Square {
	rings := []Squares{Bit(to)} // by distance from the end
	for !rings[len(rings)-1].Has(from) {
		last := rings[len(rings)-1]
		next := last.Around() &^ enemy
		if next == last {
			return nil
		}
		rings = append(rings, next)
	}
	way := []game.Square{from}
	for i := len(rings) - 2; i >= 0; i-- {
		way = append(way, (Bit(way[len(way)-1]).Around() & rings[i]).First())
	}
	return way
}

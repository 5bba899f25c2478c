package quagmire

import (
	"math/bits"

	"luzhanqi/game"
)

// lines are the four lines through one square, each split at it into the squares with lower and
// with higher numbers.
type lines [4]struct{ below, above Squares }

var linesThrough = makeLines()

func makeLines() (table [squareCount]lines) {
	for n := range table {
		for i, step := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			table[n][i].above = ray(n, step[0], step[1])
			table[n][i].below = ray(n, -step[0], -step[1])
		}
	}
	return table
}

// ray is every square in one direction from n to the wall.
func ray(n, right, up int) (s Squares) {
	column, row := n%columns+right, n/columns+up
	for ; column >= 0 && column < columns && row >= 0 && row < columns; column, row = column+right, row+up {
		s |= Bit(game.Square(row*columns + column))
	}
	return s
}

// slides returns the empty squares to which a piece on sq can slide.
func slides(sq game.Square, occupied Squares) (s Squares) {
	l := &linesThrough[sq&63]
	s = straight(l[0].below, l[0].above, occupied) | straight(l[1].below, l[1].above, occupied) |
		straight(l[2].below, l[2].above, occupied) | straight(l[3].below, l[3].above, occupied)
	return s &^ occupied
}

// straight returns the squares of one line up to the nearest piece on each side, that one included.
//
// Subtracting the nearest below (its highest bit, or the lowest of all if there is none) borrows
// from the nearest above, so that the bits from the one to the other change: known from chess
// programs as the obstruction difference.
func straight(below, above, occupied Squares) Squares {
	low := Squares(1) << (63 - uint(bits.LeadingZeros64(uint64(below&occupied|1))))
	high := above & occupied
	return (high ^ (high - low)) & (below | above)
}

// direction is one of the eight in which a piece jumps.
type direction struct {
	shift int     // of the number of the square, one step on
	from  Squares // the squares from which two steps do not leave the board
	axis  axis
}

// axis is the line of a direction and its opposite; both its ends must be closed to seal it.
type axis uint8

const (
	horizontal axis = iota
	vertical
	rising  // parallel to a1–h8
	falling // parallel to a8–h1
)

var directions = [8]direction{
	{1, west6, horizontal},
	{-1, east6, horizontal},
	{8, south6, vertical},
	{-8, north6, vertical},
	{9, west6 & south6, rising},
	{-9, east6 & north6, rising},
	{7, east6 & south6, falling},
	{-7, west6 & north6, falling},
}

const (
	west6  = ^(columnH | columnH>>1)
	east6  = ^(columnA | columnA<<1)
	south6 = ^(row8 | row8>>8)
	north6 = ^(row1 | row1<<8)
)

func rotate(s Squares, n int) Squares { return Squares(bits.RotateLeft64(uint64(s), n)) }

// Moves appends the legal moves of a side to dst: slides by the square from which they start, then
// jumps by direction. If own pieces in Quagmire can move, only theirs are legal.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	own, enemy := b.of[side&1], b.of[side&1^1]
	movers := own &^ Bit(b.last[side&1])
	if stuck := b.Quagmired(side) & movers; stuck != 0 { // only jumps can free them
		none := len(dst)
		if dst = jumps(stuck, own, enemy, dst); len(dst) > none {
			return dst
		}
	}
	occupied := own | enemy
	for left := movers; left != 0; left &= left - 1 {
		from := left.First()
		for to := slides(from, occupied); to != 0; to &= to - 1 {
			dst = append(dst, game.Move{From: from, To: to.First()})
		}
	}
	return jumps(movers, own, enemy, dst)
}

// jumps appends the jumps of the movers.
func jumps(movers, own, enemy Squares, dst []game.Move) []game.Move {
	empty := ^(own | enemy)
	sealed := seals(enemy)
	var shut enclosure
	for i := range directions {
		d := &directions[i]
		over := rotate(own|sealed[d.axis], -d.shift)
		for left := movers & d.from & over & rotate(empty, -2*d.shift); left != 0; left &= left - 1 {
			from := left.First()
			at := game.Square(int(from) + d.shift)
			m := game.Move{From: from, To: game.Square(int(from) + 2*d.shift)}
			if enemy.Has(at) && !shut.between(m.From, m.To, enemy) {
				continue
			}
			dst = append(dst, m)
		}
	}
	return dst
}

// HasMove says whether a side has any legal move.
func (b *Board) HasMove(side game.Side) bool {
	own, enemy := b.of[side&1], b.of[side&1^1]
	movers := own &^ Bit(b.last[side&1])
	if movers&Around(^(own|enemy)) != 0 { // someone can step
		return true
	}
	var room [8 * 10]game.Move // enough for ten pieces
	return len(jumps(movers, own, enemy, room[:0])) > 0
}

// Legal says whether a side may play m.
func (b *Board) Legal(side game.Side, m game.Move) bool { return b.Why(side, m) == nil }

// jumped returns the square that lies between from and to in the middle of a line of three; false
// if they do not lie so.
func jumped(m game.Move) (game.Square, bool) {
	for i := range directions {
		d := &directions[i]
		if d.from.Has(m.From) && int(m.To) == int(m.From)+2*d.shift {
			return game.Square(int(m.From) + d.shift), true
		}
	}
	return NoSquare, false
}

// EnemyJump says whether the legal move m of a side is a jump over an enemy piece.
func (b *Board) EnemyJump(side game.Side, m game.Move) bool {
	over, ok := jumped(m)
	return ok && b.Of(side.Other()).Has(over)
}

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
		next := Around(reached) & open
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
		next := Around(last) &^ enemy
		if next == last {
			return nil
		}
		rings = append(rings, next)
	}
	way := []game.Square{from}
	for i := len(rings) - 2; i >= 0; i-- {
		way = append(way, (Around(Bit(way[len(way)-1])) & rings[i]).First())
	}
	return way
}

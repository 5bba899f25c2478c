package jungle

import (
	"math/bits"

	"luzhanqi/game"
)

// The four directions in the referee's order.
const (
	left = iota
	right
	up
	down
)

var directions = [4]struct{ dx, dy int }{left: {-1, 0}, right: {1, 0}, up: {0, -1}, down: {0, 1}}

// Jump is a way over the water for a lion or a tiger.
type Jump struct {
	To   game.Square
	Over Squares // the water between; any piece in it is in the way
}

var (
	steps = makeSteps() // by square
	jumps = makeJumps() // by square; in the referee's order
	// By square and by the set of directions, bit left to bit down: the moves, in the referee's order.
	stepMoves = makeStepMoves()
	reach     = makeReach() // by side, kind and square
)

// Steps returns the squares beside sq.
func Steps(sq game.Square) Squares { return steps[sq&63] }

// Jumps returns the ways over the water from sq, in the referee's order. It must not be changed.
func Jumps(sq game.Square) []Jump { return jumps[sq&63] }

// Reach returns where a side's piece of a kind could move from sq on an empty board: steps and
// jumps, but not into its own den.
func Reach(side game.Side, k Kind, sq game.Square) Squares { return reach[side&1][k&7][sq&63] }

func makeSteps() (table [64]Squares) {
	for sq := range game.Square(squareCount) {
		for d := range directions {
			if to, ok := beside(sq, d); ok {
				table[sq] |= Bit(to)
			}
		}
	}
	return table
}

func beside(sq game.Square, direction int) (game.Square, bool) {
	x, y := XY(sq)
	x, y = x+directions[direction].dx, y+directions[direction].dy
	return At(x, y), x >= 0 && x < columns && y >= 0 && y < rows
}

func makeJumps() (table [64][]Jump) {
	for sq := range game.Square(squareCount) {
		order := []int{left, right, up, down}
		if _, y := XY(sq); y == 4 || y == 5 {
			// Programs play "the last move" and mean it: in the referee's lists the jump to the right
			// precedes the jump to the left in these two rows, and follows it in row 3. A hash map
			// orders them there; only "3 3", "3 4" and "3 5" have two jumps at all.
			order = []int{right, left, up, down}
		}
		for _, d := range order {
			over := Squares(0)
			to, ok := beside(sq, d)
			for ok && Water.Has(to) {
				over |= Bit(to)
				to, ok = beside(to, d)
			}
			if over != 0 && !Water.Has(sq) {
				table[sq] = append(table[sq], Jump{To: to, Over: over})
			}
		}
	}
	return table
}

func makeStepMoves() (table [64][16][4]game.Move) {
	for sq := range game.Square(squareCount) {
		for set := range table[sq] {
			n := 0
			for d := range directions {
				if to, ok := beside(sq, d); ok && set>>d&1 != 0 {
					table[sq][set][n] = game.Move{From: sq, To: to}
					n++
				}
			}
		}
	}
	return table
}

// directionsTo returns the set of directions, as in stepMoves, that lead from sq to the squares in
// to, all of which must be beside sq.
func directionsTo(sq game.Square, to Squares) uint64 {
	around := bits.RotateLeft64(uint64(to), columns-int(sq)) // bit 7 is sq itself
	return around>>6&1 | around>>7&2 | around<<2&4 | around>>11&8
}

func makeReach() (table [2][Kinds][64]Squares) {
	for side := range table {
		for k := range Kind(Kinds) {
			for sq := range game.Square(squareCount) {
				to := steps[sq] & enters(game.Side(side), k)
				for _, j := range jumps[sq] {
					if k.jumps() {
						to |= Bit(j.To)
					}
				}
				table[side][k][sq] = to
			}
		}
	}
	return table
}

// jumps says whether the animal jumps over water.
func (k Kind) jumps() bool { return k == Lion || k == Tiger }

// enters are the squares on which a side's piece may ever stand.
func enters(side game.Side, k Kind) Squares {
	s := EverySquare &^ Bit(Den(side))
	if k != Rat {
		s &^= Water
	}
	return s
}

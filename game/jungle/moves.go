package jungle

import (
	"math/bits"
	"slices"

	"luzhanqi/game"
)

// MaxMoves is the most moves that a side can have: four for each piece, since a jump takes the place
// of a step.
const MaxMoves = 4 * Kinds

// Moves appends the moves of a side to dst in the referee's order: piece by piece in the order of
// the kinds; for each the steps left, right, up and down; then its jumps. It does not look whether
// the game is over; see Winner. With room for MaxMoves in dst it does not allocate.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	side &= 1
	n := len(dst)
	dst = slices.Grow(dst, MaxMoves)[:n+MaxMoves]
	occupied := b.of[0] | b.of[1]
	prey := b.prey(side)
	word := b.squares[side]
	for k := range prey {
		code := game.Square(word & 63)
		word >>= 8
		if code == 0 {
			continue
		}
		from := code ^ Gone
		takes := prey[k]
		if b.weak.Has(from) {
			takes = b.weakened(takes, side, Kind(k))
		}
		onto := reach[side][k][from] & (^occupied | takes)
		near := onto & steps[from]
		*(*[4]game.Move)(dst[n:]) = stepMoves[from][directionsTo(from, near)]
		n += near.Len()
		if onto == near {
			continue
		}
		for _, j := range jumps[from] {
			if onto.Has(j.To) && occupied&j.Over == 0 {
				dst[n] = game.Move{From: from, To: j.To}
				n++
			}
		}
	}
	return dst[:n]
}

// HasMove says whether a side has any legal move.
func (b *Board) HasMove(side game.Side) bool {
	var room [MaxMoves]game.Move
	return len(b.Moves(side, room[:0])) > 0
}

// prey returns, by kind of the side's attacker, the squares of the enemy pieces that it may take.
// Bit 63 means nothing: it stands for those that are gone.
func (b *Board) prey(side game.Side) (of [Kinds]Squares) {
	enemy := b.squares[side^1] ^ allGone
	at := func(k Kind) Squares { return 1 << (enemy >> (k * 8) & 63) }
	trapped := b.of[side^1] & Traps
	rat, elephant := at(Rat), at(Elephant)

	of[Cat] = trapped | rat | at(Cat)
	of[Wolf] = of[Cat] | at(Wolf)
	of[Dog] = of[Wolf] | at(Dog)
	of[Panther] = of[Dog] | at(Panther)
	of[Tiger] = of[Panther] | at(Tiger)
	of[Lion] = of[Tiger] | at(Lion)
	of[Elephant] = (of[Lion]|elephant)&^rat | trapped
	of[Rat] = trapped | rat | elephant
	if Water.Has(b.Square(side, Rat)) {
		of[Rat] &= Water // from there it takes nobody on land
	}
	return of
}

// weakened returns the pieces that an attacker of kind k may still take when it has no strength: those on
// traps, which have none either, and the elephant for a rat, whatever its strength.
func (b *Board) weakened(prey Squares, side game.Side, k Kind) Squares {
	left := b.of[side^1] & Traps
	if k == Rat {
		left |= Bit(b.Square(side^1, Elephant))
	}
	return prey & left
}

// The four directions in the referee's order.
const (
	left = iota
	right
	up
	down
)

var directions = [4]struct{ dx, dy int }{left: {-1, 0}, right: {1, 0}, up: {0, -1}, down: {0, 1}}

// jump is a way over the water for a lion or a tiger.
type jump struct {
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

func makeJumps() (table [64][]jump) {
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
				table[sq] = append(table[sq], jump{To: to, Over: over})
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

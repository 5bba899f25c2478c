package chess1d

import (
	"math/bits"

	"luzhanqi/game"
)

// Moves appends the legal moves of a side to dst, by the square from which they start and the square
// to which they go. It does not ask whether the game is over.
func (b *Board) Moves(side game.Side, dst []game.Move) []game.Move {
	of := b.occupied()
	free, enemy := ^(of[0] | of[1]), of[side.Other()]
	for n, letter := range b {
		code := pieceCodes[letter]
		if code == noPiece || game.Side(code>>3) != side {
			continue
		}
		t := &targetsOf[code&15][n]
		for to := t.moves&free | t.captures&enemy; to != 0; to &= to - 1 {
			dst = append(dst, game.Move{From: game.Square(n), To: game.Square(bits.TrailingZeros16(uint16(to)))})
		}
	}
	return dst
}

func (b *Board) hasMove(side game.Side) bool { return len(b.Moves(side, make([]game.Move, 0, 16))) > 0 }

// leaps are the distances at which the upright piece of a pair moves to an empty square and at which
// it captures, forward being positive. The reversed piece has the same backward.
var leaps = [pairs]struct{ moves, captures []int }{
	{moves: []int{1}, captures: []int{2}},         // footman
	{moves: []int{2, 3, -1}, captures: []int{-1}}, // horse
	{moves: []int{1, -2}, captures: []int{4}},     // archer: the text counts, not the collapsed diagram
	{moves: []int{-1}, captures: []int{-1}},       // king
}

// targets are the squares that a piece of a kind and side, standing on a square, can reach.
type targets struct{ moves, captures Squares }

var (
	pieceCodes = makePieceCodes() // by letter: kind + 8·side
	targetsOf  = makeTargets()    // by kind + 8·side, then square
)

func makeTargets() (table [16][Size]targets) {
	for code := range table {
		direction := 1
		if code&1 != 0 {
			direction = -direction // reversed
		}
		if code&8 != 0 {
			direction = -direction // player 2 marches towards square 0
		}
		piece := leaps[code&7/2]
		for sq := range table[code] {
			reach := func(distances []int) (set Squares) {
				for _, d := range distances {
					if to := sq + direction*d; to >= 0 && to < Size {
						set |= Bit(game.Square(to))
					}
				}
				return set
			}
			table[code][sq] = targets{reach(piece.moves), reach(piece.captures)}
		}
	}
	return table
}

// Reach returns the squares to which a piece can move if they are empty, and those on which it can
// capture; letter is a small one for player 1, a capital for player 2. A blank reaches nothing.
func Reach(letter byte, sq game.Square) (moves, captures Squares) {
	code := pieceCodes[letter]
	if code == noPiece || sq >= Size {
		return 0, 0
	}
	t := &targetsOf[code][sq]
	return t.moves, t.captures
}

package chess1d

import (
	"luzhanqi/game"
)

// Board is the pieces by square: a letter of Letters for player 1, a capital for player 2, a blank
// for an empty square. ParseBoard and Deploy make one; the zero value is no board.
type Board [Size]byte

// Turn returns the board as the other side sees it: reversed, with small letters and capitals swapped.
func (b Board) Turn() (turned Board) {
	for n, letter := range b {
		turned[Size-1-n] = swapCase(letter)
	}
	return turned
}

// InFrame returns the board as side sees it, its own pieces small and going right.
func (b Board) InFrame(side game.Side) Board {
	if side == game.Second {
		return b.Turn()
	}
	return b
}

// occupied returns the squares of each side.
func (b *Board) occupied() (of [2]Squares) {
	for n, letter := range b {
		if _, side, ok := kindOf(letter); ok {
			of[side] |= Bit(game.Square(n))
		}
	}
	return of
}

// HasRoyal says whether a side's king or queen is on the board.
func (b *Board) HasRoyal(side game.Side) bool {
	for _, letter := range b {
		if k, owner, ok := kindOf(letter); ok && owner == side && k.royal() {
			return true
		}
	}
	return false
}

// Play makes a move, which must be legal, and says whether it captured a piece, and a royal one.
func (b *Board) Play(m game.Move) (captured, royal bool) {
	k, _, captured := kindOf(b[m.To])
	b[m.To], b[m.From] = b[m.From], ' '
	return captured, captured && k.royal()
}

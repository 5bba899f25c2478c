package chess1d

import (
	"fmt"
	"math/bits"

	"luzhanqi/game"
)

// Squares is a set of squares: bit n stands for square n.
type Squares uint16

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 15) }

// Has says whether sq is in the set.
func (s Squares) Has(sq game.Square) bool { return s>>(sq&15)&1 != 0 }

// Board is the pieces by square: a letter of Letters for player 1, a capital for player 2, a blank
// for an empty square. ParseBoard and Deploy make one; the zero value is no board.
type Board [Size]byte

// ParseBoard reads exactly fifteen characters. Each side may have at most one piece of each pair.
func ParseBoard(text string) (b Board, err error) {
	if len(text) != Size {
		return b, fmt.Errorf("board %.40q has %d characters, must have %d (blanks are squares)", text, len(text), Size)
	}
	var found [2][pairs]byte
	for n := range b {
		letter := text[n]
		b[n] = letter
		if letter == ' ' {
			continue
		}
		k, side, ok := kindOf(letter)
		if !ok {
			return b, fmt.Errorf("board %q: square %c holds %q: allowed are %s, the same as capitals, and blank",
				text, squareNames[n], letter, Letters)
		}
		if other := found[side][k/2]; other != 0 {
			return b, fmt.Errorf("board %q: player %v has both %c and %c, of which there is one in an army", text, side, other, letter)
		}
		found[side][k/2] = letter
	}
	return b, nil
}

// String writes the fifteen characters.
func (b Board) String() string { return string(b[:]) }

// Turn returns the board as the other side sees it: reversed, with small letters and capitals swapped.
func (b Board) Turn() (turned Board) {
	for n, letter := range b {
		turned[Size-1-n] = swapCase(letter)
	}
	return turned
}

// In returns the board as side sees it, its own pieces small and going right.
func (b Board) In(side game.Side) Board {
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

// Play makes a move, which must be legal, and says whether it captured a piece, and a royal one.
func (b *Board) Play(m game.Move) (captured, royal bool) {
	k, _, captured := kindOf(b[m.To])
	b[m.To], b[m.From] = b[m.From], ' '
	return captured, captured && k.royal()
}

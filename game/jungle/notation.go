package jungle

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
)

// ParseBoard reads "E06 L68 … r02": letter (a capital is red), x and y of each piece, separated by
// blanks, in any order. It refuses what no game can reach: two pieces on a square, a piece twice,
// in the water if it is no rat, in its own den, and both dens entered.
func ParseBoard(text string, r Reading) (Board, error) {
	b := Empty(r)
	for unit := range strings.FieldsSeq(text) {
		side, k, sq, err := parseUnit(unit)
		if err != nil {
			return Board{}, fmt.Errorf("%.20q: %w", unit, err)
		}
		switch {
		case b.Occupied().Has(sq):
			err = fmt.Errorf("%s is filled twice", SquareName(sq))
		case b.Square(side, k) != Gone:
			err = fmt.Errorf("%s's %v is there twice", Color(side), k)
		case sq == Den(side):
			err = fmt.Errorf("%s is %s's own den", SquareName(sq), Color(side))
		case Water.Has(sq) && k != Rat:
			err = fmt.Errorf("%s is water, allowed for rats only", SquareName(sq))
		}
		if err != nil {
			return Board{}, fmt.Errorf("%.20q: %w", unit, err)
		}
		b.Put(sq, side, k)
	}
	if b.of[game.First].Has(BlueDen) && b.of[game.Second].Has(RedDen) {
		return Board{}, fmt.Errorf("%.100q: both dens are entered", text)
	}
	return b, nil
}

func parseUnit(unit string) (game.Side, Kind, game.Square, error) {
	if len(unit) != 3 {
		return 0, 0, 0, fmt.Errorf("must be a letter, x and y, such as E06")
	}
	side, k, err := parseLetter(unit[0])
	if err != nil {
		return 0, 0, 0, err
	}
	x, y := int(unit[1])-'0', int(unit[2])-'0'
	if x < 0 || x >= columns || y < 0 || y >= rows {
		return 0, 0, 0, fmt.Errorf("x must be 0 to %d, y 0 to %d", columns-1, rows-1)
	}
	return side, k, At(x, y), nil
}

// String writes the board as ParseBoard reads it, in the order of the referee's list.
func (b *Board) String() string {
	var text strings.Builder
	for _, side := range []game.Side{game.First, game.Second} {
		for k := range Kind(Kinds) {
			sq := b.Square(side, k)
			if sq == Gone {
				continue
			}
			if text.Len() > 0 {
				text.WriteByte(' ')
			}
			x, y := XY(sq)
			fmt.Fprintf(&text, "%c%d%d", k.Letter(side), x, y)
		}
	}
	return text.String()
}

// errForm says what an answer looks like.
var errForm = errors.New("allowed is a move such as 1 7 1 6: x1 y1 x2 y2 separated by single blanks, x 0 to 6 and y 0 to 8")

// cutMove reads the move at the start of text, and returns what follows it. The four numbers have
// one digit each, so the move has seven bytes.
func cutMove(text string) (m game.Move, rest string, err error) {
	if len(text) < 7 || text[1] != ' ' || text[3] != ' ' || text[5] != ' ' {
		return m, "", errForm
	}
	var xy [4]int
	for i := range xy {
		d := int(text[2*i]) - '0'
		if d < 0 || d > 9 {
			return m, "", errForm
		}
		if d > 8 || i%2 == 0 && d > 6 {
			return m, "", fmt.Errorf("%d is out of range: %w", d, errForm)
		}
		xy[i] = d
	}
	return game.Move{From: At(xy[0], xy[1]), To: At(xy[2], xy[3])}, text[7:], nil
}

// SquareName writes a square as programs do, such as "3 8".
func SquareName(sq game.Square) string {
	if sq >= squareCount {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	x, y := XY(sq)
	return fmt.Sprintf("%d %d", x, y)
}

// MoveName writes a move as programs do, such as "1 7 1 6".
func MoveName(m game.Move) string { return SquareName(m.From) + " " + SquareName(m.To) }

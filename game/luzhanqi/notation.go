package luzhanqi

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
)

// SquareName writes a square as people do, such as A6.
func SquareName(sq game.Square) string {
	if sq >= squareCount {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	return squareNames[sq]
}

// ParseSquare reads A1 to E12; it accepts no small letters, blanks or leading zeros.
func ParseSquare(s string) (game.Square, error) {
	sq, ok := squareByName[s]
	if !ok {
		return 0, fmt.Errorf("square %s: allowed are A1 to E12", text.Quote(s, 20))
	}
	return sq, nil
}

// MoveName writes a move as the oracle files do, such as "A6 A7".
func MoveName(m game.Move) string { return SquareName(m.From) + " " + SquareName(m.To) }

var squareNames, squareByName = makeSquareNames()

func makeSquareNames() (names [squareCount]string, byName map[string]game.Square) {
	byName = map[string]game.Square{}
	for n := range names {
		names[n] = fmt.Sprintf("%c%d", 'A'+n%columns, n/columns+1)
		byName[names[n]] = game.Square(n)
	}
	return names, byName
}

// ParseBoard reads "A1:L1 B1:31 …": square, rank and owner of each piece, separated by blanks, in
// any order. Any pieces may stand anywhere: a board is not a position that a game can reach.
func ParseBoard(s string) (Board, error) {
	var b Board
	for field := range strings.FieldsSeq(s) {
		if err := b.putField(field); err != nil {
			return Board{}, fmt.Errorf("%s: %w", text.Quote(field, 20), err)
		}
	}
	return b, nil
}

func (b *Board) putField(field string) error {
	name, piece, ok := strings.Cut(field, ":")
	if !ok || len(piece) != 2 {
		return errors.New("must be a square, a colon, a piece and its owner, such as A6:91")
	}
	sq, err := ParseSquare(name)
	if err != nil {
		return err
	}
	rank, err := ParseRank(piece[0])
	if err != nil {
		return err
	}
	side, err := game.ParseSide(piece[1:])
	if err != nil {
		return err
	}
	if b.Occupied().Has(sq) {
		return fmt.Errorf("%s is filled twice", name)
	}
	b.Put(sq, side, rank)
	return nil
}

// String writes the board as ParseBoard reads it, by rows from row 1, each from A to E.
func (b *Board) String() string {
	var text strings.Builder
	for sq := range b.Occupied().All() {
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		side, rank, _ := b.At(sq)
		fmt.Fprintf(&text, "%s:%c%v", SquareName(sq), rank.Letter(), side)
	}
	return text.String()
}

// ParseRank reads a letter.
func ParseRank(letter byte) (Rank, error) {
	if letter != 0 {
		for r, entry := range rankTable {
			if entry.letter == letter {
				return Rank(r), nil
			}
		}
	}
	return None, fmt.Errorf("piece %s: allowed are 1 to 9, B, L and F", text.Quote(string([]byte{letter}), 20))
}

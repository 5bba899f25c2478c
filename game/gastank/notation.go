package gastank

import (
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
	return string([]byte{'A' + byte(sq%Files), '1' + byte(sq/Files)})
}

// ParseSquare reads A1 to H7; small letters are not accepted.
func ParseSquare(s string) (game.Square, error) {
	if len(s) != 2 || s[0] < 'A' || s[0] > 'H' || s[1] < '1' || s[1] > '7' {
		return 0, fmt.Errorf("square %s: allowed are A1 to H7", text.Quote(s, 40))
	}
	return game.Square(s[1]-'1')*Files + game.Square(s[0]-'A'), nil
}

// MoveName writes a move as the seed does, such as A3D6.
func MoveName(m game.Move) string { return SquareName(m.From) + SquareName(m.To) }

// ParseMove reads what MoveName writes.
func ParseMove(s string) (game.Move, error) {
	if len(s) != 4 {
		return game.Move{}, fmt.Errorf("move %s: allowed are two squares without a blank, such as A3D6", text.Quote(s, 40))
	}
	from, err := ParseSquare(s[:2])
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", text.Quote(s, 40), err)
	}
	to, err := ParseSquare(s[2:])
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", text.Quote(s, 40), err)
	}
	return game.Move{From: from, To: to}, nil
}

// ParseTypedMove is ParseMove for what programs and people type: small letters and blanks are taken too.
func ParseTypedMove(text string) (game.Move, error) {
	const maxBytes = 40 // longer texts are no moves; they are refused before they are copied
	if len(text) > maxBytes {
		return ParseMove(text)
	}
	joined := strings.ToUpper(strings.Join(strings.Fields(text), ""))
	if m, err := ParseMove(joined); err == nil {
		return m, nil
	}
	return ParseMove(strings.TrimSpace(text)) // the error names what was typed
}

// ParseBoard reads the notation of the oracle and of the seed: ranks from 7 down, separated by "/",
// each of 8 cells from A, separated by blanks; a cell is "--" or a piece and its gas, such as q3.
// Small letters are player 1's, who plays up. A side has at most one king, and one side has one.
func ParseBoard(s string) (Board, error) {
	var b Board
	if len(s) > 4*squareCount {
		return b, fmt.Errorf("board %s: has %d characters, expected %d", text.Quote(s, 40), len(s), 3*squareCount-1)
	}
	rows := strings.Split(s, "/")
	if len(rows) != Ranks {
		return Board{}, fmt.Errorf("board %s: has %d ranks separated by \"/\", expected %d", text.Quote(s, 40), len(rows), Ranks)
	}
	for i, row := range rows {
		cells := strings.Fields(row)
		if len(cells) != Files {
			return Board{}, fmt.Errorf("rank %d %s: has %d cells, expected %d", Ranks-i, text.Quote(row, 40), len(cells), Files)
		}
		for file, cell := range cells {
			sq := game.Square((Ranks-1-i)*Files + file)
			if err := b.putCell(sq, cell); err != nil {
				return Board{}, fmt.Errorf("%s: %w", SquareName(sq), err)
			}
		}
	}
	kings := [2]int{(b.With(King) & b.of[0]).Len(), (b.With(King) & b.of[1]).Len()}
	if max(kings[0], kings[1]) > 1 || kings[0]+kings[1] == 0 {
		return Board{}, fmt.Errorf("board has %d kings k and %d kings K, allowed is one of each, or one of them captured", kings[0], kings[1])
	}
	return b, nil
}

func (b *Board) putCell(sq game.Square, cell string) error {
	if cell == "--" {
		return nil
	}
	if len(cell) == 2 {
		side, kind := ParseLetter(cell[0])
		if gas := int(cell[1]) - '0'; kind != None && gas >= 0 && gas <= FullTank {
			b.Put(sq, side, kind, gas)
			return nil
		}
	}
	return fmt.Errorf("cell %s: allowed are -- or one of KQBNkqbn and a digit from 0 to 3", text.Quote(cell, 40))
}

// String writes the board as ParseBoard reads it.
func (b *Board) String() string {
	var text strings.Builder
	for rank := Ranks - 1; rank >= 0; rank-- {
		for file := range Files {
			if file > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(b.cell(game.Square(rank*Files + file)))
		}
		if rank > 0 {
			text.WriteByte('/')
		}
	}
	return text.String()
}

// cell is a square in two characters.
func (b *Board) cell(sq game.Square) string {
	side, kind, gas, ok := b.At(sq)
	if !ok {
		return "--"
	}
	letter := letters[kind]
	if side == game.First {
		letter += 'a' - 'A'
	}
	return string([]byte{letter, '0' + byte(gas)})
}

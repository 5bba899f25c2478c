package quagmire

import (
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
)

// maxSeparator bounds what may stand between the two squares of a move, in bytes.
const maxSeparator = 32

var (
	errMove  = errors.New("allowed are two squares from a1 to h8, such as c2 c4, c2-c4 or c2c4")
	errThree = errors.New("it names more than two squares; " + errMove.Error())
)

// ParseMove reads a move as a program writes it: two squares, small or capital, and between them
// nothing, blanks or signs, such as "c2 c4", "c2-c4", "c2c4" or "C2, C4". Blanks around it are passed over.
func ParseMove(s string) (game.Move, error) {
	m, between, err := squares(s)
	if err == nil && strings.ContainsFunc(between, notSign) {
		err = errMove
	}
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", text.Quote(s, 40), err)
	}
	return m, nil
}

// notSign is true for what cannot stand between squares in the protocol: letters, digits, control
// codes and all beyond ASCII.
func notSign(r rune) bool {
	switch {
	case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return true
	}
	return r != '\t' && (r < ' ' || r > '~')
}

// ReadMove reads a move as a person types it: a square, any separator of up to 32 bytes, words too,
// and a square, such as "c2 c4", "C2xC4" or "c2 to c4". Only a third square is refused, since it would
// be a guess which two are meant.
func ReadMove(s string) (game.Move, error) {
	m, between, err := squares(s)
	if err == nil && namesSquare(between) {
		err = errThree
	}
	if err != nil {
		return game.Move{}, fmt.Errorf("%s: %w", text.Quote(strings.TrimSpace(s), 40), err)
	}
	return m, nil
}

// squares reads the first and the last two bytes as squares, and returns what stands between them.
func squares(text string) (m game.Move, between string, err error) {
	text = strings.TrimSpace(text)
	end := len(text) - 2
	if end < 2 || end > 2+maxSeparator {
		return m, "", errMove
	}
	from, ok := squareAt(text[0], text[1])
	to, okToo := squareAt(text[end], text[end+1])
	if !ok || !okToo {
		return m, "", errMove
	}
	return game.Move{From: from, To: to}, text[2:end], nil
}

func namesSquare(text string) bool {
	for i := 1; i < len(text); i++ {
		if _, ok := squareAt(text[i-1], text[i]); ok {
			return true
		}
	}
	return false
}

// ParseBoard reads eight rows, row 8 first, separated by "/", of eight characters O, X and . each.
// Any pieces may stand anywhere; nothing is known of last moves.
func ParseBoard(s string) (Board, error) {
	const length = columns*columns + columns - 1
	if len(s) > 10*length {
		return Board{}, fmt.Errorf("%s: allowed are %d characters", text.Quote(s, 40), length)
	}
	rows := strings.Split(s, "/")
	if len(rows) != columns {
		return Board{}, fmt.Errorf("%d rows in %s: allowed are 8, row 8 first, separated by /", len(rows), text.Quote(s, 40))
	}
	b := Board{last: [2]game.Square{NoSquare, NoSquare}}
	for i, row := range rows {
		if len(row) != columns {
			return Board{}, fmt.Errorf("row %d, %s: allowed are 8 characters", columns-i, text.Quote(row, 40))
		}
		for column := range columns {
			sq := game.Square((columns-1-i)*columns + column)
			switch row[column] {
			case 'O':
				b.of[game.First] |= Bit(sq)
			case 'X':
				b.of[game.Second] |= Bit(sq)
			case '.':
			default:
				return Board{}, fmt.Errorf("%s, %s: allowed are O, X and . (nobody)", SquareName(sq), text.Quote(row[column:column+1], 40))
			}
		}
	}
	return b, nil
}

// String writes the pieces as ParseBoard reads them.
func (b *Board) String() string {
	var text strings.Builder
	for row := columns - 1; row >= 0; row-- {
		for column := range columns {
			text.WriteByte(b.letterAt(game.Square(row*columns + column)))
		}
		if row > 0 {
			text.WriteByte('/')
		}
	}
	return text.String()
}

func (b *Board) letterAt(sq game.Square) byte {
	if side, ok := b.At(sq); ok {
		return Letter(side)
	}
	return '.'
}

// SquareName writes a square as the drawn board names it, such as c2.
func SquareName(sq game.Square) string {
	if sq >= squareCount {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	return string([]byte{'a' + byte(sq%columns), '1' + byte(sq/columns)})
}

// ParseSquare reads a1 to h8; the letter may be a capital.
func ParseSquare(s string) (game.Square, error) {
	if len(s) == 2 {
		if sq, ok := squareAt(s[0], s[1]); ok {
			return sq, nil
		}
	}
	return NoSquare, fmt.Errorf("square %s: allowed are a1 to h8", text.Quote(s, 40))
}

// squareAt is the square of a column's letter and a row's digit.
func squareAt(letter, digit byte) (game.Square, bool) {
	column, row := letter|0x20-'a', digit-'1' // bytes wrap, so what is below is far above
	if column >= columns || row >= columns {
		return NoSquare, false
	}
	return game.Square(row*columns + column), true
}

// MoveName writes a move, such as "c2 c4".
func MoveName(m game.Move) string { return SquareName(m.From) + " " + SquareName(m.To) }

// names lists the squares, such as c2 and f5, in the order of their numbers.
func squareNames(s Squares) []string {
	names := []string{}
	for sq := range s.All() {
		names = append(names, SquareName(sq))
	}
	return names
}

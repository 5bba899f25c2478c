package gastank

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"

	"luzhanqi/game"
)

// A square's number is its file (A = 0) plus eight times its rank less one, in player 1's frame: A1
// is 0, H1 is 7 and H7 is 55.
const (
	files       = 8
	ranks       = 7
	squareCount = files * ranks
)

// SquareName writes a square as people do, such as A6.
func SquareName(sq game.Square) string {
	if sq >= squareCount {
		return fmt.Sprintf("square(%d)", uint8(sq))
	}
	return string([]byte{'A' + byte(sq%files), '1' + byte(sq/files)})
}

// ParseSquare reads A1 to H7; small letters are not accepted.
func ParseSquare(text string) (game.Square, error) {
	if len(text) != 2 || text[0] < 'A' || text[0] > 'H' || text[1] < '1' || text[1] > '7' {
		return 0, fmt.Errorf("square %s: allowed are A1 to H7", quoted(text))
	}
	return game.Square(text[1]-'1')*files + game.Square(text[0]-'A'), nil
}

// MoveName writes a move as the seed does, such as A3D6.
func MoveName(m game.Move) string { return SquareName(m.From) + SquareName(m.To) }

// ParseMove reads what MoveName writes.
func ParseMove(text string) (game.Move, error) {
	if len(text) != 4 {
		return game.Move{}, fmt.Errorf("move %s: allowed are two squares without a blank, such as A3D6", quoted(text))
	}
	from, err := ParseSquare(text[:2])
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", quoted(text), err)
	}
	to, err := ParseSquare(text[2:])
	if err != nil {
		return game.Move{}, fmt.Errorf("move %s: %w", quoted(text), err)
	}
	return game.Move{From: from, To: to}, nil
}

// parseHasty is ParseMove for what programs and people type: small letters and blanks are taken too.
func parseHasty(text string) (game.Move, error) {
	const most = 40 // longer texts are no moves; they are refused before they are copied
	if len(text) > most {
		return ParseMove(text)
	}
	joined := strings.ToUpper(strings.Join(strings.Fields(text), ""))
	if m, err := ParseMove(joined); err == nil {
		return m, nil
	}
	return ParseMove(strings.TrimSpace(text)) // the error names what was typed
}

// Mirror returns the square of the same file with the ranks counted from the other side: A1 becomes
// A7. The initial position is mirrored so, not turned.
func Mirror(sq game.Square) game.Square {
	if sq >= squareCount {
		return sq
	}
	return (ranks-1-sq/files)*files + sq%files
}

// MirrorMove mirrors both squares.
func MirrorMove(m game.Move) game.Move { return game.Move{From: Mirror(m.From), To: Mirror(m.To)} }

// framed returns the move as someone sees it for whom side's men start on ranks 1 and 2.
func framed(m game.Move, side game.Side) game.Move {
	if side == game.Second {
		return MirrorMove(m)
	}
	return m
}

// Squares is a set of squares: bit n stands for square n. Bits 56 to 63 are always zero.
type Squares uint64

// Bit returns the set of one square.
func Bit(sq game.Square) Squares { return 1 << (sq & 63) }

// Has says whether sq is in the set.
func (s Squares) Has(sq game.Square) bool { return s>>(sq&63)&1 != 0 }

// Len returns the number of squares in the set.
func (s Squares) Len() int { return bits.OnesCount64(uint64(s)) }

// First returns the square with the lowest number; the set must not be empty.
func (s Squares) First() game.Square { return game.Square(bits.TrailingZeros64(uint64(s))) }

// All yields the squares in ascending order.
func (s Squares) All() iter.Seq[game.Square] {
	return func(yield func(game.Square) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// mirror turns rank 1 into rank 7: a rank is a byte, and the eighth is always empty.
func (s Squares) mirror() Squares { return Squares(bits.ReverseBytes64(uint64(s)) >> files) }

// quoted is text in quotes, cut: it may come from a program and have any length.
func quoted(text string) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

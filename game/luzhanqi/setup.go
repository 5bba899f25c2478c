package luzhanqi

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"luzhanqi/game"
	"luzhanqi/text"
)

// SetUp is one side's legal initial arrangement, in its own frame. Only ParseSetUp, NewSetUp and
// RandomSetUp make one; the zero value, without any piece, stands for "none yet".
type SetUp struct {
	ranks [ownSquares]Rank // by square; None in the camps
}

const ownSquares = squareCount / 2

// IllegalSetUp is everything that is wrong with a proposed set-up.
type IllegalSetUp struct {
	Problems []string // at least one
}

func (e *IllegalSetUp) Error() string {
	const shown = 8
	words := "illegal set-up: " + strings.Join(e.Problems[:min(shown, len(e.Problems))], "; ")
	if more := len(e.Problems) - shown; more > 0 {
		words += "; and " + text.Count(more, "more problem")
	}
	return words
}

// At returns the piece on a square of the own half; None in a camp and beyond.
func (s SetUp) At(sq game.Square) Rank {
	if sq >= ownSquares {
		return None
	}
	return s.ranks[sq]
}

// NewSetUp checks the pieces on the squares A1 to E6, by number; the error is an *IllegalSetUp.
func NewSetUp(ranks [ownSquares]Rank) (SetUp, error) { return checkSetUp(ranks, 0, nil) }

// ParseSetUp reads "A1:3 A2:7 …", the own squares with their pieces, separated by blanks, in any
// order; or the six rows of [SetUp.Rows]. The error is an *IllegalSetUp, which lists every problem and not only the first.
func ParseSetUp(s string) (SetUp, error) {
	if fields := strings.Fields(s); len(fields) == ownSquares/columns && !strings.Contains(s, ":") {
		return parseRows(fields)
	}
	var ranks [ownSquares]Rank
	var unclear Squares // named, but with an unknown piece
	var problems []string
	for field := range strings.FieldsSeq(s) {
		name, piece, ok := strings.Cut(field, ":")
		if !ok {
			problems = append(problems, text.Quote(field, 20)+" is not a square, a colon and a piece, such as A1:3")
			continue
		}
		sq, err := ParseSquare(name)
		switch {
		case err != nil:
			problems = append(problems, err.Error())
		case !OwnHalf.Has(sq):
			problems = append(problems, name+" is outside rows 1 to 6")
		case ranks[sq] != None || unclear.Has(sq):
			problems = append(problems, name+" is filled twice")
		default:
			if ranks[sq], err = parsePiece(piece); err != nil {
				problems = append(problems, name+": "+err.Error())
				unclear |= Bit(sq)
			}
		}
	}
	return checkSetUp(ranks, unclear, problems)
}

// checkSetUp adds its findings to the problems met before. The squares in unclear hold something
// unknown, so they are not empty.
func checkSetUp(ranks [ownSquares]Rank, unclear Squares, problems []string) (SetUp, error) {
	var counts [rankCodes]int
	for n, rank := range ranks {
		sq := game.Square(n)
		problem := ""
		switch {
		case Camps.Has(sq):
			if rank != None || unclear.Has(sq) {
				problem = "is a camp, which must be empty"
			}
		case unclear.Has(sq):
		case rank == None:
			problem = "is empty"
		case !rank.valid():
			problem = "holds an unknown piece"
		case rank == Flag && !Headquarters.Has(sq):
			problem = "holds the flag, which must stand in a headquarters, B1 or D1"
		case rank == Landmine && !BackRows.Has(sq):
			problem = "holds a landmine, which must lie in row 1 or 2"
		case rank == Bomb && FrontRow.Has(sq):
			problem = "holds a bomb, which must not stand in row 6"
		}
		if problem != "" {
			problems = append(problems, SquareName(sq)+" "+problem)
		}
		if rank.valid() {
			counts[rank]++
		}
	}
	for _, rank := range Ranks {
		if n := counts[rank]; n != Count(rank) {
			problems = append(problems, fmt.Sprintf("%s, must be %d", text.Count(n, rank.String()), Count(rank)))
		}
	}
	if problems != nil {
		return SetUp{}, &IllegalSetUp{problems}
	}
	return SetUp{ranks}, nil
}

// RandomSetUp draws one of all legal set-ups, each with the same probability: the flag, then the
// landmines, then the bombs, then the rest are drawn from the squares still free to them, and at
// every stage the number of ways does not depend on what was drawn before (landmines lie in row 1
// or 2, where bombs may stand too, so they always take three of the bombs' squares).
func RandomSetUp(r *rand.Rand) SetUp {
	var s SetUp
	free := OwnHalf &^ Camps
	draw := func(rank Rank, allowed Squares) {
		for range Count(rank) {
			sq := nth(free&allowed, r.IntN((free & allowed).Len()))
			s.ranks[sq] = rank
			free &^= Bit(sq)
		}
	}
	draw(Flag, Headquarters)
	draw(Landmine, BackRows)
	draw(Bomb, OwnHalf&^FrontRow)
	for rank := FieldMarshal; rank >= Engineer; rank-- {
		draw(rank, OwnHalf)
	}
	return s
}

// nth returns the square of the set that has n squares before it.
func nth(s Squares, n int) game.Square {
	for range n {
		s &= s - 1
	}
	return s.First()
}

// String writes the set-up as ParseSetUp reads it, by columns from A1 and upwards.
func (s SetUp) String() string {
	var text strings.Builder
	for column := range columns {
		for n := column; n < ownSquares; n += columns {
			if s.ranks[n] == None {
				continue
			}
			if text.Len() > 0 {
				text.WriteByte(' ')
			}
			fmt.Fprintf(&text, "%s:%c", SquareName(game.Square(n)), s.ranks[n].Letter())
		}
	}
	return text.String()
}

// Rows writes the set-up as people draw it: six rows of five letters, the front row first, camps as dots.
func (s SetUp) Rows() (rows []string) {
	for row := ownSquares/columns - 1; row >= 0; row-- {
		var letters [columns]byte
		for column := range letters {
			letters[column] = '.'
			if rank := s.ranks[row*columns+column]; rank != None {
				letters[column] = rank.Letter()
			}
		}
		rows = append(rows, string(letters[:]))
	}
	return rows
}

// parseRows reads what Rows writes; small letters are taken.
func parseRows(fields []string) (SetUp, error) {
	var ranks [ownSquares]Rank
	var unclear Squares
	var problems []string
	for i, field := range fields {
		row := len(fields) - 1 - i
		if len(field) != columns {
			problems = append(problems, fmt.Sprintf("row %d, %s, has not %d letters", row+1, text.Quote(field, 20), columns))
			continue
		}
		for column, letter := range []byte(strings.ToUpper(field)) {
			sq := game.Square(row*columns + column)
			if letter == '.' || letter == '-' {
				continue
			}
			var err error
			if ranks[sq], err = ParseRank(letter); err != nil {
				problems = append(problems, SquareName(sq)+": "+err.Error()+", and . for a camp")
				unclear |= Bit(sq)
			}
		}
	}
	if problems != nil && unclear == 0 { // what follows from a row that is too short or too long says nothing
		return SetUp{}, &IllegalSetUp{problems}
	}
	return checkSetUp(ranks, unclear, problems)
}

// Deploy returns the initial board. Each set-up is in its own frame; the second is turned.
func Deploy(first, second SetUp) Board {
	var b Board
	for n := range ownSquares {
		sq := game.Square(n)
		b.Put(sq, game.First, first.ranks[n])
		b.Put(Turn(sq), game.Second, second.ranks[n])
	}
	return b
}

func parsePiece(s string) (Rank, error) {
	if len(s) != 1 {
		return None, fmt.Errorf("piece %s: allowed are 1 to 9, B, L and F", text.Quote(s, 20))
	}
	return ParseRank(s[0])
}

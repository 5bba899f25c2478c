package chess1d

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
)

// referenceRules are the diagrams of the rules, as far as they can be drawn: what the piece does on
// the squares around it, from left to right, as player 1 sees it. P is the piece, $ a move, X a
// capture, # both.
var referenceRules = map[byte]string{
	'f': "P$X",
	'c': "X$P",
	'h': "#P.$$",
	's': "$$.P#",
	'a': "$.P$..X",
	't': "X..$P.$",
	'k': "#P",
	'q': "P#",
}

// referenceMoves generates moves as slowly and literally as the rules are written, for the side with
// the small letters. It shares nothing with the fast generator but the text of a board.
func referenceMoves(board string) (all []string) {
	for from := range board {
		diagram, ok := referenceRules[board[from]]
		if !ok {
			continue
		}
		for n, mark := range diagram {
			to := from + n - strings.IndexByte(diagram, 'P')
			if to < 0 || to >= len(board) {
				continue
			}
			empty := board[to] == ' '
			enemy := strings.IndexByte("FCHSATKQ", board[to]) >= 0
			if empty && (mark == '$' || mark == '#') || enemy && (mark == 'X' || mark == '#') {
				all = append(all, "0123456789abcde"[from:from+1]+"0123456789abcde"[to:to+1])
			}
		}
	}
	slices.Sort(all)
	return all
}

// turned is the board as the other side sees it.
func turned(board string) string {
	var out strings.Builder
	for n := range board {
		c := board[len(board)-1-n : len(board)-n]
		if strings.ToLower(c) == c {
			c = strings.ToUpper(c)
		} else {
			c = strings.ToLower(c)
		}
		out.WriteString(c)
	}
	return out.String()
}

func moveNames(moves []game.Move) (all []string) {
	for _, m := range moves {
		all = append(all, MoveName(m))
	}
	slices.Sort(all)
	return all
}

// anyBoard draws up to eight pieces, each pair at most once a side.
func anyBoard(r *rand.Rand) Board {
	text := []byte(strings.Repeat(" ", Size))
	for n, sq := range r.Perm(Size)[:2*pairs] {
		if r.IntN(4) == 0 {
			continue
		}
		letter := Letters[n/2*2+r.IntN(2)]
		if n%2 == 1 {
			letter = swapCase(letter)
		}
		text[sq] = letter
	}
	b, err := ParseBoard(string(text))
	if err != nil {
		panic(err)
	}
	return b
}

func TestMovesAgreeWithTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	total := 0
	for range 20_000 {
		b := anyBoard(r)
		want := referenceMoves(b.String())
		if got := moveNames(b.Moves(game.First, nil)); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", b, got, want)
		}
		other := b.Turn()
		if other.String() != turned(b.String()) {
			t.Fatalf("%q turned is %q", b, other)
		}
		var same []game.Move
		for _, m := range other.Moves(game.Second, nil) {
			same = append(same, TurnMove(m))
		}
		if got := moveNames(same); !slices.Equal(got, want) {
			t.Fatalf("%q: player 2 on the turned board has %v, want %v", b, got, want)
		}
		total += len(want)
	}
	if total < 40_000 {
		t.Errorf("only %d moves compared", total)
	}
}

// Every move of the board is either legal for Check, or named with a reason; never both.
func TestCheckAgreesWithMoves(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 300 {
		b := anyBoard(r)
		for _, side := range []game.Side{game.First, game.Second} {
			legal := b.Moves(side, nil)
			for from := range game.Square(18) {
				for to := range game.Square(18) {
					m := game.Move{From: from, To: to}
					if err := b.Why(side, m); (err == nil) != slices.Contains(legal, m) {
						t.Fatalf("%q, player %v: %s: %v, legal are %v", b, side, MoveName(m), err, moveNames(legal))
					}
				}
			}
		}
	}
}

package endgame

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
)

// plays is what the rules say of a position when so many plies are left, found by trying every move:
// nothing of the tables is used.
type plays struct {
	board jungle.Board
	mover game.Side
	left  int
}

type search map[plays]int

// value is 1, 0 or −1 for the mover: won, not decided in time, lost.
func (s search) value(p *jungle.Position, left int) int {
	if o, over := p.Outcome(); over {
		if o.Winner == p.Mover() {
			return 1
		}
		return -1
	}
	if left == 0 {
		return 0
	}
	key := plays{p.Board(), p.Mover(), left}
	if v, ok := s[key]; ok {
		return v
	}
	best := -1
	for _, m := range p.Moves(nil) {
		best = max(best, -s.value(p.Play(m).(*jungle.Position), left-1))
		if best == 1 {
			break
		}
	}
	s[key] = best
	return best
}

// randomEnding is a position of one piece each that goes on.
func randomEnding(r *rand.Rand) (jungle.Board, game.Side) {
	for {
		reading := jungle.Reading(r.IntN(2))
		b, ok := place(reading, jungle.Kind(r.IntN(jungle.Kinds)), jungle.Kind(r.IntN(jungle.Kinds)), r.IntN(64*64))
		if ok {
			return b, game.Side(r.IntN(2))
		}
	}
}

// What a table says is what trying every move finds: the winner, and the plies to the last one.
func TestLookAgreesWithSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	count, deep := map[int]int{}, 0
	for range 500 {
		b, mover := randomEnding(r)
		value, plies, ok := Look(&b, mover)
		if !ok {
			t.Fatalf("%s: not in a table", b.String())
		}
		count[value]++
		s, p := search{}, jungle.NewPosition(b, mover)
		if value == 0 {
			const horizon = 16
			if got := s.value(p, horizon); got != 0 {
				t.Errorf("%s, %s to move: drawn, but decided within %d plies: %d", b.String(), jungle.Color(mover), horizon, got)
			}
			continue
		}
		if plies > 14 {
			deep++
		}
		if got := s.value(p, plies); got != value {
			t.Errorf("%s, %s to move: %d in %d plies, a search of that depth finds %d", b.String(), jungle.Color(mover), value, plies, got)
		}
		if plies > 0 {
			if got := s.value(p, plies-1); got != 0 {
				t.Errorf("%s, %s to move: %d in %d plies, but already in %d", b.String(), jungle.Color(mover), value, plies, plies-1)
			}
		}
	}
	t.Logf("%v, %d of more than 14 plies", count, deep)
	if count[1] < 20 || count[0] < 20 || count[-1] < 20 || deep < 10 {
		t.Errorf("the samples do not cover every value: %v, %d of more than 14 plies", count, deep)
	}
}

// Everything in every table follows from what it says of the next positions; a draw can be kept for
// ever; and what red is on a board, blue is on the same board upside down.
func TestTablesAreConsistent(t *testing.T) {
	highest, count := 0, map[int]int{}
	for reading := range jungle.Reading(2) {
		for red := range jungle.Kind(jungle.Kinds) {
			for blue := range jungle.Kind(jungle.Kinds) {
				for at := range 64 * 64 {
					b, ok := place(reading, red, blue, at)
					if !ok {
						continue
					}
					for mover := range game.Side(2) {
						value, plies, _ := Look(&b, mover)
						highest = max(highest, plies)
						count[value]++
						if v, n := ahead(t, b, mover); v != value || n != plies {
							t.Fatalf("%s, %s to move: %d in %d plies, but the next positions say %d in %d", b.String(), jungle.Color(mover), value, plies, v, n)
						}
						turned := turn(b, red, blue)
						if v, n, _ := Look(&turned, mover.Other()); v != value || n != plies {
							t.Fatalf("%s, %s to move: %d in %d plies, upside down %d in %d", b.String(), jungle.Color(mover), value, plies, v, n)
						}
					}
				}
			}
		}
	}
	t.Logf("%v, at most %d plies", count, highest)
	if highest*2 > longest {
		t.Errorf("a win takes %d plies; longer ones than %d would be missed", highest, longest)
	}
}

// ahead is the value of a position by those of the next.
func ahead(t *testing.T, b jungle.Board, mover game.Side) (value, plies int) {
	p := jungle.NewPosition(b, mover)
	value, plies = -1, 0
	for i, m := range p.Moves(nil) {
		next := p.Play(m).(*jungle.Position)
		after := next.Board()
		v, n, ok := Look(&after, mover.Other())
		if o, over := next.Outcome(); over {
			v, n, ok = -1, 0, o.Winner == mover
		}
		if !ok {
			t.Fatalf("%s: no value after %s", b.String(), jungle.MoveName(m))
		}
		v, n = -v, n+1
		if v == 0 {
			n = 0
		}
		if i == 0 || v > value || v == value && (v > 0 && n < plies || v < 0 && n > plies) {
			value, plies = v, n
		}
	}
	return value, plies
}

func turn(b jungle.Board, red, blue jungle.Kind) jungle.Board {
	upside := func(sq game.Square) game.Square {
		x, y := jungle.XY(sq)
		return jungle.At(x, 8-y)
	}
	turned := jungle.Empty(b.Reading())
	turned.Put(upside(b.Square(game.Second, blue)), game.First, blue)
	turned.Put(upside(b.Square(game.First, red)), game.Second, red)
	return turned
}

// Boards that are no such endings are refused.
func TestLookRefuses(t *testing.T) {
	for _, text := range []string{"", "E06", "E06 L00 l62", "E06 l62 t60", "L30 r00", "L00 r38"} {
		b, err := jungle.ParseBoard(text, jungle.Referee)
		if err != nil {
			t.Fatal(err)
		}
		if value, plies, ok := Look(&b, game.First); ok {
			t.Errorf("%q: found %d in %d plies", text, value, plies)
		}
	}
}

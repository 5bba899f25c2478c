package jungle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
)

// reference generates moves as slowly and as literally as the statement is written. It shares
// nothing with the fast generator but the text of a board.
type reference struct {
	on        map[xy]string // "red lion"
	statement bool          // an animal on a trap has strength 0 when it attacks, too
}

type xy struct{ x, y int }

func newReference(units string, statement bool) reference {
	r := reference{map[xy]string{}, statement}
	names := map[string]string{
		"E": "elephant", "L": "lion", "T": "tiger", "P": "panther", "W": "wolf", "D": "dog", "C": "cat", "R": "rat",
	}
	for _, unit := range strings.Fields(units) {
		owner := "blue "
		if unit[:1] == strings.ToUpper(unit[:1]) {
			owner = "red "
		}
		r.on[xy{int(unit[1] - '0'), int(unit[2] - '0')}] = owner + names[strings.ToUpper(unit[:1])]
	}
	return r
}

func (p xy) isWater() bool {
	return p.y >= 3 && p.y <= 5 && (p.x >= 1 && p.x <= 2 || p.x >= 4 && p.x <= 5)
}

func (p xy) isTrap() bool {
	return slices.Contains([]xy{{2, 0}, {4, 0}, {3, 1}, {2, 8}, {4, 8}, {3, 7}}, p)
}

func (p xy) isBoard() bool { return p.x >= 0 && p.x < 7 && p.y >= 0 && p.y < 9 }

func (r reference) strength(at xy, attacks bool) int {
	if at.isTrap() && (!attacks || r.statement) {
		return 0
	}
	_, animal, _ := strings.Cut(r.on[at], " ")
	return map[string]int{
		"elephant": 8, "lion": 7, "tiger": 6, "panther": 5, "dog": 4, "wolf": 3, "cat": 2, "rat": 1,
	}[animal]
}

// moves are all legal moves of "red" or "blue", such as "0 6 0 5", sorted.
func (r reference) moves(color string) []string {
	var all []string
	for from, piece := range r.on {
		if !strings.HasPrefix(piece, color) {
			continue
		}
		for _, d := range []xy{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if to, ok := r.target(color, from, d); ok {
				all = append(all, fmt.Sprintf("%d %d %d %d", from.x, from.y, to.x, to.y))
			}
		}
	}
	slices.Sort(all)
	return all
}

// target is where the animal on from gets in a direction, if anywhere.
func (r reference) target(color string, from, d xy) (xy, bool) {
	piece := strings.TrimPrefix(r.on[from], color+" ")
	to := xy{from.x + d.x, from.y + d.y}
	if to.isWater() && (piece == "lion" || piece == "tiger") {
		for to.isWater() {
			if r.on[to] != "" {
				return to, false
			}
			to = xy{to.x + d.x, to.y + d.y}
		}
	}
	ownDen := xy{3, 8}
	if color == "blue" {
		ownDen = xy{3, 0}
	}
	switch {
	case !to.isBoard(), to == ownDen, to.isWater() && piece != "rat":
		return to, false
	case r.on[to] == "":
		return to, true
	case strings.HasPrefix(r.on[to], color):
		return to, false
	}
	enemy := r.on[to][strings.Index(r.on[to], " ")+1:]
	switch {
	case piece == "rat" && from.isWater() && !to.isWater():
		return to, false
	case piece == "rat" && enemy == "elephant":
		return to, true
	case piece == "elephant" && enemy == "rat" && !to.isTrap():
		return to, false
	}
	return to, r.strength(from, true) >= r.strength(to, false)
}

// sortedNames writes moves sorted, as reference.moves does.
func sortedNames(moves []game.Move) []string {
	var names []string
	for _, m := range moves {
		names = append(names, MoveName(m))
	}
	slices.Sort(names)
	return names
}

// randomBoard places each animal with the given chance in percent, where a game could bring it.
// Half of the pieces stand on or beside a trap, a bank or a rat's water, where the rules are.
func randomBoard(r *rand.Rand, percent int, reading Reading) Board {
	b := Empty(reading)
	var near []game.Square
	for sq := range (Traps | Water).All() {
		near = append(near, sq)
		for beside := range Steps(sq).All() {
			near = append(near, beside)
		}
	}
	for side := range game.Side(2) {
		for k := range Kind(Kinds) {
			if r.IntN(100) >= percent {
				continue
			}
			for {
				sq := game.Square(r.IntN(squareCount))
				if r.IntN(2) == 0 {
					sq = near[r.IntN(len(near))]
				}
				if enters(side, k).Has(sq) && sq != Den(side.Other()) && !b.Occupied().Has(sq) {
					b.Put(sq, side, k)
					break
				}
			}
		}
	}
	return b
}

func agreesWithReference(t *testing.T, b Board, reading Reading) {
	t.Helper()
	slow := newReference(b.String(), reading == Statement)
	if b.Reading() != reading {
		t.Fatalf("reading %d has become %d", reading, b.Reading())
	}
	for _, side := range []game.Side{game.First, game.Second} {
		want := slow.moves(Color(side))
		got := sortedNames(b.Moves(side, nil))
		if !slices.Equal(got, want) {
			t.Fatalf("%s to move on %s\n got %v\nwant %v", Color(side), b.String(), got, want)
		}
		if b.HasMove(side) != (len(want) > 0) {
			t.Fatalf("HasMove(%s) on %s, but the moves are %v", Color(side), b.String(), want)
		}
	}
}

func TestMovesAgreeWithTheReference(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, reading := range []Reading{Referee, Statement} {
		for percent := 10; percent <= 100; percent += 10 {
			for range 1000 {
				agreesWithReference(t, randomBoard(r, percent, reading), reading)
			}
		}
	}
}

// Random games meet what random boards do not.
func TestMovesAgreeWithTheReferenceInGames(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	entered, captured := 0, 0
	for n := range 60 {
		reading := Reading(n % 2)
		b, side := Start(reading), game.First
		for range 400 {
			agreesWithReference(t, b, reading)
			moves := b.Moves(side, nil)
			if len(moves) == 0 {
				break
			}
			next := b.Play(moves[r.IntN(len(moves))])
			captured += b.Occupied().Len() - next.Occupied().Len()
			b, side = next, side.Other()
			if _, over := b.Winner(); over {
				entered++
				break
			}
		}
	}
	if entered == 0 || captured == 0 {
		t.Errorf("%d dens entered, %d pieces captured: the games test little", entered, captured)
	}
}

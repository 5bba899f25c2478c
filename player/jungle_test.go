package player

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player/jungletable"
)

// thinkJungle searches a position of so many plies to the cap.
func thinkJungle(b jungle.Board, mover game.Side, left int) thought {
	const plies = 150
	t := jungleTermsOnce().newTree(b, mover, plies-left, plies)
	s := newNegamax(t, &jungleGame.rules, newTranspositions(12), &ordering{})
	s.budget.nodes = 3_000
	return s.deepen(t.Moves(nil), 1, func(t thought) bool { return !isProven(t.score) && t.depth < 20 })
}

// In endings of one piece each, the player wins what is won before the cap, in as few plies as can be
// against the longest defence, and claims nothing else.
func TestJungleEndingsArePlayedOut(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	count := map[int]int{}
	late := 0
	for count[1] < 60 || count[-1] < 60 || count[0] < 60 || late < 20 {
		b := jungle.Empty(jungle.Referee)
		b.Put(game.Square(r.IntN(63)), game.First, jungle.Kind(r.IntN(jungle.Kinds)))
		b.Put(game.Square(r.IntN(63)), game.Second, jungle.Kind(r.IntN(jungle.Kinds)))
		mover := game.Side(r.IntN(2))
		if _, err := jungle.ParseBoard(b.String(), jungle.Referee); err != nil {
			continue
		}
		value, plies, ok := jungletable.Look(&b, mover)
		if !ok || plies == 0 && value != 0 {
			continue
		}
		left := 1 + r.IntN(40)
		if plies > left {
			value = 0
			late++
		}
		count[value]++
		got := thinkJungle(b, mover, left)
		if got.score != valued(value, plies) {
			t.Errorf("%s, %s to move, %d plies left: score %d, want %d in %d plies", b.String(), jungle.Color(mover), left, got.score, value, plies)
			continue
		}
		if value == 0 {
			continue
		}
		p := jungle.NewPosition(b, mover)
		for n := range plies {
			p = p.Play(thinkJungle(p.Board(), p.Mover(), left-n).line[0]).(*jungle.Position)
			if _, over := p.Outcome(); over != (n == plies-1) {
				t.Fatalf("%s, %s to move: over after %d plies: %v; it should be after %d", b.String(), jungle.Color(mover), n+1, over, plies)
			}
		}
		if o, _ := p.Outcome(); (o.Winner == mover) != (value > 0) {
			t.Errorf("%s, %s to move: %v", b.String(), jungle.Color(mover), o)
		}
	}
}

// The board decides before the cap does: a side without a move has lost on the last ply too.
func TestJungleStuckAtTheCap(t *testing.T) {
	b, err := jungle.ParseBoard("E33 l34", jungle.Referee)
	if err != nil {
		t.Fatal(err)
	}
	if got := thinkJungle(b, game.First, 1); got.score != won-1 {
		t.Errorf("the last piece can be taken with the last ply: score %d, want %d", got.score, won-1)
	}
}

package gametest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"luzhanqi/game"
)

// begin begins a game under the default rules, with random set-ups if there are any.
func begin(tb testing.TB, g game.Game, r *rand.Rand) game.Position {
	tb.Helper()
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		tb.Fatal(err)
	}
	pos, err := g.New(rules, [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)})
	if err != nil {
		tb.Fatal(err)
	}
	return pos
}

// KeepsItsPromises plays random games and checks in each position what game.Game, game.Position and game.View
// promise, and in the last one of each game that Check and Moves agree on every pair of squares.
func KeepsItsPromises(t *testing.T, g game.Game, games int) {
	for seed := range uint64(games) {
		r := rand.New(rand.NewPCG(seed, 0))
		pos := begin(t, g, r)
		for plies := r.IntN(120); ; plies-- {
			moves := pos.Moves(nil)
			checkPosition(t, g, pos, moves)
			if len(moves) == 0 || plies == 0 || t.Failed() {
				checkAllMoves(t, g, pos, moves)
				break
			}
			m, drawn := moves[r.IntN(len(moves))], pos.Draw(game.DrawStyle{})
			next := pos.Play(m)
			if pos.Draw(game.DrawStyle{}) != drawn || !slices.Equal(pos.Moves(nil), moves) {
				t.Errorf("%s has changed the position in which it was played", g.FormatMove(m))
			}
			if next.Ply() != pos.Ply()+1 {
				t.Errorf("ply %d follows ply %d", next.Ply(), pos.Ply())
			}
			pos = next
		}
		if t.Failed() {
			t.Fatalf("%s, seed %d:\n%s", g.Name(), seed, pos.Draw(game.DrawStyle{}))
		}
	}
}

func checkPosition(t *testing.T, g game.Game, pos game.Position, moves []game.Move) {
	t.Helper()
	if _, over := pos.Outcome(); over != (len(moves) == 0) {
		t.Errorf("over is %v, with %d moves", over, len(moves))
	}
	for _, side := range []game.Side{game.First, game.Second} {
		v := pos.View(side)
		if v.Side() != side || v.Mover() != pos.Mover() {
			t.Errorf("the view of player %v is of player %v, with player %v to move", side, v.Side(), v.Mover())
		}
		if _, over := pos.Outcome(); !over && side == pos.Mover() && !slices.Equal(v.Moves(nil), moves) {
			t.Errorf("the view has %v, the position %v", v.Moves(nil), moves)
		}
		for _, m := range moves {
			if game.InFrame(g, game.InFrame(g, m, side), side) != m {
				t.Errorf("%s is another move when it is turned twice", g.FormatMove(m))
			}
		}
	}
	for _, m := range moves {
		if again, err := g.ParseMove(g.FormatMove(m)); again != m || err != nil {
			t.Errorf("%s is read as %s, %v", g.FormatMove(m), g.FormatMove(again), err)
		}
	}
}

func checkAllMoves(t *testing.T, g game.Game, pos game.Position, moves []game.Move) {
	t.Helper()
	for n := range 1 << 16 {
		m := game.Move{From: game.Square(n >> 8), To: game.Square(n)}
		if err := pos.Check(m); (err == nil) != slices.Contains(moves, m) {
			t.Errorf("%s: %v", g.FormatMove(m), err)
		}
	}
}

package levels

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/game/gastank"
	"luzhanqi/game/jungle"
	"luzhanqi/game/quagmire"
	"luzhanqi/player"
)

// winsWithin returns by the rules alone the moves by which the mover forces a win within so many plies.
func winsWithin(p game.Position, plies int) (moves []game.Move) {
	for _, m := range p.Moves(nil) {
		if plies > 0 && losesWithin(p.Play(m), plies-1) {
			moves = append(moves, m)
		}
	}
	return moves
}

func losesWithin(p game.Position, plies int) bool {
	if o, over := p.Outcome(); over {
		return !o.Draw && o.Winner != p.Mover()
	}
	for _, m := range p.Moves(nil) {
		if plies <= 0 {
			return false
		}
		next := p.Play(m)
		if o, over := next.Outcome(); over && !o.Draw && o.Winner != p.Mover() {
			continue
		} else if over || len(winsWithin(next, plies-1)) == 0 {
			return false
		}
	}
	return true
}

// chosenWithCap is what strong plays and thinks in a match that is drawn after so many plies; below
// zero: after as many as the game's.
func chosenWithCap(t *testing.T, g game.Game, v game.View, plies int) (game.Move, player.Explanation) {
	t.Helper()
	l, err := Find(g, "strong")
	if err != nil {
		t.Fatal(err)
	}
	o := player.Options{Nodes: 20_000}
	if plies >= 0 {
		o.MaxPlies = &plies
	}
	p := l.New(g, o)
	m := p.Choose(v, time.Time{}, seeded(1))
	e, ok := p.(player.Explainer).Explain()
	if !ok {
		t.Fatal("nothing is explained")
	}
	return m, e
}

// shortWins visits positions of games of easy against random moves in which easy can force a win in two
// or three plies, not in one, and can also fail to.
func shortWins(t *testing.T, g game.Game, positions int, visit func(p game.Position, plies int, winning []game.Move)) {
	t.Helper()
	easy, err := Find(g, "easy")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for seed := uint64(0); seed < 1000 && found < positions; seed++ {
		r := seeded(seed)
		p, err := g.New(rules, [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)})
		if err != nil {
			t.Fatal(err)
		}
		players := [2]player.Player{easy.New(g, player.Options{}), randomPlayer{g}}
		for p.Ply() < 120 && found < positions {
			if _, over := p.Outcome(); over {
				break
			}
			for plies := 1; plies <= 3 && p.Mover() == game.First; plies++ {
				if winning := winsWithin(p, plies); len(winning) > 0 {
					if plies > 1 && len(winning) < len(p.Moves(nil)) {
						found++
						visit(p, plies, winning)
					}
					break
				}
			}
			p = p.Play(players[p.Mover()].Choose(p.View(p.Mover()), time.Time{}, r))
		}
	}
	if found < positions {
		t.Errorf("%s: %d positions were found, want %d", g.Name(), found, positions)
	}
}

// A win in three plies is one if the match has three plies left, and none if it has two: the cap of the
// match decides, and not that of the game.
func TestTheCapOfTheMatchDecides(t *testing.T) {
	for _, g := range []game.Game{jungle.Game{}, gastank.Game{}, quagmire.Game{}} {
		shortWins(t, g, 3, func(p game.Position, plies int, winning []game.Move) {
			v := p.View(p.Mover())
			for _, limit := range []int{-1, 0} { // a longer win will do, if the rules say that it is one
				m, e := chosenWithCap(t, g, v, limit)
				if e.Wins < plies || !slices.Contains(winning, m) && !slices.Contains(winsWithin(p, e.Wins), m) {
					t.Errorf("%s, ply %d of %d: %s, wins %d; %d moves win in %d\n%s", g.Name(), p.Ply(), limit, g.FormatMove(m), e.Wins, len(winning), plies, p.Draw(game.DrawStyle{}))
				}
			}
			for _, limit := range []int{p.Ply() + plies, p.Ply() + plies + 1} {
				if m, e := chosenWithCap(t, g, v, limit); e.Wins != plies || !slices.Contains(winning, m) {
					t.Errorf("%s, ply %d of %d: %s, wins %d; %d moves win in %d\n%s", g.Name(), p.Ply(), limit, g.FormatMove(m), e.Wins, len(winning), plies, p.Draw(game.DrawStyle{}))
				}
			}
			for limit := p.Ply() + 1; limit < p.Ply()+plies; limit++ {
				if _, e := chosenWithCap(t, g, v, limit); e.Wins != 0 || e.Loses != 0 || *e.Score != 0 {
					t.Errorf("%s, ply %d of %d: it claims wins %d, loses %d, score %d", g.Name(), p.Ply(), limit, e.Wins, e.Loses, *e.Score)
				}
			}
		})
	}
}

// A match may go on after the plies at which the game would be drawn by default: there a player that took
// that for the end would see nothing but draws, and miss wins.
func TestTheGameGoesOnAfterItsDefaultCap(t *testing.T) {
	g := jungle.Game{}
	limit := g.Limits().MaxPlies
	seen, blind := 0, 0
	for seed := uint64(0); seed < 60 && seen < 10; seed++ {
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		p, err := g.New(rules, [2]game.SetUp{})
		if err != nil {
			t.Fatal(err)
		}
		for r := seeded(seed); p.Ply() < limit+60; {
			moves := p.Moves(nil)
			if winning := winsWithin(p, 3); p.Ply() >= limit && len(winsWithin(p, 1)) == 0 && len(winning) > 0 && len(winning) < len(moves) {
				seen++
				for _, plies := range []int{0, p.Ply() + 3, 2 * limit} {
					if m, e := chosenWithCap(t, g, p.View(p.Mover()), plies); e.Wins != 3 || !slices.Contains(winning, m) {
						t.Errorf("seed %d, ply %d of %d: %s, wins %d\n%s", seed, p.Ply(), plies, g.FormatMove(m), e.Wins, p.Draw(game.DrawStyle{}))
					}
				}
				if _, e := chosenWithCap(t, g, p.View(p.Mover()), -1); e.Wins == 0 {
					blind++
				}
				break
			}
			moves = slices.DeleteFunc(moves, func(m game.Move) bool { _, over := p.Play(m).Outcome(); return over })
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	if seen < 5 || blind == 0 {
		t.Errorf("%d positions were met, in %d of which the default cap hides a win: too few", seen, blind)
	}
}

// In 1-D chess, too, a win that comes after the cap is none; the move is the same.
func TestChess1dKnowsTheCap(t *testing.T) {
	g, checked := chess1d.Game{}, 0
	shortWins(t, g, 10, func(p game.Position, plies int, _ []game.Move) {
		best, e := chosenWithCap(t, g, p.View(p.Mover()), -1)
		if e.Wins != plies {
			return // the end is that no move is left
		}
		checked++
		for limit, want := range map[int]int{0: plies, p.Ply() + plies: plies, p.Ply() + plies - 1: 0} {
			if m, e := chosenWithCap(t, g, p.View(p.Mover()), limit); m != best || e.Wins != want || e.Loses != 0 {
				t.Errorf("ply %d of %d: %s, wins %d, loses %d; want %s and %d", p.Ply(), limit, g.FormatMove(m), e.Wins, e.Loses, g.FormatMove(best), want)
			}
		}
	})
	if checked == 0 {
		t.Error("no win by taking the royal piece was met")
	}
}

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }

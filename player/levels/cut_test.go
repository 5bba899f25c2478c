package levels

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
)

// opening is the first position of a game, without what books know.
func opening(t *testing.T, g game.Game, o player.Options, l player.Level) game.Position {
	t.Helper()
	var setUps [2]game.SetUp
	if g.HasSetUp() {
		for side := range setUps {
			setUps[side] = l.New(g, o).SetUp(rand.New(rand.NewPCG(1, uint64(side))))
		}
	}
	p, err := g.New(o.Rules, setUps)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCut: a search that counts positions is cut by the deadline only for who asks to be told, and is told then; while
// there is time, that changes nothing.
func TestCut(t *testing.T) {
	for _, g := range games.All {
		text := ""
		if g.Name() == "chess1d" {
			text = "nomoves=draw" // for which there is no book
		}
		rules, err := game.ParseRules(text, g.Options())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"medium", "strong"} {
			t.Run(g.Name()+"/"+name, func(t *testing.T) {
				l, err := Find(g, name)
				if err != nil {
					t.Fatal(err)
				}
				choose := func(nodes int, deadline time.Time, told bool) (m game.Move, cut bool) {
					o := player.Options{Rules: rules, Nodes: nodes}
					if told {
						o.Cut = func(positions int64) { cut = cut || positions > 0 }
					}
					p := opening(t, g, o, l)
					return l.New(g, o).Choose(p.View(p.Mover()), deadline, rand.New(rand.NewPCG(2, 2))), cut
				}
				never := clock.Now().Add(time.Hour)
				want, _ := choose(3_000, clock.Now(), false)
				if m, cut := choose(3_000, never, true); m != want || cut {
					t.Errorf("with time enough: %v, cut %v; want %v", m, cut, want)
				}
				if _, cut := choose(1<<40, clock.Now().Add(2*time.Millisecond), true); !cut {
					t.Error("within 2 ms, a number of positions that takes longer was not cut")
				}
			})
		}
	}
}

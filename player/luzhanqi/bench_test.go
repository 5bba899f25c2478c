package luzhanqi

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
)

// midgame is what the first side sees after so many plies between two greedy players.
func midgame(tb testing.TB, seed uint64, plies int) *luzhanqi.View {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	return playOne(tb, [2]player.Player{&greedy{}, &greedy{}}, [2]*rand.Rand{r, r}, plies).View(game.First).(*luzhanqi.View)
}

func benchWorlds(tb testing.TB, plies, n int) []*world {
	v := midgame(tb, 3, plies)
	d := &sampler{view: v, belief: hiddeninfo.New(v), style: Strong, random: rand.New(rand.NewPCG(1, 1))}
	worlds, _ := d.draw(n)
	return worlds
}

// BenchmarkPlayout reports playouts of 20 plies a second on one core, by what chooses their moves and by the stage of the game.
func BenchmarkPlayout(b *testing.B) {
	for _, by := range []string{"quick", "policy"} {
		for _, stage := range []int{0, 40} {
			b.Run(fmt.Sprintf("by=%s/after=%d", by, stage), func(b *testing.B) {
				const plies = 20
				worlds := benchWorlds(b, stage, 64)
				if by == "quick" {
					for _, w := range worlds {
						w.policy = nil
					}
				}
				n := 0
				var buffer moveBuffer
				for b.Loop() {
					w := worlds[n%len(worlds)]
					s := w.start
					r := newRNG(1, 0, n)
					w.playout(&s, plies, &r, &buffer)
					w.evaluation(&s, 0, nil)
					n++
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "playouts/s")
			})
		}
	}
}

// BenchmarkDeal makes the worlds of one move.
func BenchmarkDeal(b *testing.B) {
	v := midgame(b, 3, 40)
	for b.Loop() {
		d := &sampler{view: v, belief: hiddeninfo.New(v), style: Strong, random: rand.New(rand.NewPCG(1, 1))}
		d.draw(64)
	}
}

// BenchmarkChoose is a whole move of a game, by the number of positions: what is not playouts counts most where they
// are few.
func BenchmarkChoose(b *testing.B) {
	for _, nodes := range []int{6_000, 30_000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			var views []*luzhanqi.View
			for plies := 0; plies < 120; plies += 2 {
				views = append(views, midgame(b, 3, plies))
			}
			r := rand.New(rand.NewPCG(1, 1))
			var p *Searcher
			n := 0
			for b.Loop() {
				if n%len(views) == 0 {
					p = NewSearcher(Strong, player.Options{Nodes: nodes, Threads: 1})
				}
				p.Choose(views[n%len(views)], time.Now(), r)
				n++
			}
		})
	}
}

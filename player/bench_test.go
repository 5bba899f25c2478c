package player

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// midgame is what the first side sees after so many plies between two greedy players.
func midgame(tb testing.TB, seed uint64, plies int) *luzhanqi.View {
	tb.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	players := [2]Player{&greedy{}, &greedy{}}
	var setUps [2]luzhanqi.SetUp
	for side, p := range players {
		s, err := luzhanqi.ParseSetUp(string(p.SetUp(r)))
		if err != nil {
			tb.Fatal(err)
		}
		setUps[side] = s
	}
	var position game.Position = luzhanqi.NewPosition(setUps[0], setUps[1], false)
	for range plies {
		if _, over := position.Outcome(); over {
			break
		}
		position = position.Play(players[position.Mover()].Choose(position.View(position.Mover()), time.Time{}, r))
	}
	return position.View(game.First).(*luzhanqi.View)
}

func benchWorlds(tb testing.TB, plies, n int) []*world {
	v := midgame(tb, 3, plies)
	d := &dealer{view: v, belief: hiddeninfo.New(v), style: strong, random: rand.New(rand.NewPCG(1, 1))}
	worlds, _ := d.deal(n)
	return worlds
}

// BenchmarkPlayout reports playouts a second on one core, by length and by the stage of the game.
func BenchmarkPlayout(b *testing.B) {
	for _, plies := range []int{20, 40} {
		for _, stage := range []int{0, 40} {
			b.Run(fmt.Sprintf("plies=%d/after=%d", plies, stage), func(b *testing.B) {
				worlds := benchWorlds(b, stage, 64)
				n := 0
				for b.Loop() {
					w := worlds[n%len(worlds)]
					s := w.start
					r := newStream(1, 0, n)
					w.playout(&s, plies, &r)
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
		d := &dealer{view: v, belief: hiddeninfo.New(v), style: strong, random: rand.New(rand.NewPCG(1, 1))}
		d.deal(64)
	}
}

package hiddeninfo

import (
	"fmt"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// benchViews are views of eight games after so many plies; shorter games are skipped.
func benchViews(b *testing.B, how style, ply int) (views []*luzhanqi.View) {
	b.Helper()
	for seed := uint64(1); len(views) < 8 && seed < 2000; seed++ {
		positions, _ := playGame(newRand(seed), how, false, ply)
		if len(positions) > ply {
			views = append(views, viewOf(positions[ply], positions[ply].Mover()))
		}
	}
	if len(views) < 8 {
		b.Skip("no games so long")
	}
	return views
}

// eachStage measures without opinions, with opinions that tell every two ranks apart, and with those
// that take 7 and 6, 5 and 4, 3 and 2 for the same until combat tells them apart.
func eachStage(b *testing.B, measure func(b *testing.B, beliefs []*Belief)) {
	for _, opinions := range []string{"none", "ranks", "pairs"} {
		for how, name := range []string{"aimless", "hungry"} {
			for _, ply := range []int{0, 40, 100, 200} {
				b.Run(fmt.Sprintf("opinions=%s/%s/ply=%d", opinions, name, ply), func(b *testing.B) {
					var beliefs []*Belief
					for i, v := range benchViews(b, style(how), ply) {
						belief := New(v)
						if opinions != "none" {
							w := randomWeights(newRand(uint64(i)))
							for p := range w {
								if opinions == "pairs" {
									w[p][luzhanqi.BrigadierGeneral] = w[p][luzhanqi.MajorGeneral]
									w[p][luzhanqi.Major] = w[p][luzhanqi.Colonel]
									w[p][luzhanqi.Lieutenant] = w[p][luzhanqi.Captain]
								}
							}
							belief.SetPrior(w)
						}
						belief.Marginals() // makes the memory
						beliefs = append(beliefs, belief)
					}
					b.ReportAllocs()
					measure(b, beliefs)
				})
			}
		}
	}
}

// BenchmarkMarginals solves from the masks.
func BenchmarkMarginals(b *testing.B) {
	eachStage(b, func(b *testing.B, beliefs []*Belief) {
		n, states, steps := 0, 0, 0
		for b.Loop() {
			belief := beliefs[n%len(beliefs)]
			belief.solved = false
			belief.Marginals()
			if t := &belief.parts[0]; t.possible {
				states += len(t.armies.of.states) - 1
				steps += len(t.armies.of.steps)
			}
			n++
		}
		b.ReportMetric(float64(states)/float64(n), "states/op")
		b.ReportMetric(float64(steps)/float64(n), "steps/op")
	})
}

func BenchmarkSample(b *testing.B) {
	eachStage(b, func(b *testing.B, beliefs []*Belief) {
		r := newRand(1)
		var w World
		n := 0
		for b.Loop() {
			beliefs[n%len(beliefs)].Sample(r, &w)
			n++
		}
	})
}

// BenchmarkUpdatePerPly follows a game of 200 plies, asking for the marginals at every second ply as
// a player would, or never.
func BenchmarkUpdatePerPly(b *testing.B) {
	for how, name := range []string{"aimless", "hungry"} {
		for _, ask := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/marginals=%v", name, ask), func(b *testing.B) {
				positions, _ := playGame(newRand(5), style(how), false, 200)
				b.ReportAllocs()
				belief, ply := New(viewOf(positions[0], game.First)), 0
				for b.Loop() {
					if ply++; ply == len(positions) {
						belief, ply = New(viewOf(positions[0], game.First)), 0
					}
					belief.Update(viewOf(positions[ply], game.First))
					if ask && ply%2 == 0 {
						belief.Marginals()
					}
				}
			})
		}
	}
}

// BenchmarkOpponent asks what the enemy thinks of us, for sampled worlds late in a game.
func BenchmarkOpponent(b *testing.B) {
	belief := New(benchViews(b, hungry, 100)[0])
	var w World
	belief.Sample(newRand(1), &w)
	b.ReportAllocs()
	var masks [Pieces]Mask
	for b.Loop() {
		belief.Opponent(&w, &masks)
	}
	b.ReportMetric(float64(len(belief.evidence.duels)), "duels/op")
}

// BenchmarkBoard fills in a sampled world.
func BenchmarkBoard(b *testing.B) {
	belief := New(benchViews(b, hungry, 40)[0])
	var w World
	belief.Sample(newRand(1), &w)
	b.ReportAllocs()
	pieces := 0
	for b.Loop() {
		board := belief.Board(&w)
		pieces += board.Occupied().Len()
	}
	if pieces == 0 {
		b.Fatal("the board is empty")
	}
}

// BenchmarkTrouble solves when facts contradict each other and some must be dropped.
func BenchmarkTrouble(b *testing.B) {
	belief := New(observed(b, false, "1 E6 E7 >, 1 E7 D7 >, 1 C6 C7 <, 1 A6 A7 <"))
	b.ReportAllocs()
	for b.Loop() {
		belief.solved = false
		belief.Marginals()
	}
}

// BenchmarkMixture solves for fifteen opinions at once.
func BenchmarkMixture(b *testing.B) {
	for _, ply := range []int{0, 40, 100} {
		b.Run(fmt.Sprintf("ply=%d", ply), func(b *testing.B) {
			var components []Component
			for i := range 15 {
				components = append(components, Component{Share: 1, Prior: randomWeights(newRand(uint64(i)))})
			}
			m, err := NewMixture(components)
			if err != nil {
				b.Fatal(err)
			}
			var beliefs []*Belief
			for _, v := range benchViews(b, hungry, ply) {
				belief := New(v)
				belief.SetMixture(m)
				belief.Marginals() // makes the memory
				beliefs = append(beliefs, belief)
			}
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				belief := beliefs[n%len(beliefs)]
				belief.solved = false
				belief.Marginals()
				n++
			}
		})
	}
}

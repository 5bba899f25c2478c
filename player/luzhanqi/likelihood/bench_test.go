package likelihood

import (
	"testing"

	"luzhanqi/game"
)

// BenchmarkWatch follows a game of 120 plies, asking for the marginals at every second ply as a player would.
func BenchmarkWatch(b *testing.B) {
	positions, _ := GreedyGame(b, 4, 120)
	for _, test := range []struct {
		name  string
		trust Trust
	}{
		{"constraints", Trust{}},
		{"f665184", Trust{Prior: 0.5, Likelihoods: 0.7}},
		{"makers", Trust{Prior: 0.5, Makers: true, Likelihoods: 0.7}},
	} {
		b.Run(test.name, func(b *testing.B) {
			var w *Watcher
			ply := len(positions)
			for b.Loop() {
				if ply += 2; ply >= len(positions) {
					w, ply = Watch(viewOf(positions[0], game.First), Default(), test.trust), 0
				}
				w.Update(viewOf(positions[ply], game.First))
				w.Belief.Marginals()
			}
		})
	}
}

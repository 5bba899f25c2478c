package likelihood

import (
	"testing"

	"luzhanqi/game"
)

// BenchmarkWatch follows a game of 120 plies, asking for the marginals at every second ply as a player would.
func BenchmarkWatch(b *testing.B) {
	positions, _ := GreedyGame(b, 4, 120)
	for _, test := range []struct {
		name    string
		learned Learned
		trust   Trust
	}{
		{"constraints", nil, Trust{}},
		{"f665184", F665184(), Trust{Prior: 0.5, Likelihoods: 0.7}},
		{"makers", nil, Trust{Prior: 1, Makers: true}},
		{"strong", Default(), DefaultTrust},
	} {
		b.Run(test.name, func(b *testing.B) {
			var w *Watcher
			ply := len(positions)
			for b.Loop() {
				if ply += 2; ply >= len(positions) {
					w, ply = Watch(viewOf(positions[0], game.First), test.learned, test.trust), 0
				}
				w.Update(viewOf(positions[ply], game.First))
				w.Belief.Marginals()
			}
		})
	}
}

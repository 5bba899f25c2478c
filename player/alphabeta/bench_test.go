package alphabeta

import (
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
)

// BenchmarkAlphaBeta reports positions a second on one core, by the wall and by the processor, from positions after some random plies.
func BenchmarkAlphaBeta(b *testing.B) {
	for _, g := range TestGames {
		b.Run(g.Name(), func(b *testing.B) {
			kind := g.Search
			nodes, depths, n := int64(0), 0, 0
			table := newTranspositions(kind.Rules.TableSize)
			began := processorTime()
			for b.Loop() {
				t := kind.NewTree(randomView(b, g, 8, uint64(n)), g.Limits().MaxPlies)
				s := newNegamax(t, &kind.Rules, table, &ordering{})
				s.budget.nodes = 300_000
				table.next()
				got := s.deepen(t.Moves(nil), 1, nil)
				nodes, depths, n = nodes+s.nodes, depths+got.depth, n+1
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(nodes)/(processorTime()-began).Seconds(), "nodes/cpu-s")
			b.ReportMetric(float64(depths)/float64(n), "depth")
		})
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }

// randomView is what the mover sees after so many random plies, with the game still going on.
func randomView(tb testing.TB, g game.Game, plies int, seed uint64) game.View {
	tb.Helper()
	p := randomPosition(tb, g, plies, rand.New(rand.NewPCG(seed, 11)))
	return p.View(p.Mover())
}

func randomPosition(tb testing.TB, g game.Game, plies int, r *rand.Rand) game.Position {
	tb.Helper()
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		tb.Fatal(err)
	}
again:
	p, err := g.New(rules, [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)})
	if err != nil {
		tb.Fatal(err)
	}
	for range plies {
		moves := p.Moves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		if _, over := p.Outcome(); over {
			goto again
		}
	}
	return p
}

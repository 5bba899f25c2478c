package hiddeninfo

import (
	"sync"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"

	"pgregory.net/rapid"
)

// TestGames plays games and guards, for both sides, that at every ply the truth is possible; and, at
// every 50th, that a rank has a positive chance exactly if an assignment with it exists (by
// matching, a second way to find out), that nothing fails to fit, and that the pieces stand where
// the view has them. In the end, asking on the way says the same as asking once.
func TestGames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		minesStay := rapid.Bool().Draw(t, "minesStay")
		how := style(rapid.IntRange(0, 1).Draw(t, "style"))
		positions, truth := playGame(newRand(seed), how, minesStay, 300)
		r := newRand(seed)
		for _, side := range []game.Side{game.First, game.Second} {
			b := New(viewOf(positions[0], side))
			if rapid.Bool().Draw(t, "weighed") {
				b.SetPrior(randomWeights(r))
			}
			for ply, p := range positions {
				v := viewOf(p, side)
				b.Update(v)
				if ply%50 != 0 && ply != len(positions)-1 {
					for piece, rank := range truth[side.Other()] {
						if !b.Known(Piece(piece)).Has(rank) {
							t.Fatalf("ply %d: piece %d cannot be the %v that it is", ply, piece, rank)
						}
					}
					continue
				}
				if err := b.Trouble(); err != nil {
					t.Fatal(err)
				}
				checkPlaces(t, b, p, side, &truth)
				checkMasks(t, b, &truth[side.Other()])
			}
			once := New(viewOf(positions[len(positions)-1], side))
			once.SetMixture(b.mixture)
			if *once.Marginals() != *b.Marginals() {
				t.Fatal("a belief brought up to date differs from a new one")
			}
			if once.SetPrior(nil); once.Worlds() != b.Worlds() {
				t.Fatalf("there are %v worlds with a prior, %v without", b.Worlds(), once.Worlds())
			}
		}
	})
}

func checkPlaces(t *rapid.T, b *Belief, p *luzhanqi.Position, side game.Side, truth *[2]World) {
	if got := b.Board(&truth[side.Other()]); got != p.Board() {
		t.Fatalf("with the true ranks the board is %v, not %v", got.String(), p.Board())
	}
	alive := luzhanqi.Squares(0)
	for piece := range Piece(Pieces) {
		sq, ok := b.SquareOf(piece)
		if at, stands := b.PieceAt(sq); ok && (!stands || at != piece) {
			t.Fatalf("piece %d stands on %s, where PieceAt has %d", piece, luzhanqi.SquareName(sq), at)
		}
		if ok {
			alive |= luzhanqi.Bit(sq)
		}
	}
	if alive != viewOf(p, side).Enemy() {
		t.Fatal("the enemy stands elsewhere")
	}
}

func checkMasks(t *rapid.T, b *Belief, truth *World) {
	m := b.Marginals()
	var masks [Pieces]Mask
	for p := range masks {
		masks[p] = b.Known(Piece(p))
	}
	for p := range masks {
		if m[p][truth[p]] <= 0 {
			t.Fatalf("piece %d cannot be the %v that it is", p, truth[p])
		}
		sum := 0.0
		for rank := range luzhanqi.Rank(rankCodes) {
			forced := masks
			forced[p] &= Only(rank)
			if possible := forced[p] != 0 && fits(&forced); possible != (m[p][rank] > 0) || possible != b.Mask(Piece(p)).Has(rank) {
				t.Fatalf("piece %d, %v: possible %v, with a chance of %v", p, rank, possible, m[p][rank])
			}
			sum += m[p][rank]
		}
		if !near(sum, 1) {
			t.Fatalf("the chances of piece %d add up to %v", p, sum)
		}
	}
}

// TestWorldsAreThoseThatReproduceTheGame guards exactness against the rules themselves: a world is
// believed possible if and only if it is a legal set-up that, played again, gives everything
// observed. Worlds near the truth and near samples are tried, where mistakes would show.
func TestWorldsAreThoseThatReproduceTheGame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		plies := rapid.IntRange(0, 400).Draw(t, "plies")
		how := style(rapid.IntRange(0, 1).Draw(t, "style"))
		positions, truth := playGame(newRand(seed), how, rapid.Bool().Draw(t, "minesStay"), plies)
		side := game.Side(rapid.IntRange(0, 1).Draw(t, "side"))
		v := viewOf(positions[len(positions)-1], side)
		b := New(v)
		r := newRand(seed)
		for try := range 40 {
			w := truth[side.Other()]
			if try%2 == 1 {
				if b.Sample(r, &w); !legal(&w) || !reproduces(v, &w) {
					t.Fatalf("sampled %v, which does not give what was observed", w)
				}
			}
			i, j := r.IntN(Pieces), r.IntN(Pieces)
			w[i], w[j] = w[j], w[i]
			believed := true
			for p, rank := range w {
				believed = believed && b.Known(Piece(p)).Has(rank)
			}
			if possible := legal(&w) && reproduces(v, &w); possible != believed {
				t.Fatalf("%v is possible: %v, believed possible: %v", w, possible, believed)
			}
		}
	})
}

// TestOpponent guards that the opponent's masks of our pieces, computed from our view and its true
// ranks, are what a belief of its own would say, and hold our true ranks in every sampled world.
func TestOpponent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		plies := rapid.IntRange(0, 400).Draw(t, "plies")
		positions, truth := playGame(newRand(seed), hungry, rapid.Bool().Draw(t, "minesStay"), plies)
		p := positions[len(positions)-1]
		r := newRand(seed)
		for side := range game.Side(2) {
			ours, theirs := New(viewOf(p, side)), New(viewOf(p, side.Other()))
			var masks [Pieces]Mask
			ours.Opponent(&truth[side.Other()], &masks)
			for piece, mask := range masks {
				if mask != theirs.Known(Piece(piece)) {
					t.Fatalf("piece %d: %v, but the opponent thinks %v", piece, mask, theirs.Known(Piece(piece)))
				}
			}
			for range 10 {
				var w World
				ours.Sample(r, &w)
				ours.Opponent(&w, &masks)
				for piece, mask := range masks {
					if !mask.Has(truth[side][piece]) {
						t.Fatalf("piece %d is a %v, the opponent would think %v", piece, truth[side][piece], mask)
					}
				}
			}
		}
	})
}

// TestEnumerate guards that few worlds are listed completely and many are not.
func TestEnumerate(t *testing.T) {
	const limit = 5000
	listed := 0
	for seed := uint64(0); seed < 60 && listed < 5; seed++ {
		positions, _ := playGame(newRand(seed), hungry, false, 250)
		v := viewOf(positions[len(positions)-1], game.First)
		b := New(v)
		if seed%2 == 0 {
			b.SetPrior(randomWeights(newRand(seed)))
		}
		worlds, ok := b.Enumerate(limit, nil)
		if ok != (b.Worlds() <= limit) {
			t.Fatalf("seed %d: listed %v, there are %v", seed, ok, b.Worlds())
		}
		if !ok {
			continue
		}
		listed++
		if !near(float64(len(worlds)), b.Worlds()) {
			t.Fatalf("seed %d: %d worlds, not %v", seed, len(worlds), b.Worlds())
		}
		var m Marginals
		for _, w := range worlds {
			if !legal(&w.World) || !reproduces(v, &w.World) {
				t.Fatalf("seed %d: %v does not give what was observed", seed, w.World)
			}
			for p, rank := range w.World {
				m[p][rank] += w.P
			}
		}
		for p := range m {
			for rank := range m[p] {
				if !near(m[p][rank], b.Marginals()[p][rank]) {
					t.Fatalf("seed %d: piece %d, %v: %v in the list, %v", seed, p, luzhanqi.Rank(rank), m[p][rank], b.Marginals()[p][rank])
				}
			}
		}
	}
	if listed == 0 {
		t.Error("no game came down to few worlds")
	}
}

// TestConcurrentQuestions is for the race detector: after an update, all may ask at once.
func TestConcurrentQuestions(t *testing.T) {
	positions, _ := playGame(newRand(4), hungry, false, 60)
	b := New(viewOf(positions[len(positions)-1], game.First))
	b.Marginals()
	var wait sync.WaitGroup
	for i := range uint64(4) {
		wait.Go(func() {
			r := newRand(i)
			var w World
			var masks [Pieces]Mask
			for range 100 {
				b.Sample(r, &w)
				b.Opponent(&w, &masks)
				b.Board(&w)
			}
		})
	}
	wait.Wait()
}

// TestAnotherGame guards that a view of another game starts the belief anew.
func TestAnotherGame(t *testing.T) {
	long, _ := playGame(newRand(4), aimless, false, 60)
	b := New(viewOf(long[len(long)-1], game.First))
	other := viewOf(long[0], game.Second)
	b.Update(other)
	if *b.Marginals() != *New(other).Marginals() || b.Initial(0) != 0 {
		t.Error("the belief of the game before is still there")
	}
}

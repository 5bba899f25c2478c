package likelihood

import (
	"math"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// TestDoubtIsJudged guards that what a fight tells moves doubt by the rule of Bayes, less what is forgotten, and that a move does not.
func TestDoubtIsJudged(t *testing.T) {
	const start, front = 0.3, hiddeninfo.Piece(20)
	for _, likelier := range []float64{0.02, 50} {
		b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false))
		prior := hiddeninfo.Uniform()
		prior[front][luzhanqi.Colonel] = likelier
		b.SetPrior(prior)
		opinion, plain := b.Marginals()[front][luzhanqi.Colonel], b.Constraints()[front][luzhanqi.Colonel]
		if (likelier > 1) != (opinion > plain) {
			t.Fatalf("the prior says %v, the rules %v", opinion, plain)
		}
		d := doubt{start: start, now: start}
		b.SetDoubt(d.now)
		d.foretell(b)
		b.Tell(3, hiddeninfo.Movers)
		if d.judge(b); d.now != start {
			t.Errorf("that a piece moved makes the doubt %v", d.now)
		}
		d.foretell(b)
		b.Tell(front, hiddeninfo.Only(luzhanqi.Colonel))
		d.judge(b)
		// That another piece has moved makes hardly a difference to these.
		want := start * plain / (start*plain + (1-start)*opinion)
		want += forgotten * (start - want)
		if math.Abs(d.now-want) > 0.02 || (likelier > 1) != (d.now < start) {
			t.Errorf("a colonel that was expected with %.3f, by the rules with %.3f, makes the doubt %.3f: must be near %.3f", opinion, plain, d.now, want)
		}
	}
}

// TestWatcherDoubts guards that a watcher believes what it did without doubt and what the rules alone say, each in its part, and that
// doubt is learned from fights.
func TestWatcherDoubts(t *testing.T) {
	positions, _ := GreedyGame(t, 4, 80)
	start := viewOf(positions[0], game.Second)
	trust := DefaultTrust
	trust.Doubt = 0
	sure := Watch(start, Default(), trust)
	trust.Doubt = 0.35
	w := Watch(start, Default(), trust)
	learned := false
	for _, p := range positions[1:] {
		v := viewOf(p, game.Second)
		sure.Update(v)
		w.Update(v)
		d := w.doubt.now
		if !(d > 0 && d < 1) {
			t.Fatalf("ply %d: doubt %v", p.Ply(), d)
		}
		learned = learned || d < 0.3 || d > 0.4
		got, opinions, plain := w.Belief.Marginals(), sure.Belief.Marginals(), w.Belief.Constraints()
		for piece := range got {
			for _, rank := range luzhanqi.Ranks {
				if want := (1-d)*opinions[piece][rank] + d*plain[piece][rank]; math.Abs(got[piece][rank]-want) > 1e-9 {
					t.Fatalf("ply %d, piece %d, %v: %v, must be %v", p.Ply(), piece, rank, got[piece][rank], want)
				}
			}
		}
	}
	if !learned {
		t.Error("80 plies have told nothing")
	}
}

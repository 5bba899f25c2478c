package likelihood

import (
	"math"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// TestDoubtIsJudged guards that what a fight tells moves doubt by the rule of Bayes, less what is forgotten; that a move does
// not, even if it begins the fight.
func TestDoubtIsJudged(t *testing.T) {
	const start = 0.3
	const back, front, beside = hiddeninfo.Piece(3), hiddeninfo.Piece(20), hiddeninfo.Piece(21)
	for _, likelier := range []float64{0.02, 1, 50} {
		for _, enemyBegan := range []bool{false, true} {
			b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false))
			prior := hiddeninfo.Uniform()
			prior[back][luzhanqi.Landmine] = 50
			prior[front][luzhanqi.Colonel], prior[beside][luzhanqi.Major] = likelier, likelier
			b.SetPrior(prior)
			opinions, plain := b.Marginals(), b.Constraints()
			d := doubt{start: start, now: start}
			b.SetDoubt(d.now)
			d.foretell(b)
			b.Tell(back, hiddeninfo.Movers)
			odds := start / (1 - start)
			if !enemyBegan { // then it is something that the fight has told
				odds *= chance(plain, int(back), hiddeninfo.Movers) / chance(opinions, int(back), hiddeninfo.Movers)
			}
			b.Tell(front, hiddeninfo.Only(luzhanqi.Colonel))
			odds *= plain[front][luzhanqi.Colonel] / opinions[front][luzhanqi.Colonel]
			b.Tell(beside, hiddeninfo.Only(luzhanqi.Major))
			odds *= plain[beside][luzhanqi.Major] / opinions[beside][luzhanqi.Major]
			d.judge(b, enemyBegan)
			want := odds / (1 + odds)
			want += forgotten * (start - want)
			if math.Abs(d.now-want) > 1e-9 {
				t.Errorf("likelier by %v, the enemy began %v: doubt %v, must be %v", likelier, enemyBegan, d.now, want)
			}
			d.foretell(b)
			if d.judge(b, enemyBegan); math.Abs(d.now-(want+forgotten*(start-want))) > 1e-9 {
				t.Errorf("a fight that tells nothing makes the doubt %v, it was %v", d.now, want)
			}
		}
	}
}

// TestDoubtNeverEnds guards that doubt stays one, however often and however wrongly opinions have foretold, and whatever a faulty referee shows.
func TestDoubtNeverEnds(t *testing.T) {
	for _, right := range []bool{false, true} {
		d := doubt{start: 0.3, now: 0.3}
		for range 30 { // fights, each of which shows more than one fight can
			b := hiddeninfo.New(luzhanqi.NewView(game.First, luzhanqi.SetUp{}, false))
			prior := hiddeninfo.Uniform()
			for p := hiddeninfo.Piece(20); p < hiddeninfo.Pieces; p++ {
				prior[p][luzhanqi.Engineer] = 1e-9
				if right {
					prior[p][luzhanqi.Engineer] = 1e9
				}
			}
			b.SetPrior(prior)
			b.SetDoubt(d.now)
			d.foretell(b)
			for p := hiddeninfo.Piece(20); p < hiddeninfo.Pieces; p++ {
				b.Tell(p, hiddeninfo.Only(luzhanqi.Engineer))
			}
			d.judge(b, true)
		}
		if least, most := forgotten*d.start, 1-forgotten*(1-d.start); !(d.now >= least-1e-9 && d.now <= most+1e-9) || least < 0.01 || (d.now < d.start) != right {
			t.Errorf("opinions that were right %v: doubt %v, must be from %v to %v", right, d.now, least, most)
		}
	}
}

// TestWatcherDoubts guards that a watcher believes what it would without doubt and what the rules alone say, each in its part; that doubt
// is learned from fights, each judged by what was foretold just before it, however many plies it is shown at a time.
func TestWatcherDoubts(t *testing.T) {
	positions, _ := GreedyGame(t, 4, 80)
	start := viewOf(positions[0], game.Second)
	trust := DefaultTrust
	trust.Doubt = 0
	sure := Watch(start, Default(), trust)
	trust.Doubt = 0.35
	each, other, tens := Watch(start, Default(), trust), Watch(start, Default(), trust), Watch(start, Default(), trust)
	want := doubt{start: 0.35, now: 0.35}
	learned := false
	for _, p := range positions[1:] {
		v := viewOf(p, game.Second)
		last, _ := v.Last()
		if last.Result != luzhanqi.Quiet {
			sure.Belief.SetDoubt(want.now)
			want.foretell(sure.Belief)
		}
		sure.Update(v)
		sure.Belief.SetDoubt(0)
		if last.Result != luzhanqi.Quiet {
			want.judge(sure.Belief, last.Mover == game.First)
		}
		each.Update(v)
		if p.Ply()%2 == 0 {
			other.Update(v)
		}
		if p.Ply()%10 == 0 {
			tens.Update(v)
		}
		d := each.doubt.now
		if math.Abs(d-want.now) > 1e-9 || !(d > 0 && d < 1) {
			t.Fatalf("ply %d: doubt %v, must be %v", p.Ply(), d, want.now)
		}
		learned = learned || math.Abs(d-0.35) > 0.02
		got, opinions, plain := each.Belief.Marginals(), sure.Belief.Marginals(), each.Belief.Constraints()
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
	end := viewOf(positions[len(positions)-1], game.Second)
	for name, w := range map[string]*Watcher{"two plies": other, "ten plies": tens, "all plies": Watch(end, Default(), trust)} {
		if w.Update(end); *w.Belief.Marginals() != *each.Belief.Marginals() {
			t.Errorf("who is shown %s at a time believes something else: doubt %v and %v", name, w.doubt.now, each.doubt.now)
		}
	}
	if each.Update(start); *each.Belief.Marginals() != *Watch(start, Default(), trust).Belief.Marginals() {
		t.Error("another game begins with what was believed in the one before")
	}
}

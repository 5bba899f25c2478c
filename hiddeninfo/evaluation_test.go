package hiddeninfo

import (
	"math"
	"slices"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// TestEvaluation guards the arithmetic on a belief that can be checked by hand.
func TestEvaluation(t *testing.T) {
	var m Marginals
	var truth World
	m[0][luzhanqi.Flag], truth[0] = 1, luzhanqi.Flag
	m[1][luzhanqi.General], m[1][luzhanqi.Bomb], truth[1] = 0.25, 0.75, luzhanqi.General
	m[2][luzhanqi.General], m[2][luzhanqi.Bomb], truth[2] = 0.75, 0.25, luzhanqi.General
	m[3][luzhanqi.Bomb], truth[3] = 1, luzhanqi.Captain // not evaluated
	var e Evaluation
	e.Add(&m, &truth, 0b111)
	if want := (math.Log(4) - math.Log(0.75)) / 3; !near(e.LogLoss(), want) || !near(LogLoss(&m, &truth, 0b111), want) {
		t.Errorf("log-loss %v, not %v", e.LogLoss(), want)
	}
	// 0.25 was said twice and true once, and so was 0.75.
	if want := (0.5 + 0.5) / 4; !near(e.CalibrationError(), want) {
		t.Errorf("calibration error %v, not %v", e.CalibrationError(), want)
	}
	if got, want := e.Bins(), []Bin{{0.25, 0.5, 2}, {0.75, 0.5, 2}}; !slices.Equal(got, want) {
		t.Errorf("bins %v, not %v", got, want)
	}
	sum := e
	sum.Add(&m, &truth, 0b1000)
	if sum.Pieces() != 4 || sum.Excluded() != 1 || e.Excluded() != 0 {
		t.Errorf("%d pieces, %d excluded", sum.Pieces(), sum.Excluded())
	}
	if want := -math.Log(minP); !near(LogLoss(&m, &truth, 0b1000), want) {
		t.Errorf("an excluded truth costs %v, not %v", LogLoss(&m, &truth, 0b1000), want)
	}
	if LogLoss(&m, &truth, 0) != 0 {
		t.Error("no piece has a loss")
	}
}

// TestHidden guards on which pieces a belief is evaluated: neither the fallen nor a shown flag.
func TestHidden(t *testing.T) {
	b := New(observed(t, false, "1 A6 A7 = flag1:B1 flag2:D12"))
	var evaluated luzhanqi.Squares
	for p := range Piece(Pieces) {
		if b.Hidden()>>p&1 != 0 {
			evaluated |= luzhanqi.Bit(b.Initial(p))
		}
	}
	want := luzhanqi.TurnSquares(luzhanqi.OwnHalf&^luzhanqi.Camps) &^ luzhanqi.Bit(30) &^ luzhanqi.Bit(58) // A7, D12
	if evaluated != want {
		t.Errorf("evaluated are %b, not %b", evaluated, want)
	}
}

// TestConstraintsAreCalibrated guards that, where set-ups are drawn as the belief assumes and moves
// at random, what has a chance of x comes true in x of the cases; and that constraints beat no
// belief, and a true prior beats constraints alone. Something is left to the tolerance: even
// aimless movers tell that what never moved is more often a landmine than constraints know.
func TestConstraintsAreCalibrated(t *testing.T) {
	var none, constraints, prior Evaluation
	for seed := range uint64(300) {
		positions, truth := playGame(newRand(seed), aimless, false, 160)
		v := viewOf(positions[len(positions)-1], game.First)
		b := New(v)
		enemy := &truth[game.Second]
		none.Add(NoBelief(), enemy, b.Hidden())
		constraints.Add(b.Marginals(), enemy, b.Hidden())
		// A prior that has looked: it gives the true rank twice the weight.
		w := Uniform()
		for p, rank := range enemy {
			w[p][rank] = 2
		}
		b.SetPrior(w)
		prior.Add(b.Marginals(), enemy, b.Hidden())
	}
	t.Logf("log-loss: none %.4f, constraints %.4f, prior %.4f; constraints: %v", none.LogLoss(), constraints.LogLoss(), prior.LogLoss(), &constraints)
	if constraints.Excluded() > 0 || constraints.CalibrationError() > 0.01 {
		t.Errorf("constraints: %d excluded, calibration error %.4f", constraints.Excluded(), constraints.CalibrationError())
	}
	if !(prior.LogLoss() < constraints.LogLoss() && constraints.LogLoss() < none.LogLoss()) {
		t.Errorf("log-loss: none %.4f, constraints %.4f, prior %.4f", none.LogLoss(), constraints.LogLoss(), prior.LogLoss())
	}
}

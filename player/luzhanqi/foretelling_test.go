package luzhanqi

import (
	"math"
	"math/rand/v2"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// Between knots there is a line, beyond them nothing changes, and what is won at once stays so. What nearly always wins playouts need not win games.
func TestForetelling(t *testing.T) {
	f := Foretelling{{0, 0, 1}, {100, -0.5, 0.5}}
	for ply, want := range map[int]Knot{-1: f[0], 0: f[0], 50: {50, -0.25, 0.75}, 100: f[1], 900: f[1]} {
		if got := f.At(ply); got != want {
			t.Errorf("ply %d: %v, want %v", ply, got, want)
		}
	}
	for _, value := range []float64{-1, 1} {
		if got, slope := f.value(80, value); got != value || slope != 1 {
			t.Errorf("%v became %v, slope %v", value, got, slope)
		}
	}
	for _, value := range []float64{-0.9, -0.2, 0, 0.5, 0.9} {
		if got, _ := f.value(0, value); math.Abs(got-value) > 1e-9 {
			t.Errorf("at ply 0, where nothing is to be mended, %v became %v", value, got)
		}
		if got, _ := Foretelling(nil).value(0, value); got != value {
			t.Errorf("without a foretelling %v became %v", value, got)
		}
		const step = 1e-6
		low, slope := f.value(70, value)
		high, _ := f.value(70, value+step)
		if math.Abs((high-low)/step-slope) > 1e-3 {
			t.Errorf("at %v it grows by %v, said is %v", value, (high-low)/step, slope)
		}
	}
	most, _ := f.value(100, Extreme)
	if got, _ := f.value(100, 0.999); got != most || most > 0.75 {
		t.Errorf("0.999 at ply 100 became %v, %v became %v", got, Extreme, most)
	}
	if got, _ := f.value(100, 0.5); math.Abs((1+got)/2-1/(1+math.Exp(0.5-0.5*math.Log(3)))) > 1e-9 {
		t.Errorf("0.5 at ply 100 became %v", got)
	}
}

// halved is a foretelling that changes every value.
var halved = Foretelling{{0, -1, 0.5}}

// explained is what a search says of these candidates at the beginning of a game.
func explained(candidates ...candidate) []player.Explained {
	style := Strong
	style.Foretelling = halved
	v := luzhanqi.NewView(game.First, style.SetUps.Draw(rand.New(rand.NewPCG(1, 1))), true)
	p := NewSearcher(style, player.Options{})
	p.update(v)
	defer p.Rest()
	p.last = lastSearch{view: v, search: &search{candidates: candidates}}
	e, _ := p.Explain()
	return e.Candidates
}

// What is known is said as it is: a draw, and an end that is forced in every world.
func TestForetellsWhatIsNotKnown(t *testing.T) {
	with := func(sum int64, mates ...int8) candidate {
		return candidate{bias: 1, visits: 10, sum: sum, mates: mates}
	}
	drawn := with(98_000)
	drawn.draw = true
	mapped := func(value float64) float64 {
		m, _ := halved.value(0, value)
		if math.Abs(m-value) < 0.05 {
			t.Fatalf("%v stays %v", value, m)
		}
		return m
	}
	for _, test := range []struct {
		name string
		c    candidate
		want float64
	}{
		{"drawn", drawn, 0},
		{"won in all worlds", with(98_000, forcedWin, forcedWin), 0.98},
		{"lost in all worlds", with(-98_000, forcedLoss, forcedLoss), -0.98},
		{"won in one of two, lost in the other", with(0, forcedWin, forcedLoss), 0},
		{"won in one of two", with(98_000, forcedWin, unknown), mapped(0.98)},
		{"known in none", with(50_000, unknown, unknown), mapped(0.5)},
		{"played", with(98_000), mapped(0.98)},
	} {
		if got := explained(test.c)[0].Value; math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// The first candidate is the one that did best, whatever is said of the others.
func TestExplainsTheBestFirst(t *testing.T) {
	all := explained(
		candidate{bias: 1, visits: 10, sum: 98_000, seen: 1, mates: []int8{forcedWin}},
		candidate{bias: 1, visits: 10, sum: 99_000, seen: 2},
		candidate{bias: 1, visits: 11, seen: 3},
	)
	if a, b, c := all[0].Seen, all[1].Seen, all[2].Seen; a != 3 || b != 2 || c != 1 {
		t.Errorf("order %d, %d, %d", a, b, c)
	}
}

// What strong says of better moves is better, at every ply.
func TestStrongForetells(t *testing.T) {
	for ply := range 1200 {
		before := math.Inf(-1)
		for v := -1.0; v <= 1; v += 0.01 {
			value, _ := Strong.Foretelling.value(ply, v)
			if value < before {
				t.Fatalf("ply %d: at %.2f it falls from %v to %v", ply, v, before, value)
			}
			before = value
		}
	}
}

// In a game that lasts, little is sure.
func TestStrongPromisesLittleLate(t *testing.T) {
	for ply, most := range map[int]float64{0: 0.98, 80: 0.97, 160: 0.6, 300: 0.5, 700: 0.3, 2000: 0.3} {
		value, _ := Strong.Foretelling.value(ply, 0.97)
		more, _ := Strong.Foretelling.value(ply, Extreme)
		if value < 0.1 || value > most || more < value || ply > 0 && more == value {
			t.Errorf("ply %d: 0.97 became %v, %v became %v; allowed are 0.1 to %v", ply, value, Extreme, more, most)
		}
	}
}

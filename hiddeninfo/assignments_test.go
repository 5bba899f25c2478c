package hiddeninfo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"luzhanqi/game/luzhanqi"

	"pgregory.net/rapid"
)

// problem is a small army with masks and weights.
type problem struct {
	army    [rankCodes]uint8
	pieces  int
	masks   [Pieces]Mask
	weights *Weights
}

func drawProblem(t *rapid.T) problem {
	var p problem
	ranks := rapid.SliceOfNDistinct(rapid.SampledFrom(luzhanqi.Ranks[:]), 1, 5, rapid.ID[luzhanqi.Rank]).Draw(t, "ranks")
	var all Mask
	for _, rank := range ranks {
		all |= Only(rank)
		n := rapid.IntRange(1, 3).Draw(t, "count")
		n = min(n, 8-p.pieces)
		p.army[rank] = uint8(n)
		p.pieces += n
	}
	// Few different masks, as in games, or all of them at random.
	some := rapid.SliceOfN(rapid.Uint16(), 1, 4).Draw(t, "masks")
	for i := range p.pieces {
		p.masks[i] = Mask(rapid.SampledFrom(some).Draw(t, "mask")) & AnyRank
		if rapid.Bool().Draw(t, "wide") {
			p.masks[i] |= all
		}
	}
	p.weights = p.drawWeights(t, ranks)
	return p
}

// drawWeights draws an opinion, often none.
func (p *problem) drawWeights(t *rapid.T, ranks []luzhanqi.Rank) *Weights {
	if !rapid.Bool().Draw(t, "weighed") {
		return nil
	}
	w := Uniform()
	levels := []float64{1, 1, 1, 0.5, 2, 1e-3, 1e3}
	for i := range p.pieces {
		for _, rank := range ranks {
			w[i][rank] = rapid.SampledFrom(levels).Draw(t, "weight")
		}
	}
	return w
}

// bruteForce tries every rank for every piece.
func (p *problem) bruteForce() (worlds map[World]float64, total float64) {
	worlds = map[World]float64{}
	left := p.army
	var w World
	var try func(i int, weight float64)
	try = func(i int, weight float64) {
		if i == p.pieces {
			worlds[w] += weight
			total += weight
			return
		}
		for _, rank := range luzhanqi.Ranks {
			if left[rank] == 0 || !p.masks[i].Has(rank) {
				continue
			}
			left[rank]--
			w[i] = rank
			next := weight
			if p.weights != nil {
				next *= p.weights[i][rank]
			}
			try(i+1, next)
			left[rank]++
		}
		w[i] = luzhanqi.None
	}
	try(0, 1)
	return worlds, total
}

// TestAgainstBruteForce guards the whole count: number, marginals, enumeration and samples, by one opinion and by several at
// once, for armies small enough to try everything. One Assignments solves all of an army, and before each problem a wide one, so nothing may be left over; and each
// twice, with its opinions the other way round, so that what is kept of the first time has to fit the second.
func TestAgainstBruteForce(t *testing.T) {
	r := newRand(1)
	solvers := map[[rankCodes]uint8]*Assignments{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		a := solvers[p.army]
		if a == nil {
			a = assignmentsOf(p.army)
			solvers[p.army] = a
		}
		opinions := []*Weights{p.weights}
		for range rapid.IntRange(0, 3).Draw(t, "other opinions") {
			opinions = append(opinions, p.drawWeights(t, luzhanqi.Ranks[:]))
		}
		wide := anything()
		a.Solve(&wide, append(opinions, randomWeights(r))...)
		for range 2 {
			worlds, _ := p.bruteForce()
			if ok := a.Solve(&p.masks, opinions...); ok != (len(worlds) > 0) {
				t.Fatalf("Solve says %v, there are %d", ok, len(worlds))
			}
			for i, weights := range opinions {
				if p.weights = weights; len(worlds) > 0 {
					p.check(t, a.By(i), r)
				}
			}
			slices.Reverse(opinions)
		}
	})
}

// check compares a distribution with what brute force finds.
func (p *problem) check(t *rapid.T, d Distribution, r *rand.Rand) {
	worlds, total := p.bruteForce()
	if got := d.Count(); p.weights == nil && !near(got, float64(len(worlds))) {
		t.Fatalf("Count is %v, not %d", got, len(worlds))
	}
	if got := math.Exp(d.LogWeight()); !near(got, total) {
		t.Fatalf("the weights' sum is %v, not %v", got, total)
	}
	var want Marginals
	for w, weight := range worlds {
		for i := range p.pieces {
			want[i][w[i]] += weight / total
		}
	}
	got := d.Marginals()
	for i := range want {
		for rank := range want[i] {
			if !near(got[i][rank], want[i][rank]) || (got[i][rank] > 0) != (want[i][rank] > 0) {
				t.Fatalf("piece %d, %v: %v, not %v", i, luzhanqi.Rank(rank), got[i][rank], want[i][rank])
			}
		}
	}
	sum, n := 0.0, 0
	for _, weight := range d.All() {
		sum += weight
		n++
	}
	if n != len(worlds) {
		t.Fatalf("All yields %d, not %d", n, len(worlds))
	}
	for w, weight := range d.All() {
		if !near(weight/sum, worlds[*w]/total) {
			t.Fatalf("All yields %v with %v, not %v", *w, weight/sum, worlds[*w]/total)
		}
	}
	for range 20 {
		var w World
		if d.Sample(r, &w); worlds[w] == 0 {
			t.Fatalf("sampled %v, which is impossible", w)
		}
	}
}

// TestNothingLeftOver guards that what is impossible stays so after other problems: of two ranks each alone has pieces enough, both
// together have not.
func TestNothingLeftOver(t *testing.T) {
	army := [rankCodes]uint8{luzhanqi.MajorGeneral: 2, luzhanqi.BrigadierGeneral: 2, luzhanqi.Captain: 1, luzhanqi.Bomb: 1}
	high := Only(luzhanqi.MajorGeneral) | Only(luzhanqi.BrigadierGeneral)
	low := Only(luzhanqi.Captain) | Only(luzhanqi.Bomb)
	for _, masks := range [][2]Mask{{high, low}, {low, high}} {
		a := assignmentsOf(army)
		wide, few := anything(), anything()
		for p := range 6 {
			few[p] = masks[p/3]
		}
		if !a.Solve(&wide, randomWeights(newRand(1)), nil) {
			t.Fatal("nothing is possible")
		}
		if a.Solve(&few) {
			t.Errorf("%v is possible", few[:6])
		}
	}
}

// near allows for rounding only.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1e-9, math.Abs(x), math.Abs(y)) }

// TestSampleFrequencies guards the distribution of samples, not only their possibility: χ² against
// the exact probabilities must stay below what chance exceeds once in 10,000 times.
func TestSampleFrequencies(t *testing.T) {
	const draws = 20000
	army := [rankCodes]uint8{luzhanqi.FieldMarshal: 1, luzhanqi.General: 1, luzhanqi.Captain: 2, luzhanqi.Bomb: 1, luzhanqi.Lieutenant: 1}
	high := Only(luzhanqi.FieldMarshal) | Only(luzhanqi.General)
	p := problem{army: army, pieces: 6}
	for i, mask := range []Mask{AnyRank, AnyRank, high | Only(luzhanqi.Bomb), AnyRank &^ Only(luzhanqi.Bomb), AnyRank, AnyRank &^ high} {
		p.masks[i] = mask
	}
	for _, weights := range []*Weights{nil, randomWeights(newRand(3))} {
		p.weights = weights
		worlds, total := p.bruteForce()
		a := assignmentsOf(army)
		if !a.Solve(&p.masks, randomWeights(newRand(4)), weights) {
			t.Fatal("nothing is possible")
		}
		seen := map[World]int{}
		r := newRand(2)
		var w World
		for range draws {
			a.By(1).Sample(r, &w)
			seen[w]++
		}
		chi2, free := 0.0, 0
		for w, weight := range worlds {
			if expected := draws * weight / total; expected >= 5 {
				chi2 += math.Pow(float64(seen[w])-expected, 2) / expected
				free++
			}
		}
		// Wilson and Hilferty: the cube root of χ²/n is about normal; 3.72 is the quantile.
		n := float64(free)
		if limit := n * math.Pow(1-2/(9*n)+3.72*math.Sqrt(2/(9*n)), 3); free < 20 || chi2 > limit {
			t.Errorf("χ² is %.1f for %d worlds, expected at most %.1f", chi2, free, limit)
		}
	}
}

// TestWholeArmy guards known numbers: with no knowledge but the rules there are as many set-ups as
// drawing the flag, the landmines, the bombs and the others one after the other gives.
func TestWholeArmy(t *testing.T) {
	var masks [Pieces]Mask
	for p := range masks {
		masks[p] = Piece(p).setUpMask()
	}
	a := NewAssignments()
	if !a.Solve(&masks, nil) {
		t.Fatal("no set-up is legal")
	}
	choose := func(n float64, k int) float64 {
		c := 1.0
		for i := range k {
			c = c * (n - float64(i)) / float64(i+1)
		}
		return c
	}
	// 2 headquarters; 9 other squares in rows 1 and 2; 16 left behind row 6; then 19 pieces.
	want := 2 * choose(9, 3) * choose(16, 2)
	for n, counts := 19.0, []int{1, 1, 2, 2, 2, 2, 3, 3, 3}; len(counts) > 0; counts = counts[1:] {
		want *= choose(n, counts[0])
		n -= float64(counts[0])
	}
	if got := a.By(0).Count(); !near(got, want) {
		t.Errorf("%v set-ups, not %v", got, want)
	}
	m := a.By(0).Marginals()
	if got := m[1][luzhanqi.Flag]; !near(got, 0.5) {
		t.Errorf("the flag is in B1 with %v, not 1/2", got)
	}
	// A weight that is the same for all ranks of a piece says nothing.
	flat := Uniform()
	for rank := range flat[7] {
		flat[7][rank] *= 1e-30
	}
	if !a.Solve(&masks, flat) {
		t.Fatal("no set-up is legal with weights")
	}
	weighed := a.By(0).Marginals()
	for p := range m {
		for rank := range m[p] {
			if !near(m[p][rank], weighed[p][rank]) {
				t.Fatalf("piece %d, %v: %v without weights, %v with equal ones", p, luzhanqi.Rank(rank), m[p][rank], weighed[p][rank])
			}
		}
	}
}

// TestOpinionsExcludeNothing guards that what is possible stays possible, whatever the weights.
func TestOpinionsExcludeNothing(t *testing.T) {
	var masks [Pieces]Mask
	for p := range masks {
		masks[p] = Piece(p).setUpMask()
	}
	strange := []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1, 1e-300, math.MaxFloat64}
	r := rand.New(rand.NewPCG(5, 5))
	a := NewAssignments()
	for range 20 {
		var w Weights
		for p := range w {
			for rank := range w[p] {
				w[p][rank] = strange[r.IntN(len(strange))]
			}
		}
		if !a.Solve(&masks, &w) {
			t.Fatal("nothing is possible")
		}
		support := a.By(0).Marginals().support()
		if support != masks {
			t.Fatalf("possible are %v, not %v", support, masks)
		}
		for _, row := range a.By(0).Marginals() {
			sum := 0.0
			for _, chance := range row {
				sum += chance
			}
			if !near(sum, 1) {
				t.Fatalf("the chances of a piece add up to %v", sum)
			}
		}
	}
}

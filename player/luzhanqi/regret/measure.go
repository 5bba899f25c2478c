package regret

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"luzhanqi/player"
)

// Trial is how a player chose in a number of positions. Means are over positions.
type Trial struct {
	// Agreement is how often two seeds choose the same move.
	Agreement Means
	// Regret is what the chosen moves are worth less than the one that the search which judged would choose, in wins, and
	// Best how often that one was chosen; by the search. Both are means over its verdicts.
	Regret, Best map[string]Means
	// Lost is what they are worth less than the choice of another verdict of the same search, for searches with two or
	// more. What a search chooses of many moves is partly the luckiest, so there is regret even for who chooses as well as
	// it does; what one verdict chose and another one values owes nothing to luck, and Lost errs to neither side.
	Lost  map[string]Means
	Moves int           // that were chosen
	Took  time.Duration // for all of them
}

// Means are one mean for each position.
type Means []float64

// Mean returns the mean and its 95 % error.
func (m Means) Mean() (mean, e float64) {
	n := float64(len(m))
	square := 0.0
	for _, x := range m {
		mean += x / n
		square += x * x / n
	}
	if n < 2 {
		return mean, math.Inf(1)
	}
	return mean, 1.96 * math.Sqrt(max(square-mean*mean, 0)/(n-1))
}

// Minus are the differences in each position, whose error is smaller than those of two means: the positions are the same.
func (m Means) Minus(other Means) Means {
	d := slices.Clone(m)
	for i := range d {
		d[i] -= other[i]
	}
	return d
}

// Measure lets a player choose in each position with so many seeds. Each time a new one is made, which first chooses
// in the earlier positions of its own where it was to move: so it knows what it would in a game. Clock tells the time that counts.
func Measure(all []Position, make func() (player.Player, error), seeds, earlier int, clock func() time.Duration) (*Trial, error) {
	t := &Trial{Regret: map[string]Means{}, Best: map[string]Means{}, Lost: map[string]Means{}}
	for i := range all {
		p := &all[i]
		moves := p.Before(0).Moves(nil)
		var chosen []int
		for seed := range seeds {
			who, err := make()
			if err != nil {
				return nil, err
			}
			r := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			for n := 2 * min(earlier, p.Ply/2); n > 0; n -= 2 {
				at := p.Before(n)
				who.Choose(at.View(at.Mover()), time.Now().Add(time.Hour), r)
			}
			at := p.Before(0)
			view := at.View(at.Mover())
			began := clock()
			m := who.Choose(view, time.Now().Add(time.Hour), r)
			t.Took += clock() - began
			t.Moves++
			n := slices.Index(moves, m)
			if n < 0 {
				return nil, fmt.Errorf("position %d, seed %d: %v is no move", i+1, seed, m)
			}
			chosen = append(chosen, n)
		}
		t.add(p, chosen)
	}
	return t, nil
}

func (t *Trial) add(p *Position, chosen []int) {
	same, pairs := 0, 0
	for i, m := range chosen {
		for _, n := range chosen[:i] {
			pairs++
			if m == n {
				same++
			}
		}
	}
	t.Agreement = append(t.Agreement, float64(same)/float64(max(pairs, 1)))
	for name, verdicts := range p.Verdicts {
		var regret, best, lost float64
		for i, v := range verdicts {
			for _, m := range chosen {
				regret += float64(v.Values[v.Best] - v.Values[m])
				if m == v.Best {
					best++
				}
				for j, other := range verdicts {
					if j != i {
						lost += float64(v.Values[other.Best] - v.Values[m])
					}
				}
			}
		}
		n := float64(len(chosen) * len(verdicts))
		t.Regret[name] = append(t.Regret[name], regret/10_000/n)
		t.Best[name] = append(t.Best[name], best/n)
		if others := float64(len(verdicts) - 1); others > 0 {
			t.Lost[name] = append(t.Lost[name], lost/10_000/n/others)
		}
	}
}

package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// cheapest tries every pairing.
func cheapest(left []int, of func(i, j int) cost) cost {
	if len(left) == 0 {
		return cost{}
	}
	var best cost
	for k := 1; k < len(left); k++ {
		rest := append(append([]int{}, left[1:k]...), left[k+1:]...)
		c := of(left[0], left[k]).plus(cheapest(rest, of))
		if k == 1 || c.less(best) {
			best = c
		}
	}
	return best
}

func total(t interface{ Fatalf(string, ...any) }, mates []int, of func(i, j int) cost) (sum cost) {
	for i, j := range mates {
		if j < 0 || j >= len(mates) || j == i || mates[j] != i {
			t.Fatalf("no pairing: %v", mates)
		}
		if i < j {
			sum = sum.plus(of(i, j))
		}
	}
	return sum
}

// Few different costs make ties, odd cycles of tight edges and nested blossoms.
func TestPairingIsTheCheapest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 2 * rapid.IntRange(1, 5).Draw(t, "half")
		top := rapid.SampledFrom([]int64{1, 2, 3, 6, 50, 1 << 40}).Draw(t, "top")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		costs := make([]cost, n*n)
		for i := range n {
			for j := range i {
				c := cost{r.Int64N(2), r.Int64N(top), r.Int64N(top) - top/2, r.Int64N(2), r.Int64N(top)}
				costs[i*n+j], costs[j*n+i] = c, c
			}
		}
		of := func(i, j int) cost { return costs[i*n+j] }
		left := make([]int, n)
		for i := range left {
			left[i] = i
		}
		mates := pairing(n, of)
		if got, want := total(t, mates, of), cheapest(left, of); got != want {
			t.Fatalf("pairing %v costs %v, the cheapest %v", mates, got, want)
		}
	})
}

// With many players blossoms nest deep. The duals prove that a pairing is the cheapest, by weak duality:
// no edge has negative slack, no blossom a negative dual, and the costs sum up to the duals.
func TestPairingOfManyIsProven(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 * (10 + r.IntN(30))
		top := []int64{2, 3, 10, 1000}[r.IntN(4)]
		costs := make([]cost, n*n)
		for i := range n {
			for j := range i {
				costs[i*n+j] = cost{r.Int64N(top), r.Int64N(top), r.Int64N(top), 0, r.Int64N(top)}
				costs[j*n+i] = costs[i*n+j]
			}
		}
		prove(t, n, func(i, j int) cost { return costs[i*n+j] })
	}
}

// prove pairs and checks the duals.
func prove(t *testing.T, n int, of func(i, j int) cost) {
	t.Helper()
	m := newMatching(n, of)
	for range n / 2 {
		m.grow()
	}
	mates := make([]int, n)
	for v := range mates {
		mates[v] = m.mate[v+1] - 1
	}
	twice := total(t, mates, of)
	twice = twice.plus(twice)
	var inside func(b int) []int
	inside = func(b int) []int {
		if b <= n {
			return []int{b}
		}
		var all []int
		for _, x := range m.cycle[b] {
			all = append(all, inside(x)...)
		}
		return all
	}
	slacks := make([]cost, n*n)
	var sum cost
	for u := 1; u <= n; u++ {
		sum = sum.plus(m.dual[u])
		for v := 1; v <= n; v++ {
			if u != v {
				slacks[(u-1)*n+v-1] = m.slack(edge{u, v})
			}
		}
	}
	blossoms := 0
	for b := n + 1; b < len(m.top); b++ {
		if m.top[b] == 0 {
			continue
		}
		if m.dual[b].less(m.zero) {
			t.Fatalf("blossom with dual %v", m.dual[b])
		}
		members := inside(b)
		blossoms++
		for range (len(members) - 1) / 2 { // an odd set of k vertices holds at most (k-1)/2 pairs, each of which costs that much more
			sum = sum.minus(m.dual[b]).minus(cost{})
		}
		for _, u := range members {
			for _, v := range members {
				if u != v {
					slacks[(u-1)*n+v-1] = slacks[(u-1)*n+v-1].plus(m.dual[b])
				}
			}
		}
	}
	for at, s := range slacks {
		if at/n != at%n && s.less(m.zero) {
			t.Fatalf("edge %d-%d with slack %v", at/n, at%n, s)
		}
	}
	if sum != twice {
		t.Fatalf("n %d, %d blossoms: twice the cost is %v, the duals say %v", n, blossoms, twice, sum)
	}
}

// BenchmarkPairing pairs rounds of a big Swiss, the tenth of which is harder than the first.
func BenchmarkPairing(b *testing.B) {
	for _, n := range []int{50, 200, MaxSwissPlayers} {
		for _, rounds := range []int{1, 10} {
			b.Run(fmt.Sprintf("players=%d/round=%d", n, rounds), func(b *testing.B) {
				s := scheduleOf(b, Spec{Format: Swiss, Players: n, Games: 2, Rounds: 20, Seed: 1})
				t := newSwiss(s.spec, s.order)
				r := rand.New(rand.NewPCG(1, 2))
				var points [][2]int
				for range rounds - 1 {
					stage, _ := t.next(points)
					points = nil
					for range stage.encounters {
						won := r.IntN(5)
						points = append(points, [2]int{won, 4 - won})
					}
				}
				for k, players := range t.paired {
					t.scores[players[0]] += points[k][0]
					t.scores[players[1]] += points[k][1]
				}
				before := *t
				for b.Loop() {
					*t = before
					t.met, t.scores = clone(before.met), slices.Clone(before.scores)
					t.round++
					t.pair()
				}
			})
		}
	}
}

func clone(rows [][]int) [][]int {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i] = slices.Clone(rows[i])
	}
	return rows
}

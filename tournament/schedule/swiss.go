package schedule

import (
	"cmp"
	"slices"
)

// swiss pairs players of like scores who have not met. Each round is the one best pairing of everybody, by
// these rules in this order (compare FIDE Handbook C.04.1 and C.04.3):
//
//  1. as few rematches as possible, and nobody has a second bye while that can be avoided; a pair that has met
//     twice costs four times as much, and so on;
//  2. the bye goes to the lowest score;
//  3. the differences of the scores of opponents are small (in the sum of their squares);
//  4. with an odd number of games: players that have been first too often meet those that have been second;
//  5. in each score group the upper half meets the lower half, in the order of seeds; a player that must leave a
//     group for the next comes from its end and meets the head of the next, and the bye goes to the last.
type swiss struct {
	spec   Spec
	order  []int   // players by seed
	scores []int   // half points
	firsts []int   // games at seat 1 less games at seat 2
	byed   []int   // byes
	met    [][]int // how often two players have met
	round  int
	paired [][2]int // of the round
	free   []Bye
}

func newSwiss(spec Spec, order []int) *swiss {
	n := spec.Players
	t := &swiss{
		spec: spec, order: order, scores: make([]int, n), firsts: make([]int, n), byed: make([]int, n), met: make([][]int, n),
	}
	for i := range t.met {
		t.met[i] = make([]int, n)
	}
	return t
}

func (*swiss) waits() bool           { return true }
func (t *swiss) byes() []Bye         { return t.free }
func (*swiss) decisions() []Decision { return nil }

func (t *swiss) next(points [][2]int) (stage, bool) {
	for k, players := range t.paired {
		for seat, player := range players {
			t.scores[player] += points[k][seat]
		}
	}
	if t.round == t.spec.Rounds {
		return stage{}, false
	}
	t.round++
	t.pair()
	return stage{round: t.round, games: t.spec.Games, encounters: t.paired}, true
}

// pair pairs the round, the leaders first, and notes who meets whom.
func (t *swiss) pair() {
	ranking := slices.Clone(t.order)
	slices.SortStableFunc(ranking, func(a, b int) int { return cmp.Compare(t.scores[b], t.scores[a]) })
	if len(ranking)%2 == 1 {
		ranking = append(ranking, nobody)
	}
	groups := t.groups(ranking)
	mates := pairing(len(ranking), func(i, j int) cost { return t.cost(ranking, groups, min(i, j), max(i, j)) })
	t.paired = nil
	for i, j := range mates {
		if j < i {
			continue
		}
		a, b := ranking[i], ranking[j]
		if b == nobody {
			t.byed[a]++
			t.scores[a] += 2 * t.spec.Games
			t.free = append(t.free, Bye{Round: t.round, Player: a})
			continue
		}
		t.met[a][b]++
		t.met[b][a]++
		if t.firsts[a] > t.firsts[b] || t.firsts[a] == t.firsts[b] && (t.round+i)%2 == 0 {
			a, b = b, a
		}
		t.firsts[a] += t.spec.Games % 2
		t.firsts[b] -= t.spec.Games % 2
		t.paired = append(t.paired, [2]int{a, b})
	}
}

// group is a score group, by places in the ranking.
type group struct{ from, to int }

// groups returns the group of each place in the ranking.
func (t *swiss) groups(ranking []int) []group {
	all := make([]group, len(ranking))
	for from := 0; from < len(ranking); {
		to := from + 1
		for to < len(ranking) && ranking[from] != nobody && ranking[to] != nobody && t.scores[ranking[to]] == t.scores[ranking[from]] {
			to++
		}
		for place := from; place < to; place++ {
			all[place] = group{from, to}
		}
		from = to
	}
	return all
}

// cost returns the cost, by each rule, of pairing places i < j.
func (t *swiss) cost(ranking []int, groups []group, i, j int) cost {
	a, b := ranking[i], ranking[j]
	if b == nobody {
		return costs(t.byed[a]*t.byed[a], t.scores[a], 0, 0, j-1-i)
	}
	met, colour, order := t.met[a][b], 0, 0
	if t.spec.Games%2 == 1 {
		colour = max(0, t.firsts[a]*t.firsts[b])
	}
	if above, below := groups[i], groups[j]; above == below {
		order = distance(j-i, (above.to-above.from)/2)
	} else {
		order = above.to - 1 - i + j - below.from
	}
	apart := t.scores[a] - t.scores[b]
	return costs(met*met, 0, apart, colour, order)
}

// costs squares the difference of the scores only now: half points of 10,000,000 games need 64 bits for it.
func costs(rematch, bye, apart, colour, order int) cost {
	return cost{int64(rematch), int64(bye), int64(apart) * int64(apart), int64(colour), int64(order)}
}

func distance(a, b int) int { return max(a-b, b-a) }

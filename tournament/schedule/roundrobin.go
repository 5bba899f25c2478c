package schedule

// roundCounter is what the formats share whose pairings do not depend on results: a count of rounds.
type roundCounter struct{ round int }

func (*roundCounter) waits() bool           { return false }
func (*roundCounter) byes() []Bye           { return nil }
func (*roundCounter) decisions() []Decision { return nil }

// match pairs two players once.
type match struct {
	roundCounter
	games int
}

func (m *match) next([][2]int) (stage, bool) {
	m.round++
	return stage{round: 1, games: m.games, encounters: [][2]int{{0, 1}}}, m.round == 1
}

// roundRobin is paired by the circle method: one player stays, the others move on by one seat a round.
type roundRobin struct {
	roundCounter
	spec Spec
}

func (t *roundRobin) next([][2]int) (stage, bool) {
	n := t.spec.Players
	circle := n - 1 + n%2 // seats that move, and rounds of a cycle
	if t.round == circle*t.spec.Cycles {
		return stage{}, false
	}
	cycle, turn := t.round/circle, t.round%circle
	t.round++
	s := stage{round: t.round, games: t.spec.Games}
	if n%2 == 0 { // with an odd number, the player paired with the fixed place has a bye (circle method)
		s.encounters = append(s.encounters, seated(turn, n-1, cycle))
	}
	for k := 1; k <= (circle-1)/2; k++ {
		s.encounters = append(s.encounters, seated((turn+k)%circle, (turn-k+circle)%circle, cycle))
	}
	return s, true
}

// seated orders two players such that, with an odd number of games, everybody has the first seat as often
// as the second, or once more or less in a cycle with an odd number of opponents.
func seated(a, b, cycle int) [2]int {
	if a > b {
		a, b = b, a
	}
	if (b-a+cycle)%2 == 0 {
		a, b = b, a
	}
	return [2]int{a, b}
}

// gauntlet pairs all challengers with all others.
type gauntlet struct {
	roundCounter
	spec   Spec
	others []int
}

func (t *gauntlet) next([][2]int) (stage, bool) {
	challengers, others := len(t.spec.Challengers), len(t.others)
	rounds := max(challengers, others)
	if t.round == rounds*t.spec.Cycles {
		return stage{}, false
	}
	cycle, turn := t.round/rounds, t.round%rounds
	t.round++
	s := stage{round: t.round, games: t.spec.Games}
	for k := range min(challengers, others) {
		challenger, other := k, (k+turn)%rounds
		if challengers > others {
			challenger, other = other, challenger
		}
		players := [2]int{t.spec.Challengers[challenger], t.others[other]}
		if (challenger+other+cycle)%2 == 1 { // only matters for an odd number of games
			players[0], players[1] = players[1], players[0]
		}
		s.encounters = append(s.encounters, players)
	}
	return s, true
}

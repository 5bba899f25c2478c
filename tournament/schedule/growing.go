package schedule

// Formats that grow name their games by what never changes when players or games are added: an encounter by the places of its two
// players in the plan, which nobody that comes later moves, and a pair by how many this encounter has had before. Round n holds the nth pair of
// every encounter, so that all of them are as far as each other.

// Grows says whether a format can grow.
func (f Format) Grows() bool { return f == Match || f == RoundRobin || f == Gauntlet }

// growing is the pairer of such a schedule. Each stage is a turn of the circle in one round.
type growing struct {
	spec       Spec
	encounters func(turn int) [][2]int // players of a turn, the lesser number first; nil: there are no more turns
	pair       int                     // the next, from 0
	turn       int                     // in it
}

func (*growing) waits() bool           { return false }
func (*growing) byes() []Bye           { return nil }
func (*growing) decisions() []Decision { return nil }

// pairs is how many an encounter has in a cycle, and in all.
func (s Spec) pairs() (cycle, all int) {
	cycle = (s.Games + 1) / 2
	return cycle, cycle * max(1, s.Cycles)
}

func (p *growing) next([][2]int) (stage, bool) {
	cycle, all := p.spec.pairs()
	encounters := p.encounters(p.turn)
	if encounters == nil {
		p.pair, p.turn = p.pair+1, 0
		encounters = p.encounters(0)
	}
	if p.pair >= all {
		return stage{}, false
	}
	p.turn++
	s := stage{round: p.pair + 1, games: 2}
	parity := p.pair
	if p.spec.Games%2 == 1 { // the last of a cycle has no partner; who begins it changes with the cycles
		parity = p.pair / cycle
		if p.pair%cycle == cycle-1 {
			s.games = 1
		}
	}
	for _, e := range encounters {
		s.encounters = append(s.encounters, seated(e[0], e[1], parity))
		s.firstPairs = append(s.firstPairs, e[1]*(e[1]-1)/2+e[0])
	}
	return s, true
}

// circle are the encounters of a round robin by the circle method.
func circle(n int) func(turn int) [][2]int {
	turns := n - 1 + n%2
	return func(turn int) (all [][2]int) {
		if turn >= turns {
			return nil
		}
		if n%2 == 0 {
			all = append(all, ordered(turn, n-1))
		}
		for k := 1; k <= (turns-1)/2; k++ {
			all = append(all, ordered((turn+k)%turns, (turn-k+turns)%turns))
		}
		return all
	}
}

// against are the encounters of challengers with all others.
func against(challengers, others []int) func(turn int) [][2]int {
	turns := max(len(challengers), len(others))
	return func(turn int) (all [][2]int) {
		if turn >= turns {
			return nil
		}
		for k := range min(len(challengers), len(others)) {
			challenger, other := k, (k+turn)%turns
			if len(challengers) > len(others) {
				challenger, other = other, challenger
			}
			all = append(all, ordered(challengers[challenger], others[other]))
		}
		return all
	}
}

func ordered(a, b int) [2]int { return [2]int{min(a, b), max(a, b)} }

// growing is the pairer of a schedule that grows.
func (s *Schedule) growing() pairer {
	switch s.spec.Format {
	case RoundRobin:
		return &growing{spec: s.spec, encounters: circle(s.spec.Players)}
	case Gauntlet:
		return &growing{spec: s.spec, encounters: against(s.spec.Challengers, s.spec.others())}
	}
	return &match{games: s.spec.Games}
}

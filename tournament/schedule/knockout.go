package schedule

// knockout is a bracket: the winners of two neighbouring encounters meet in the next round, and the first
// two seeds can meet in the last round only. Seats that the bracket has too many are byes of the first seeds.
type knockout struct {
	spec    Spec
	bracket []int  // players in their places; nobody: a bye
	rank    []int  // of each player, from 0 for the first seed
	out     []bool // of each player
	round   int
	replay  int   // further pairs that the round's undecided encounters have been given
	open    []int // the undecided encounters, by number
	met     [][2]int
	free    []Bye
	decided []Decision
}

const nobody = -1

func newKnockout(spec Spec, order []int) *knockout {
	t := &knockout{spec: spec, rank: make([]int, spec.Players), out: make([]bool, spec.Players)}
	for rank, player := range order {
		t.rank[player] = rank
	}
	places := []int{0}
	for len(places) < spec.Players { // each seed is joined by the one that makes the sum the same
		wider := make([]int, 0, 2*len(places))
		for _, seed := range places {
			wider = append(wider, seed, 2*len(places)-1-seed)
		}
		places = wider
	}
	for _, seed := range places {
		player := nobody
		if seed < spec.Players {
			player = order[seed]
		}
		t.bracket = append(t.bracket, player)
	}
	return t
}

func (*knockout) waits() bool             { return true }
func (t *knockout) byes() []Bye           { return t.free }
func (t *knockout) decisions() []Decision { return t.decided }

func (t *knockout) next(points [][2]int) (stage, bool) {
	if t.round > 0 {
		t.settle(points)
	}
	if len(t.open) > 0 {
		return t.playOn(), true
	}
	if len(t.bracket) == 1 {
		return stage{}, false
	}
	return t.advance(), true
}

// settle notes what has been decided. When all of a round is, only the winners keep their places.
func (t *knockout) settle(points [][2]int) {
	open := t.open[:0]
	for i, k := range t.open {
		a, b := t.met[k][0], t.met[k][1]
		tied := points[i][0] == points[i][1]
		if tied && t.replay < t.spec.Replays {
			open = append(open, k)
			continue
		}
		if tied && t.rank[a] > t.rank[b] || points[i][0] < points[i][1] {
			a, b = b, a
		}
		t.decided = append(t.decided, Decision{Round: t.round, Winner: a, Loser: b, Replays: t.replay, BySeed: tied})
		t.out[b] = true
	}
	t.open = open
	if len(open) > 0 {
		return
	}
	winners := t.bracket[:0]
	for place := 0; place < len(t.bracket); place += 2 {
		winner := t.bracket[place]
		if winner == nobody || t.out[winner] {
			winner = t.bracket[place+1]
		}
		winners = append(winners, winner)
	}
	t.bracket = winners
}

// playOn gives each undecided encounter a further pair. Its number does not depend on what became of the
// other encounters.
func (t *knockout) playOn() stage {
	s := stage{round: t.round, games: 2}
	for _, k := range t.open {
		s.encounters = append(s.encounters, t.met[k])
		s.firstPairs = append(s.firstPairs, len(t.met)*((t.spec.Games+1)/2+t.replay)+k)
	}
	t.replay++
	return s
}

// advance begins a round.
func (t *knockout) advance() stage {
	t.round++
	t.replay, t.open, t.met = 0, nil, nil
	for place := 0; place < len(t.bracket); place += 2 {
		a, b := t.bracket[place], t.bracket[place+1]
		switch {
		case b == nobody:
			t.free = append(t.free, Bye{Round: t.round, Player: a})
		case a == nobody:
			t.free = append(t.free, Bye{Round: t.round, Player: b})
		default:
			t.open = append(t.open, len(t.met))
			t.met = append(t.met, [2]int{a, b})
		}
	}
	return stage{round: t.round, games: t.spec.Games, encounters: t.met}
}

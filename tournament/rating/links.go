package rating

// links says what the games between players bound.
type links struct {
	group  []int // of players whom chains of games connect, whatever their results
	groups int
	played []int // games
	halves []int // half points
}

func linked(players int, met []Met) *links {
	l := &links{group: make([]int, players), played: make([]int, players), halves: make([]int, players)}
	for i := range players {
		l.group[i] = i
	}
	for _, m := range met {
		l.played[m.First] += m.total()
		l.played[m.Second] += m.total()
		l.halves[m.First] += 2*m.Wins + m.Draws
		l.halves[m.Second] += 2*m.Losses + m.Draws
		if a, b := l.root(m.First), l.root(m.Second); a != b {
			l.group[max(a, b)] = min(a, b)
		}
	}
	for i := range players {
		l.group[i] = l.root(i)
		if l.group[i] == i {
			l.groups++
		}
	}
	return l
}

func (l *links) root(i int) int {
	for l.group[i] != i {
		i = l.group[i]
	}
	return i
}

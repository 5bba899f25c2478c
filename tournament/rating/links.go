package rating

import (
	"fmt"
	"math/bits"
)

// links is who is bounded by whom. A player who has scored against another, if only half a point,
// cannot be arbitrarily weaker; nor can one who has scored against such a player, and so on. There are
// finite likeliest ratings only if everybody is linked with everybody in both directions (Ford 1957; see
// Hunter, "MM algorithms for generalized Bradley–Terry models", 2004, assumption 1).
type links struct {
	players int
	words   int
	reach   []uint64 // words a player: whom there is a chain of scores to
	group   []int    // of players whom chains of games connect, whatever their results
	groups  int
	played  []int // games
	halves  []int // half points
}

func linked(players int, met []Met) *links {
	l := &links{
		players: players, words: (players + 63) / 64, group: make([]int, players),
		played: make([]int, players), halves: make([]int, players),
	}
	l.reach = make([]uint64, players*l.words)
	for i := range players {
		l.group[i] = i
		l.set(i, i)
	}
	for _, m := range met {
		if m.Wins+m.Draws > 0 {
			l.set(m.First, m.Second)
		}
		if m.Losses+m.Draws > 0 {
			l.set(m.Second, m.First)
		}
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
	for via := range players { // Warshall's closure, a row at a time
		for from := range players {
			if l.scores(from, via) {
				for w := range l.words {
					l.reach[from*l.words+w] |= l.reach[via*l.words+w]
				}
			}
		}
	}
	return l
}

func (l *links) set(i, j int) { l.reach[i*l.words+j/64] |= 1 << (j % 64) }

func (l *links) root(i int) int {
	for l.group[i] != i {
		i = l.group[i]
	}
	return i
}

// scores says whether a chain of scores leads from one player to another.
func (l *links) scores(i, j int) bool { return l.reach[i*l.words+j/64]>>(j%64)&1 == 1 }

// maximum says why no ratings are the likeliest, as far as that is between players.
func (l *links) maximum() error {
	if l.players == 1 || l.groups > 1 {
		return fmt.Errorf("%w: found %d groups of players that never met", ErrNoMaximum, l.groups)
	}
	for i := range l.players {
		reached := 0
		for w := range l.words {
			reached += bits.OnesCount64(l.reach[i*l.words+w])
		}
		if reached < l.players {
			return fmt.Errorf("%w: no chain of scores leads from player %d to %d of the others", ErrNoMaximum, i, l.players-reached)
		}
	}
	return nil
}

package rating

import (
	"cmp"
	"fmt"
	"slices"
)

// Met counts the games of two players in which First moved first, by their results for First.
type Met struct {
	First, Second       int // players, from 0
	Wins, Draws, Losses int
}

func (m Met) total() int { return m.Wins + m.Draws + m.Losses }

// aggregate adds up games of the same pair and order, in one order whatever the order of games.
func aggregate(players int, games []Met) ([]Met, error) {
	sums := map[[2]int]Met{}
	total := 0
	for i, g := range games {
		if g.First < 0 || g.First >= players || g.Second < 0 || g.Second >= players || g.First == g.Second {
			return nil, fmt.Errorf("games %d: players %d and %d met: must be two of 0 to %d", i, g.First, g.Second, players-1)
		}
		sum := sums[[2]int{g.First, g.Second}]
		for _, n := range [...]struct{ add, to *int }{{&g.Wins, &sum.Wins}, {&g.Draws, &sum.Draws}, {&g.Losses, &sum.Losses}} {
			if *n.add < 0 || *n.add > maxMet {
				return nil, fmt.Errorf("games %d of players %d and %d: found %d wins, %d draws and %d losses: allowed are 0 to %.0f of each",
					i, g.First, g.Second, g.Wins, g.Draws, g.Losses, float64(maxMet))
			}
			*n.to += *n.add
		}
		if total += g.total(); total > maxMet {
			return nil, fmt.Errorf("games %d of players %d and %d: with them there are %d: allowed are %.0f", i, g.First, g.Second, total, float64(maxMet))
		}
		sum.First, sum.Second = g.First, g.Second
		sums[[2]int{g.First, g.Second}] = sum
	}
	met := make([]Met, 0, len(sums))
	for _, sum := range sums {
		if sum.total() > 0 {
			met = append(met, sum)
		}
	}
	slices.SortFunc(met, func(a, b Met) int { return cmp.Or(a.First-b.First, a.Second-b.Second) })
	return met, nil
}

// Package standings says who leads a tournament: points, tie-breaks, joint ratings with errors on
// differences, and the cross-table. It is pure: no clock, no input or output but what it is given to
// write to.
//
// A [Tally] counts games as they end; [Tally.Table] makes the [Table] of them, which can be written for a
// terminal and as JSON. The same set of results gives the same table, byte for byte, in whatever
// order they came: games are counted in whole numbers, all sums run in one order, and the ranking is a
// total order that ends at the order of entry.
package standings

import (
	"cmp"
	"fmt"
	"slices"

	"luzhanqi/tournament/rating"
)

// Game is the result of one game. Players are known by their place in the order of entry, from 0.
type Game struct {
	First, Second int           // the players who moved first and second
	Result        rating.Result // from the side of First
	Foul          bool          // the loser broke the rules or failed: lost on time, by a crash, by an illegal move
}

// Bye is a round that a player sat out, with the points for it. They count as points and for nothing
// else: not as a game, not for ratings, not for anybody's tie-breaks but through the points.
type Bye struct {
	Player int
	Points float64 // in halves
}

// Tally counts games. Its size depends on the pairs that met, not on how often.
type Tally struct {
	names []string
	met   map[[2]int]*rating.Met // by First and Second
	fouls []int
	byes  []int // half points
	sat   []int // rounds sat out
	last  []int // rounds survived
	games int
	voids int
}

// NewTally is a tally of no game yet.
func NewTally(names []string) *Tally {
	n := len(names)
	return &Tally{
		names: slices.Clone(names), met: map[[2]int]*rating.Met{},
		fouls: make([]int, n), byes: make([]int, n), sat: make([]int, n), last: make([]int, n),
	}
}

func (t *Tally) Add(g Game) error {
	n := len(t.names)
	if g.First < 0 || g.First >= n || g.Second < 0 || g.Second >= n || g.First == g.Second {
		return fmt.Errorf("game of players %d and %d: must be two of 0 to %d", g.First, g.Second, n-1)
	}
	m := t.met[[2]int{g.First, g.Second}]
	if m == nil {
		m = &rating.Met{First: g.First, Second: g.Second}
	}
	loser := -1
	switch g.Result {
	case rating.Win:
		m.Wins++
		loser = g.Second
	case rating.Draw:
		m.Draws++
	case rating.Loss:
		m.Losses++
		loser = g.First
	case rating.Void:
		t.voids++
		return nil
	default:
		return fmt.Errorf("game of players %d and %d: result %d does not exist", g.First, g.Second, g.Result)
	}
	if g.Foul {
		if loser < 0 {
			return fmt.Errorf("game of players %d and %d: drawn by a foul; a foul loses", g.First, g.Second)
		}
		t.fouls[loser]++
	}
	t.met[[2]int{g.First, g.Second}] = m
	t.games++
	return nil
}

func (t *Tally) AddBye(b Bye) error {
	halves := int(2 * b.Points)
	if b.Player < 0 || b.Player >= len(t.names) || !(b.Points >= 0 && b.Points <= 1e6) || float64(halves) != 2*b.Points {
		return fmt.Errorf("bye of player %d for %v points: must be one of 0 to %d, and 0 points or more in halves", b.Player, b.Points, len(t.names)-1)
	}
	t.byes[b.Player] += halves
	t.sat[b.Player]++
	return nil
}

// Reach says that a player has survived so many rounds of a knockout, those without an opponent included.
func (t *Tally) Reach(player, rounds int) { t.last[player] = max(t.last[player], rounds) }

// Compute is the table of games.
func Compute(names []string, games []Game, order Order) (*Table, error) {
	t := NewTally(names)
	for i, g := range games {
		if err := t.Add(g); err != nil {
			return nil, fmt.Errorf("games %d: %w", i, err)
		}
	}
	return t.Table(order)
}

// meetings are all pairs that met, in one order.
func (t *Tally) meetings() []rating.Met {
	met := make([]rating.Met, 0, len(t.met))
	for _, m := range t.met {
		met = append(met, *m)
	}
	slices.SortFunc(met, func(a, b rating.Met) int { return cmp.Or(a.First-b.First, a.Second-b.Second) })
	return met
}

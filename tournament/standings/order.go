package standings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// By is the first criterion of a ranking.
type By uint8

// The ways to rank.
const (
	Points  By = iota // where all play as many games
	Score             // points a game: where they do not, or not yet
	Reached           // the rounds that were survived, and then points: in a knockout
	Elo               // the joint rating: where they do not play the same opponents, as in a gauntlet
)

var byNames = [...]string{Points: "points", Score: "score", Reached: "reached", Elo: "elo"}

func (b By) String() string { return byNames[b] }

// TieBreak is a criterion that ranks players who are level.
type TieBreak uint8

// The tie-breaks, as FIDE's handbook (C.07) names them.
const (
	// HeadToHead is the points in games between those who are level, FIDE's direct encounter. It decides
	// only if each of them has met each other, all as often.
	HeadToHead TieBreak = iota
	// SonnebornBerger is the sum of all opponents' points, each times the score against that opponent: points
	// against the strong count more.
	SonnebornBerger
	// Buchholz is the sum of all opponents' points, once for each game: it favours players that had to play the
	// strong. It says nothing in a round robin.
	Buchholz
	// Wins is the number of games won.
	Wins
)

var tieBreakNames = [...]string{HeadToHead: "head-to-head", SonnebornBerger: "sonneborn-berger", Buchholz: "buchholz", Wins: "wins"}

func (t TieBreak) String() string { return tieBreakNames[t] }

// Order ranks players. Those who are level in everything are ranked by the order of entry.
type Order struct {
	By        By
	TieBreaks []TieBreak // in order; none: by the order of entry at once
}

// RoundRobin, Swiss and Knockout are the usual orders of these formats; Gauntlet is one for players whose
// opponents differ.
var (
	RoundRobin = Order{Points, []TieBreak{HeadToHead, SonnebornBerger, Wins}}
	Swiss      = Order{Points, []TieBreak{Buchholz, SonnebornBerger, HeadToHead, Wins}}
	Gauntlet   = Order{Elo, []TieBreak{HeadToHead, Wins}}
	Knockout   = Order{Reached, []TieBreak{Wins}}
)

func (o Order) check() error {
	if int(o.By) >= len(byNames) {
		return fmt.Errorf("rank by %d: allowed are %s", o.By, strings.Join(byNames[:], ", "))
	}
	for _, t := range o.TieBreaks {
		if int(t) >= len(tieBreakNames) {
			return fmt.Errorf("tie-break %d: allowed are %s", t, strings.Join(tieBreakNames[:], ", "))
		}
	}
	return nil
}

// rank returns the rows by rank. Each comparison is between whole numbers or between numbers that are
// equal bit by bit if they are equal at all.
func (o Order) rank(rows []Row, t *Table) []Row {
	group := make([]int, len(rows))
	for i := range group {
		group[i] = i
	}
	ranked := o.split(group, func(i int) float64 {
		switch o.By {
		case Score:
			if rows[i].Games == 0 {
				return -1
			}
			return rows[i].Score
		case Reached:
			return float64(rows[i].Reached)
		case Elo:
			return math.Round(rows[i].Elo.Value * 1e6) // what is equal by symmetry differs in the last bits
		default:
			return rows[i].Points
		}
	}, rows, t, 0)
	out := make([]Row, len(rows))
	for place, i := range ranked {
		out[place] = rows[i]
	}
	return out
}

// split sorts a group that is level by a key, and all who are still level by the next tie-breaks.
func (o Order) split(group []int, key func(int) float64, rows []Row, t *Table, next int) []int {
	keys := map[int]float64{}
	for _, i := range group {
		keys[i] = key(i)
	}
	slices.SortStableFunc(group, func(a, b int) int { return cmp.Compare(keys[b], keys[a]) }) // stable: the order of entry
	if next == len(o.TieBreaks) {
		return group
	}
	for start := 0; start < len(group); {
		end := start + 1
		for end < len(group) && keys[group[end]] == keys[group[start]] {
			end++
		}
		if level := group[start:end]; len(level) > 1 {
			o.split(level, t.tieBreak(o.TieBreaks[next], level, rows), rows, t, next+1)
		}
		start = end
	}
	return group
}

// tieBreak returns the key of a tie-break for those who are level. Head-to-head points become part of rows.
func (t *Table) tieBreak(tie TieBreak, level []int, rows []Row) func(int) float64 {
	switch tie {
	case SonnebornBerger:
		return func(i int) float64 { return rows[i].SonnebornBerger }
	case Buchholz:
		return func(i int) float64 { return rows[i].Buchholz }
	case Wins:
		return func(i int) float64 { return float64(rows[i].Wins) }
	}
	often := t.cells[[2]int{level[0], level[1]}].Games
	for _, i := range level {
		for _, j := range level {
			if i != j && (often == 0 || t.cells[[2]int{i, j}].Games != often) {
				return func(int) float64 { return 0 }
			}
		}
	}
	for _, i := range level {
		points := 0.0
		for _, j := range level {
			points += t.cells[[2]int{i, j}].Points
		}
		rows[i].HeadToHead = points
	}
	return func(i int) float64 { return rows[i].HeadToHead }
}

package alphabeta

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Positions a move of the levels that every game has, unless it says otherwise.
const (
	easy   = 300
	medium = 10_000
)

// Levels are the levels of a game, the weakest first. Those with a number of nodes or a depth do not depend
// on the machine or the limit. Rungs are numbers of nodes of further levels, where easy and medium leave a gap.
func Levels(kind Game, rungs ...int) []player.Level {
	strong, by := kind, ""
	if kind.TextbookBelow {
		kind.NewTree, by = kind.Textbook, ", by an evaluation made by hand"
	}
	all := []player.Level{kind.level("greedy", "the move that looks best one ply ahead", Config{Depth: 1, Plain: true, Shallow: true})}
	easy := cmp.Or(kind.Easy, easy)
	budgets := append([]int{easy, medium}, rungs...)
	slices.SortFunc(budgets, cmp.Compare)
	for _, nodes := range budgets {
		name, summary := fmt.Sprintf("nodes%d", nodes), fmt.Sprintf("the search of strong with %s positions a move, whatever the time%s", thousands(nodes), by)
		switch nodes {
		case easy:
			name, summary = "easy", fmt.Sprintf("a short search: %d positions a move, whatever the time", nodes)
		case medium:
			name = "medium"
		}
		all = append(all, kind.level(name, summary, Config{Nodes: nodes}))
	}
	all = append(all, strong.level("strong", "full strength: as deep a search as the time allows", Config{Threads: 2}))
	all[len(all)-1].Timed = true
	for _, depth := range []int{2, 4, 6} {
		l := kind.depth(depth)
		l.Hidden = true
		all = append(all, l)
	}
	return all
}

// depth is a textbook search to a fixed depth: what strong is measured against.
func (kind Game) depth(depth int) player.Level {
	if kind.Textbook != nil {
		kind.NewTree = kind.Textbook
	}
	return kind.level(fmt.Sprintf("depth%d", depth), "a textbook search to a fixed depth: what strong is measured against", Config{Depth: depth, Plain: true})
}

func (kind Game) level(name, summary string, c Config) player.Level {
	return player.Level{
		Name: name, Summary: summary,
		New: func(g game.Game, o player.Options) player.Player { return New(g, kind, c, o) },
	}
}

// thousands is a number below a million as people read it.
func thousands(n int) string {
	if n < 1_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1_000, n%1_000)
}

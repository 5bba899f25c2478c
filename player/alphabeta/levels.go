package alphabeta

import (
	"fmt"

	"luzhanqi/game"
	"luzhanqi/player"
)

// Levels are the levels of a game, the weakest first. Those with a number of nodes or a depth do not depend
// on the machine or the limit.
func Levels(kind Game) []player.Level {
	level := func(name, summary string, kind Game, c Config) player.Level {
		return player.Level{
			Name: name, Summary: summary,
			New: func(g game.Game, o player.Options) player.Player { return New(g, kind, c, o) },
		}
	}
	all := []player.Level{
		level("greedy", "the move that looks best one ply ahead", kind, Config{Depth: 1, Plain: true, Shallow: true}),
		level("easy", "a short search: 300 positions a move, whatever the time", kind, Config{Nodes: 300}),
		level("medium", "the search of strong with 10,000 positions a move, whatever the time", kind, Config{Nodes: 10_000}),
		level("strong", "full strength: as deep a search as the time allows", kind, Config{Threads: 2}),
	}
	all[len(all)-1].Timed = true
	if kind.Textbook != nil {
		kind.NewTree = kind.Textbook
	}
	for _, depth := range []int{2, 4, 6} {
		l := level(fmt.Sprintf("depth%d", depth), "a textbook search to a fixed depth: what strong is measured against", kind, Config{Depth: depth, Plain: true})
		l.Hidden = true
		all = append(all, l)
	}
	return all
}

package player

import (
	"fmt"

	"luzhanqi/game"
)

// treeGames are the games of perfect information, by name.
var treeGames = map[string]treeGame{
	"jungle":   jungleGame,
	"gastank":  gasTankGame,
	"quagmire": quagmireGame,
}

// treeLevels are the levels of those games, the weakest first. Those with nodes do not depend on the
// machine or the limit.
var treeLevels = func() (all []Level) {
	for name, kind := range treeGames {
		all = append(all, levelsOf(name, kind)...)
	}
	return all
}()

func levelsOf(name string, kind treeGame) []Level {
	textbook := kind
	if kind.textbook != nil {
		textbook.plant = kind.textbook
	}
	fixed := func(depth int) Level {
		return Level{
			Name: fmt.Sprintf("depth%d", depth), games: name, hidden: true,
			Summary: "a textbook search to a fixed depth: what strong is measured against",
			Make: func(g game.Game, o Options) Player {
				return &alphaBeta{game: g, kind: textbook, options: o, depth: depth, plain: true}
			},
		}
	}
	return []Level{
		{
			Name: "greedy", games: name, Summary: "the move that looks best one ply ahead",
			Make: func(g game.Game, o Options) Player {
				return &alphaBeta{game: g, kind: kind, options: o, depth: 1, plain: true, shallow: true}
			},
		},
		{
			Name: "easy", games: name, Summary: "a short search: 300 positions a move, whatever the time",
			Make: func(g game.Game, o Options) Player {
				return &alphaBeta{game: g, kind: kind, options: o, nodes: 300}
			},
		},
		{
			Name: "medium", games: name, Summary: "the search of strong with 10,000 positions a move, whatever the time",
			Make: func(g game.Game, o Options) Player {
				return &alphaBeta{game: g, kind: kind, options: o, nodes: 10_000}
			},
		},
		{
			Name: "strong", games: name, Summary: "full strength: as deep a search as the time allows",
			Make: func(g game.Game, o Options) Player {
				return &alphaBeta{game: g, kind: kind, options: o, threads: 2}
			},
		},
		fixed(2), fixed(4), fixed(6),
	}
}

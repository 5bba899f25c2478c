package main

import (
	"math/rand/v2"

	"luzhanqi/game"
	rules "luzhanqi/game/gastank"
	"luzhanqi/player/alphabeta/selfplay"
	"luzhanqi/player/gastank"
)

// play plays all games on all processors, and returns their positions.
func (c *command) play() ([]tuned, error) {
	games, err := selfplay.Play(selfplay.Series{
		Game: rules.Game{}, Search: gastank.Search, Games: c.Games, Nodes: c.Nodes, Seed: c.Seed, Opening: [2]int{2, 6},
	}, sample)
	var positions []tuned
	for _, one := range games {
		for _, x := range one {
			positions = append(positions, tuned{terms: x.Sample, result: x.Result})
		}
	}
	return positions, err
}

// sample counts in every other position in which nobody could take a king.
func sample(v game.View, r *rand.Rand) (terms []float64, ok bool) {
	b := v.(rules.View).Board()
	if attacksKing(&b, game.First) || attacksKing(&b, game.Second) || r.IntN(2) == 1 {
		return nil, false
	}
	return countTerms(&b, v.Side()), true
}

// attacksKing says whether a side could take the enemy's king if it were its turn.
func attacksKing(b *rules.Board, side game.Side) bool {
	king, ok := b.King(side.Other())
	for left := b.Of(side) & b.Fuelled(); ok && left != 0; left &= left - 1 {
		if b.Targets(left.First()).Has(king) {
			return true
		}
	}
	return false
}

package main

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// fortress is a defender that searches: a level that never goes beyond its own half while it can move there. It wins by what
// the enemy loses before its lines.
type fortress struct{ player.Player }

// newFortress is the one of the panel.
func newFortress(o player.Options) player.Player {
	l, err := levels.Find(rules.Game{}, "nodes1500")
	if err != nil {
		panic(err) // it always is a level
	}
	return fortress{l.New(rules.Game{}, o)}
}

// Choose implements player.Player.
func (f fortress) Choose(view game.View, deadline time.Time, r *rand.Rand) game.Move {
	chosen := f.Player.Choose(view, deadline, r)
	half := rules.OwnHalf
	if view.Side() == game.Second {
		half = rules.TurnSquares(half)
	}
	if half.Has(chosen.To) {
		return chosen
	}
	why, _ := f.Player.(player.Explainer).Explain()
	for _, c := range why.Candidates { // the best first
		if m, err := (rules.Game{}).ParseMove(c.Move); err == nil && half.Has(m.To) {
			return m
		}
	}
	return chosen
}

package main

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// explainer is a player that says what it thought of its moves.
type explainer interface {
	player.Player
	player.Explainer
}

// fortress is a defender that searches: the frozen level that never goes beyond its own half while it can move there,
// unless it takes a flag that was shown. It wins by what the enemy loses before its lines. What is measured by it stays
// the same whatever becomes of strong.
type fortress struct{ explainer }

func newFortress(o player.Options) player.Player {
	l, err := levels.Find(rules.Game{}, "strong-f665184")
	if err != nil {
		panic(err) // it always is a level
	}
	return fortress{l.New(rules.Game{}, o).(explainer)}
}

// Choose implements player.Player.
func (f fortress) Choose(view game.View, deadline time.Time, r *rand.Rand) game.Move {
	chosen := f.explainer.Choose(view, deadline, r)
	half := rules.HalfOf(view.Side())
	if half.Has(chosen.To) {
		return chosen
	}
	why, _ := f.Explain()
	for _, c := range why.Candidates { // the best first
		if m, err := (rules.Game{}).ParseMove(c.Move); err == nil && half.Has(m.To) {
			return m
		}
	}
	return chosen
}

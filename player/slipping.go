package player

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
)

// Slipping is a level that plays so many of a hundred moves at random, each as likely as the others, and all else as l
// does. It fills the gaps of a ladder: a share of random moves weakens every player of every game, and by as little as
// one likes.
func Slipping(l Level, percent int) Level {
	sure := l.New
	l.New = func(g game.Game, o Options) Player {
		return &slipping{Player: sure(g, o), percent: percent}
	}
	return l
}

type slipping struct {
	Player
	percent int
}

// Sure is the player that chooses those moves of p which are not random: p itself if it never slips.
func Sure(p Player) Player {
	if s, ok := p.(*slipping); ok {
		return s.Player
	}
	return p
}

// Choose implements Player. The move that is not played is not thought about: what was observed meanwhile the
// player takes in when it is next asked.
func (p *slipping) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	if r.IntN(100) < p.percent {
		moves := v.Moves(nil)
		return moves[r.IntN(len(moves))]
	}
	return p.Player.Choose(v, deadline, r)
}

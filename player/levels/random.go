package levels

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// random is the level that every game has.
var random = player.Level{
	Name: "random", Summary: "any legal move, each as likely as the others",
	New: func(g game.Game, _ player.Options) player.Player { return randomPlayer{g} },
}

type randomPlayer struct{ game game.Game }

// SetUp implements player.Player.
func (p randomPlayer) SetUp(r *rand.Rand) game.SetUp { return p.game.RandomSetUp(r) }

// Choose implements player.Player.
func (p randomPlayer) Choose(v game.View, _ time.Time, r *rand.Rand) game.Move {
	moves := v.Moves(nil)
	return moves[r.IntN(len(moves))]
}

package chess1d

import (
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// greedy plays 1-D chess one ply ahead: it takes the royal piece; else it takes what it can and
// leaves as little as possible to be taken. Its set-up is drawn from all.
type greedy struct{ game game.Game }

// SetUp implements player.Player.
func (p greedy) SetUp(r *rand.Rand) game.SetUp { return p.game.RandomSetUp(r) }

// Choose implements player.Player. Moves that look the same are drawn from.
func (p greedy) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	v := view.(*chess1d.View)
	var best []game.Move
	highest := math.MinInt
	for _, m := range v.Moves(nil) {
		score := looks(v.Board(), m, v.Side(), v.NoMovesDraws())
		if score > highest {
			best, highest = best[:0], score
		}
		if score == highest {
			best = append(best, m)
		}
	}
	return best[r.IntN(len(best))]
}

// looks judges a move: a piece taken counts 2, one that can then be taken −1, since it may get away.
func looks(b chess1d.Board, m game.Move, side game.Side, noMovesDraws bool) (score int) {
	const won = 100
	captured, royal := b.Play(m)
	switch {
	case royal:
		return won
	case captured:
		score = 2
	}
	replies := b.Moves(side.Other(), nil)
	if len(replies) == 0 {
		if noMovesDraws {
			return 0
		}
		return won
	}
	var hanging [chess1d.Size]bool
	for _, reply := range replies {
		after := b
		switch captured, royal := after.Play(reply); {
		case royal:
			return -won
		case captured && !hanging[reply.To]:
			hanging[reply.To] = true
			score--
		}
	}
	return score
}

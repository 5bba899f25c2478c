package player

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// evaluation is the value of a position to side in ten-thousandths of a win, from −10,000 to 10,000.
// It is a whole number so that sums do not depend on the order in which workers add.
func (w *world) evaluation(s *state, side game.Side) int32 {
	const win = 10_000
	if s.lost != 0 {
		if int(s.lost) == int(side)+1 {
			return -win
		}
		return win
	}
	other := side.Other()
	own, enemy := float64(s.worth[side]), float64(s.worth[other])
	// Who has three pieces against two has won more than who has thirteen against twelve.
	x := 3.2 * (own - enemy) / (own + enemy + 1500)
	x += 0.35 * (w.pressure(s, side) - w.pressure(s, other))
	// A side whose last pieces fall has lost, wherever the flag is.
	x += 0.6 * (1/float64(s.movers[other]+1) - 1/float64(s.movers[side]+1))
	return int32(0.98 * win * math.Tanh(x))
}

// pressure is how near side is to taking the enemy's flag.
func (w *world) pressure(s *state, side game.Side) float64 {
	other := side.Other()
	flag := s.flag[other]
	if flag == nowhere {
		return 0
	}
	mobile := s.of[side] &^ (s.fixed | luzhanqi.Headquarters)
	guards := w.guards[other]
	near := float64((mobile & zones[flag]).Len())
	open := guards &^ s.of[other]
	if open == 0 {
		return 0.07*near + 0.15*float64((mobile&zones[flag]&s.engineers).Len())
	}
	p := 0.15 + 0.3*near - 0.1*float64((s.of[other]&^(s.fixed|luzhanqi.Headquarters)&zones[flag]).Len())
	if mobile&guards != 0 {
		p += 0.8 // it takes the flag, unless it is taken at once
	}
	if side == s.mover {
		p += 0.1 * near
	}
	return min(max(p, 0), 2)
}

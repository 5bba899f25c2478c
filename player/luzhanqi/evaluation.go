package luzhanqi

import (
	"math"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/tables"
)

// handmade are the weights of the terms without a network. They were settled by hand, and levels
// that must stay as they are keep them.
var handmade = [network.Terms]float32{3.2, 0.35, 0.6, 0}

// evaluation is the value of a position to side in ten-thousandths of a win, from −10,000 to 10,000:
// by the network, or without one by the handmade terms alone. It is a whole number so that sums do
// not depend on the order in which workers add.
func (w *world) evaluation(s *state, side game.Side, n *network.Network) int32 {
	const win = 10_000
	if s.lost != 0 {
		if int(s.lost) == int(side)+1 {
			return -win
		}
		return win
	}
	other := side.Other()
	terms := w.terms(s, side)
	x := float32(0)
	if n != nil {
		sums := w.sum(s, side, n)
		x = n.Judge(&sums, &terms)
	} else {
		for i, term := range terms {
			x += handmade[i] * term
		}
	}
	value := int32(0.98 * win * math.Tanh(float64(x)))
	// Behind a fortress nobody loses the flag, and who can still move does not lose.
	if value > 0 && w.fortress(s, other) {
		return value / 8
	}
	if value < 0 && w.fortress(s, side) {
		return value / 8
	}
	return value
}

// sum begins with the start of the world, where that is known and the fewer pieces have moved.
func (w *world) sum(s *state, side game.Side, n *network.Network) network.Sums {
	now := s.of[0] | s.of[1]
	if w.sums == nil || w.sums.Side() != side ||
		((w.start.of[0]|w.start.of[1])&s.touched).Len()+(now&s.touched).Len() >= now.Len() {
		return n.Sum(&s.of, &s.rank, side)
	}
	sums := *w.sums
	n.Moved(&sums, s.touched, &w.start.of, &s.of, &w.start.rank, &s.rank)
	return sums
}

// fortress says whether side's flag is out of reach for what the enemy has left, and side has pieces
// enough not to run out of moves soon: with every square next to the flag held by landmines, an enemy
// without engineers loses a piece at the first (and where landmines stay, gets no further at all).
func (w *world) fortress(s *state, side game.Side) bool {
	enemy := side.Other()
	if s.movers[enemy] > 1 && s.minesStay == 0 || s.movers[side] < 2 {
		return false
	}
	gates := w.guards[side]
	return s.flag[side] != tables.Nowhere && gates&^(s.of[side]&s.fixed) == 0 && s.engineers&s.of[enemy] == 0
}

// terms are what the evaluation sees besides the pieces: numbers that are zero when nobody is ahead.
func (w *world) terms(s *state, side game.Side) [network.Terms]float32 {
	other := side.Other()
	own, enemy := float32(s.worth[side]), float32(s.worth[other])
	turn := float32(1)
	if s.mover != side {
		turn = -1
	}
	return [network.Terms]float32{
		// Who has three pieces against two has won more than who has thirteen against twelve.
		(own - enemy) / (own + enemy + 1500),
		float32(w.pressure(s, side) - w.pressure(s, other)),
		// A side whose last pieces fall has lost, wherever the flag is.
		1/float32(s.movers[other]+1) - 1/float32(s.movers[side]+1),
		turn,
	}
}

// pressure is how near side is to taking the enemy's flag.
func (w *world) pressure(s *state, side game.Side) float64 {
	other := side.Other()
	flag := s.flag[other]
	if flag == tables.Nowhere {
		return 0
	}
	mobile := s.of[side] &^ (s.fixed | luzhanqi.Headquarters)
	guards := w.guards[other]
	near := float64((mobile & tables.Zones[flag]).Len())
	open := guards &^ s.of[other]
	if open == 0 {
		return 0.07*near + 0.15*float64((mobile&tables.Zones[flag]&s.engineers).Len())
	}
	p := 0.15 + 0.3*near - 0.1*float64((s.of[other]&^(s.fixed|luzhanqi.Headquarters)&tables.Zones[flag]).Len())
	if mobile&guards != 0 {
		p += 0.8 // it takes the flag, unless it is taken at once
	}
	if side == s.mover {
		p += 0.1 * near
	}
	return min(max(p, 0), 2)
}

// Leaf is what the network is trained on: a position as one side's input.
type Leaf struct {
	Rows     []int // of the network, as network.EachInput numbers them
	Terms    [network.Terms]float32
	Handmade float64 // what the evaluation without a network says, from −1 to 1
}

// LeafOf is a position as side judges it.
func LeafOf(b *luzhanqi.Board, mover, side game.Side) Leaf {
	w := newWorld(b, mover, false, bySquare())
	l := Leaf{Terms: w.terms(&w.start, side), Handmade: float64(w.evaluation(&w.start, side, nil)) / 10_000}
	network.EachInput(&w.start.of, &w.start.rank, side, func(row int) { l.Rows = append(l.Rows, row) })
	return l
}

package luzhanqi

import (
	"sync"
	"sync/atomic"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// mateSolver finds forced ends: positions in one world from which the side to move takes the flag, or
// leaves the enemy without moves, whatever the enemy does. What it says holds for that world; what
// it does not find within its plies and nodes it calls unknown.
//
// Most forced ends are threats: a piece enters a square next to the flag, and the enemy has to take
// it. So threats are followed to their end, and all moves only to a small depth.
type mateSolver struct {
	guards [2]luzhanqi.Squares
	nodes  int // left
}

// The answers of a mateSolver, for the side to move.
const (
	forcedLoss int8 = -1
	unknown    int8 = 0
	forcedWin  int8 = 1
)

// maxThreats is how many threats in a row are followed.
const maxThreats = 4

// storms are the pieces with which side could take the enemy's flag if it were its turn: a headquarters is no
// railway square, so all that stand next to the flag can.
func (m *mateSolver) storms(s *state, side game.Side) luzhanqi.Squares {
	return s.of[side] &^ (s.fixed | luzhanqi.Headquarters) & m.guards[side.Other()]
}

// threaten says whether the mover wins by threats alone.
func (m *mateSolver) threaten(s *state, depth int) bool {
	me := s.mover & 1
	if m.storms(s, me) != 0 {
		return true
	}
	gates := m.guards[me.Other()]
	if depth == 0 || gates == 0 || m.storms(s, me.Other()) != 0 {
		return false
	}
	gates &^= s.of[me]
	for movers := s.of[me] &^ (s.fixed | luzhanqi.Headquarters); movers != 0; movers &= movers - 1 {
		sq := movers.First()
		t := tables.Paths[sq&63].Steps & gates
		if gates&luzhanqi.Railway != 0 && luzhanqi.Railway.Has(sq) {
			t = s.targets(sq) & gates
		}
		for t &^= (s.of[0] | s.of[1]) & luzhanqi.Camps; t != 0; t &= t - 1 {
			if m.nodes--; m.nodes < 0 {
				return false
			}
			next := *s
			next.play(sq, t.First())
			if m.storms(&next, me) != 0 && m.helpless(&next, depth-1) {
				return true
			}
		}
	}
	return false
}

// helpless says whether whatever the mover does against the pieces next to its flag, the other side
// wins by more threats. Who does not take them loses, so only taking them is tried.
func (m *mateSolver) helpless(s *state, depth int) bool {
	me := s.mover & 1
	intruders := m.storms(s, me.Other())
	if m.storms(s, me) != 0 {
		return false
	}
	if intruders&(intruders-1) != 0 {
		return true
	}
	at := intruders.First()
	for movers := s.of[me] &^ (s.fixed | luzhanqi.Headquarters); movers != 0; movers &= movers - 1 {
		sq := movers.First()
		if !s.targets(sq).Has(at) {
			continue
		}
		if m.nodes--; m.nodes < 0 {
			return false
		}
		next := *s
		next.play(sq, at)
		if !m.threaten(&next, depth) {
			return false
		}
	}
	return true
}

// solve looks at all moves to a depth, and at threats after that.
func (m *mateSolver) solve(s *state, depth int) int8 {
	if m.threaten(s, maxThreats) {
		return forcedWin
	}
	me := s.mover & 1
	if depth == 0 || m.nodes < 0 {
		if s.stuck() {
			return forcedLoss
		}
		return unknown
	}
	best := forcedLoss // without a move
	for movers := s.of[me] &^ (s.fixed | luzhanqi.Headquarters); movers != 0; movers &= movers - 1 {
		sq := movers.First()
		for t := s.targets(sq); t != 0; t &= t - 1 {
			if m.nodes--; m.nodes < 0 {
				return unknown
			}
			next := *s
			next.play(sq, t.First())
			if next.lost != 0 {
				return forcedWin
			}
			switch -m.solve(&next, depth-1) {
			case forcedWin:
				return forcedWin
			case unknown:
				best = unknown
			}
		}
	}
	return best
}

// stuck says whether the mover has no move.
func (s *state) stuck() bool {
	return s.movable(s.of[s.mover&1]|(s.of[0]|s.of[1])&luzhanqi.Camps) == 0
}

// Budgets of forced ends.
const (
	fewWorlds    = 20
	mateShare    = 8  // of the nodes of a choice, one in so many may go into proofs
	minMateNodes = 20 // nodes for one move in one world; with fewer there is no use in beginning
)

// findMates tries each candidate in each world, if there are so few worlds that these are all of them. In
// worlds that are merely likely it would do harm (40 % of 60 games against not looking): it assumes that
// the enemy knows everything, and that we shall know which world it is.
//
// The same numbers give the same answers on any machine.
func (s *search) findMates(nodes int) {
	if len(s.worlds) > fewWorlds {
		return
	}
	if nodes /= mateShare * len(s.worlds) * len(s.candidates); nodes < minMateNodes {
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.candidates) {
					return
				}
				c := &s.candidates[i]
				c.mates = make([]int8, len(s.worlds))
				for n, w := range s.worlds {
					s.played.Add(int64(w.findMates(c, n, nodes)))
				}
			}
		})
	}
	wg.Wait()
}

// findMates judges one candidate in the world, and returns how many positions that took.
func (w *world) findMates(c *candidate, n, nodes int) (used int) {
	after := w.start
	after.play(c.move.From, c.move.To)
	if after.lost != 0 {
		c.mates[n] = forcedWin
		return 1
	}
	m := mateSolver{guards: w.guards}
	for depth, budget := 1, nodes; ; depth, budget = depth+1, nodes-used {
		m.nodes = budget
		result := -m.solve(&after, depth)
		used += budget - max(m.nodes, 0)
		if result != unknown {
			c.mates[n] = result
			return used
		}
		if m.nodes < 0 || depth > 40 {
			return used
		}
	}
}

package alphabeta

import "luzhanqi/game"

// node is a position whose moves are to be tried.
type node struct {
	key          uint64
	depth        int
	alpha, beta  int32 // alpha rises as better moves are found
	static       int32
	before       game.Move // the best move as far as is known
	pv           bool      // the window is open: the position may be on the principal variation
	inCheck      bool
	best         int32
	bestMove     game.Move
	tried, quiet int
}

// expand tries the moves of a node and stores the result. The best move so far is tried before the
// others are even generated: usually it is enough.
func (s *negamax) expand(n node) int32 {
	side := s.tree.Mover()
	last := s.last[s.ply]
	n.best, n.bestMove = -unbounded, noMove
	if n.before != noMove {
		m := Move{Move: n.before, Gain: s.tree.Gain(n.before), order: orderBefore}
		if s.attempt(&n, m) {
			if !s.stopped {
				if m.Gain <= 0 {
					s.order.refuted(m.Move, last, nil, side, s.ply, n.depth)
				}
				s.store(&n)
			}
			return n.best
		}
	}
	start := len(s.moves)
	s.moves = s.tree.Moves(s.moves)
	list := s.moves[start:]
	if len(list) == 0 {
		return valued(s.rules.Stuck, s.ply)
	}
	s.order.rate(list, last, side, s.ply)
	for i := range list {
		m := first(list[i:])
		if m.Move == n.before {
			continue
		}
		if s.skip(&n, m) {
			break // as it would those after it
		}
		if s.attempt(&n, m) {
			if m.Gain <= 0 && !s.stopped {
				s.order.refuted(m.Move, last, list[:i], side, s.ply, n.depth)
			}
			break
		}
	}
	s.moves = s.moves[:start]
	if !s.stopped {
		s.store(&n)
	}
	return n.best
}

// attempt tries one move; true if no other need be tried, or the search has been stopped.
func (s *negamax) attempt(n *node, m Move) bool {
	score := s.try(n, m)
	if s.stopped {
		return true
	}
	n.tried++
	if m.Gain <= 0 {
		n.quiet++
	}
	if score <= n.best {
		return false
	}
	n.best = score
	if score <= n.alpha {
		return false
	}
	n.bestMove = m.Move
	if n.pv {
		s.lines[s.ply] = append(append(s.lines[s.ply][:0], m.Move), s.lines[s.ply+1]...)
	}
	if score >= n.beta {
		return true
	}
	n.alpha = score
	return false
}

// skip says that a late quiet move near the leaves is not worth trying. It never does before some
// move is known not to lose, so that a loss is only claimed when every move was tried.
func (s *negamax) skip(n *node, m Move) bool {
	f := s.rules.Futile
	if n.pv || n.inCheck || s.plain || f == 0 || m.Gain > 0 || n.best <= -proven || isProven(n.alpha) || n.depth > 4 {
		return false
	}
	return n.quiet >= 4+n.depth*n.depth*2 || n.static+f*int32(n.depth+1) <= n.alpha
}

// try searches what follows a move: the first with the whole window, the others with an empty one
// and late ones to less depth, until they prove better than expected.
func (s *negamax) try(n *node, m Move) (score int32) {
	depth := n.depth - 1
	s.down(m, n.key, depth)
	if n.tried == 0 {
		score = -s.search(depth, -n.beta, -n.alpha, true)
		s.up()
		return score
	}
	full := true
	if r := s.reduction(n, m); r > 0 {
		score = -s.search(max(depth-r, 0), -n.alpha-1, -n.alpha, true)
		full = score > n.alpha
	}
	if full && !s.stopped {
		score = -s.search(depth, -n.alpha-1, -n.alpha, true)
		if score > n.alpha && score < n.beta && !s.stopped {
			score = -s.search(depth, -n.beta, -n.alpha, true)
		}
	}
	s.up()
	return score
}

func (s *negamax) reduction(n *node, m Move) int {
	if s.plain || n.depth < 3 || n.tried < 2 || m.Gain > 0 || n.inCheck {
		return 0
	}
	r := int(reductions[min(n.depth, 63)][min(n.tried, 63)])
	if n.pv {
		r--
	}
	switch {
	case m.order >= orderCounter:
		r--
	default:
		r -= int(m.order) / (maxHistory / 2)
	}
	return max(r, 0)
}

// store keeps what was found, with the plies of proofs counted from here.
func (s *negamax) store(n *node) {
	if s.plain {
		return
	}
	e := ttEntry{move: n.bestMove, score: n.best, depth: min(n.depth, 255), bound: exactly}
	switch {
	case n.best >= n.beta:
		e.bound = atLeast
	case n.bestMove == noMove:
		e.bound = atMost
	}
	switch {
	case e.score >= proven:
		e.score += int32(s.ply)
	case e.score <= -proven:
		e.score -= int32(s.ply)
	}
	s.table.put(n.key, e)
}

package alphabeta

import (
	"cmp"
	"slices"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// thought is what a search has come to.
type thought struct {
	score int32
	depth int         // the last one that was finished
	line  []game.Move // the best moves of both sides; the first is the choice
}

// rootMove is a candidate of the root.
type rootMove struct {
	move  Move
	nodes int64 // that its subtree has cost, in the last iteration
}

// deepen searches the root deeper and deeper until the budget ends it or there is nothing more to
// find out. The moves are tried in the given order at first. Report is called after every iteration
// and may be nil; it returns false to end the search.
func (s *negamax) deepen(moves []Move, from int, report func(thought) bool) thought {
	root := make([]rootMove, len(moves))
	for i, m := range moves {
		root[i].move = m
	}
	slices.SortStableFunc(root, func(a, b rootMove) int { return int(b.move.Gain) - int(a.move.Gain) })
	best := thought{line: []game.Move{root[0].move.Move}}
	limit := MaxDepth - 20
	if s.budget.depth > 0 {
		limit = s.budget.depth
	}
	for depth := from; depth <= limit; depth++ {
		t, ok := s.aspire(root, depth, best)
		if !ok {
			if len(t.line) > 0 {
				best.line, best.score = t.line, t.score
			}
			break
		}
		best = t
		slices.SortStableFunc(root, func(a, b rootMove) int {
			switch best.line[0] {
			case a.move.Move:
				return -1
			case b.move.Move:
				return 1
			}
			return cmp.Compare(b.nodes, a.nodes)
		})
		if report != nil && !report(best) {
			break
		}
	}
	return best
}

// aspire searches the root to a depth, expecting about the score of the iteration before. When the
// budget ends it, ok is false, and the line is empty unless something better was found already.
func (s *negamax) aspire(root []rootMove, depth int, before thought) (t thought, ok bool) {
	alpha, beta, half := -unbounded, unbounded, s.rules.Window
	if depth > 4 && !isProven(before.score) && half > 0 {
		alpha, beta = before.score-half, before.score+half
	}
	for {
		t, ok = s.tryAll(root, depth, alpha, beta)
		if !ok {
			if t.score <= alpha {
				t.line = nil // what failed low is no better than what was
			}
			return t, false
		}
		half *= 4
		switch {
		case t.score <= alpha && alpha > -unbounded:
			alpha = -unbounded
			if t.score > -proven && half < 4_000 {
				alpha = max(t.score-half, -unbounded)
			}
		case t.score >= beta && beta < unbounded:
			beta = unbounded
			if t.score < proven && half < 4_000 {
				beta = min(t.score+half, unbounded)
			}
			at := slices.IndexFunc(root, func(m rootMove) bool { return m.move.Move == t.line[0] })
			m := root[at]
			copy(root[1:at+1], root[:at])
			root[0] = m
		default:
			return t, true
		}
	}
}

// tryAll searches every move of the root within a window.
func (s *negamax) tryAll(root []rootMove, depth int, alpha, beta int32) (thought, bool) {
	key := s.tree.Key()
	t := thought{score: -unbounded, depth: depth}
	n := node{key: key, depth: depth, alpha: alpha, beta: beta, pv: true, inCheck: s.tree.InCheck(), bestMove: noMove}
	for i := range root {
		m := &root[i]
		before := s.nodes
		score := s.try(&n, m.move)
		if s.stopped {
			return t, false
		}
		m.nodes = s.nodes - before
		n.tried++
		if score <= t.score {
			continue
		}
		t.score = score
		if score > n.alpha || len(t.line) == 0 {
			t.line = append([]game.Move{m.move.Move}, s.lines[1]...)
		}
		if score > n.alpha {
			n.alpha = score
			if n.bestMove = m.move.Move; score >= beta {
				break
			}
		}
	}
	n.best = t.score
	s.store(&n)
	return t, true
}

// thinkClock decides which iteration should be the last.
type thinkClock struct {
	start    time.Time
	limit    time.Duration // zero: none
	patience float64       // the part of the limit after which no iteration begins
	promised int           // plies to the end that an earlier search has proven; zero: none
}

// goOn says whether another iteration is worth it: not when there is too little time, and not after a proof of an
// end so near that no deeper search finds a nearer one. A win that takes longer than the one proven a move ago is
// looked into further: play must come nearer to the end.
func (c thinkClock) goOn(t thought) bool {
	used := 0.0
	if c.limit > 0 {
		used = float64(clock.Since(c.start)) / float64(c.limit)
	}
	if isProven(t.score) {
		switch n := endsIn(t.score); {
		case n <= t.depth:
			return false
		case t.score > 0 && c.promised > 0 && n > c.promised:
			return true
		}
		return c.limit > 0 && used < 0.25
	}
	return c.limit == 0 || used < c.patience
}

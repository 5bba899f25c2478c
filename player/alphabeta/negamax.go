package alphabeta

import (
	"math"
	"sync/atomic"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// negamax is one goroutine's search of one tree: principal variation search with a transposition
// table, whose scores are seen from the mover of each position. A score beyond proven is a proof, of
// a win as of a loss: what is pruned or reduced never counts as one.
type negamax struct {
	tree    Tree
	solved  SolvedTree // the same; nil if it is none
	rules   *Rules
	table   *transpositions
	order   *ordering
	plain   bool // a textbook search: every move to the full depth, nothing remembered
	shallow bool // captures are not played out

	ply        int // of the current position, from the root
	moves      []Move
	last       [MaxDepth + 2]game.Move   // that led to the position of each ply
	lines      [MaxDepth + 2][]game.Move // the best line found from it
	repetition repetition

	nodes   int64
	told    int64 // of the nodes: those that helped counts
	lookAt  int64 // the count of nodes at which to look at the clock again
	budget  thinkBudget
	stopped bool
}

// thinkBudget ends a search.
type thinkBudget struct {
	nodes    int64     // zero: no limit
	depth    int       // zero: no limit
	deadline time.Time // of the search's own clock; zero: none
	clock    bool      // this goroutine watches the deadline for all
	stop     *atomic.Bool
	helped   *atomic.Int64 // of a helper: counts its nodes where others may read them; may be nil
}

// lookEvery is in how many nodes the clock is looked at: well under a millisecond.
const lookEvery = 1024

func newNegamax(t Tree, rules *Rules, table *transpositions, order *ordering) *negamax {
	s := &negamax{tree: t, rules: rules, table: table, order: order, moves: make([]Move, 0, 1<<12)}
	s.solved, _ = t.(SolvedTree)
	for i := range s.lines {
		s.lines[i] = make([]game.Move, 0, MaxDepth+2)
	}
	return s
}

// visit counts a position, and says whether to stop.
func (s *negamax) visit() bool {
	s.nodes++
	if s.nodes >= s.lookAt {
		s.look()
	}
	return s.stopped
}

func (s *negamax) look() {
	s.lookAt = s.nodes + lookEvery
	b := &s.budget
	if b.nodes > 0 {
		s.lookAt = min(s.lookAt, b.nodes)
		s.stopped = s.stopped || s.nodes >= b.nodes
	}
	if b.clock && !b.deadline.IsZero() && !clock.Now().Before(b.deadline) {
		b.stop.Store(true)
	}
	if b.helped != nil {
		b.helped.Add(s.nodes - s.told)
		s.told = s.nodes
	}
	s.stopped = s.stopped || b.stop != nil && b.stop.Load()
}

// reductions are by how many plies a late quiet move is searched less, by depth and place.
var reductions = func() (table [64][64]int8) {
	for depth := 1; depth < 64; depth++ {
		for place := 1; place < 64; place++ {
			table[depth][place] = int8(0.6 + math.Log(float64(depth))*math.Log(float64(place))/2.2)
		}
	}
	return table
}()

// down plays m, after which so many plies will be searched; up takes it back.
func (s *negamax) down(m Move, key uint64, depth int) {
	s.repetition.push(key, m.Gain > 0)
	s.ply++
	s.last[s.ply] = m.Move
	s.tree.Play(m.Move)
	if depth > 0 && !s.plain {
		s.table.fetch(s.tree.Key())
	}
}

func (s *negamax) up() {
	s.tree.Back()
	s.ply--
	s.repetition.pop()
}

// ended answers what the rules, a table of endings or a look one ply ahead answer.
func (s *negamax) ended() (score int32, yes bool) {
	if value, over := s.tree.Over(); over {
		return valued(value, s.ply), true
	}
	if s.solved != nil {
		if value, plies, ok := s.solved.Solved(); ok {
			return valued(value, s.ply+plies), true
		}
	}
	if s.tree.WinsNext() {
		return won - int32(s.ply) - 1, true
	}
	return 0, false
}

// search returns the value of the current position if it lies between alpha and beta, else a bound.
func (s *negamax) search(depth int, alpha, beta int32, nullMoveOK bool) int32 {
	s.lines[s.ply] = s.lines[s.ply][:0]
	if s.visit() {
		return 0
	}
	if score, yes := s.ended(); yes {
		return score
	}
	inCheck := !s.plain && s.tree.InCheck()
	if inCheck && s.ply < MaxDepth/2 {
		depth++
	}
	if depth <= 0 {
		return s.quiesce(alpha, beta)
	}
	key := s.tree.Key()
	if s.rules.Repeats && s.repetition.has(key) {
		return 0
	}
	ply := s.ply
	if alpha, beta = max(alpha, int32(ply)-won), min(beta, won-int32(ply)-1); alpha >= beta {
		return alpha
	}
	if ply >= MaxDepth {
		return s.tree.Evaluate()
	}

	pv := beta-alpha > 1
	static := s.tree.Evaluate() // while the table is being read
	before := ttEntry{move: noMove}
	if !s.plain {
		var found bool
		if before, found = s.table.get(key); found {
			if score, ok := s.settled(before, depth, alpha, beta, pv); ok {
				return score
			}
		}
	}
	if before.move == noMove && depth >= 5 && !s.plain {
		depth--
	}
	if score, ok := s.shortcut(depth, alpha, beta, static, key, pv, inCheck, nullMoveOK); ok || s.stopped {
		return score
	}
	return s.expand(node{
		key: key, depth: depth, alpha: alpha, beta: beta, static: static,
		before: before.move, pv: pv, inCheck: inCheck,
	})
}

// settled answers from the table. Proofs hold at any depth, provided that the game lasts so long.
func (s *negamax) settled(e ttEntry, depth int, alpha, beta int32, pv bool) (int32, bool) {
	score := e.score
	switch {
	case score >= proven:
		score -= int32(s.ply)
	case score <= -proven:
		score += int32(s.ply)
	}
	if e.isProof() {
		if endsIn(e.score) <= s.tree.Left() {
			return score, true
		}
		return 0, false
	}
	if pv || e.depth < depth {
		return 0, false
	}
	return score, e.bound == exactly || e.bound == atLeast && score >= beta || e.bound == atMost && score <= alpha
}

// shortcut prunes a position that is so good that the enemy will hardly allow it: by a margin near
// the leaves, or because it is still good after doing nothing.
func (s *negamax) shortcut(depth int, alpha, beta, static int32, key uint64, pv, inCheck, nullMoveOK bool) (int32, bool) {
	if pv || inCheck || s.plain || isProven(beta) || isProven(alpha) {
		return 0, false
	}
	if f := s.rules.Futile; f > 0 && depth <= 4 && static-f*int32(depth) >= beta {
		return static, true
	}
	if !nullMoveOK || depth < 3 || static < beta || !s.tree.NullMoveOK() {
		return 0, false
	}
	s.repetition.push(key, true)
	s.ply++
	s.last[s.ply] = game.Move{}
	s.tree.Pass()
	score := -s.search(depth-3-depth/5, -beta, -beta+1, false)
	s.up()
	if s.stopped || score < beta {
		return 0, false
	}
	return min(score, evaluated), true
}

// quiesce plays captures out until the position can be judged. It assumes that ended was asked.
func (s *negamax) quiesce(alpha, beta int32) int32 {
	best := s.tree.Evaluate()
	if !s.rules.Captures || s.shallow || best >= beta || s.ply >= MaxDepth {
		return best
	}
	alpha = max(alpha, best)
	start := len(s.moves)
	s.moves = s.tree.Captures(s.moves)
	list := s.moves[start:]
	for i := range list {
		list[i].order = int32(list[i].Gain)
	}
	for i := range list {
		m := first(list[i:])
		if s.rules.Futile > 0 && best > -proven && best+int32(m.Gain)+2*s.rules.Futile <= alpha {
			break // even this gain is too little, and they only get smaller
		}
		s.tree.Play(m.Move)
		s.ply++
		score := int32(0)
		if stopped := s.visit(); !stopped {
			var yes bool
			if score, yes = s.ended(); !yes {
				score = s.quiesce(-beta, -alpha)
			}
		}
		s.ply--
		s.tree.Back()
		if s.stopped {
			break
		}
		if score = -score; score > best {
			if best = score; best >= beta {
				break
			}
			alpha = max(alpha, best)
		}
	}
	s.moves = s.moves[:start]
	return best
}

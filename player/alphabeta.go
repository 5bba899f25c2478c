package player

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/game"
)

// treeGame is a game of perfect information that alphaBeta can play.
type treeGame struct {
	rules treeRules
	// plant makes a tree of the position that a view shows; cap is after how many plies of the whole
	// game it is drawn, zero: never.
	plant func(v game.View, cap int) tree
	// textbook, if not nil, takes the place of plant in the levels that strong is measured against: with
	// an evaluation such as everybody would begin with.
	textbook func(v game.View, cap int) tree
	// patience is the part of the time after which no further iteration begins.
	patience float64
}

// alphaBeta plays games of perfect information by one search for all of them.
type alphaBeta struct {
	game    game.Game
	kind    treeGame
	options Options
	nodes   int  // for a move, whatever the time; zero: as many as the time allows
	depth   int  // to which it searches; zero: as deep as it gets
	plain   bool // without anything that a textbook's first search does not have
	shallow bool // captures are not played out
	threads int  // at most

	table    *transpositions
	orders   []*ordering
	helpers  sync.WaitGroup
	seen     []seen // the positions of the game so far
	promised int    // plies to the end that were proven when the game was seen last
	overrun  time.Duration
	latest   pondered
}

// seen is a position of the game.
type seen struct {
	ply int
	key uint64
}

// SetUp implements Player; these games have none that matter.
func (p *alphaBeta) SetUp(r *rand.Rand) game.SetUp { return p.game.RandomSetUp(r) }

// Choose implements Player.
func (p *alphaBeta) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	start := time.Now()
	root := p.kind.plant(v, p.options.maxPlies(p.game))
	moves := root.Moves(nil)
	allowed := v.Moves(nil) // less than the rules allow, where the referee has refused some
	moves = slices.DeleteFunc(moves, func(m treeMove) bool { return !slices.Contains(allowed, m.Move) })
	if len(moves) == 0 {
		return allowed[r.IntN(len(allowed))]
	}
	r.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	p.remember(root)
	p.latest = pondered{thought: thought{line: []game.Move{moves[0].Move}}, forced: len(moves) == 1, game: p.game}
	if len(moves) > 1 {
		p.think(root, moves, start, deadline)
	}
	m := p.latest.line[0]
	root.Play(m)
	p.remember(root)
	p.latest.took = time.Since(start)
	return m
}

// remember adds the current position to those of the game. Another game begins with an earlier one.
func (p *alphaBeta) remember(t tree) {
	ply := t.Ply()
	if n := len(p.seen); n > 0 && p.seen[n-1].ply >= ply {
		if p.seen[n-1] == (seen{ply, t.Key()}) {
			return
		}
		p.seen, p.promised = p.seen[:0], 0
	}
	p.seen = append(p.seen, seen{ply, t.Key()})
}

// workers is how many goroutines search: one when the number of nodes must decide everything.
func (p *alphaBeta) workers() int {
	if p.budgeted() > 0 || p.depth > 0 {
		return 1
	}
	return max(1, min(p.threads, p.options.cores()))
}

// budgeted is the number of nodes for a move, which a search to a fixed depth does not have.
func (p *alphaBeta) budgeted() int {
	if p.depth > 0 {
		return 0
	}
	if p.options.Nodes > 0 {
		return p.options.Nodes
	}
	return p.nodes
}

// think searches and leaves the result in latest. All workers search the same tree and share only
// the transposition table; the helpers begin a ply deeper, and what the first one finds is taken.
// Helpers end within a thousand positions, but on a busy machine that can take longer than an answer
// may: they are waited for before the next search, not before the answer.
func (p *alphaBeta) think(root tree, moves []treeMove, start, deadline time.Time) {
	p.helpers.Wait()
	p.prepare()
	var stop atomic.Bool
	budget := thinkBudget{nodes: int64(p.budgeted()), depth: p.depth, stop: &stop}
	clock := thinkClock{start: start, patience: p.kind.patience, promised: p.promised}
	if budget.nodes == 0 && budget.depth == 0 {
		clock.limit = deadline.Sub(start)
		budget.deadline = deadline.Add(-p.margin(clock.limit))
	}
	searches := make([]*negamax, p.workers())
	for i := range searches {
		s := newNegamax(root.Fork(), &p.kind.rules, p.table, p.orders[i])
		s.plain, s.shallow, s.budget = p.plain, p.shallow, budget
		s.budget.clock = i == 0
		p.recall(s)
		searches[i] = s
	}
	var helped atomic.Int64
	for i, s := range searches[1:] {
		s.budget.helped = &helped
		p.helpers.Go(func() { s.deepen(moves, 2+i%2, nil) })
	}
	t := searches[0].deepen(moves, 1, clock.goOn)
	stop.Store(true)
	if !budget.deadline.IsZero() {
		p.overrun = max(p.overrun*15/16, time.Since(budget.deadline), 0)
	}
	p.latest.thought = t
	p.latest.nodes = searches[0].nodes + helped.Load()
	p.promised = 0
	if t.score >= proven {
		p.promised = endsIn(t.score) - 2
	}
}

// prepare gets the memory ready, which is kept from move to move.
func (p *alphaBeta) prepare() {
	if p.table == nil || p.plain {
		size := p.kind.rules.size
		if p.budgeted() > 0 { // a few nodes need no more
			for size > 12 && 1<<(size-4) > p.budgeted() {
				size--
			}
		}
		if p.plain {
			size = 2
		}
		p.table = newTranspositions(size)
	}
	p.table.next()
	for len(p.orders) < p.workers() {
		p.orders = append(p.orders, &ordering{})
	}
	for _, o := range p.orders {
		o.fade()
	}
}

// recall tells a search which positions of the game led to the root without a gap.
func (p *alphaBeta) recall(s *negamax) {
	from := len(p.seen) - 1
	for from > 0 && p.seen[from-1].ply == p.seen[from].ply-1 {
		from--
	}
	for _, at := range p.seen[from : len(p.seen)-1] {
		s.past.push(at.key, false)
	}
}

// margin is kept for what no clock check of ours sees, as in searcher.margin.
func (p *alphaBeta) margin(limit time.Duration) time.Duration {
	return min(min(3*time.Millisecond+limit/20, 20*time.Millisecond)+p.overrun, limit/2)
}

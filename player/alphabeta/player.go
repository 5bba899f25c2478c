// Package alphabeta plays the games in which both sides see everything by one search: iterative deepening,
// principal variation search, a transposition table, null moves, late move reductions. A game brings its
// [Tree], which usually embeds a [Stack] of its boards, and a [Game] that says how to search it; [Levels]
// makes the levels of a game from that, and [New] any other player. No game is named here.
package alphabeta

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/player"
)

// Config is how far and how a player searches. The zero value has all that the search can do, and uses
// the time.
type Config struct {
	Nodes   int  // for a move, whatever the time; zero: as many as the time allows
	Depth   int  // to which it searches; zero: as deep as it gets
	Plain   bool // without anything that a textbook's first search does not have
	Shallow bool // captures are not played out
	Threads int  // at most; zero: one
}

// Player plays games of open positions by one search for all of them.
type Player struct {
	Config
	game    game.Game
	kind    Game
	options player.Options

	table      *transpositions
	orders     []*ordering
	helpers    sync.WaitGroup
	seen       []seen // the positions of the game so far
	promised   int    // plies to the end that were proven when the game was seen last
	margin     player.Margin
	lastSearch lastSearch
}

// New makes a player for one game.
func New(g game.Game, kind Game, c Config, o player.Options) *Player {
	return &Player{Config: c, game: g, kind: kind, options: o}
}

// seen is a position of the game.
type seen struct {
	ply int
	key uint64
}

// SetUp implements Player; these games have none that matter.
func (p *Player) SetUp(r *rand.Rand) game.SetUp { return p.game.RandomSetUp(r) }

// Choose implements Player.
func (p *Player) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	start := clock.Now()
	root := p.kind.NewTree(v, p.options.Cap(p.game))
	moves := root.Moves(nil)
	allowed := v.Moves(nil) // less than the rules allow, where the referee has refused some
	moves = slices.DeleteFunc(moves, func(m Move) bool { return !slices.Contains(allowed, m.Move) })
	if len(moves) == 0 {
		return allowed[r.IntN(len(allowed))]
	}
	r.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	p.remember(root)
	p.lastSearch = lastSearch{thought: thought{line: []game.Move{moves[0].Move}}, forced: len(moves) == 1, game: p.game}
	if len(moves) > 1 {
		p.think(root, moves, start, deadline)
	}
	m := p.lastSearch.line[0]
	root.Play(m)
	p.remember(root)
	p.lastSearch.took = clock.Since(start)
	return m
}

// remember adds the current position to those of the game. Another game begins with an earlier one.
func (p *Player) remember(t Tree) {
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
func (p *Player) workers() int {
	if p.budgeted() > 0 || p.Depth > 0 {
		return 1
	}
	return max(1, min(p.Threads, p.options.Workers()))
}

// budgeted is the number of nodes for a move, which a search to a fixed depth does not have.
func (p *Player) budgeted() int {
	if p.Depth > 0 {
		return 0
	}
	return cmp.Or(p.options.Nodes, p.Nodes)
}

// think searches and leaves the result in latest. All workers search the same tree and share only
// the transposition table; the helpers begin a ply deeper, and what the first one finds is taken.
// Helpers end within a thousand positions, but on a busy machine that can take longer than an answer
// may: they are waited for before the next search, not before the answer.
func (p *Player) think(root Tree, moves []Move, start, deadline time.Time) {
	p.helpers.Wait()
	p.prepare()
	var stop atomic.Bool
	budget := thinkBudget{nodes: int64(p.budgeted()), depth: p.Depth, stop: &stop}
	clock := thinkClock{start: start, patience: p.kind.Patience, promised: p.promised}
	timed := budget.nodes == 0 && budget.depth == 0
	if timed {
		clock.limit = deadline.Sub(start)
	}
	if timed || p.options.Cut != nil {
		budget.deadline = p.margin.Stop(start, deadline)
	}
	searches := make([]*negamax, p.workers())
	for i := range searches {
		s := newNegamax(root.Fork(), &p.kind.Rules, p.table, p.orders[i])
		s.plain, s.shallow, s.budget = p.Plain, p.Shallow, budget
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
	if stop.Swap(true) && !timed {
		p.options.Cut(searches[0].nodes)
	}
	if !budget.deadline.IsZero() {
		p.margin.Stopped(budget.deadline, deadline.Sub(start))
	}
	p.lastSearch.thought = t
	p.lastSearch.nodes = searches[0].nodes + helped.Load()
	p.promised = 0
	if t.score >= proven {
		p.promised = endsIn(t.score) - 2
	}
}

// prepare gets the memory ready, which is kept from move to move.
func (p *Player) prepare() {
	if p.table == nil || p.Plain {
		size := p.kind.Rules.TableSize
		if p.budgeted() > 0 { // a few nodes need no more
			for size > 12 && 1<<(size-4) > p.budgeted() {
				size--
			}
		}
		if p.Plain {
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
func (p *Player) recall(s *negamax) {
	from := len(p.seen) - 1
	for from > 0 && p.seen[from-1].ply == p.seen[from].ply-1 {
		from--
	}
	for _, at := range p.seen[from : len(p.seen)-1] {
		s.repetition.push(at.key, false)
	}
}

package player

import (
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/player/tablebase"
)

// chess1dLevels are the levels of 1-D chess. Easy and medium count positions, so they play the same on
// every machine.
var chess1dLevels = []Level{
	{
		Name: "greedy", games: "chess1d", Summary: "the move that looks best one ply ahead",
		Make: func(g game.Game, _ Options) Player { return greedyLeaper{random{g}} },
	},
	solving("easy", "a short search: 1,000 positions a move, whatever the time", leaper{nodes: 1_000}),
	solving("medium", "the search of strong with 3,000 positions a move, whatever the time; good set-ups of many kinds", leaper{
		nodes: 3_000, order: tablebase.First,
	}),
	solving("strong", "full strength: the set-up of the equilibrium, and every position solved as far as the time allows", leaper{
		order: tablebase.Either, book: true,
	}),
}

func solving(name, summary string, l leaper) Level {
	return Level{
		Name: name, games: "chess1d", Summary: summary,
		Make: func(g game.Game, o Options) Player {
			p := l
			p.random, p.options = random{g}, o
			return &p
		},
	}
}

// leaper plays 1-D chess by solving it.
type leaper struct {
	random  random
	options Options
	order   tablebase.Order // for which its set-ups are right; empty: any set-up
	book    bool            // moves that take long to find are looked up
	nodes   int             // for a move, whatever the time; zero: as many as the time allows
	solver  tablebase.Solver
	overrun time.Duration // what a search has lately cost beyond its deadline
	latest  solved
}

// solved is what Explain is asked about.
type solved struct {
	result tablebase.Result
	moves  int // to choose from; zero: nothing was chosen yet
	took   time.Duration
}

// SetUp implements Player. Who begins is not known, so strong sets up as is best when nobody knows.
// What is best for who begins is nearly as good and more varied.
func (p *leaper) SetUp(r *rand.Rand) game.SetUp {
	if p.order == "" {
		return p.random.SetUp(r)
	}
	o, err := tablebase.FindOpening(p.options.Rules["nomoves"] == "draw", p.order)
	if err != nil { // the committed file is broken, which its tests would tell
		return p.random.SetUp(r)
	}
	return game.SetUp(o.Rows.Draw(r).String())
}

// Choose implements Player.
func (p *leaper) Choose(view game.View, deadline time.Time, _ *rand.Rand) game.Move {
	start := time.Now()
	v := view.(*chess1d.View)
	moves := v.Moves(nil)
	p.latest = solved{moves: len(moves), result: tablebase.Result{Move: moves[0]}}
	if len(moves) > 1 {
		p.solve(v, start, deadline)
	}
	p.latest.took = time.Since(start)
	return p.latest.result.Move
}

func (p *leaper) solve(v *chess1d.View, start, deadline time.Time) {
	budget := tablebase.Budget{Nodes: p.nodes}
	if p.options.Nodes > 0 {
		budget.Nodes = p.options.Nodes
	}
	ask := p.solver.Solve
	if p.book {
		ask = p.solver.Choose
	}
	if budget.Nodes == 0 {
		budget.Deadline = deadline.Add(-margin(deadline.Sub(start), p.overrun))
	}
	result, err := ask(v.Board(), v.Side(), v.NoMovesDraws(), budget)
	if !budget.Deadline.IsZero() {
		p.overrun = max(p.overrun*15/16, time.Since(budget.Deadline), 0)
	}
	if err == nil { // the game is not over, so there is none
		p.latest.result = p.capped(result, v.Ply())
	}
}

// capped is a result in a match that is drawn after some plies. The best move stays the best: it leads to
// the end on the shortest way, or puts it off. Of a win by leaving no move the plies count one too many, so
// one that just fits may be none. A program started anew does not know the ply, and goes by none.
func (p *leaper) capped(r tablebase.Result, ply int) tablebase.Result {
	most := p.options.maxPlies(p.random.game)
	if left := most - ply; most > 0 && r.Plies > left {
		r.Value, r.Exact, r.Plies = tablebase.Draw, r.Plies > left+1, 0
	}
	return r
}

// margin is kept for what no clock check of ours sees, as in searcher.margin.
func margin(limit, overrun time.Duration) time.Duration {
	return min(min(3*time.Millisecond+limit/20, 20*time.Millisecond)+overrun, limit/2)
}

// Explain implements Explainer. Where nothing is proven, a draw is only what it looks like, and its error
// says so; what comes from the book has neither depth nor positions.
func (p *leaper) Explain() (Explanation, bool) {
	l := &p.latest
	if l.moves == 0 {
		return Explanation{}, false
	}
	e := Explanation{
		Move: chess1d.MoveName(l.result.Move), Forced: l.moves == 1,
		Nodes: int64(l.result.Nodes), Depth: l.result.Depth, Time: l.took,
	}
	switch l.result.Value {
	case tablebase.Win:
		e.Wins = l.result.Plies
	case tablebase.Loss:
		e.Loses = l.result.Plies
	}
	if !e.Forced {
		c := Explained{Move: e.Move, Visits: e.Nodes, Value: float64(l.result.Value)}
		if !l.result.Exact {
			c.Error = 1
		}
		e.Candidates = []Explained{c}
	}
	return e, true
}

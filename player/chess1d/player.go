// Package chess1d is what is peculiar to players of 1-D chess: its levels ([Levels]), and [Solvable], by which
// the command line solves the game once and for all. The solving itself is package tablebase below this folder.
package chess1d

import (
	"cmp"
	"math/rand/v2"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/player"
	"luzhanqi/player/chess1d/tablebase"
)

// Levels are the levels of 1-D chess. Easy and medium count positions, so they play the same on every
// machine.
func Levels() []player.Level {
	all := []player.Level{
		{
			Name: "greedy", Summary: "the move that looks best one ply ahead",
			New: func(g game.Game, _ player.Options) player.Player { return greedy{g} },
		},
		solving("easy", "a short search: 1,000 positions a move, whatever the time", solver{nodes: 1_000}),
		solving("medium", "the search of strong with 3,000 positions a move, whatever the time; good set-ups of many kinds", solver{
			nodes: 3_000, order: tablebase.First,
		}),
		solving("strong", "full strength: the set-up of the equilibrium, and every position solved as far as the time allows", solver{
			order: tablebase.Either, book: true,
		}),
	}
	all[len(all)-1].Timed = true
	return all
}

func solving(name, summary string, s solver) player.Level {
	return player.Level{
		Name: name, Summary: summary,
		New: func(g game.Game, o player.Options) player.Player {
			p := s
			p.game, p.options = g, o
			return &p
		},
	}
}

// solver plays 1-D chess by solving it.
type solver struct {
	game    game.Game
	options player.Options
	order   tablebase.Order // for which its set-ups are right; empty: any set-up
	book    bool            // moves that take long to find are looked up
	nodes   int             // for a move, whatever the time; zero: as many as the time allows
	tables  tablebase.Solver
	margin  player.Margin
	last    lastSearch
}

// lastSearch is what Explain is asked about.
type lastSearch struct {
	result tablebase.Result
	moves  int // to choose from; zero: nothing was chosen yet
	took   time.Duration
}

// SetUp implements Player. Who begins is not known, so strong sets up as is best when nobody knows.
// What is best for who begins is nearly as good and more varied.
func (p *solver) SetUp(r *rand.Rand) game.SetUp {
	if p.order == "" {
		return p.game.RandomSetUp(r)
	}
	o, err := tablebase.FindOpening(p.options.Rules["nomoves"] == "draw", p.order)
	if err != nil { // the committed file is broken, which its tests would tell
		return p.game.RandomSetUp(r)
	}
	return game.SetUp(o.Rows.Draw(r).String())
}

// Choose implements Player.
func (p *solver) Choose(view game.View, deadline time.Time, _ *rand.Rand) game.Move {
	start := clock.Now()
	v := view.(*chess1d.View)
	moves := v.Moves(nil)
	p.last = lastSearch{moves: len(moves), result: tablebase.Result{Move: moves[0]}}
	if len(moves) > 1 {
		p.solve(v, start, deadline)
	}
	p.last.took = clock.Since(start)
	return p.last.result.Move
}

func (p *solver) solve(v *chess1d.View, start, deadline time.Time) {
	budget := tablebase.Budget{Nodes: cmp.Or(p.options.Nodes, p.nodes)}
	ask := p.tables.Solve
	if p.book {
		ask = p.tables.Choose
	}
	if budget.Nodes == 0 || p.options.Cut != nil {
		budget.Deadline = p.margin.Stop(start, deadline)
	}
	result, err := ask(v.Board(), v.Side(), v.NoMovesDraws(), budget)
	if !budget.Deadline.IsZero() {
		p.margin.Stopped(budget.Deadline, deadline.Sub(start))
		if budget.Nodes > 0 && !clock.Now().Before(budget.Deadline) {
			p.options.Cut(int64(result.Nodes))
		}
	}
	if err == nil { // the game is not over, so there is none
		p.last.result = p.capped(result, v.Ply())
	}
}

// capped is a result in a match that is drawn after some plies. The best move stays the best: it leads to
// the end on the shortest way, or puts it off. Of a win by leaving no move the plies count one too many, so
// one that just fits may be none. A program started for one move does not know the ply, and goes by none.
func (p *solver) capped(r tablebase.Result, ply int) tablebase.Result {
	limit := p.options.Cap(p.game)
	if left := limit - ply; limit > 0 && r.Plies > left {
		r.Value, r.Exact, r.Plies = tablebase.Draw, r.Plies > left+1, 0
	}
	return r
}

// Explain implements player.Explainer. Where nothing is proven, a draw is only what it looks like, and its error
// says so; what comes from the book has neither depth nor positions.
func (p *solver) Explain() (player.Explanation, bool) {
	l := &p.last
	if l.moves == 0 {
		return player.Explanation{}, false
	}
	e := player.Explanation{
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
		c := player.Explained{Move: e.Move, Visits: e.Nodes, Value: float64(l.result.Value)}
		if !l.result.Exact {
			c.Error = 1
		}
		e.Candidates = []player.Explained{c}
	}
	return e, true
}

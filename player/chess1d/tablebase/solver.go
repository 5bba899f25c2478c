package tablebase

import (
	"context"
	"errors"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// Result is what a solver has found out about a position.
type Result struct {
	// Value is what perfect play leads to for the side to move, if Exact; else nobody can force
	// anything within Depth plies, and Value is Draw.
	Value Value
	Exact bool
	// Move is the best move: the shortest way to a win, the longest way to a loss, and otherwise one
	// that keeps the value as far as is known.
	Move game.Move
	// Plies is how long a win or a loss takes when both do their best; zero if that is not known.
	Plies int
	Depth int // so far every line was looked at
	Nodes int // positions looked at
}

// Horizon is how many plies a solver looks ahead at most. A position in which neither side can force
// anything within it counts as an exact draw: games end sooner (see chess1d.Game.Limits), and the
// longest forced win that was met took 41 plies.
const Horizon = 250

// Budget is what a solver may use. It stops at whichever comes first; a zero is no limit.
type Budget struct {
	Deadline time.Time
	Nodes    int
}

// Solver solves positions one after the other and remembers what it has found, in 64 MiB, or less when
// its budget is few nodes. It is used by one goroutine at a time.
type Solver struct {
	matchup matchup
	draws   bool
	nodes   int // for which the memory is
	search  *search
}

// Solve solves a position, with the board in player 1's frame; noMovesDraws is the reading of the
// rules in which having no legal move draws. An error says that the game is over.
func (s *Solver) Solve(b chess1d.Board, mover game.Side, noMovesDraws bool, budget Budget) (Result, error) {
	if !b.HasRoyal(game.First) || !b.HasRoyal(game.Second) || len(b.Moves(mover, nil)) == 0 {
		return Result{}, errors.New("no position to solve: the game is over")
	}
	m, at, err := place(b)
	if err != nil {
		return Result{}, err
	}
	if s.search == nil || s.matchup != m || s.draws != noMovesDraws || s.nodes != budget.Nodes {
		s.matchup, s.draws, s.nodes = m, noMovesDraws, budget.Nodes
		s.search = newSearch(m, noMovesDraws, budget.Nodes)
	}
	r, best := s.deepen(at, mover, budget)
	r.Nodes = s.search.nodes
	r.Move = game.Move{From: game.Square(at[best.piece]), To: game.Square(best.to)}
	return r, nil
}

// Choose is Solve that asks the book first; what comes out of it has no Depth and no Plies.
func (s *Solver) Choose(b chess1d.Board, mover game.Side, noMovesDraws bool, budget Budget) (Result, error) {
	if !noMovesDraws { // the book is for the other reading
		if k, ok := BookMove(b, mover); ok {
			return Result{Value: k.Value, Exact: true, Move: k.Move}, nil
		}
	}
	return s.Solve(b, mover, noMovesDraws, budget)
}

// deepen searches deeper and deeper. When half of the time has not been enough it solves the position
// by a table, if the rest is; the search then looks for the way to what the table promises.
func (s *Solver) deepen(at squares, mover game.Side, budget Budget) (r Result, best step) {
	start, end := clock.Now(), budget.Deadline
	if end.IsZero() {
		end = start.AddDate(1, 0, 0)
	}
	p, side := pack(at), int(mover)
	moves, _ := s.search.moves(p, side, nil)
	best = moves[0]
	half := start.Add(end.Sub(start) / 2)
	if budget.Nodes > 0 { // which is to decide: no table
		half = end
	}
	s.search.begin(half, budget.Nodes)
	defer s.forget()
	for r.Depth < Horizon {
		v, plies := s.search.value(p, side, r.Depth+1, Loss, Win)
		switch {
		case !s.search.stopped:
			r.Depth++
			if e, key := s.search.probe(p, side); e.key == key {
				best = e.best
			}
			if v != Draw {
				r.Value, r.Exact, r.Plies = v, true, plies
				return r, best
			}
		case s.search.deadline.Equal(end) || budget.Nodes > 0 && s.search.nodes >= budget.Nodes:
			return s.settle(r, best, p, mover)
		default:
			s.search.deadline, s.search.stopped = end, false
			s.search.exact = s.table(at, end)
			if r, best = s.settle(r, best, p, mover); r.Exact && r.Value == Draw {
				return r, best
			}
		}
	}
	r.Exact = true
	return s.settle(r, best, p, mover)
}

// settle gives an unfinished search the value that its table knows, if it has one, and a move that
// keeps it.
func (s *Solver) settle(r Result, best step, p state, mover game.Side) (Result, step) {
	t := s.search.exact
	if t == nil {
		return r, best
	}
	r.Value, r.Exact = t.value(p, mover), true
	moves, _ := s.search.moves(p, int(mover), nil)
	for _, m := range append([]step{best}, moves...) {
		if -t.value(p.play(m, int(mover)), mover.Other()) == r.Value {
			return r, m
		}
	}
	return r, best
}

// forget lets the table go: the next position may need another.
func (s *Solver) forget() {
	if t := s.search.exact; t != nil {
		t.free()
		s.search.exact = nil
	}
}

// perWord is what a table costs: the time for one cell of one side, measured at 150 ns and rounded up.
const perWord = 200 * time.Nanosecond

// table solves what can arise from a position by retrograde analysis; nil if there is no time for it.
func (s *Solver) table(at squares, end time.Time) *table {
	t := newTable(s.matchup, at, s.draws)
	if clock.Now().Add(time.Duration(t.size()) * perWord).After(end) {
		return nil
	}
	ctx, cancel := context.WithDeadline(context.Background(), clock.System(end))
	defer cancel()
	if t.solve(ctx, nil) != nil {
		t.free()
		return nil
	}
	return t
}

package tournament

import (
	"context"
	"math"
	"slices"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
)

// Order returns the order by which the players of the tournament are ranked.
func (t *Tournament) Order() standings.Order {
	switch t.Schedule.Spec().Format {
	case schedule.Swiss:
		return standings.Swiss
	case schedule.Gauntlet:
		return standings.Gauntlet
	case schedule.Knockout:
		return standings.Knockout
	}
	return standings.RoundRobin
}

// Tally counts all games in the store.
func (t *Tournament) Tally(ctx context.Context, s *store.Store) (*standings.Tally, error) {
	tally := standings.NewTally(t.Names())
	test, err := t.sprt(ctx, s)
	if err != nil {
		return nil, err
	}
	lastPair := math.MaxInt
	if test != nil && test.Decided() { // games that were still being played then do not count
		lastPair = test.pairs()
	}
	return tally, s.Games(ctx, lastPair, tally.Add)
}

// Rounds holds what a schedule has decided by the results so far, apart from games.
type Rounds struct {
	Byes      []schedule.Bye
	Decisions []schedule.Decision
	Complete  bool
}

// Winner returns the winner of a knockout; -1: nobody yet, or the format has no winner but by the standings.
func (t *Tournament) Winner(r Rounds) int {
	if !r.Complete || len(r.Decisions) == 0 {
		return -1
	}
	return r.Decisions[len(r.Decisions)-1].Winner
}

// Rounds goes through the schedule with the results in the store.
func (t *Tournament) Rounds(ctx context.Context, s *store.Store) (Rounds, error) {
	results := &storedResults{ctx: ctx, store: s}
	cursor := t.Schedule.Cursor()
	for _, more := cursor.Next(results); more && results.err == nil; _, more = cursor.Next(results) {
	}
	return Rounds{cursor.Byes(), cursor.Decisions(), cursor.Complete()}, results.err
}

// Standings computes the standings from the results in the store.
func (t *Tournament) Standings(ctx context.Context, s *store.Store) (*standings.Table, error) {
	tally, err := t.Tally(ctx, s)
	if err != nil {
		return nil, err
	}
	format := t.Schedule.Spec().Format
	if format != schedule.Knockout && format != schedule.Swiss {
		return tally.Table(t.Order())
	}
	rounds, err := t.Rounds(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, d := range rounds.Decisions {
		tally.Reach(d.Winner, d.Round)
		tally.Reach(d.Loser, d.Round-1)
	}
	for _, bye := range rounds.Byes {
		if format == schedule.Knockout {
			break
		}
		if err := tally.AddBye(standings.Bye{Player: bye.Player, Points: t.Schedule.ByePoints()}); err != nil {
			return nil, err
		}
	}
	return tally.Table(t.Order())
}

// storedResults answers a schedule from the store.
type storedResults struct {
	ctx   context.Context
	store *store.Store
	err   error // the first
}

func (s *storedResults) Result(id string) rating.Result {
	outcome, err := s.store.Outcome(s.ctx, id)
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return rating.Void
	}
	return outcome
}

// places finds games by their ids.
func (t *Tournament) places(ids []string, r schedule.Results) map[string]schedule.Place {
	found := map[string]schedule.Place{}
	if len(ids) == 0 {
		return found
	}
	for g := range t.Schedule.Games(r) {
		if slices.Contains(ids, g.ID) {
			found[g.ID] = g.Place
		}
		if len(found) == len(ids) {
			break
		}
	}
	return found
}

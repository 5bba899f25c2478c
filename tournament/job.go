package tournament

import (
	"context"
	"time"

	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// job is a game of the schedule as a worker plays it.
func (t *Tournament) job(g schedule.Game, attempt int) *queue.Job {
	played := referee.Game{
		Conditions: t.Conditions, Entrants: [2]referee.Entrant{t.Players[g.First], t.Players[g.Second]},
		Seed: g.Seed, Number: g.Number, Attempt: attempt, Version: t.Version, Concurrency: t.Concurrency,
	}
	j := &queue.Job{
		Schema: store.Schema, ID: g.ID, Round: g.Round, Pair: g.Pair, Players: [2]int{g.First, g.Second},
		Header: record.HeaderOf(&played, time.Time{}), Records: t.Records, Explain: t.Explain,
	}
	for side, e := range played.Entrants {
		j.Seats[side] = queue.Seat{Dir: e.Command.Dir, Env: e.Command.Env, Confine: e.Command.Confine}
	}
	return j
}

// storedResults are the results in the store as a schedule wants them.
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

// gamesOf finds games by their ids: round, pair, and who plays them.
func (t *Tournament) gamesOf(ids []string, r schedule.Results) map[string][4]int {
	known := map[string][4]int{}
	if len(ids) == 0 {
		return known
	}
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	for g := range t.Schedule.Games(r) {
		if wanted[g.ID] {
			known[g.ID] = [4]int{g.Round, g.Pair, g.First, g.Second}
		}
		if len(known) == len(wanted) {
			break
		}
	}
	return known
}

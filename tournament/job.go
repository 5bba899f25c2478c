package tournament

import (
	"context"
	"fmt"
	"time"

	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// job is a game of the schedule as a worker plays it.
func (t *Tournament) job(ctx context.Context, s *store.Store, g schedule.Game, attempt int) (*queue.Job, error) {
	entrants := [2]referee.Entrant{t.Players[g.Players[0]].Entrant, t.Players[g.Players[1]].Entrant}
	if t.Vary != nil {
		var err error
		if entrants, err = t.Vary(ctx, s, g); err != nil {
			return nil, err
		}
	}
	played := referee.Game{
		Conditions: t.Conditions, Entrants: entrants,
		Seed: g.Seed, Number: g.Number, Attempt: attempt, Version: t.Version, Concurrency: t.Concurrency,
	}
	var err error
	if played.Opening, err = t.Openings.For(t.Game, t.Rules, g.Nth, g.Seed, g.Number, t.Outcome); err != nil {
		return nil, fmt.Errorf("the opening of game %s: %w", g.ID, err)
	}
	j := &queue.Job{
		Schema: store.Schema, Place: g.Place,
		Header: record.HeaderOf(&played, time.Time{}), Records: t.Records, Explain: t.Explain,
	}
	for side, e := range played.Entrants {
		j.Seats[side] = queue.Seat{Dir: e.Command.Dir, Own: e.Command.Sandbox.Own, Env: e.Command.Env, Confine: e.Command.Confine}
	}
	return j, nil
}

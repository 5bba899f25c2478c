package tournament

import (
	"context"
	"fmt"
	"time"

	"luzhanqi/referee"
	"luzhanqi/tournament/schedule"
)

// offer puts games into the queue until enough are there.
func (c *coordinator) offer(ctx context.Context) error {
	for len(c.waiting) < ahead {
		g, ok := c.cursor.Next(c.results)
		if c.results.err != nil {
			return c.results.err
		}
		if !ok {
			return nil
		}
		_, finished, err := c.store.Points(ctx, g.ID)
		if err != nil {
			return err
		}
		if finished {
			continue
		}
		voids, err := c.store.Voids(ctx, g.ID)
		if err != nil {
			return err
		}
		c.waiting[g.ID] = c.t.job(g, len(voids)+1)
		if err := c.put(ctx, c.waiting[g.ID]); err != nil {
			return err
		}
	}
	return nil
}

// put offers one job, as long as it takes.
func (c *coordinator) put(ctx context.Context, j *Job) error {
	trouble := c.queue.patience()
	for {
		err := c.queue.offer(ctx, j)
		if err == nil {
			return nil
		}
		if err := trouble.wait(ctx, fmt.Errorf("put game %s into the queue: %w", j.ID, err), c.say); err != nil {
			return err
		}
		if err := c.queue.ensure(ctx); err != nil && ctx.Err() == nil {
			c.say(err.Error())
		}
	}
}

// auditQueue looks, while no result comes, whether the queue has every game that is waited for. It offers
// those again that are missing the second time in a row.
func (c *coordinator) auditQueue(ctx context.Context) error {
	there, err := c.queue.games(ctx)
	if err != nil {
		return fmt.Errorf("look through the queue: %w", err)
	}
	missing := map[string]bool{}
	for id, j := range c.waiting {
		switch {
		case there[id]:
		case !c.missing[id]:
			missing[id] = true
		default:
			if err := c.put(ctx, j); err != nil {
				return err
			}
		}
	}
	c.missing = missing
	return nil
}

// job is a game of the schedule as a worker plays it.
func (t *Tournament) job(g schedule.Game, attempt int) *Job {
	played := referee.Game{
		Conditions: t.Conditions, Entrants: [2]referee.Entrant{t.Players[g.First], t.Players[g.Second]},
		Seed: g.Seed, Number: g.Number, Attempt: attempt, Version: t.Version, Concurrency: t.Concurrency,
	}
	j := &Job{
		Schema: schema, ID: g.ID, Round: g.Round, Pair: g.Pair, Players: [2]int{g.First, g.Second},
		Header: played.Header(time.Time{}), Records: t.Records, Explain: t.Explain,
	}
	for side, e := range played.Entrants {
		j.Seats[side] = JobSeat{Dir: e.Command.Dir, Env: e.Command.Env, Confine: e.Command.Confine}
	}
	return j
}

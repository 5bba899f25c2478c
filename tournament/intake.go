package tournament

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/tournament/schedule"
)

// receive takes messages from the results: it waits for the first, and not for the others.
func (c *coordinator) receive(done jetstream.Consumer, wait time.Duration) (batch []jetstream.Msg, err error) {
	most := together
	if wait > 0 {
		m, err := done.Next(jetstream.FetchMaxWait(wait))
		if nothingYet(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		batch = append(batch, m)
		most--
	}
	fetched, err := done.FetchNoWait(most)
	if err != nil {
		return batch, err
	}
	for m := range fetched.Messages() {
		batch = append(batch, m)
	}
	if err := fetched.Error(); err != nil && !nothingYet(err) && len(batch) == 0 {
		return nil, err
	}
	return batch, nil
}

// take stores results and then takes them out of the queue.
func (c *coordinator) take(ctx context.Context, batch []jetstream.Msg) error {
	var results []*Result
	for _, m := range batch {
		r, err := decodeResult(m.Data())
		if err == nil && r.Stored {
			err = c.queue.fetchRecord(ctx, r)
		}
		if err != nil { // its game is waited for, so the audit will offer it again
			c.say(fmt.Sprintf("a result that cannot be used: %v", err))
			m.Term()
			continue
		}
		results = append(results, r)
	}
	results, err := c.ours(ctx, results)
	if err != nil {
		return err
	}
	fresh, err := c.store.Add(ctx, results)
	if err != nil {
		return fmt.Errorf("store results: %w", err)
	}
	for _, m := range batch {
		m.Ack() // lost: it comes again and is known
	}
	for i, r := range results {
		if r.Stored {
			c.queue.dropRecord(ctx, r)
		}
		if fresh[i] {
			if err := c.count(ctx, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// ours leaves out results of games that are not part of the tournament. Those that are not waited for
// come from a run before this one.
func (c *coordinator) ours(ctx context.Context, results []*Result) ([]*Result, error) {
	var early []string
	for _, r := range results {
		if c.waiting[r.ID] != nil {
			continue
		}
		_, finished, err := c.store.Points(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		if !finished {
			early = append(early, r.ID)
		}
	}
	known := c.t.gamesOf(early, c.results)
	if c.results.err != nil {
		return nil, c.results.err
	}
	return slices.DeleteFunc(results, func(r *Result) bool {
		expected, ok := known[r.ID]
		if j := c.waiting[r.ID]; j != nil {
			expected, ok = [4]int{j.Round, j.Pair, j.Players[0], j.Players[1]}, true
		} else if !ok && !slices.Contains(early, r.ID) {
			return false // it is in the store, which will leave it as it is
		}
		if ok && expected == [4]int{r.Round, r.Pair, r.Players[0], r.Players[1]} {
			return false
		}
		c.say(fmt.Sprintf("a result that cannot be used: game %s of players %v, from worker %q, is not part of this tournament", r.ID, r.Players, r.Worker))
		return true
	}), nil
}

// count takes a result into account that is stored now, and has a void game played again.
func (c *coordinator) count(ctx context.Context, r *Result) error {
	if !r.Void() {
		delete(c.waiting, r.ID)
		c.counts.Finished++
		if c.test != nil {
			c.test.add(r)
		}
		c.events(Event{Kind: EventResult, ID: r.ID, Worker: r.Worker, Result: r, Progress: c.counts})
		return nil
	}
	if _, finished, err := c.store.Points(ctx, r.ID); err != nil || finished {
		return err // another worker has played it
	}
	c.counts.Voids++
	c.events(Event{Kind: EventVoid, ID: r.ID, Worker: r.Worker, Result: r, Progress: c.counts})
	voids, err := c.store.Voids(ctx, r.ID)
	if err != nil {
		return err
	}
	n := len(voids)
	if n >= mostVoids || n >= 2 && voids[n-1] == voids[n-2] {
		return fmt.Errorf("game %s was %w, the last time at worker %q: %s", r.ID, ErrVoid, r.Worker, r.Ending.Reason)
	}
	j, ok := c.waiting[r.ID]
	if !ok {
		return nil // it is offered when the schedule comes to it
	}
	j.Header.Attempt = n + 1
	return c.put(ctx, j)
}

// storedResults are the results in the store as a schedule wants them.
type storedResults struct {
	ctx   context.Context
	store *Store
	err   error // the first
}

func (s *storedResults) Result(id string) schedule.Result {
	points, finished, err := s.store.Points(s.ctx, id)
	if err != nil && s.err == nil {
		s.err = err
	}
	switch {
	case err != nil || !finished:
		return schedule.Unfinished
	case points == 0:
		return schedule.Lost
	case points == 1:
		return schedule.Won
	}
	return schedule.Drawn
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

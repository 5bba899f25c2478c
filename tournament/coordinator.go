package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
)

const (
	// ahead is how many games are in the queue before somebody takes them: enough that no worker waits,
	// few enough that a tournament of a million games takes no more memory than one of a thousand.
	ahead = 1024
	// together is how many results are stored in one transaction: a synchronized write takes
	// milliseconds, whatever it writes.
	together = 256
	// mostVoids is how often one game may be void, for whatever reasons.
	mostVoids = 5
	// audit is how often the queue is counted while no result comes.
	audit = 2 * time.Second
)

// ErrVoid is what stops a tournament when a game was void again and again.
var ErrVoid = errors.New("void again")

// coordinator puts the games of a schedule into the queue and takes their results out of it into the
// store. The store is the truth: whatever happens to the queue or to this process, a game that is not in
// the store is played, and one that is there is not played again.
type coordinator struct {
	t       *Tournament
	store   *Store
	queue   *queue
	events  func(Event)
	say     func(string)
	dead    func() error // of a queue that will not come back by waiting
	cursor  *schedule.Cursor
	results *storedResults
	waiting map[string]*Job // in the queue, or being played, or on the way back
	missing bool            // the queue was short of messages when it was last counted
	test    *sequence       // nil: none
	counts  Progress
}

// Progress is how far a tournament is.
type Progress struct {
	Finished int `json:"finished"`
	Least    int `json:"games"` // that there will be, at least
	Most     int `json:"most"`
	Voids    int `json:"voids"`
}

// coordinate runs the tournament to its end. ready is called once the queue can serve workers.
func (c *coordinator) coordinate(ctx context.Context, ready func()) error {
	done, err := c.begin(ctx)
	if err != nil || c.decided() {
		return err
	}
	ready()
	var trouble patience
	for {
		if err := c.offer(ctx); err != nil {
			return err
		}
		if len(c.waiting) == 0 && c.cursor.Complete() || c.decided() {
			return nil
		}
		batch, err := c.receive(done, audit)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			if err := c.hope(ctx, &trouble, fmt.Errorf("the results in the queue: %w", err)); err != nil {
				return err
			}
			if fresh, err := c.begin(ctx); err == nil {
				done = fresh
				c.missing = true // what was in the queue may not be there any more
			} else if ctx.Err() == nil && !isQueueTrouble(err) {
				return err
			}
			continue
		}
		trouble.over()
		if len(batch) == 0 {
			if err := c.auditQueue(ctx); err != nil {
				c.say(err.Error())
			}
			continue
		}
		if err := c.take(ctx, batch); err != nil {
			return err
		}
	}
}

// begin makes the streams and takes in the results that a run before has left in the queue, so that
// their games are not offered again.
func (c *coordinator) begin(ctx context.Context) (jetstream.Consumer, error) {
	var trouble patience
	for {
		done, err := c.open(ctx)
		if err == nil {
			return done, nil
		}
		if !isQueueTrouble(err) {
			return nil, err
		}
		if err := c.hope(ctx, &trouble, err); err != nil {
			return nil, err
		}
	}
}

// decided says whether a sequential test has ended the tournament.
func (c *coordinator) decided() bool { return c.test != nil && c.test.decision != rating.Continue }

// hope waits before the next try, unless there is nothing to be hoped for.
func (c *coordinator) hope(ctx context.Context, p *patience, err error) error {
	if dead := c.dead(); dead != nil {
		return fmt.Errorf("%w (%w)", dead, err)
	}
	if !p.wait(ctx, err, c.say) {
		return context.Cause(ctx)
	}
	return nil
}

func (c *coordinator) open(ctx context.Context) (jetstream.Consumer, error) {
	if err := c.queue.ensure(ctx); err != nil {
		return nil, queueTrouble{err}
	}
	done, err := c.queue.js.Consumer(ctx, c.queue.done(), consumerName)
	if err != nil {
		return nil, queueTrouble{err}
	}
	for {
		batch, err := c.receive(done, 0)
		if err != nil {
			return nil, queueTrouble{err}
		}
		if len(batch) == 0 {
			return done, nil
		}
		if err := c.take(ctx, batch); err != nil {
			return nil, err
		}
	}
}

// queueTrouble is an error that may go away when the queue comes back.
type queueTrouble struct{ error }

func (e queueTrouble) Unwrap() error { return e.error }

func isQueueTrouble(err error) bool {
	var t queueTrouble
	return errors.As(err, &t)
}

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
	var trouble patience
	for {
		err := c.queue.offer(ctx, j)
		if err == nil {
			return nil
		}
		if err := c.hope(ctx, &trouble, fmt.Errorf("put game %s into the queue: %w", j.ID, err)); err != nil {
			return err
		}
		if err := c.queue.ensure(ctx); err != nil && ctx.Err() == nil {
			c.say(err.Error())
		}
	}
}

// auditQueue counts the messages in the queue while no result comes. If there are fewer than games are
// waited for, twice in a row, the queue has lost some, and all are offered again; those that are there
// refuse it.
func (c *coordinator) auditQueue(ctx context.Context) error {
	there := uint64(0)
	for _, name := range []string{c.queue.jobs(), c.queue.done()} {
		stream, err := c.queue.js.Stream(ctx, name)
		if err != nil {
			return fmt.Errorf("count the queue: %w", err)
		}
		there += stream.CachedInfo().State.Msgs
	}
	short := there < uint64(len(c.waiting))
	if short && c.missing {
		for _, j := range c.waiting {
			if err := c.put(ctx, j); err != nil {
				return err
			}
		}
		c.missing = false
		return nil
	}
	c.missing = short
	return nil
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

// job is a game of the schedule as a worker plays it.
func (t *Tournament) job(g schedule.Game, attempt int) *Job {
	f := referee.Fixture{
		Game: t.Game, Rules: t.Rules, Retries: t.Retries, Limits: t.Limits,
		Entrants: [2]referee.Entrant{t.Players[g.First], t.Players[g.Second]},
		Seed:     g.Seed, Number: g.Number, Attempt: attempt, Version: t.Version, Concurrency: t.Concurrency,
	}
	j := &Job{
		Schema: schema, ID: g.ID, Round: g.Round, Pair: g.Pair, Players: [2]int{g.First, g.Second},
		Header: f.Header(time.Time{}), Records: t.Records, Explain: t.Explain,
	}
	for side, e := range f.Entrants {
		j.Seats[side] = JobSeat{Dir: e.Command.Dir, Env: e.Command.Env, Confine: e.Command.Confine}
	}
	return j
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

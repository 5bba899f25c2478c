package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"luzhanqi/referee"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

const (
	// maxWaiting is how many games are in the queue before somebody takes them: enough that no worker waits,
	// few enough that a tournament of a million games takes no more memory than one of a thousand.
	maxWaiting = 1024
	// maxOffered is how many there are with those that are being played; the queue lends out as many.
	maxOffered = queue.MaxLent
	// maxBatch is how many results are stored in one transaction: a synchronized write takes milliseconds, whatever it writes.
	// It is also how many games are offered before results are looked for: workers that play as fast as games are offered would
	// otherwise have all of maxOffered games played before the first result is stored.
	maxBatch = 256
	// reconcileAfter is how long no result comes before the queue is compared with the games that are waited for.
	reconcileAfter = 2 * time.Second
)

// coordinator puts the games of a schedule into the queue and takes their results out of it into the
// store. The store is the truth: whatever happens to the queue or to this process, a game that is not in
// the store is played, and one that is there is not played again.
type coordinator struct {
	t       *Tournament
	store   *store.Store
	queue   *queue.Queue
	events  func(Event)
	warn    func(string)
	cursor  *schedule.Cursor
	results *storedResults
	waiting map[string]*queue.Job // in the queue, or being played, or on the way back
	playing playing
	missing map[string]bool // those that the queue did not have when it was last looked through
	test    *sprt           // nil: none
	kept    int64           // bytes of records in the store
	counts  Progress
}

// Progress counts the games of a tournament.
type Progress struct {
	Finished int `json:"finished"`
	MinGames int `json:"games"` // that there will be at least, and at most
	MaxGames int `json:"most"`
	Voids    int `json:"voids"`
}

// coordinate runs the tournament to its end. ready is called once the queue can serve workers.
func (c *coordinator) coordinate(ctx context.Context, ready func() error) error {
	done, err := c.begin(ctx)
	if err != nil || c.decided() {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	backoff := c.queue.Backoff()
	for {
		more, err := c.offer(ctx)
		if err != nil {
			return err
		}
		if len(c.waiting) == 0 && c.cursor.Complete() || c.decided() {
			return nil
		}
		wait := reconcileAfter
		if more {
			wait = 0
		}
		batch, err := done.Next(ctx, maxBatch, wait, c.unusable)
		if err == nil && batch.Empty() && !more && ctx.Err() == nil {
			err = c.reconcile(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, queue.ErrStopped):
			return err
		case err != nil:
			if err := backoff.Wait(ctx, err, c.warn); err != nil {
				return err
			}
			if done, err = c.begin(ctx); err != nil {
				return err
			}
			continue
		}
		backoff.Reset()
		if err := c.take(ctx, batch); err != nil {
			return err
		}
	}
}

// decided says whether a sequential test has ended the tournament.
func (c *coordinator) decided() bool { return c.test != nil && c.test.Decided() }

// begin makes the streams and takes in the results that a run before has left in the queue, so that
// their games are not offered again.
func (c *coordinator) begin(ctx context.Context) (*queue.Results, error) {
	backoff := c.queue.Backoff()
	for {
		done, batch, err := c.open(ctx)
		for err == nil {
			if batch.Empty() {
				return done, nil
			}
			if err := c.take(ctx, batch); err != nil {
				return nil, err
			}
			batch, err = done.Next(ctx, maxBatch, 0, c.unusable)
		}
		if err := backoff.Wait(ctx, err, c.warn); err != nil {
			return nil, err
		}
	}
}

// open makes the streams, and takes what is there of results.
func (c *coordinator) open(ctx context.Context) (done *queue.Results, batch queue.Batch, err error) {
	if err := c.queue.Ensure(ctx); err != nil {
		return nil, batch, err
	}
	if done, err = c.queue.Results(ctx); err != nil {
		return nil, batch, err
	}
	batch, err = done.Next(ctx, maxBatch, 0, c.unusable)
	return done, batch, err
}

// started is called by the queue, from any goroutine.
func (c *coordinator) started(s queue.Started) {
	c.playing.began(s.ID)
	c.events(Event{Kind: EventBegun, ID: s.ID, Worker: s.Worker})
}

func (c *coordinator) unusable(err error) {
	c.warn(fmt.Sprintf("a result that cannot be used: %v", err))
}

// offer puts games into the queue until enough are there, at most maxBatch of them; more says that there is room for more.
func (c *coordinator) offer(ctx context.Context) (more bool, err error) {
	for offered := 0; len(c.waiting) < min(maxOffered, maxWaiting+c.playing.count()); offered++ {
		if offered == maxBatch {
			return true, nil
		}
		j, err := c.next(ctx)
		if j == nil || err != nil {
			return false, err
		}
		c.waiting[j.ID] = j
		if err := c.put(ctx, j); err != nil {
			return false, err
		}
	}
	return false, nil
}

// next is the next job of the schedule that has no result; nil: there is none, or none yet.
func (c *coordinator) next(ctx context.Context) (*queue.Job, error) {
	for {
		g, ok := c.cursor.Next(c.results)
		if !ok || c.results.err != nil {
			return nil, c.results.err
		}
		outcome, err := c.store.Outcome(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		if outcome != rating.Void {
			continue
		}
		voids, err := c.store.Voids(ctx, g.ID)
		if err != nil {
			return nil, err
		}
		return c.t.job(ctx, c.store, g, len(voids)+1)
	}
}

// put offers one job, as long as it takes.
func (c *coordinator) put(ctx context.Context, j *queue.Job) error {
	backoff := c.queue.Backoff()
	for {
		err := c.queue.Offer(ctx, j)
		if err == nil {
			return nil
		}
		if err := backoff.Wait(ctx, fmt.Errorf("put game %s into the queue: %w", j.ID, err), c.warn); err != nil {
			return err
		}
		if err := c.queue.Ensure(ctx); err != nil && ctx.Err() == nil {
			c.warn(err.Error())
		}
	}
}

// reconcile looks, while no result comes, whether the queue has every game that is waited for. It offers
// those again that are missing the second time in a row.
func (c *coordinator) reconcile(ctx context.Context) error {
	there, err := c.queue.Games(ctx)
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

// take stores results and then takes them out of the queue.
func (c *coordinator) take(ctx context.Context, batch queue.Batch) error {
	if batch.Empty() {
		return nil
	}
	results, err := c.ours(ctx, batch.Results)
	if err != nil {
		return err
	}
	c.makeRoom(results)
	fresh, err := c.store.Add(ctx, results)
	if err != nil {
		return fmt.Errorf("store results: %w", err)
	}
	batch.Ack(ctx)
	for i, r := range results {
		c.playing.ended(r.ID)
		if !fresh[i] {
			continue
		}
		if err := c.count(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// makeRoom drops records for which the plan leaves no room: the first games keep theirs.
func (c *coordinator) makeRoom(results []*store.Result) {
	if c.t.RecordSpace == 0 {
		return
	}
	for _, r := range results {
		if size := int64(len(r.Record)); c.kept+size > c.t.RecordSpace {
			r.Record = nil
		} else {
			c.kept += size
		}
	}
}

// ours leaves out results of games that are not part of the tournament. Those that are not waited for
// come from a run before this one.
func (c *coordinator) ours(ctx context.Context, results []*store.Result) (ours []*store.Result, err error) {
	var early []string
	for _, r := range results {
		if c.waiting[r.ID] != nil {
			continue
		}
		outcome, err := c.store.Outcome(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		if outcome == rating.Void {
			early = append(early, r.ID)
		}
	}
	known := c.t.places(early, c.results)
	if c.results.err != nil {
		return nil, c.results.err
	}
	for _, r := range results {
		expected, ok := known[r.ID]
		if j := c.waiting[r.ID]; j != nil {
			expected, ok = j.Place, true
		}
		stored := !ok && !slices.Contains(early, r.ID) // which the store will leave as it is
		if !stored && (!ok || expected != r.Place) {
			c.unusable(fmt.Errorf("game %s of players %v, from worker %q, is not part of this tournament", r.ID, r.Players, r.Worker))
			continue
		}
		ours = append(ours, r)
	}
	return ours, nil
}

// count takes a result into account that is stored now, and has a void game played again.
func (c *coordinator) count(ctx context.Context, r *store.Result) error {
	if !r.Void() {
		delete(c.waiting, r.ID)
		c.counts.Finished++
		if c.test != nil {
			c.test.add(r)
		}
		c.events(Event{Kind: EventResult, ID: r.ID, Worker: r.Worker, Result: r, Progress: c.counts})
		return nil
	}
	if outcome, err := c.store.Outcome(ctx, r.ID); err != nil || outcome != rating.Void {
		return err // another worker has played it
	}
	c.counts.Voids++
	c.events(Event{Kind: EventVoid, ID: r.ID, Worker: r.Worker, Result: r, Progress: c.counts})
	voids, err := c.store.Voids(ctx, r.ID)
	if err != nil {
		return err
	}
	if referee.GivenUp(voids) {
		return fmt.Errorf("game %s was %w, the last time at worker %q: %s", r.ID, referee.ErrVoid, r.Worker, r.Ending.Reason)
	}
	j, ok := c.waiting[r.ID]
	if !ok {
		return nil // it is offered when the schedule comes to it
	}
	j.Header.Attempt = len(voids) + 1
	return c.put(ctx, j)
}

// playing are the games that workers have taken. Those of a run before this one are not known, and one that was delivered
// twice may stay although it has a result: they are few, and only say how many further games are offered.
type playing struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (p *playing) began(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ids == nil {
		p.ids = map[string]bool{}
	}
	p.ids[id] = true
}

func (p *playing) ended(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ids, id)
}

func (p *playing) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ids)
}

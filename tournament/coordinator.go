package tournament

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

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
	// audit is how often the queue is looked through while no result comes.
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
	cursor  *schedule.Cursor
	results *storedResults
	waiting map[string]*Job // in the queue, or being played, or on the way back
	missing map[string]bool // those that the queue did not have when it was last looked through
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
	trouble := c.queue.patience()
	for {
		if err := c.offer(ctx); err != nil {
			return err
		}
		if len(c.waiting) == 0 && c.cursor.Complete() || c.decided() {
			return nil
		}
		batch, err := c.receive(done, audit)
		if err == nil && len(batch) == 0 {
			err = c.auditQueue(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errHopeless):
			return err
		case err != nil:
			if err := trouble.wait(ctx, err, c.say); err != nil {
				return err
			}
			if done, err = c.begin(ctx); err != nil {
				return err
			}
			continue
		}
		trouble.over()
		if err := c.take(ctx, batch); err != nil {
			return err
		}
	}
}

// begin makes the streams and takes in the results that a run before has left in the queue, so that
// their games are not offered again.
func (c *coordinator) begin(ctx context.Context) (jetstream.Consumer, error) {
	trouble := c.queue.patience()
	for {
		done, err := c.open(ctx)
		if err == nil {
			return done, nil
		}
		if !isQueueTrouble(err) {
			return nil, err
		}
		if err := trouble.wait(ctx, err, c.say); err != nil {
			return nil, err
		}
	}
}

// decided says whether a sequential test has ended the tournament.
func (c *coordinator) decided() bool { return c.test != nil && c.test.decision != rating.Continue }

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

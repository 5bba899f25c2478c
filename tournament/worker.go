package tournament

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// maxDeliveries is how many workers may take a game and vanish before it is called void: one that kills
// whoever plays it must not go round for ever.
const maxDeliveries = 40

// Work plays the games of all tournaments that the queue at o.URL holds, until the context ends.
func Work(ctx context.Context, o Options, version string) error {
	affinities, err := affinitiesFor(o.Pin, o.Concurrency)
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	client, err := queue.Dial(o.URL, o.Token, "luzhanqi worker "+host, o.Warn)
	if err != nil {
		return err
	}
	defer client.Close()
	var workers sync.WaitGroup
	for i, affinity := range affinities {
		w := &worker{name: fmt.Sprintf("%s:%d:%d", host, os.Getpid(), i+1), affinity: affinity, concurrency: o.Concurrency, version: version, warn: o.Warn}
		workers.Go(func() { w.serveAll(ctx, client) })
	}
	workers.Wait()
	return ctx.Err()
}

// worker plays the games of a queue, one at a time.
type worker struct {
	name        string
	affinity    Affinity
	concurrency int // games at a time in this process; written into records, as is the version
	version     string
	warn        func(string)
}

// serveAll goes round the tournaments.
func (w *worker) serveAll(ctx context.Context, client *queue.Client) {
	var backoff queue.Backoff
	for ctx.Err() == nil {
		ids, err := client.Tournaments(ctx)
		if lost := client.Check(); lost != nil {
			err = lost
		} else if err == nil && len(ids) == 0 {
			err = errors.New("there is no tournament")
		}
		if err != nil {
			backoff.Wait(ctx, err, w.warn)
			continue
		}
		backoff.Reset()
		for _, id := range ids {
			w.serve(ctx, client.Queue(id, 0), time.Second)
		}
	}
}

// serve plays what the queue holds until the context ends, or waiting for the queue is of no use. wait is how long
// it waits for a game before it returns; zero: for ever.
func (w *worker) serve(ctx context.Context, q *queue.Queue, wait time.Duration) error {
	turn := wait
	if wait == 0 {
		turn = time.Second // so soon a queue that had failed counts as mended
	}
	backoff := q.Backoff()
	for ctx.Err() == nil {
		jobs, err := q.Jobs(ctx)
		for err == nil && ctx.Err() == nil {
			var claim *queue.Claim
			claim, err = jobs.Next(ctx, turn)
			if err == nil || errors.Is(err, queue.ErrUnreadable) {
				backoff.Reset()
			}
			switch {
			case err != nil:
			case claim != nil:
				err = w.take(ctx, q, claim)
			case wait > 0:
				return nil
			}
		}
		switch {
		case ctx.Err() != nil || queue.IsOver(err) && wait > 0:
			return nil
		case errors.Is(err, queue.ErrStopped):
			return err
		}
		if err := backoff.Wait(ctx, err, w.warn); err != nil {
			return err
		}
	}
	return nil
}

// take plays one job and delivers its result.
func (w *worker) take(ctx context.Context, q *queue.Queue, claim *queue.Claim) error {
	q.Announce(queue.Started{ID: claim.Job.ID, Worker: w.name})
	stop := claim.Keep()
	r := w.result(ctx, claim)
	stop()
	if ctx.Err() != nil {
		claim.Return()
		return nil
	}
	backoff := q.Backoff()
	for {
		// A game that is over is delivered also when the run ends at this moment.
		delivering, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		over, err := q.Deliver(delivering, r)
		stop()
		if over || err != nil && ctx.Err() != nil {
			return nil
		}
		if err == nil {
			return claim.Done()
		}
		if err := backoff.Wait(ctx, fmt.Errorf("deliver the result of %s: %w", r.ID, err), w.warn); err != nil {
			return err
		}
	}
}

func (w *worker) result(ctx context.Context, claim *queue.Claim) *store.Result {
	j := &claim.Job
	r := &store.Result{
		Schema: store.Schema, Place: j.Place, Attempt: j.Header.Attempt, Worker: w.name,
	}
	void := func(format string, args ...any) {
		r.Ending = &referee.Ending{Code: referee.Void, VoidBy: referee.ByMachine, Reason: fmt.Sprintf(format, args...)}
	}
	if claim.Deliveries > maxDeliveries {
		void("%d workers began it, and none has brought a result", maxDeliveries)
	} else if g, err := gameOf(j, w.affinity); err != nil {
		void("it cannot be played: %v", err)
	} else {
		g.Version, g.Concurrency = w.version, w.concurrency
		w.play(ctx, g, j.Records, r)
	}
	r.Ended = time.Now().UTC()
	return r
}

// gameOf is the game of a job, on processors of its own.
func gameOf(j *queue.Job, affinity Affinity) (*referee.Game, error) {
	g, err := j.Header.ToPlay(games.Find)
	if err != nil {
		return nil, err
	}
	for side := range g.Entrants {
		e, seat := &g.Entrants[side], j.Seats[side]
		e.Explain = j.Explain
		if e.Level != nil {
			continue
		}
		e.Command.Dir = seat.Dir
		e.Command.Env = seat.Env
		e.Command.Confine = seat.Confine
		if len(seat.Confine.CPUs) == 0 {
			e.Command.Confine.CPUs = affinity[side]
		}
	}
	return g, nil
}

// packer compresses records; it may be used by many goroutines.
var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2))
})

// play fills in what has come of the game.
func (w *worker) play(ctx context.Context, g *referee.Game, records bool, r *store.Result) {
	watch := referee.Observers{&clock{sides: &r.Sides}}
	var kept bytes.Buffer
	if records {
		watch = append(watch, record.NewWriter(&kept, g)) // memory does not refuse to be written
	}
	result, _ := g.Play(ctx, watch) // an error is a void ending that says why
	r.Ending, r.Took = result.Ending, text.Milliseconds(result.Took)
	for side, after := range result.Postmortems {
		r.Sides[side].CPU = after.Exit.User + after.Exit.System
		r.Sides[side].MaxRSS = after.Exit.MaxRSS
	}
	if records {
		pack, err := packer()
		if err != nil {
			panic(err) // its options are constants
		}
		r.Record = pack.EncodeAll(kept.Bytes(), nil)
	}
}

// clock counts the times of the moves.
type clock struct {
	referee.NoObserver
	sides *[2]store.Effort
}

// Moved counts the time of a move.
func (c *clock) Moved(before, _ game.Position, p referee.Played) {
	c.sides[before.Mover()].Times.Add(p.Took)
}

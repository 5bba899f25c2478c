package tournament

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/errlog"
	"luzhanqi/referee/record"
	"luzhanqi/text"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// maxDeliveries is how many workers may take a game and vanish before it is called void: one that kills
// whoever plays it must not go round for ever.
const maxDeliveries = 40

// Shift is what a worker has done.
type Shift struct {
	Games int        // that it has taken
	Given load.Given // to programs in them, because others had the processors
}

// Work plays the games of all tournaments that the queue at o.URL holds, until the context ends.
func Work(ctx context.Context, o Options, version string) (done Shift, err error) {
	process.AtATime(2 * o.Concurrency)
	affinities, err := affinitiesFor(o.Pin, o.Concurrency)
	if err != nil {
		return done, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	if err := o.admit(); err != nil {
		return done, err
	}
	client, err := queue.Dial(o.URL, o.Token, host, o.Warn)
	if err != nil {
		return done, err
	}
	defer client.Close()
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	life := &life{untilDone: o.UntilDone, leave: leave, warn: o.Warn}
	deaf, err := client.Hear(life.over)
	if err != nil {
		return done, err
	}
	defer deaf()
	var workers sync.WaitGroup
	all := make([]*worker, len(affinities))
	for i, affinity := range affinities {
		w := &worker{slot: i + 1, affinity: affinity, concurrency: o.Concurrency, version: version, warn: o.Warn, sandbox: o.Sandbox, total: o.Total}
		all[i] = w
		workers.Go(func() { w.serveAll(ctx, client, life) })
	}
	workers.Wait()
	for _, w := range all {
		done.Games += w.played
		done.Given.Add(w.given)
	}
	if err := context.Cause(ctx); !errors.Is(err, errDone) {
		return done, err
	}
	return done, nil
}

// worker plays the games of a queue, one at a time.
type worker struct {
	slot        int // of the games at a time, from 1
	affinity    Affinity
	concurrency int // games at a time in this process; written into records, as is the version
	version     string
	sandbox     sandbox.Policy // of programs, but for their directories
	total       int64          // memory of each in all, if its confinement does not say; 0: no limit
	stderr      *errlog.Log    // of programs; nil: none
	warn        func(string)
	given       load.Given // to programs, up to now
	played      int        // games that it has taken
}

// serveAll goes round the tournaments.
func (w *worker) serveAll(ctx context.Context, client *queue.Client, life *life) {
	// A tournament that has just ended is gone a moment before its workers hear of it.
	backoff := client.Backoff()
	backoff.Quiet = time.Second
	wait := minIdle
	for ctx.Err() == nil {
		ids, err := client.Tournaments(ctx)
		lost := client.Check()
		if lost != nil {
			ids, err = nil, lost
		}
		life.saw(len(ids), lost)
		if err != nil {
			if ctx.Err() == nil { // else it has just been said
				backoff.Wait(ctx, err, w.warn)
			}
			continue
		}
		if wait = min(2*wait, maxIdle); len(ids) > 1 {
			wait = minIdle // or the games of one would wait for those who wait at another
		}
		for _, id := range ids {
			before := w.played
			serving, left := life.serve(ctx, id)
			err := w.serve(serving, client.Desk(id, w.slot), wait)
			left()
			if err != nil && ctx.Err() == nil {
				backoff.Wait(ctx, err, w.warn)
			} else {
				backoff.Reset()
			}
			if w.played > before {
				wait = minIdle
			}
		}
	}
}

const (
	// minIdle is how long a worker waits for a game at one of several tournaments, and how long at first at the only one. The longer
	// none comes the longer it waits, up to maxIdle: each time costs the coordinator a question, and an answer.
	minIdle = time.Second
	maxIdle = 20 * time.Second
)

// serve plays what the queue holds until the context ends, or waiting for the queue is of no use. wait is how long
// it waits for a game before it returns; zero: for ever.
func (w *worker) serve(ctx context.Context, desk *queue.Desk, wait time.Duration) error {
	watched := false // from the first game, instead of in every one; who waits for games needs no watch
	turn := wait
	if wait == 0 {
		turn = time.Second // so soon a queue that had failed counts as mended
	}
	backoff := desk.Backoff()
	for ctx.Err() == nil {
		claim, err := desk.Next(ctx, turn)
		if err == nil || errors.Is(err, queue.ErrUnreadable) {
			backoff.Reset()
		}
		switch {
		case err == nil && claim != nil:
			if !watched {
				watched = true
				defer clock.Watch()()
			}
			w.played++
			err = w.take(ctx, desk, claim)
		case (err == nil || errors.Is(err, queue.ErrGone)) && wait > 0:
			return nil
		}
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, queue.ErrStopped), wait > 0 && !errors.Is(err, queue.ErrUnreadable):
			return err // the caller sees whether there is a queue at all
		}
		if err := backoff.Wait(ctx, err, w.warn); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long a worker keeps a result for a coordinator that does not answer.
const patience = 10 * time.Second

// take plays one job and brings its result.
func (w *worker) take(ctx context.Context, desk *queue.Desk, claim *queue.Claim) error {
	stop := claim.Keep()
	defer stop()
	r := w.result(ctx, claim)
	if ctx.Err() != nil {
		claim.Return()
		return nil
	}
	backoff := desk.Backoff()
	played := time.Now()
	for {
		// A game that is over is brought also when the run ends at this moment.
		bringing, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		err := claim.Bring(bringing, r)
		stop()
		switch {
		case err == nil, ctx.Err() != nil, errors.Is(err, queue.ErrGone) && time.Since(played) > patience:
			return nil
		case errors.Is(err, queue.ErrRefused):
			return err
		}
		if err := backoff.Wait(ctx, fmt.Errorf("bring the result of %s: %w", r.ID, err), w.warn); err != nil {
			return err
		}
	}
}

func (w *worker) result(ctx context.Context, claim *queue.Claim) *store.Result {
	j := &claim.Job
	r := &store.Result{
		Schema: store.Schema, Place: j.Place, Attempt: j.Header.Attempt,
	}
	void := func(format string, args ...any) {
		r.Ending = &referee.Ending{Code: referee.Void, VoidBy: referee.ByMachine, Reason: fmt.Sprintf(format, args...)}
	}
	if claim.Deliveries > maxDeliveries {
		void("%d workers began it, and none has brought a result", maxDeliveries)
	} else if g, err := gameOf(j, w.affinity, w.sandbox, w.total); err != nil {
		void("it cannot be played: %v", err)
	} else {
		g.Version, g.Concurrency = w.version, w.concurrency
		if w.stderr != nil {
			g.Stderr = func(g *referee.Game, side game.Side) io.WriteCloser {
				return w.stderr.Writer(fmt.Sprintf("%s, %s", j.ID, g.Entrants[side].Name), fmt.Sprintf("%s-%d-player-%v", j.ID, g.Attempt, side))
			}
		}
		w.play(ctx, g, r)
		w.given.Add(r.Given())
	}
	r.Ended = time.Now().UTC()
	return r
}

// gameOf is the game of a job, on processors of its own.
func gameOf(j *queue.Job, affinity Affinity, shut sandbox.Policy, total int64) (*referee.Game, error) {
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
		e.Command.Confine.Total = cmp.Or(seat.Confine.Total, total)
		e.Command.Sandbox = shut
		e.Command.Sandbox.Own = seat.Own
		if len(seat.Confine.CPUs) == 0 {
			e.Command.Confine.CPUs = affinity[side]
		}
	}
	apart(g)
	return g, nil
}

// apart gives programs whose directories overlap a layer each: neither changes what the other reads.
func apart(g *referee.Game) {
	a, b := &g.Entrants[0], &g.Entrants[1]
	if !a.IsProgram() || !b.IsProgram() || !sandbox.Overlap(a.Command.Dir, b.Command.Dir) {
		return
	}
	a.Command.Sandbox.Own, b.Command.Sandbox.Own = false, false
}

// packer compresses records; it may be used by many goroutines.
var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2))
})

// play fills in what has come of the game.
func (w *worker) play(ctx context.Context, g *referee.Game, r *store.Result) {
	var kept bytes.Buffer
	watch := referee.Observers{&thinking{sides: &r.Sides}, record.NewWriter(&kept, g)} // memory does not refuse to be written
	result, _ := g.Play(ctx, watch)                                                    // an error is a void ending that says why
	r.Ending, r.Took, r.Course = result.Ending, text.Milliseconds(result.Took), result.Course
	for side, after := range result.Postmortems {
		r.Sides[side].Given = result.Given[side]
		r.Sides[side].CPU = after.Exit.User + after.Exit.System
		r.Sides[side].MaxRSS = after.Exit.MaxRSS
		r.Sides[side].Traces.Add(after.Exit.Refused, after.Exit.Changed)
	}
	pack, err := packer()
	if err != nil {
		panic(err) // its options are constants
	}
	r.Record = pack.EncodeAll(kept.Bytes(), nil)
}

// thinking counts the times of the moves.
type thinking struct {
	referee.NoObserver
	sides *[2]store.Effort
}

// Moved counts the time of a move.
func (c *thinking) Moved(before, _ game.Position, p referee.Played) {
	c.sides[before.Mover()].Times.Add(p.Took)
}

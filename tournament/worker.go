package tournament

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
)

// mostDeliveries is how many workers may take a game and vanish before it is called void: one that kills
// whoever plays it must not go round for ever.
const mostDeliveries = 40

// worker plays the games of a queue, one at a time.
type worker struct {
	name    string
	slot    Slot
	atATime int    // games that this process plays
	version string // written into records
	say     func(string)
}

// begun is what a worker tells when it begins a game.
type begun struct {
	ID     string `json:"id"`
	Worker string `json:"worker"`
}

// take plays one job and delivers its result. Until then the job stays in the queue, and is somebody else's
// if this process dies.
func (w *worker) take(ctx context.Context, q *queue, m jetstream.Msg) error {
	var j Job
	if err := json.Unmarshal(m.Data(), &j); err != nil || j.Schema != schema {
		m.NakWithDelay(unreadable(m))
		return fmt.Errorf("a job that this version cannot read (%s, schema %d; this program reads %d): use the same version everywhere", m.Subject(), j.Schema, schema)
	}
	if announcement, err := json.Marshal(begun{j.ID, w.name}); err == nil {
		q.conn.Publish(q.liveSubject(), announcement) // for whoever watches; may be lost
	}
	kept := keep(m)
	r := w.result(ctx, m, &j)
	kept.stop()
	if ctx.Err() != nil { // interrupted: somebody else may have it at once
		m.Nak()
		return nil
	}
	trouble := q.patience()
	for {
		err := q.deliver(ctx, r)
		if err == nil {
			return m.Ack() // lost: it is delivered again, and the same result refused
		}
		if errors.Is(err, jetstream.ErrNoStreamResponse) || errors.Is(err, jetstream.ErrStreamNotFound) {
			if _, gone := q.js.Stream(ctx, q.jobs()); errors.Is(gone, jetstream.ErrStreamNotFound) {
				return nil // the tournament is over, or was reset
			}
		}
		if err := trouble.wait(ctx, fmt.Errorf("deliver the result of %s: %w", j.ID, err), w.say); err != nil {
			return err
		}
	}
}

// unreadable is how long a job waits for a worker of its version: longer each time, or those that nobody can
// read would keep the workers from the others.
func unreadable(m jetstream.Msg) time.Duration {
	if meta, err := m.Metadata(); err == nil {
		return lease * time.Duration(min(meta.NumDelivered, 10))
	}
	return lease
}

func (w *worker) result(ctx context.Context, m jetstream.Msg, j *Job) *Result {
	r := &Result{
		Schema: schema, ID: j.ID, Attempt: j.Header.Attempt, Round: j.Round, Pair: j.Pair, Players: j.Players, Worker: w.name,
	}
	void := func(format string, args ...any) {
		r.Ending = &referee.Ending{Code: referee.Void, Reason: fmt.Sprintf(format, args...)}
	}
	if meta, err := m.Metadata(); err == nil && meta.NumDelivered > mostDeliveries {
		void("%d workers began it, and none has brought a result", mostDeliveries)
	} else if g, err := j.game(w.slot); err != nil {
		void("it cannot be played: %v", err)
	} else {
		g.Version, g.Concurrency = w.version, w.atATime
		w.play(ctx, g, j.Records, r)
	}
	r.Ended = time.Now().UTC()
	return r
}

// game is the game of a job, on the processors of a slot.
func (j *Job) game(slot Slot) (*referee.Game, error) {
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
		if len(seat.Env) > 0 {
			e.Command.Env = append(os.Environ(), seat.Env...)
		}
		e.Command.Confine = seat.Confine
		if len(seat.Confine.CPUs) == 0 {
			e.Command.Confine.CPUs = slot[side]
		}
	}
	return g, nil
}

// packer compresses records; it may be used by many goroutines.
var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2))
})

// play fills in what has come of the game.
func (w *worker) play(ctx context.Context, g *referee.Game, records bool, r *Result) {
	watch := &clock{sides: &r.Sides}
	var record bytes.Buffer
	var result referee.Result
	var err error
	if records {
		result, err = g.Play(ctx, &record, watch)
	} else {
		result, err = g.Play(ctx, nil, watch)
	}
	if err != nil && !errors.Is(err, referee.ErrStart) {
		panic(err) // memory does not refuse to be written
	}
	r.Ending, r.Took = result.Ending, float64(result.Took.Microseconds())/1000
	for side, after := range result.Postmortems {
		r.Sides[side].CPU = after.Exit.User + after.Exit.System
		r.Sides[side].MaxRSS = after.Exit.MaxRSS
	}
	if records {
		pack, err := packer()
		if err != nil {
			panic(err) // its options are constants
		}
		r.Record = pack.EncodeAll(record.Bytes(), nil)
	}
}

// clock counts the times of the moves.
type clock struct{ sides *[2]Effort }

func (*clock) Message(referee.Message) {}

func (*clock) SetUp(game.Side, game.SetUp, time.Duration) {}

func (*clock) Refused(game.Position, game.Move, error) {}

func (*clock) Ended(game.Position, *referee.Ending) {}

func (c *clock) Moved(before, _ game.Position, p referee.Played) {
	c.sides[before.Mover()].Times.Add(p.Took)
}

// kept is a job whose lease is renewed while it is played.
type kept struct {
	end  chan struct{}
	done chan struct{}
}

func keep(m jetstream.Msg) *kept {
	k := &kept{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(k.done)
		ticker := time.NewTicker(lease / 3)
		defer ticker.Stop()
		for {
			select {
			case <-k.end:
				return
			case <-ticker.C:
				m.InProgress() // lost with its connection; the result counts all the same
			}
		}
	}()
	return k
}

func (k *kept) stop() {
	close(k.end)
	<-k.done
}

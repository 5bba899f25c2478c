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
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/process"
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

// serve plays what the queue holds until the context ends. wait is how long it waits for a game before it
// returns; zero: for ever.
func (w *worker) serve(ctx context.Context, q *queue, wait time.Duration) {
	var trouble patience
	for ctx.Err() == nil {
		consumer, err := q.js.Consumer(ctx, q.jobs(), consumerName)
		for err == nil && ctx.Err() == nil {
			var m jetstream.Msg
			turn := time.Second // a context cannot interrupt it
			if wait > 0 {
				turn = wait
			}
			if m, err = consumer.Next(jetstream.FetchMaxWait(turn)); err == nil {
				trouble.over()
				err = w.take(ctx, q, m)
			} else if nothingYet(err) {
				if wait > 0 {
					return
				}
				err = nil
			}
		}
		if wait > 0 && errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) && wait > 0 {
			return // the tournament is over
		}
		if ctx.Err() == nil {
			trouble.wait(ctx, err, w.say)
		}
	}
}

// take plays one job and delivers its result. Until then the job stays in the queue, and is somebody else's
// if this process dies.
func (w *worker) take(ctx context.Context, q *queue, m jetstream.Msg) error {
	var j Job
	if err := json.Unmarshal(m.Data(), &j); err != nil || j.Schema != schema {
		m.NakWithDelay(lease)
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
	var trouble patience
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
		if !trouble.wait(ctx, fmt.Errorf("deliver the result of %s: %w", j.ID, err), w.say) {
			return nil
		}
	}
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
	} else if f, err := j.fixture(w.slot); err != nil {
		void("it cannot be played: %v", err)
	} else {
		f.Version, f.Concurrency = w.version, w.atATime
		w.play(ctx, f, j.Records, r)
	}
	r.Ended = time.Now().UTC()
	return r
}

// fixture is the game of a job, on the processors of a slot.
func (j *Job) fixture(slot Slot) (*referee.Fixture, error) {
	f, err := j.Header.Fixture(games.Find)
	if err != nil {
		return nil, err
	}
	for side := range f.Entrants {
		e, seat := &f.Entrants[side], j.Seats[side]
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
	return f, nil
}

// packer compresses records; it may be used by many goroutines.
var packer = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(2))
})

// play fills in what has come of the game.
func (w *worker) play(ctx context.Context, f *referee.Fixture, records bool, r *Result) {
	watch := &clock{sides: &r.Sides}
	var record bytes.Buffer
	var outcome referee.Outcome
	var err error
	if records {
		outcome, err = f.Play(ctx, &record, watch)
	} else {
		outcome, err = f.Play(ctx, nil, watch)
	}
	if err != nil && !errors.Is(err, referee.ErrStart) {
		panic(err) // memory does not refuse to be written
	}
	r.Ending, r.Took = outcome.Ending, float64(outcome.Took.Microseconds())/1000
	for side, report := range outcome.Reports {
		r.Sides[side].CPU = report.Exit.User + report.Exit.System
		r.Sides[side].MaxRSS = report.Exit.MaxRSS
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

func (*clock) Message(referee.Message)                    {}
func (*clock) SetUp(game.Side, game.SetUp, time.Duration) {}
func (*clock) Refused(game.Position, game.Move, error)    {}
func (*clock) Ended(game.Position, *referee.Ending)       {}
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

// patience waits longer and longer while something keeps failing, and says so when it begins.
type patience struct {
	delay time.Duration
	told  string
}

const mostDelay = 5 * time.Second

// wait waits before the next try; false: the context has ended.
func (p *patience) wait(ctx context.Context, err error, say func(string)) bool {
	if err != nil && err.Error() != p.told {
		p.told = err.Error()
		say(fmt.Sprintf("%v; trying again", err))
	}
	p.delay = min(max(2*p.delay, 50*time.Millisecond), mostDelay)
	timer := time.NewTimer(p.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// over says that it has worked.
func (p *patience) over() { *p = patience{} }

// Slot is the processors that the programs at seats 1 and 2 of one game at a time run on; nil: any.
type Slot [2][]int

// Slots divides processors between so many games at a time: one for each player if there are enough,
// else one for each game, whose players take turns anyway. If there are fewer than games, force is
// refused, and otherwise nobody is bound to a processor.
func Slots(cores []int, concurrency int, force bool) ([]Slot, error) {
	slots := make([]Slot, concurrency)
	switch {
	case len(cores) >= 2*concurrency:
		for i := range slots {
			slots[i] = Slot{cores[2*i : 2*i+1], cores[2*i+1 : 2*i+2]}
		}
	case len(cores) >= concurrency:
		for i := range slots {
			slots[i] = Slot{cores[i : i+1], cores[i : i+1]}
		}
	case force:
		return nil, fmt.Errorf("pin: %d games at a time on %d processors: allowed are up to as many games as processors", concurrency, len(cores))
	}
	return slots, nil
}

// Serve plays the games of all tournaments that the queue at o.URL holds, until the context ends.
func Serve(ctx context.Context, o Options, version string) error {
	say := o.Say
	slots, err := slotsFor(o.Pin, o.Concurrency)
	if err != nil {
		return err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "?"
	}
	conn, err := connect(o.URL, "luzhanqi worker "+host, say, append(withToken(o.Token), nats.RetryOnFailedConnect(true))...)
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(5*time.Second))
	if err != nil {
		return err
	}
	var workers sync.WaitGroup
	for i, slot := range slots {
		w := &worker{name: fmt.Sprintf("%s:%d:%d", host, os.Getpid(), i+1), slot: slot, atATime: o.Concurrency, version: version, say: say}
		workers.Go(func() { w.serveAll(ctx, conn, js) })
	}
	workers.Wait()
	return ctx.Err()
}

// serveAll goes round the tournaments.
func (w *worker) serveAll(ctx context.Context, conn *nats.Conn, js jetstream.JetStream) {
	var trouble patience
	for ctx.Err() == nil {
		ids, err := tournaments(ctx, js)
		if !conn.IsConnected() {
			err = fmt.Errorf("no connection to the queue")
			if last := conn.LastError(); last != nil {
				err = fmt.Errorf("%w: %w", err, last)
			}
		}
		if err != nil || len(ids) == 0 {
			if err == nil {
				err = errors.New("there is no tournament")
			}
			trouble.wait(ctx, err, w.say)
			continue
		}
		trouble.over()
		for _, id := range ids {
			if q, err := openQueue(conn, id, 0); err == nil {
				w.serve(ctx, q, time.Second)
			}
		}
	}
}

// slotsFor is Slots for this machine; pin is auto, on or off.
func slotsFor(pin string, concurrency int) ([]Slot, error) {
	switch pin {
	case "off":
		return make([]Slot, concurrency), nil
	case "auto", "on":
		return Slots(process.Cores(), concurrency, pin == "on")
	}
	return nil, fmt.Errorf("pin %q: allowed are auto, on, off", pin)
}

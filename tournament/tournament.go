// Package tournament plays many games between many players and loses none: a schedule says which games
// there are, a queue hands them to workers in this process and on other machines, and a store keeps their
// results and records.
//
// Entry points: [Run] plays a tournament or goes on with one that was interrupted, however it was;
// [Serve] is a worker; [OpenStore] reads what was played so far.
//
// How nothing is lost or counted twice: the schedule is a pure function of the plan and the results, so that
// every game has an id that never changes; a job is taken out of the queue only after its result is in
// it, and a result only after it is in the store; the store takes one result for each id. Whatever dies in
// between, the game is at worst played twice, and counted once.
package tournament

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
)

// Tournament is what is to be played.
type Tournament struct {
	Name string // for people; may be empty
	referee.Conditions
	Players  []referee.Entrant // Command.Env is added to the environment of the worker
	Schedule *schedule.Schedule
	Test     *rating.SPRT // ends a match early; nil: none
	Records  bool         // keep the record of every game
	Explain  bool         // with the explanations of players of ours

	// Plan is all that influences results, as text, a line for each thing, and Fingerprint its digest. A
	// store goes on with the plan that it began with, and no other.
	Plan, Fingerprint string
	Version           string // of this program
	Concurrency       int    // written into records
}

// Options say how it is played. They change nothing of the results, but for those of players that depend on the
// speed of the machine.
type Options struct {
	Dir         string       // of the store and the embedded queue
	Concurrency int          // games at a time in this process; 0: only workers elsewhere play
	Pin         string       // auto, on or off: bind programs to processors
	URL         string       // of an existing cluster; empty: the queue is in this process
	Listen      string       // address at which the embedded queue lets workers in; empty: none
	Token       string       // that workers must know
	Replicas    int          // of the streams in a cluster
	Events      func(Event)  `json:"-"`
	Say         func(string) `json:"-"` // is told about trouble that goes away, or may
}

// MostConcurrency bounds the games at a time in one process.
const MostConcurrency = 1000

// What lies in the directory of a tournament.
const (
	storeFile = "results.sqlite"
	queueDir  = "queue"
)

// EventKind says what has happened.
type EventKind string

// The events.
const (
	EventOpen   EventKind = "open"   // the queue takes workers; ID is its address
	EventBegun  EventKind = "begun"  // a worker has begun a game
	EventResult EventKind = "result" // a game that counts is in the store
	EventVoid   EventKind = "void"   // a game was spoilt and is played again
)

// Event is something that happened in a tournament.
type Event struct {
	Kind     EventKind
	ID       string
	Worker   string
	Result   *Result
	Progress Progress
}

// ErrPlan is what Run returns when the store holds another tournament.
var ErrPlan = errors.New("the store holds the results of another plan")

// ErrRunning is what Run returns when another process runs the same tournament.
var ErrRunning = errors.New("it is running")

// Run plays the tournament, or what is left of it, and returns when every game has a result. When ctx ends,
// games that are being played are given up; they are played again next time.
func Run(ctx context.Context, t *Tournament, o Options) (Progress, error) {
	lock, err := Lock(o.Dir)
	if err != nil {
		return Progress{}, err
	}
	defer lock.Unlock()
	store, err := CreateStore(ctx, o.Dir)
	if err != nil {
		return Progress{}, err
	}
	defer store.Close()
	identity, err := t.identify(ctx, store)
	if err != nil {
		return Progress{}, err
	}
	slots, err := slotsFor(o.Pin, o.Concurrency)
	if err != nil {
		return Progress{}, err
	}
	for _, e := range t.Players {
		if err := e.Check(); o.Concurrency > 0 && err != nil {
			return Progress{}, fmt.Errorf("player %s: %w", e.Name, err)
		}
	}
	r := &run{t: t, o: o}
	if err := r.connect(); err != nil {
		return Progress{}, err
	}
	defer r.close()
	q, err := openQueue(r.conn, identity.ID, o.Replicas)
	if err != nil {
		return Progress{}, err
	}
	if r.server != nil {
		q.dead = r.dead
	}
	c := &coordinator{t: t, store: store, queue: q, say: o.Say, waiting: map[string]*Job{}, cursor: t.Schedule.Cursor(), results: &storedResults{ctx: ctx, store: store}}
	var one sync.Mutex // events come from two goroutines
	c.events = func(e Event) {
		one.Lock()
		defer one.Unlock()
		if o.Events != nil {
			o.Events(e)
		}
	}
	if err := c.recall(ctx); err != nil {
		return c.counts, err
	}
	if _, err := r.conn.Subscribe(q.liveSubject(), func(m *nats.Msg) {
		var b begun
		if json.Unmarshal(m.Data, &b) == nil {
			c.events(Event{Kind: EventBegun, ID: b.ID, Worker: b.Worker})
		}
	}); err != nil {
		return c.counts, fmt.Errorf("queue: %w", err)
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	err = c.coordinate(playing, func() {
		if r.server != nil && o.Listen != "" {
			c.events(Event{Kind: EventOpen, ID: r.address()})
		}
		for i, slot := range slots {
			w := &worker{name: fmt.Sprintf("here:%d", i+1), slot: slot, atATime: o.Concurrency, version: t.Version, say: o.Say}
			workers.Go(func() {
				if err := w.serve(playing, q, 0); err != nil {
					stop(err)
				}
			})
		}
	})
	if err != nil && playing.Err() != nil {
		err = context.Cause(playing) // the store only says that it was interrupted
	}
	stop(nil)
	workers.Wait()
	if err == nil {
		patient, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		if err := q.remove(patient); err != nil {
			o.Say(fmt.Sprintf("the queue of the finished tournament could not be removed: %v", err))
		}
		r.close()
		err = os.RemoveAll(r.dir())
	}
	return c.counts, err
}

// run is the queue's server and the connection to it.
type run struct {
	t      *Tournament
	o      Options
	server *server.Server
	conn   *nats.Conn
}

func (r *run) dir() string { return filepath.Join(r.o.Dir, queueDir) }

func (r *run) connect() (err error) {
	if r.o.URL != "" {
		r.conn, err = connect(r.o.URL, "luzhanqi tournament", r.o.Say, append(withToken(r.o.Token), nats.RetryOnFailedConnect(true))...)
		return err
	}
	if r.server, err = startServer(r.dir(), r.o.Listen, r.o.Token); err != nil {
		return err
	}
	if r.conn, err = connect(r.server.ClientURL(), "luzhanqi tournament", r.o.Say, inside(r.server, r.o.Token)...); err != nil {
		r.close()
	}
	return err
}

// address is where workers on other machines find the queue. A server that listens everywhere is found by this
// machine's name.
func (r *run) address() string {
	u, err := url.Parse(r.server.ClientURL())
	if err != nil {
		return r.server.ClientURL()
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			u.Host = net.JoinHostPort(name, u.Port())
		}
	}
	return u.String()
}

// mostHope is how long the embedded queue may fail: it does not go away and come back.
const mostHope = 15 * time.Second

// dead says that the embedded queue has given up, which it does when its disk is full, or fails for too long.
func (r *run) dead(failing time.Duration) error {
	if r.server.JetStreamEnabled() && failing < mostHope {
		return nil
	}
	return fmt.Errorf("the queue in %s %w; if there is no room on its disk, make some, and run it again: nothing that was stored is lost", r.dir(), errHopeless)
}

func (r *run) close() {
	if r.conn != nil {
		r.conn.Close()
		r.conn = nil
	}
	if r.server != nil {
		r.server.Shutdown()
		r.server.WaitForShutdown()
		r.server = nil
	}
}

// identify makes sure that the store is of this tournament.
func (t *Tournament) identify(ctx context.Context, s *Store) (Identity, error) {
	i, err := s.Identity(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		i = Identity{ID: fmt.Sprintf("%016x", rand.Uint64()), Plan: t.Plan, Fingerprint: t.Fingerprint, Version: t.Version, Created: time.Now()}
		return i, s.Begin(ctx, i)
	}
	return i, t.Belongs(ctx, s)
}

// Belongs says, by ErrPlan, that a store holds another tournament.
func (t *Tournament) Belongs(ctx context.Context, s *Store) error {
	i, err := s.Identity(ctx)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return fmt.Errorf("read the store: %w", explained(err))
	case i.Fingerprint != t.Fingerprint:
		return fmt.Errorf("%w: %s; go back to the plan as it was, choose another --store, or forget these results by luzhanqi tournament reset", ErrPlan, differences(i.Plan, t.Plan))
	}
	return nil
}

// differences says what has changed from one plan to another.
func differences(before, after string) string {
	var all []string
	for _, change := range plan.Changes(before, after) {
		all = append(all, change.String())
	}
	if len(all) > 3 {
		all = append(all[:3], fmt.Sprintf("and %d more", len(all)-3))
	}
	return strings.Join(all, "; ")
}

// recall counts what the store holds.
func (c *coordinator) recall(ctx context.Context) error {
	c.counts.Least, c.counts.Most = c.t.Schedule.Size()
	var err error
	if c.counts.Finished, c.counts.Voids, err = c.store.Count(ctx); err != nil {
		return err
	}
	c.test, err = c.t.sequence(ctx, c.store)
	return err
}

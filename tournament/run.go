package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// Options say how a tournament is played. They change nothing of the results, but for those of players that depend on the
// speed of the machine.
type Options struct {
	plan.Queue
	Dir         string       // of the store and the embedded queue
	Concurrency int          // games at a time in this process; 0: only workers elsewhere play
	Pin         plan.Pin     // of programs to processors
	Events      func(Event)  `json:"-"`
	Warn        func(string) `json:"-"` // receives warnings about temporary trouble
}

// MaxConcurrency bounds the games at a time in one process.
const MaxConcurrency = 1000

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
	Result   *store.Result
	Progress Progress
}

// doing says what a process does that holds the lock on the directory of a tournament.
const doing = "runs the tournament"

// Run plays the tournament, or what is left of it, and returns when every game has a result. When ctx ends,
// games that are being played are given up; they are played again next time.
func Run(ctx context.Context, t *Tournament, o Options) (Progress, error) {
	lock, err := store.Lock(o.Dir, doing)
	if err != nil {
		return Progress{}, err
	}
	defer lock.Unlock()
	results, err := store.Create(ctx, o.Dir)
	if err != nil {
		return Progress{}, err
	}
	defer results.Close()
	identity, err := t.identify(ctx, results)
	if err != nil {
		return Progress{}, err
	}
	affinities, err := affinitiesFor(o.Pin, o.Concurrency)
	if err != nil {
		return Progress{}, err
	}
	for _, e := range t.Players {
		if err := e.Check(); o.Concurrency > 0 && err != nil {
			return Progress{}, fmt.Errorf("player %s: %w", e.Name, err)
		}
	}
	client, err := o.connect(ctx, identity.ID)
	if err != nil {
		return Progress{}, err
	}
	closing := sync.OnceFunc(client.Close)
	defer closing()
	q := client.Queue(identity.ID, o.Replicas)
	c := &coordinator{
		t: t, store: results, queue: q, warn: o.Warn, waiting: map[string]*queue.Job{}, cursor: t.Schedule.Cursor(),
		results: &storedResults{ctx: ctx, store: results},
	}
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
	if err := q.Watch(func(b queue.Started) { c.events(Event{Kind: EventBegun, ID: b.ID, Worker: b.Worker}) }); err != nil {
		return c.counts, fmt.Errorf("queue: %w", err)
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	err = c.coordinate(playing, func() {
		if o.URL == "" && o.Listen != "" {
			c.events(Event{Kind: EventOpen, ID: client.Address()})
		}
		for i, affinity := range affinities {
			w := &worker{name: fmt.Sprintf("here:%d", i+1), affinity: affinity, concurrency: o.Concurrency, version: t.Version, warn: o.Warn}
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
		removing, stop := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer stop()
		if err := q.Remove(removing); err != nil {
			o.Warn(fmt.Sprintf("the queue of the finished tournament could not be removed: %v", err))
		}
		closing()
		err = os.RemoveAll(filepath.Join(o.Dir, queue.Folder))
	}
	return c.counts, err
}

// connect opens the queue: that of the cluster, or one in this process.
func (o Options) connect(ctx context.Context, id string) (*queue.Client, error) {
	if o.URL != "" {
		return queue.Dial(o.URL, o.Token, "luzhanqi tournament", o.Warn)
	}
	return queue.Embed(ctx, o.Dir, o.Listen, o.Token, id, o.Warn)
}

// Ready says why a tournament cannot be played into a directory: another process runs there, or it holds
// another one. Nothing is written.
func (t *Tournament) Ready(ctx context.Context, dir string) error {
	pid, err := store.Holder(dir)
	if err != nil {
		return err
	}
	if pid != 0 {
		return store.Running(pid, dir, doing)
	}
	s, err := t.Open(ctx, dir)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.Close()
}

// Stop stops the process of this machine that runs the tournament in a directory, and waits for its end; 0: none
// does.
func Stop(ctx context.Context, dir string) (pid int, err error) {
	pid, err = store.Holder(dir)
	if pid == 0 {
		return 0, err
	}
	runner, err := os.FindProcess(pid)
	if err == nil {
		err = runner.Signal(syscall.SIGTERM)
	}
	if err != nil {
		return pid, fmt.Errorf("stop process %d: %w", pid, err)
	}
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return pid, context.Cause(ctx)
		case <-ticker.C:
		}
		if now, err := store.Holder(dir); err != nil || now != pid {
			return pid, err
		}
	}
}

// Reset deletes the store and the queue of a tournament that does not run.
func Reset(ctx context.Context, o Options) error {
	lock, err := store.Lock(o.Dir, doing)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if o.URL != "" {
		if err := resetCluster(ctx, o); err != nil {
			return err
		}
	}
	if err := lock.Delete(queue.Folder, queue.Damaged); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	return nil
}

// resetCluster takes the tournament's streams out of a cluster.
func resetCluster(ctx context.Context, o Options) error {
	s, err := store.Open(ctx, o.Dir)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	i, err := s.Identity(ctx)
	if err != nil || i.ID == "" {
		return err
	}
	client, err := queue.Dial(o.URL, o.Token, "luzhanqi tournament reset", o.Warn)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Queue(i.ID, o.Replicas).Remove(ctx)
}

// recall counts what the store holds.
func (c *coordinator) recall(ctx context.Context) error {
	c.counts.MinGames, c.counts.MaxGames = c.t.Schedule.Size()
	var err error
	if c.counts.Finished, c.counts.Voids, err = c.store.Count(ctx); err != nil {
		return err
	}
	c.test, err = c.t.sprt(ctx, c.store)
	return err
}

package tournament

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"luzhanqi/process"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee/errlog"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// Options say how a tournament is played. They change nothing of the results, but for those of players that depend on the
// speed of the machine.
type Options struct {
	plan.Queue
	Dir         string         // of the store and the embedded queue
	PlanFile    string         // empty: there is none
	Concurrency int            // games at a time in this process; 0: only workers elsewhere play
	Pin         plan.Pin       // of programs to processors
	Sandbox     sandbox.Policy // of programs that play in this process, but for their directories
	UntilDone   bool           // a worker leaves when the tournaments that it has found are over
	Total       int64          // memory of each of them in all, if its confinement does not say; 0: no limit
	Stderr      *errlog.Log    `json:"-"` // of the standard error of programs that play in this process; nil: its end is kept after a fault
	Events      func(Event)    `json:"-"`
	Warn        func(string)   `json:"-"` // receives warnings about temporary trouble
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
	Kind      EventKind
	ID        string
	TokenFile string // open: that workers need; empty: the token is in the plan
	Worker    string
	Result    *store.Result
	Progress  Progress
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
	if info, err := os.Stat(o.Dir); err == nil && info.Mode()&0o002 != 0 && runtime.GOOS != "windows" {
		o.Warn(fmt.Sprintf("anybody on this machine can put files into %s and take them out (mode %#o), and so change results: chmod o-w %[1]s", o.Dir, info.Mode().Perm()))
	}
	results, err := store.Create(ctx, o.Dir)
	if err != nil {
		return Progress{}, err
	}
	defer results.Close()
	identity, err := t.identify(ctx, results)
	if err != nil {
		return Progress{}, err
	}
	if o.Stderr != nil && t.StderrSpace > 0 {
		if err := o.Stderr.Bound(t.StderrSpace); err != nil {
			return Progress{}, err
		}
	}
	process.AtATime(2 * o.Concurrency)
	affinities, err := affinitiesFor(o.Pin, o.Concurrency)
	if err != nil {
		return Progress{}, err
	}
	for _, e := range t.Players {
		if err := e.Check(); o.Concurrency > 0 && err != nil {
			return Progress{}, fmt.Errorf("player %s: %w", e.Name, err)
		}
	}
	if err := o.admit(); err != nil {
		return Progress{}, err
	}
	client, err := o.connect(ctx, identity.ID)
	if err != nil {
		return Progress{}, err
	}
	closing := sync.OnceFunc(client.Close)
	defer closing()
	q := client.Queue(identity.ID, o.Replicas)
	desk := func(slot int) *queue.Desk { return client.Desk(identity.ID, slot) }
	c := &coordinator{
		t: t, store: results, queue: q, warn: o.Warn, waiting: map[string]*queue.Job{}, cursor: t.Schedule.Cursor(),
		results: &storedResults{ctx: ctx, store: results},
	}
	var one sync.Mutex // events come from two goroutines
	board := newNotice(o.Dir)
	c.events = func(e Event) {
		one.Lock()
		defer one.Unlock()
		board.take(e)
		if o.Events != nil {
			o.Events(e)
		}
	}
	if err := c.recall(ctx); err != nil {
		return c.counts, err
	}
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	watched, unwatch := context.WithCancel(playing)
	var telling, workers sync.WaitGroup
	telling.Go(func() { board.keep(watched) })
	defer telling.Wait()
	defer unwatch()
	over, shut := func() {}, func() {}
	err = c.coordinate(playing, func() error {
		var err error
		if over, shut, err = q.Open(playing, queue.Gate{Judge: judge, Warn: o.Warn, Started: c.started}); err != nil {
			return err
		}
		if o.URL == "" && o.Listen != "" {
			c.events(Event{Kind: EventOpen, ID: client.Address(), TokenFile: o.TokenFile})
		}
		for i, affinity := range affinities {
			w := &worker{slot: i + 1, affinity: affinity, concurrency: o.Concurrency, version: t.Version, warn: o.Warn, sandbox: o.Sandbox, total: o.Total, stderr: o.Stderr}
			workers.Go(func() {
				if err := w.serve(playing, desk(w.slot), 0); err != nil {
					stop(err)
				}
			})
		}
		return nil
	})
	if err != nil && playing.Err() != nil {
		err = context.Cause(playing) // the store only says that it was interrupted
	}
	if err == nil {
		over()
	}
	stop(nil)
	workers.Wait()
	shut()
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

// TokenName is the file beside the results in which workers find their token, where the plan names no other.
const TokenName = "worker.token"

// admit makes sure that there is a token wherever one is asked for.
func (o *Options) admit() error {
	if o.Token != "" || strings.Contains(o.URL, "@") {
		o.warnOfPlan()
		return nil
	}
	var err error
	switch {
	case o.Listen != "":
		if o.TokenFile == "" {
			o.TokenFile = filepath.Join(o.Dir, TokenName)
		}
		o.Token, err = queue.MakeToken(o.TokenFile)
	case o.TokenFile != "":
		o.Token, err = queue.ReadToken(o.TokenFile)
	}
	return err
}

// minToken is how many characters of a token nobody can try in the time of a tournament, whoever can connect.
const minToken = 16

// warnOfPlan warns if others on this machine can have the token that the plan holds. It is no error, unlike with a file that
// holds nothing else: plans are made to be read, and those that exist go on to work.
func (o *Options) warnOfPlan() {
	info, err := os.Stat(o.PlanFile)
	if err == nil && queue.Linked(info) {
		o.Warn(fmt.Sprintf("%s holds a token and has another name (a hard link), under which programs could read it: remove that, or use token_file instead of token", o.PlanFile))
	}
	if err == nil && queue.Exposed(info) {
		o.Warn(fmt.Sprintf("%s holds a token, and others on this machine can read or change it (mode %#o): chmod 600 %[1]s, or use token_file instead of token", o.PlanFile, info.Mode().Perm()))
	}
	if o.Listen != "" && len(o.Token) < minToken {
		o.Warn(fmt.Sprintf("the token has %d characters, which whoever can connect may guess, the programs that play included: use %d or more, or leave it out, and one is made", len(o.Token), minToken))
	}
}

// connect opens the queue: that of the cluster, or one in this process.
func (o Options) connect(ctx context.Context, id string) (*queue.Client, error) {
	if o.URL != "" {
		return queue.Dial(o.URL, o.Token, queue.Here, o.Warn)
	}
	return queue.Embed(ctx, o.Dir, o.Listen, o.Token, id, o.Warn)
}

// Ready says why a tournament cannot be played into a directory: another process runs there, it holds another one, or what would begin
// there has limits without effect. Nothing is written.
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
		return t.Idle()
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
	if err := store.Owner(dir); err != nil {
		return pid, fmt.Errorf("stop process %d: %w", pid, err)
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

// recall counts what the store holds.
func (c *coordinator) recall(ctx context.Context) error {
	c.counts.MinGames, c.counts.MaxGames = c.t.Schedule.Size()
	var err error
	if c.counts.Finished, c.counts.Voids, err = c.store.Count(ctx); err != nil {
		return err
	}
	if c.kept, err = c.store.RecordSpace(ctx); err != nil {
		return err
	}
	c.test, err = c.t.sprt(ctx, c.store)
	return err
}

// Secrets are the files and folders that no program which plays may see: the plan, which may hold a token, the results and
// the queue in Dir, the file of the token. What tells them is for whoever isolates the programs.
func (o Options) Secrets() (paths []string) {
	store := ""
	if filepath.Base(o.TokenFile) == TokenName { // as a run on this machine has put it
		store = filepath.Dir(o.TokenFile)
	}
	for _, path := range []string{o.Dir, o.PlanFile, o.TokenFile, store} {
		if path == "" {
			continue
		}
		if whole, err := filepath.Abs(path); err == nil {
			paths = append(paths, whole)
		}
	}
	return paths
}

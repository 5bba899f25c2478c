package tournament

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// A game that takes longer than a lease is played by one worker, once.
func TestLongGameKeepsItsLease(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as two leases")
	}
	t.Parallel()
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 1, Odd: true, Seed: 1}, "jungle", "random", "greedy")
	tour.Limits.First = time.Minute
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tour.Players[0].Entrant = referee.Entrant{Name: "slow", Protocol: tour.Game.Protocols()[0], Command: process.Command{
		Args: []string{self}, Env: []string{roleVariable + "=player", napVariable + "=" + (2*queue.Lease + time.Second).String()},
	}}
	o := options(t, filepath.Join(t.TempDir(), "store"))
	begun := 0
	o.Events = func(e Event) {
		if e.Kind == EventBegun {
			begun++
		}
	}
	progress, err := Run(t.Context(), tour, o)
	if err != nil || progress.Finished != 1 || begun != 1 {
		t.Errorf("begun %d times; %+v, %v", begun, progress, err)
	}
}

// Who ends a run is named, also when the store was interrupted by it.
func TestTheReasonOfAnEndIsKept(t *testing.T) {
	reason := errors.New("the lights went out")
	ctx, stop := context.WithCancelCause(t.Context())
	o := options(t, filepath.Join(t.TempDir(), "store"))
	o.Events = func(e Event) {
		if e.Kind == EventResult {
			stop(reason)
		}
	}
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 2 * maxWaiting, Seed: 1}, "jungle", "greedy", "random")
	if _, err := Run(ctx, tour, o); !errors.Is(err, reason) {
		t.Errorf("found %v", err)
	}
}

// A queue that has lost what was in it is filled again, however many other messages are there.
func TestLostJobsAreOfferedAgain(t *testing.T) {
	t.Parallel()
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 40, Seed: 1}, "jungle", "greedy", "random")
	o := options(t, filepath.Join(t.TempDir(), "store"))
	o.URL = plainServer(t)
	tried, lost := false, uint64(0)
	o.Events = func(e Event) {
		if e.Kind != EventResult || tried {
			return
		}
		tried = true
		conn, err := nats.Connect(o.URL)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err != nil {
			t.Error(err)
			return
		}
		name, err := js.StreamNameBySubject(t.Context(), "luzhanqi.*.job.>")
		if err != nil {
			t.Error(err)
			return
		}
		jobs, err := js.Stream(t.Context(), name)
		if err == nil {
			lost = jobs.CachedInfo().State.Msgs
			err = jobs.Purge(t.Context())
		}
		for i := 0; i < 50 && err == nil; i++ {
			subject := strings.Replace(jobs.CachedInfo().Config.Subjects[0], ">", fmt.Sprintf("stray%d.1", i), 1)
			_, err = js.Publish(t.Context(), subject, []byte("{"))
		}
		if err != nil {
			t.Error(err)
		}
	}
	progress, err := Run(t.Context(), tour, o)
	if err != nil || progress.Finished != 40 || lost < 10 {
		t.Errorf("%d lost; %+v, %v", lost, progress, err)
	}
}

// An idle worker waits again after each failure of its queue, however far apart they are.
func TestIdleWorkerOutlastsFailures(t *testing.T) {
	t.Parallel()
	o := Options{Dir: t.TempDir(), Queue: plan.Queue{Listen: freeAddress(t), Token: "secret"}, Warn: func(text string) { t.Log(text) }}
	client, err := o.connect(t.Context(), "hiccups")
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	client.MaxFailing = 1200 * time.Millisecond
	q := client.Queue("hiccups", 1)
	if err := q.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	open := func() (shut func()) {
		_, shut, err := q.Open(ctx, queue.Gate{Judge: judge, Started: func(queue.Started) {}, Warn: o.Warn})
		if err != nil {
			t.Fatal(err)
		}
		return shut
	}
	w := &worker{slot: 1, warn: o.Warn}
	ended := make(chan error, 1)
	shut := open()
	go func() { ended <- w.serve(ctx, client.Desk("hiccups", w.slot), 0) }()
	for range 2 {
		shut()
		time.Sleep(20 * time.Millisecond)
		shut = open()
		time.Sleep(client.MaxFailing + 100*time.Millisecond)
	}
	select {
	case err := <-ended:
		t.Fatalf("it has given up: %v", err)
	default:
	}
	shut() // and this time for good
	select {
	case err := <-ended:
		if !errors.Is(err, queue.ErrStopped) {
			t.Errorf("ended by %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it still hopes")
	}
	stop()
}

// plainServer is a server without users, in which everybody may do everything.
func plainServer(t *testing.T) string {
	return started(t, &server.Options{Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
}

// started starts a server, and returns its URL.
func started(t *testing.T, o *server.Options) string {
	t.Helper()
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return s.ClientURL()
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// However many games are being played, results are looked for between offers: who plays as fast as games are offered does not have
// thousands of results wait, in memory, for the last of the offers.
func TestResultsAreTakenBetweenOffers(t *testing.T) {
	const played = 5000
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 2 * played, Seed: 1}, "jungle", "greedy", "random")
	o := options(t, filepath.Join(t.TempDir(), "store"))
	results, err := store.Create(t.Context(), o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer results.Close()
	identity, err := tour.identify(t.Context(), results)
	if err != nil {
		t.Fatal(err)
	}
	client, err := o.connect(t.Context(), identity.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	c := &coordinator{
		t: tour, store: results, queue: client.Queue(identity.ID, 1), warn: o.Warn, waiting: map[string]*queue.Job{}, cursor: tour.Schedule.Cursor(),
		results: &storedResults{ctx: t.Context(), store: results}, events: func(Event) {},
	}
	if err := c.queue.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range played {
		c.started(queue.Started{ID: fmt.Sprint(i)})
	}
	for i := 1; i <= 3; i++ {
		if more, err := c.offer(t.Context()); err != nil || !more || len(c.waiting) != i*maxBatch {
			t.Errorf("offered %d times: %d games, %v, %v", i, len(c.waiting), more, err)
		}
	}
	c.playing = playing{}
	for range 2 { // the second finds that enough are offered
		if more, err := c.offer(t.Context()); err != nil || more || len(c.waiting) != maxWaiting {
			t.Errorf("nobody plays: %d games are offered, %v, %v", len(c.waiting), more, err)
		}
	}
}

package tournament

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/schedule"
)

// A game that takes longer than a lease is played by one worker, once.
func TestLongGameKeepsItsLease(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as two leases")
	}
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 1, Odd: true, Seed: 1}, "jungle", "random", "greedy")
	tour.Limits.First = time.Minute
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tour.Players[0] = referee.Entrant{Name: "slow", Protocol: tour.Game.Protocols()[0], Command: process.Command{
		Args: []string{self}, Env: []string{roleVariable + "=player", napVariable + "=" + (2*lease + time.Second).String()},
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

// A record that is too long for a message takes another way, and comes to the same end.
func TestLongRecord(t *testing.T) {
	s, err := startServer(t.TempDir(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.WaitForShutdown()
	defer s.Shutdown()
	conn, err := connect(s.ClientURL(), "test", func(text string) { t.Log(text) }, inside(s, "")...)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q, err := openQueue(conn, "long", 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	record := make([]byte, longestMessage+1)
	rand.Read(record)
	sent := &Result{Schema: schema, ID: "r01-p001-g1", Attempt: 1, Ending: &referee.Ending{Code: referee.Drawn}, Record: record}
	for range 2 { // the second time it is there already
		if err := q.deliver(t.Context(), sent); err != nil {
			t.Fatal(err)
		}
	}
	done, err := q.js.Consumer(t.Context(), q.done(), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	c := &coordinator{queue: q}
	batch, err := c.receive(done, time.Second)
	if err != nil || len(batch) != 1 {
		t.Fatalf("%d messages, %v", len(batch), err)
	}
	got, err := decodeResult(batch[0].Data())
	if err != nil || !got.Stored {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := q.fetchRecord(t.Context(), got); err != nil || !bytes.Equal(got.Record, record) {
		t.Errorf("the record has %d bytes, %v", len(got.Record), err)
	}
	q.dropRecord(t.Context(), got)
	if err := q.fetchRecord(t.Context(), got); err == nil {
		t.Error("the record is still there")
	}
	if err := q.remove(t.Context()); err != nil {
		t.Error(err)
	}
	if ids, err := tournaments(t.Context(), q.js); err != nil || len(ids) != 0 {
		t.Errorf("left: %v, %v", ids, err)
	}
}

// A queue that has lost what was in it is filled again, however many other messages are there.
func TestLostJobsAreOfferedAgain(t *testing.T) {
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 200, Seed: 1}, "jungle", "greedy", "random")
	o := options(t, filepath.Join(t.TempDir(), "store"))
	o.Listen = freeAddress(t)
	tried, lost := false, uint64(0)
	o.Events = func(e Event) {
		if e.Kind != EventResult || tried {
			return
		}
		tried = true
		conn, err := connect("nats://"+o.Listen, "vandal", func(string) {})
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		q, err := openQueue(conn, "", 1)
		if err != nil {
			t.Error(err)
			return
		}
		ids, err := tournaments(t.Context(), q.js)
		if err != nil || len(ids) != 1 {
			t.Errorf("%v, %v", ids, err)
			return
		}
		q.id = ids[0]
		jobs, err := q.js.Stream(t.Context(), q.jobs())
		if err == nil {
			lost = jobs.CachedInfo().State.Msgs
			err = jobs.Purge(t.Context())
		}
		for i := 0; i < 250 && err == nil; i++ {
			_, err = q.js.Publish(t.Context(), q.jobSubject(fmt.Sprintf("stray%d", i), 1), []byte("{"))
		}
		if err != nil {
			t.Error(err)
		}
	}
	progress, err := Run(t.Context(), tour, o)
	if err != nil || progress.Finished != 200 || lost < 10 {
		t.Errorf("%d lost; %+v, %v", lost, progress, err)
	}
}

// An idle worker has patience with each hiccup of its queue, however far apart they are.
func TestHiccupsOfAnIdleQueue(t *testing.T) {
	r := &run{o: Options{Dir: t.TempDir(), Say: func(text string) { t.Log(text) }}}
	if err := r.connect(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	q, err := openQueue(r.conn, "hiccups", 1)
	if err != nil {
		t.Fatal(err)
	}
	const most = 2 * time.Second
	q.dead = func(failing time.Duration) error {
		if failing > most {
			return errHopeless
		}
		return nil
	}
	if err := q.ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &worker{name: "idle", say: r.o.Say}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.serve(ctx, q, 0) }()
	hiccup := func() {
		if err := q.js.DeleteConsumer(ctx, q.jobs(), consumerName); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		hiccup()
		time.Sleep(20 * time.Millisecond)
		if err := q.ensure(ctx); err != nil {
			t.Fatal(err)
		}
		time.Sleep(most + time.Second)
	}
	select {
	case err := <-ended:
		t.Fatalf("it has given up: %v", err)
	default:
	}
	hiccup() // and this one lasts
	select {
	case err := <-ended:
		if !errors.Is(err, errHopeless) {
			t.Errorf("ended by %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it still hopes")
	}
	stop()
}

// A queue that listens everywhere is told by a name that other machines can use.
func TestAddressOfAnOpenQueue(t *testing.T) {
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for listen, want := range map[string]string{"0.0.0.0:" + port: host, "127.0.0.1:" + port: "127.0.0.1"} {
		r := &run{o: Options{Dir: t.TempDir(), Listen: listen, Token: "secret", Say: func(text string) { t.Log(text) }}}
		if err := r.connect(); err != nil {
			t.Fatal(err)
		}
		if found := r.address(); found != "nats://"+net.JoinHostPort(want, port) {
			t.Errorf("%s: found %s", listen, found)
		}
		r.close()
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
	tour := levels(t, schedule.Spec{Format: schedule.Match, Games: 2 * ahead, Seed: 1}, "jungle", "greedy", "random")
	if _, err := Run(ctx, tour, o); !errors.Is(err, reason) {
		t.Errorf("found %v", err)
	}
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

package tournament

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"luzhanqi/tournament/plan"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// A worker waits for a run that has not begun, and stays while its coordinator is away for a moment; it leaves when all is done.
func TestLifeOfWorkers(t *testing.T) {
	away := errors.New("no connection")
	begin := func(untilDone bool) (*life, context.Context) {
		ctx, leave := context.WithCancelCause(t.Context())
		return &life{untilDone: untilDone, leave: leave}, ctx
	}
	long := func(l *life, ago time.Duration) { l.since = time.Now().Add(-ago) }

	l, ctx := begin(true)
	l.saw(0, nil)
	l.saw(0, away)
	long(l, unfound/2)
	l.saw(0, nil)
	if ctx.Err() != nil {
		t.Fatal("it leaves before a tournament was there")
	}
	l.saw(1, nil)
	l.saw(0, away)
	long(l, absent/2)
	l.saw(0, away)
	if ctx.Err() != nil {
		t.Fatal("it leaves while the coordinator may be started again")
	}
	l.saw(1, nil)
	l.saw(0, nil)
	if ctx.Err() != nil {
		t.Fatal("it leaves at once")
	}
	long(l, finished)
	if l.saw(0, nil); context.Cause(ctx) != errDone {
		t.Fatal("it stays although the tournament is over")
	}

	l, ctx = begin(true)
	l.saw(1, nil)
	l.saw(0, away)
	long(l, absent)
	if l.saw(0, away); context.Cause(ctx) != errDone {
		t.Fatal("it stays although the queue is gone")
	}

	l, ctx = begin(true)
	l.saw(1, nil)
	l.over(queue.Over{ID: "one of two"})
	if l.saw(1, nil); ctx.Err() != nil {
		t.Fatal("it leaves although another tournament is there")
	}
	l.saw(0, nil)
	if ctx.Err() != nil {
		t.Fatal("it leaves although the other one's end was not heard")
	}

	l, ctx = begin(true)
	l.saw(0, nil)
	long(l, unfound)
	if l.saw(0, nil); context.Cause(ctx) != errDone {
		t.Fatal("it waits for ever for a tournament that is over, or was never there")
	}

	l, ctx = begin(false)
	l.saw(1, nil)
	l.saw(0, away)
	long(l, time.Hour)
	if l.saw(0, away); ctx.Err() != nil {
		t.Fatal("it leaves unasked")
	}

	for _, untilDone := range []bool{false, true} {
		l, ctx = begin(untilDone)
		if l.saw(0, queue.ErrToken); !errors.Is(context.Cause(ctx), queue.ErrToken) {
			t.Fatal("it goes on with a token that is wrong")
		}
	}
}

// A worker that is to play until done hears the end, and leaves without a warning, be the queue that of the run or a cluster that
// stays. Without hearing it, it would complain that the queue has gone, or that there is no tournament. (The latter it may before, where
// a busy machine holds up the coordinator for seconds.)
func TestWorkersHearTheEnd(t *testing.T) {
	for _, where := range []string{"embedded", "cluster"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			tour := planned(t, "format = \"match\"\ngames = 6", "greedy", "random")
			o := options(t, filepath.Join(t.TempDir(), "store"))
			o.Concurrency = 0
			url := ""
			if where == "cluster" {
				o.URL = plainServer(t)
				url = o.URL
			} else {
				o.Listen, o.Token = freeAddress(t), "a token of a test"
				url = "nats://" + o.Listen
			}
			type left struct {
				done Shift
				err  error
			}
			gone := make(chan left, 1)
			var results atomic.Int32
			warned := func(s string) {
				if results.Load() < 6 && strings.HasPrefix(s, queue.ErrNone.Error()) {
					t.Logf("the worker warns before the end: %s", s)
				} else {
					t.Errorf("the worker warns: %s", s)
				}
			}
			work := func() {
				done, err := Work(t.Context(), Options{Queue: plan.Queue{URL: url, Token: o.Token}, Concurrency: 3, Pin: plan.PinOff, UntilDone: true, Warn: warned}, "test")
				gone <- left{done, err}
			}
			begin := sync.OnceFunc(func() { go work() })
			o.Events = func(e Event) {
				switch e.Kind {
				case EventOpen:
					begin()
				case EventResult:
					results.Add(1)
				}
			}
			if where == "cluster" { // a run there says nothing when it begins
				client, err := queue.Dial(url, "", "look", func(string) {})
				if err != nil {
					t.Fatal(err)
				}
				go func() {
					defer client.Close()
					for t.Context().Err() == nil {
						if ids, _ := client.Tournaments(t.Context()); len(ids) > 0 {
							begin()
							return
						}
					}
				}()
			}
			if _, err := Run(t.Context(), tour, o); err != nil {
				t.Fatal(err)
			}
			if l := <-gone; l.err != nil || l.done.Games < 6 {
				t.Errorf("it has played %d games, and left with %v", l.done.Games, l.err)
			}
		})
	}
}

// The first records are kept, up to the space that the plan gives them; all results are.
func TestRecordSpace(t *testing.T) {
	tour := planned(t, "format = \"match\"\ngames = 20\nrecord_space = \"2000B\"", "greedy", "random")
	dir := t.TempDir()
	if _, err := Run(t.Context(), tour, options(t, dir)); err != nil {
		t.Fatal(err)
	}
	s, err := tour.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	bytes, err := s.RecordSpace(t.Context())
	if err != nil || bytes == 0 || bytes > 2000 {
		t.Errorf("records take %d bytes, %v", bytes, err)
	}
	all := 0
	if err := s.Results(t.Context(), false, func(*store.Result) error { all++; return nil }); err != nil || all != 20 {
		t.Errorf("%d results, %v", all, err)
	}
}

// However many workers there are, games wait for the next: those that are being played are not counted among these.
func TestMoreWorkersThanWaitingGames(t *testing.T) {
	const workers = maxWaiting + 400
	tour := planned(t, fmt.Sprintf("format = \"match\"\ngames = %d", 2*workers), "greedy", "random")
	o := options(t, t.TempDir())
	o.Concurrency, o.Listen, o.Token = 0, freeAddress(t), "a token of a test"
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	open := make(chan struct{})
	o.Events = func(e Event) {
		if e.Kind == EventOpen {
			close(open)
		}
	}
	go func() {
		_, err := Run(ctx, tour, o)
		ended <- err
	}()
	defer func() {
		stop()
		<-ended
	}()
	<-open
	client, err := queue.Dial("nats://"+o.Listen, o.Token, "test", o.Warn)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ids, err := client.Tournaments(ctx)
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	for i := range workers {
		claim, err := client.Desk(ids[0], i+1).Next(ctx, 5*time.Second)
		if err != nil || claim == nil {
			t.Fatalf("worker %d gets no game: %v", i+1, err)
		}
		if claim.Deliveries > 1 {
			t.Skip("this machine is too slow: leases have ended")
		}
	}
}

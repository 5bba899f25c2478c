package tournament

import (
	"context"
	"errors"
	"testing"
	"time"

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
	if ctx.Err() != nil || !l.since.IsZero() {
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

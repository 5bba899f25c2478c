package tournament

import (
	"context"
	"errors"
	"sync"
	"time"

	"luzhanqi/tournament/queue"
)

// errDone ends workers that are to play until all is done.
var errDone = errors.New("all is done")

// life says how long the workers of a process stay.
type life struct {
	untilDone bool
	leave     context.CancelCauseFunc
	warn      func(string)

	mu      sync.Mutex
	found   bool                           // a tournament was there
	ended   bool                           // and its coordinator has said that it is over; no other was seen since
	since   time.Time                      // none is since then; zero: one is, or nobody has looked
	serving map[*string]context.CancelFunc // what is played, and waited for, by tournament
}

const (
	// finished is how long no tournament is there before it counts as over, although the queue answers and its end was not heard; absent, if the queue does not: a
	// coordinator that was killed has so long to be started again.
	finished = 5 * time.Second
	absent   = 30 * time.Second
	// unfound is how long a worker that leaves when all is done waits for the first: it may have come too late.
	unfound = 5 * time.Minute
)

// saw notes that so many tournaments were found, or why none could be looked for. It ends the workers that have nothing to wait for.
func (l *life) saw(tournaments int, lost error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case tournaments > 0:
		l.found, l.ended, l.since = true, false, time.Time{}
	case errors.Is(lost, queue.ErrToken) && !l.found:
		l.leave(lost)
	case !l.untilDone:
	case l.ended:
		l.leave(errDone)
	case l.since.IsZero():
		l.since = time.Now()
	case !l.found && time.Since(l.since) < unfound:
	case lost == nil && time.Since(l.since) >= finished, time.Since(l.since) >= absent:
		l.leave(errDone)
	}
}

// serve is the context of serving a tournament: it ends with that.
func (l *life) serve(ctx context.Context, id string) (serving context.Context, left func()) {
	serving, stop := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.serving == nil {
		l.serving = map[*string]context.CancelFunc{}
	}
	l.serving[&id] = stop
	return serving, func() {
		stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.serving, &id)
	}
}

// over ends what is played of a tournament whose coordinator says that it is over: nobody wants it any more.
func (l *life) over(o queue.Over) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found, l.ended = true, true
	for id, stop := range l.serving {
		if *id == o.ID {
			stop()
		}
	}
	switch {
	case !o.Closing:
	case l.untilDone:
		l.leave(errDone)
	default:
		l.warn("the tournament is over, and its queue closed with it; waiting for the next")
	}
}

package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrStopped is the error of a [Backoff] when waiting is of no use.
var ErrStopped = errors.New("has stopped")

// Backoff waits longer and longer while something keeps failing, and says so when it begins. The zero value
// waits for ever.
type Backoff struct {
	Quiet time.Duration // nothing is said of a queue or a tournament that is away for less

	dead   func(failing time.Duration) error // says that it will not come back; nil: it may, however long it takes
	closed func(context.Context) bool        // says that it was closed, so that nobody misses it; nil: it never is
	delay  time.Duration
	told   string
	since  time.Time // it has been failing
}

const maxDelay = 5 * time.Second

// Wait waits before the next try. An error says why there must be none: the context has ended, or waiting is of
// no use, which is [ErrStopped].
func (b *Backoff) Wait(ctx context.Context, err error, warn func(string)) error {
	if b.since.IsZero() {
		b.since = time.Now()
	}
	if b.dead != nil {
		if dead := b.dead(time.Since(b.since)); dead != nil {
			return fmt.Errorf("%w (%w)", dead, err)
		}
	}
	if err.Error() != b.told && !b.hushed(ctx, err) {
		b.told = err.Error()
		warn(fmt.Sprintf("%v; trying again", err))
	}
	b.delay = min(max(2*b.delay, 50*time.Millisecond), maxDelay)
	timer := time.NewTimer(b.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// hushed says whether an error is for now no more than what the end of a tournament looks like. Everything else is told at
// once.
func (b *Backoff) hushed(ctx context.Context, err error) bool {
	return away(err) && (time.Since(b.since) < b.Quiet || b.closed != nil && b.closed(ctx))
}

// away says whether an error is that the queue or the tournament is not there.
func away(err error) bool {
	if errors.Is(err, nats.ErrAuthorization) { // the servers are, but do not let us in
		return false
	}
	for _, of := range []error{ErrGone, ErrNone, errLost, errUnconnected, nats.ErrReconnectBufExceeded, nats.ErrConnectionClosed} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

// Reset says that it has worked.
func (b *Backoff) Reset() { *b = Backoff{Quiet: b.Quiet, dead: b.dead, closed: b.closed} }

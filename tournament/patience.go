package tournament

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errHopeless is what patience ends with when waiting is of no use.
var errHopeless = errors.New("has stopped")

// patience waits longer and longer while something keeps failing, and says so when it begins.
type patience struct {
	dead  func(failing time.Duration) error // says that it will not come back; nil: it may, however long it takes
	delay time.Duration
	told  string
	since time.Time // it has been failing
}

const mostDelay = 5 * time.Second

// wait waits before the next try. An error says why there must be none: the context has ended, or there is
// no hope.
func (p *patience) wait(ctx context.Context, err error, say func(string)) error {
	if p.since.IsZero() {
		p.since = time.Now()
	}
	if p.dead != nil {
		if dead := p.dead(time.Since(p.since)); dead != nil {
			return fmt.Errorf("%w (%w)", dead, err)
		}
	}
	if err.Error() != p.told {
		p.told = err.Error()
		say(fmt.Sprintf("%v; trying again", err))
	}
	p.delay = min(max(2*p.delay, 50*time.Millisecond), mostDelay)
	timer := time.NewTimer(p.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// over says that it has worked.
func (p *patience) over() { *p = patience{dead: p.dead} }

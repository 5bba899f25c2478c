package seat

import (
	"context"
	"time"
)

// State is how a link is.
type State struct {
	Broken    time.Duration // for how long it has been broken in all, with Now
	Now       time.Duration // for how long it is; 0: it is not
	Breaks    int
	RoundTrip time.Duration // the latest; 0: none was measured
	Ended     bool          // by the other side
	Reason    string        // which said why
}

// State returns how the link is.
func (l *Link) State() State {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := State{Broken: l.broken, Breaks: l.breaks, RoundTrip: l.roundTrip, Ended: l.ended, Reason: l.reason}
	if l.conn == nil {
		s.Now = max(time.Since(l.broke), 1)
		s.Broken += s.Now
	}
	return s
}

// Broken returns when the connection is broken, or the link has ended.
func (l *Link) Broken(ctx context.Context) {
	for {
		l.mu.Lock()
		changed, connected := l.changed, l.conn != nil && !l.ended
		l.mu.Unlock()
		if !connected {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

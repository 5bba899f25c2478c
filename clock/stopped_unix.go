//go:build unix && !linux

package clock

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// watchman notices the stops that end with SIGCONT: nothing else here tells them from a busy machine.
type watchman struct {
	ending, ended chan struct{}
}

func newWatchman() *watchman {
	w := &watchman{make(chan struct{}), make(chan struct{})}
	looked(0, Now())
	go w.run()
	return w
}

func (w *watchman) end() {
	close(w.ending)
	<-w.ended
}

func (w *watchman) run() {
	defer close(w.ended)
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	at, pauses, continued := time.Now(), paused(), false
	for {
		select {
		case <-w.ending:
			return
		case <-resumed:
			continued = true
			continue
		case <-ticker.C:
		}
		now, pausesNow, upTo := time.Now(), paused(), Now()
		late := now.Sub(at) - period - (pausesNow - pauses)
		if late < Noticed {
			late = 0
		} else if !continued {
			select { // both may have happened by now
			case <-resumed:
			case <-time.After(20 * time.Millisecond):
				late = 0
			}
		}
		looked(late, upTo)
		at, pauses, continued = time.Now(), pausesNow, false
	}
}

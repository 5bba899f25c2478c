// Package clock is the time that games take. It goes as the system's monotonic clock does, and differs from it twice:
//
//   - It stands still while this process is paused on purpose, as by Ctrl-Z: [Pause], [Resume]. Deadlines that were
//     made of [Now] are then later by as much.
//   - It knows for how long this process was stopped by others, by SIGSTOP or by a debugger say: [Watch], [Span]. That
//     time has passed, for programs have gone on meanwhile; what was to be measured in it is worth nothing.
//
// There is one clock for the whole process, since it is processes that are paused and stopped.
package clock

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// pauses are all pauses up to now.
type pauses struct {
	total  time.Duration // of those that are over
	paused bool
	since  time.Time // if it is paused: the system's time when that began; zero: it begins just now
}

var (
	latest  atomic.Pointer[pauses]
	pausing sync.Mutex // held during a pause
)

func init() { latest.Store(&pauses{}) }

// Now returns the present time of this clock. It can be compared with other times of this clock only; what it says of the day was
// right when this process began.
func Now() time.Time {
	for {
		p := latest.Load()
		switch {
		case !p.paused:
			passed := time.Since(epoch) // reads one clock; time.Now reads two
			if latest.Load() == p {     // else a pause may lie between the two
				return epoch.Add(passed - p.total)
			}
		case !p.since.IsZero():
			return p.since.Add(-p.total)
		}
		runtime.Gosched()
	}
}

// Since returns how long ago t is on this clock.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Until returns how long it is to t on this clock.
func Until(t time.Time) time.Duration { return t.Sub(Now()) }

// System returns the time t of this clock as a time of the system's, as far as it is known: a pause makes it later.
// Whoever waits for it asks again when it is over.
func System(t time.Time) time.Time { return time.Now().Add(Until(t)) }

// Wait waits until done is closed, or for so long; it says whether done is closed.
func Wait(done <-chan struct{}, limit time.Duration) bool {
	deadline := Now().Add(limit)
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		select {
		case <-done:
			return true
		case <-timer.C:
		}
		left := Until(deadline)
		if left <= 0 {
			select {
			case <-done: // both are true, and this one counts
				return true
			default:
				return false
			}
		}
		timer.Reset(left)
	}
}

// Pause lets the clock stand still until [Resume], which must follow. A second pause waits for the end of the first.
func Pause() {
	pausing.Lock()
	total := latest.Load().total
	latest.Store(&pauses{total: total, paused: true}) // from here on nobody reads a later time than the next line
	latest.Store(&pauses{total: total, paused: true, since: time.Now()})
}

// Resume lets the clock go on.
func Resume() {
	p := latest.Load()
	latest.Store(&pauses{total: p.total + time.Since(p.since)})
	pausing.Unlock()
}

// paused returns the length of all pauses. It waits for the end of one.
func paused() time.Duration {
	pausing.Lock()
	defer pausing.Unlock()
	return latest.Load().total
}

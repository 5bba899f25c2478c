package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

// How can a process know that it was stopped? SIGCONT tells only of the stops that end with it: not of a debugger's,
// a freezer's or a sleep of the machine; and anybody may send one to a process that runs. Being late is not enough,
// either: a busy machine makes everyone late. So one thread sleeps for short periods, and when a sleep was too long it
// asks the kernel what kept it: a thread that others keep from a processor stands in a queue, and the kernel counts that
// time; a thread that is stopped stands in none. A stop may also come between two sleeps, where on a busy machine the thread mostly is, for
// it waits for Go's scheduler: then the others are asked, too, who made it wait.

const (
	// period is how often it is looked: as often, it takes 0.5 % of one processor, of which a third asks the other threads, measured in
	// idle tests of 20 s with a dozen of them on a slow machine.
	period = 50 * time.Millisecond
	// Noticed is the shortest stop that is noticed for certain, less a period. Shorter ones are within the grace of
	// any game, and nobody can gain by them. Of one that comes while this process waits for a processor a signal tells, or else it
	// must be long.
	Noticed = 100 * time.Millisecond
)

var (
	epoch   = time.Now()
	stopped atomic.Int64 // nanoseconds, of all stops
	beat    atomic.Int64 // when it was looked last, in nanoseconds of this clock after epoch; 0: nobody watches
	beats   = sync.NewCond(new(sync.Mutex))

	watching sync.Mutex // guards the following
	watchers int
	watch    *watchman
)

// Watch watches over this process until end is called: without it, no stop is noticed. It may be called often.
func Watch() (end func()) {
	watching.Lock()
	defer watching.Unlock()
	if watchers++; watchers == 1 {
		watch = newWatchman()
	}
	return sync.OnceFunc(func() {
		watching.Lock()
		defer watching.Unlock()
		if watchers--; watchers == 0 {
			watch.end()
			beat.Store(0)
			wakeAll()
		}
	})
}

// looked notes that it was looked, up to what time, and what was found.
func looked(found time.Duration, upTo time.Time) {
	stopped.Add(int64(found))
	beat.Store(max(1, int64(upTo.Sub(epoch))))
	wakeAll()
}

func wakeAll() {
	beats.L.Lock()
	beats.Broadcast()
	beats.L.Unlock()
}

// Span is a time that has begun, such as a turn.
type Span struct{ before int64 }

// Begin begins a span. It costs one load.
func Begin() Span { return Span{stopped.Load()} }

// Stopped returns for how long this process was stopped in the span up to now, a present time of this clock, if what was
// to be measured in it has begun at start. If it was not looked for lately it waits until it is: after a stop, any thread
// may be the first that runs.
func (s Span) Stopped(start, now time.Time) time.Duration {
	if now.Sub(start) < Noticed { // there was no room for a stop; or there was a pause
		return 0
	}
	if at := beat.Load(); at != 0 && int64(now.Sub(epoch))-at > int64(Noticed) {
		beats.L.Lock()
		for at := beat.Load(); at != 0 && at < int64(now.Sub(epoch)); at = beat.Load() {
			beats.Wait()
		}
		beats.L.Unlock()
	}
	return time.Duration(stopped.Load() - s.before)
}

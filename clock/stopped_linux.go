package clock

import (
	"encoding/binary"
	"os"
	"os/signal"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// unit is how exactly a sleep is measured.
const unit = 10 * time.Millisecond

// watchman is the thread that looks.
//
// Its sleep is measured by the kernel, as the number of times that a timer has expired when the thread runs again. What
// comes after it, the wait for Go's scheduler when all of its processors are thinking, would look like a stop.
type watchman struct {
	timer   int // a timerfd; -1: none could be made
	ending  atomic.Bool
	ended   chan struct{}
	resumed chan os.Signal // SIGCONT
	news    chan os.Signal // herald
}

func newWatchman() *watchman {
	w := &watchman{ended: make(chan struct{}), resumed: make(chan os.Signal, 1), news: make(chan os.Signal, 1)}
	var err error
	if w.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC); err != nil {
		w.timer = -1
	}
	signal.Notify(w.resumed, syscall.SIGCONT)
	signal.Notify(w.news, herald)
	looked(0, Now())
	go w.run()
	return w
}

// end ends the thread and waits for it.
func (w *watchman) end() {
	w.ending.Store(true)
	if w.timer >= 0 {
		w.set(1)
	}
	<-w.ended
	signal.Stop(w.resumed)
	signal.Stop(w.news)
	if w.timer >= 0 {
		unix.Close(w.timer)
	}
}

// set lets the timer expire first after a time, and then after each unit.
func (w *watchman) set(first time.Duration) {
	spec := unix.ItimerSpec{Interval: unix.NsecToTimespec(int64(unit)), Value: unix.NsecToTimespec(int64(first))}
	unix.TimerfdSettime(w.timer, 0, &spec, nil)
}

// sleep returns how much longer than a period it took, in whole units, without the wait for Go's scheduler that comes after it. One that
// comes before the thread sleeps counts, for a stop may, too.
func (w *watchman) sleep() time.Duration {
	if w.timer < 0 {
		begun := time.Now()
		time.Sleep(period)
		return time.Since(begun) - period
	}
	w.set(period)
	if w.ending.Load() { // asked after the timer is set, or its end were overlooked
		return 0
	}
	var expired [8]byte
	for {
		n, err := unix.Read(w.timer, expired[:])
		if err == unix.EINTR {
			continue
		}
		if n != len(expired) {
			return 0
		}
		return time.Duration(binary.NativeEndian.Uint64(expired[:])-1) * unit
	}
}

// long is the shortest stop that is noticed although it came between two sleeps and no signal tells of it. A busy machine makes a process wait
// for what nobody counts, too, such as a process that it starts and that waits in the queue itself.
const long = time.Second

// round is what is known of one sleep and of what came with it since the one before.
type round struct {
	late           time.Duration // the sleep
	took, waited   time.Duration // all of it, and how long the thread was in the queue
	counted        bool          // by the kernel, how long it was in the queue
	busy           time.Duration // what the process computed, had all processors done it together: it was not stopped for at least so long
	paused, before time.Duration // in this round, and in the one before
	machine        time.Duration // for how long the machine slept
	asking         time.Duration // since the round before, while it was asked whether the process was resumed
}

// stopped returns for how long this process was stopped in the round by others. It asks whether the process was resumed, and for how long at
// most the thread may have waited for Go's scheduler, only if that matters.
func (r round) stopped(resumed func() bool, explained func(awake time.Duration) time.Duration) time.Duration {
	var found time.Duration
	if r.machine >= Noticed {
		found = r.machine
	}
	asleep, all := r.late-r.paused-r.waited, r.took-max(period, r.busy)-r.paused-r.waited
	awake := r.took + r.asking - period - max(0, r.late) - r.waited
	switch {
	case r.counted && asleep >= Noticed:
		found += asleep
	case r.paused+r.before == 0 && all+r.asking >= Noticed && resumed(): // it was late for other reasons when it was stopped
		if all < Noticed { // then it was stopped while it was asked
			all += r.asking
		}
		found += all // a pause ends with SIGCONT, too, of which Go may tell late
	case r.counted && r.paused+r.before == 0 && awake >= long:
		if awake -= explained(awake); awake >= long { // a debugger came between two sleeps
			found += awake
		}
	}
	return found
}

func (w *watchman) run() {
	runtime.LockOSThread() // whose waiting is counted; it ends with this goroutine
	defer close(w.ended)
	own := openQueue("/proc/thread-self/schedstat")
	defer own.close()
	all := &threads{queues: map[int]*queue{}, last: map[int]time.Duration{}}
	defer all.close()
	var before time.Duration
	type reading struct {
		paused, waited, machine, computed, queued time.Duration
		faults                                    int64
		at, clock                                 time.Time
	}
	read := func() reading {
		return reading{paused(), own.waited(), machineAsleep(), computed(), all.waited(), faults(), time.Now(), Now()}
	}
	last := read()
	base := last // when the round began, or it was asked before it
	asking := time.Duration(0)
	for !w.ending.Load() {
		var r round
		r.late = w.sleep()
		now := read()
		r.paused, r.waited, r.machine, r.took = now.paused-last.paused, now.waited-last.waited, now.machine-last.machine, now.at.Sub(last.at)
		r.before, r.counted, r.busy = before, own.known(), (now.computed-last.computed)/time.Duration(runtime.NumCPU())
		r.asking, asking = asking, 0
		var found time.Duration
		settled := false
		upTo := now.clock
		if !w.ending.Load() {
			asked := false
			found = r.stopped(func() bool {
				asked = true
				return w.wasResumed() && paused() == last.paused
			}, func(awake time.Duration) time.Duration {
				known := now.faults == base.faults
				e := explained(awake, now.computed-base.computed, now.queued-base.queued, known)
				if awake-e < long {
					return e
				}
				asked, settled = true, true
				queued, every := all.settled()
				return explained(awake, now.computed-base.computed, queued-base.queued, known && every)
			})
			if found > 0 && !asked {
				asked = true
				w.wasResumed() // so that the SIGCONT of this stop is not taken for that of another
			}
			if asked { // the next round begins where that ended
				begun := now
				now = read()
				if found == 0 && !settled {
					base = begun
					asking = now.at.Sub(begun.at) - (now.paused - begun.paused)
				}
			}
		}
		select {
		case <-w.resumed:
		default:
		}
		looked(found, upTo)
		before, last = now.paused-last.paused, now
		if asking == 0 {
			base = now
		}
	}
}

// explained is for how long at most the watching thread may have waited for Go's scheduler in a round that took so long, while the
// threads of this process computed and were in the queue for so long, all together. It waits only as long as each of Go's
// processors is taken by a thread that computes, or is in the queue; by one in a system call, of which another learns that may be
// in the queue; by one that waits for the disk; or, but one of them mostly, by one that starts a process. Whoever is stopped does nothing of this.
func explained(took, computed, queued time.Duration, known bool) time.Duration {
	processors := runtime.GOMAXPROCS(0)
	if !known || processors < 2 {
		return took
	}
	return computed/time.Duration(processors-1) + queued
}

// herald is a signal that this process sends to itself. The kernel hands SIGCONT out before it, and Go passes signals on in the order of
// their numbers: when the herald is there, a SIGCONT that came before is there, too, unless the thread that took it lost its processor just
// then, however late Go is because all of its processors are thinking.
const herald = syscall.Signal(50)

// signalNews is how long a herald is waited for, which on a quiet machine is there at once, and noHerald how long SIGCONT is where none can be sent.
const (
	signalNews = 2 * time.Second
	noHerald   = 20 * time.Millisecond
)

func (w *watchman) wasResumed() bool {
	select {
	case <-w.news: // a late one
	default:
	}
	wait := signalNews
	if unix.Kill(os.Getpid(), herald) != nil { // too many signals are queued for this user
		wait = noHerald
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-w.news:
	case <-timer.C:
	}
	select {
	case <-w.resumed:
		return true
	default:
		return false
	}
}

// computed is for how long the threads of this process have computed, all together.
func computed() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

// machineAsleep is for how long the machine has slept since it was started. The monotonic clock stands still meanwhile.
func machineAsleep() time.Duration {
	var awake, all unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &all) != nil {
		return 0
	}
	return time.Duration(all.Nano() - awake.Nano())
}

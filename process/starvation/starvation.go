// Package starvation measures what others take from a program: the time in which it could run, and had no processor
// because others used them. Who judges a program by the clock takes that off.
//
// It is not what package clock knows, pauses and stops of this process: there nobody runs whom the clock is for, and
// what was measured is worth nothing. Here all is as it should be, but the machine is busy.
//
// # The measure
//
// Of a short span, taken is the time for which the thread that was ready the longest was ready, that is ran or waited for
// a processor, less the processor time that all of the program has used. So what is charged is what it has computed, on
// however many processors, and the time in which all of it slept. While its own threads or processes keep each other from
// processors, they use them, so a program that crowds itself out gains nothing, and no thread can pay for another's sleep
// with waits for its own kind.
//
// Of a longer span it is the sum of that over the spans between looks; and never more than its length less the processor
// time used in it.
//
// [Begin] begins a span, and [Turn.Look] looks at it again. A look reads a few files for each thread, which takes
// some microseconds; nothing happens between looks. Only Linux counts what it takes: elsewhere Begin knows nothing, and
// nothing was taken.
package starvation

import (
	"time"

	"luzhanqi/clock"
)

// Turn is a span of a program's life, and what was seen of it. Its methods may be called on nil: nothing is known.
//
// What is not given back, since it cannot be measured, or since a program could make it up:
//
//   - waits of threads that have ended, and all of a span in which processes of the program have begun or ended:
//     the kernel forgets what they had used;
//   - waits of threads that have made themselves less important (nice, SCHED_IDLE, SCHED_BATCH) or that bind
//     themselves to fewer processors than the program may use;
//   - waits that lie one after the other in several threads between two looks: those of one thread count;
//   - the time of a quota that is used up, of pages that are read in, and of anything but processors.
type Turn struct {
	program  Program
	starting bool
	latest   reading
	slack    time.Duration // of the span between the two latest looks, what was neither computed nor taken
	measured time.Duration // all spans between looks in which no process has begun or ended
	changed  bool          // one has, and nothing more is given
	taken    Taken
}

// Program is what is looked at: all that descends from the process Root, which is not a part of it and has the
// standing, among all threads of the machine, that the program begins with; and, unless it is 0, the process First with
// all below it. CPUs is how many processors the program may use; 0: all.
type Program struct {
	Root, First int
	CPUs        int
}

// Taken is what is known of a span.
type Taken struct {
	Time time.Duration // that others took from the program
	Ran  time.Duration // processor time of all of it
	// Ready says that a thread could run at the last look; else all of it slept.
	Ready bool
	// Reading says that at the last look a thread slept that reads a pipe or a terminal.
	Reading bool
	Known   bool // else nothing is known, and all else is zero
}

// Begin begins a span. It is nil where nothing can be known. While a program starts, as by a script that looks for it, its
// processes may come and go: only what lies between looks that see others is not given back then.
func Begin(p Program, starting bool) *Turn {
	t := &Turn{program: p, starting: starting}
	if !t.latest.read(p, &reading{}) {
		return nil
	}
	return t
}

// BeginAt begins a span of the same program that has begun at an earlier time of package clock, since when it has run without being
// looked at. What it has used and waited since the last look of this one counts, as if it had slept from there to the time at.
// It is nil where [Begin] is.
func (t *Turn) BeginAt(at time.Time, p Program, starting bool) *Turn {
	next := Begin(p, starting)
	if t == nil || next == nil {
		return next
	}
	if at.Before(t.latest.at) {
		at = t.latest.at
	}
	if now := next.latest; now.cpu >= t.latest.cpu && now.same(&t.latest) {
		next.latest = t.latest
		next.latest.at, next.latest.stolen = at, now.stolen
		next.latest.cpu = max(t.latest.cpu, now.cpu-now.at.Sub(at))
		next.add(&now)
		next.latest = now
	}
	return next
}

// Look looks what has become of the span up to now.
func (t *Turn) Look() Taken {
	if t == nil {
		return Taken{}
	}
	var now reading
	if !now.read(t.program, &t.latest) {
		t.changed = true
		return t.taken
	}
	if now.cpu >= t.latest.cpu && now.same(&t.latest) {
		t.add(&now)
	} else {
		t.changed = t.changed || !t.starting
		t.slack = 0
	}
	t.latest = now
	return t.taken
}

// Now looks at a span for the last time, also for what its threads wait for.
func (t *Turn) Now() Taken {
	taken := t.Look()
	if taken.Known && !taken.Ready {
		taken.Reading = t.latest.reading()
	}
	return taken
}

// maxProcesses is how many one reading looks at, at most. Of a program of more nothing is known.
const maxProcesses = 64

// Use is what a program had used of the processors at some time, as far as it was looked at.
type Use struct {
	of   map[int]time.Duration // processes, by their ids
	more bool                  // there were others
}

// Used looks at what a program has used. It takes some ten microseconds for each of its processes, of which it looks at 64.
func Used(p Program) Use {
	u := Use{of: map[int]time.Duration{}}
	each(p, func(pid int, used time.Duration) bool {
		u.more = len(u.of) == maxProcesses
		if !u.more {
			u.of[pid] = used
		}
		return !u.more
	})
	return u
}

// Since is what the program has used since then, in its processes that live now. Of those that were not looked at then, if there
// were any, it is as much as of the others.
func (u Use) Since(p Program) time.Duration {
	var more time.Duration
	known, all := 0, 0
	each(p, func(pid int, used time.Duration) bool {
		before, ok := u.of[pid]
		if all++; ok || !u.more {
			more += max(0, used-before)
			known++
		}
		return true
	})
	return more * time.Duration(all) / time.Duration(max(1, known))
}

// add adds the span since the latest look.
func (t *Turn) add(now *reading) {
	span, ran := now.at.Sub(t.latest.at), now.cpu-t.latest.cpu
	var ready time.Duration
	for id, th := range now.threads {
		before := t.latest.threads[id]
		was := th.ran + th.waited - before.ran - before.waited
		if before.ready && th.ready && before.slept == th.slept {
			was = max(was, span)
		}
		if was > 0 && was >= max(ready, ran) && th.ordinary(now, t.program.CPUs) {
			ready = was
		}
	}
	// The kernel counts a wait when it is over, so a part of it may lie before the latest look.
	early := max(0, min(ready-span, t.slack))
	part := float64(min(ready, span)) / float64(max(1, span))
	stolen := time.Duration(float64(now.stolen-t.latest.stolen) * part)
	taken := max(0, min(min(ready, span)+stolen, span)-ran)
	t.slack = max(0, span-ran-taken)
	t.measured += span
	t.taken.Known, t.taken.Ready, t.taken.Ran = true, now.ready(), t.taken.Ran+ran
	if !t.changed {
		t.taken.Time = max(t.taken.Time, min(t.taken.Time+taken+early, t.measured-t.taken.Ran))
	}
}

// mostTorn is how much a program may have computed while it was read, and nothing is made of it. More than that, and others had
// this process's processor in the midst of reading: what threads ran then would count as ready, and not as computed.
const mostTorn = 500 * time.Microsecond

// reading is what can be read of a program at one time.
type reading struct {
	at        time.Time     // of package clock
	cpu       time.Duration // of all processes that live, with that of their threads that have ended
	torn      time.Duration // what they computed between the reading of cpu and that of threads, at most
	stolen    time.Duration // from this machine by the one that it runs on, for each processor
	reaped    uint64        // page faults of children that were waited for: more of them, and some have ended
	processes map[int]uint64
	threads   map[int]thread // by id
	nice      int            // of what started the program
	newest    int            // thread of this machine
	tree      []family
	files     *files
}

// family is a process and its threads.
type family struct {
	id      int
	started uint64
	tasks   []int
}

// thread is one of the program.
type thread struct {
	ran, waited time.Duration
	ready       bool   // it has a processor, or waits for one
	slept       uint64 // of one that is ready: how often it has gone to sleep
	nice        int
	policy      int
	id          int
}

// charge charges what was computed between the reading of cpu and that of threads, if it was much: what the threads have run may
// hold it.
func (r *reading) charge() {
	if r.torn > mostTorn {
		r.cpu += r.torn
	}
}

// same says whether the same processes live as at another reading, and no others meanwhile, as far as that can be seen.
func (r *reading) same(other *reading) bool {
	if len(r.processes) != len(other.processes) || r.reaped != other.reaped {
		return false
	}
	for pid, started := range r.processes {
		if began, ok := other.processes[pid]; !ok || began != started {
			return false
		}
	}
	return true
}

func (r *reading) ready() bool {
	for _, t := range r.threads {
		if t.ready {
			return true
		}
	}
	return false
}

func (r *reading) read(p Program, before *reading) bool {
	r.at = clock.Now()
	r.processes, r.threads = map[int]uint64{}, map[int]thread{}
	return p.Root > 0 && r.fill(p, before)
}

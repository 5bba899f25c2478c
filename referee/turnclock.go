package referee

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process/starvation"
)

// MaxGiven is how many times its limit a turn may last, besides its grace, by what is given back. A turn that would need more is
// void.
const MaxGiven = 10

// MostGiven is what a turn is given back at most.
func MostGiven(limit time.Duration) time.Duration { return max((MaxGiven-1)*limit, leastMost) }

// HoldAfter is how many times its limit a side is given until the other, if it waits, is paused for the rest of the turn:
// once. A program that ponders on a busy machine keeps what it has on one where a turn takes twice
// its limit at most; one that leaves so little to its opponent keeps eight of the ten limits after which the turn would be void.
const HoldAfter = 1

const (
	// leastMost is what a turn with a very short limit is given at most: no program starts within milliseconds.
	leastMost = time.Second
	// quick is how long a turn lasts at least before anything is measured. A turn that is answered sooner costs nothing.
	quick = 5 * time.Millisecond
	// looks is how often a turn is looked at up to its deadline, at times that nobody can foresee: a program that computes
	// in processes which come and go is seen with other processes than before, and is given nothing.
	looks = 16
	// fewest is the shortest time between two looks, which take some ten microseconds.
	fewest = 2 * time.Millisecond
	// recent is how long ago a program was looked at, at most, when a turn of it begins; its rival is looked at with it. Both take
	// 80 µs where each has one process (BenchmarkLook, BenchmarkUsed), 0.4 percent of the time that a game takes at most, and more where the
	// rival has many. It has to be: a referee that has no processor, either, as while a
	// program keeps them busy, first looks at a turn 0.1 s late.
	recent = 20 * time.Millisecond
	// least is the least that is given, so that a turn ends.
	least = 50 * time.Microsecond
)

// turnClock is the clock of a program's turn: it measures what others take from the program, and makes the deadline later by
// as much. It looks only at turns that last.
type turnClock struct {
	wall    bool // it gives nothing, and measures only to say why a program was late
	asked   bool // before: the program has started
	start   time.Time
	limit   time.Duration
	first   time.Time // when it begins to measure
	next    time.Time // when it looks next
	spacing time.Duration
	begun   bool
	looked  bool             // since the turn began
	turn    *starvation.Turn // nil: nothing can be known
	last    *starvation.Turn // an earlier one
	seen    time.Time        // the latest turn at whose beginning it was looked at
	given   time.Duration
	before  time.Duration // taken from processes that have answered in this turn
	taken   starvation.Taken
	unseen  time.Duration // taken, too, by what beset concluded
	spent   bool          // MaxGiven was reached
	rival   *rival
}

// ask begins a turn, unless q is another question in the same one. Time for starting is not measured.
func (c *turnClock) ask(p conversant, q Question, forStart time.Duration) {
	if q.Start.Equal(c.start) {
		return
	}
	last := c.last
	if c.turn != nil {
		last = c.turn
	}
	first := q.Start.Add(forStart + max(time.Millisecond, min(quick, q.Limit/20)))
	*c = turnClock{wall: c.wall, asked: !c.start.IsZero(), start: q.Start, limit: q.Limit, first: first, next: first, last: last, seen: c.seen, rival: q.rival}
	c.spacing = max(fewest, q.Deadline.Sub(q.Start)/looks)
	if p != nil && c.asked && !c.wall && q.Start.Sub(c.seen) > recent {
		c.begin(p)
		c.rival.look()
		c.seen = q.Start
	}
}

// restart goes on with another process in the same turn.
func (c *turnClock) restart() {
	c.before += c.taken.Time
	c.turn, c.last, c.taken, c.begun, c.looked = nil, nil, starvation.Taken{}, false, false
}

// due returns when to look, if that is before until.
func (c *turnClock) due(until time.Time) time.Time {
	if c.next.Before(until) {
		return c.next
	}
	return until
}

// remember looks at a program that has answered for the first time, at once, so that its next turn can be measured from its
// beginning even if this process has no processor then.
func (c *turnClock) remember(p conversant) {
	if p != nil && !c.asked && c.turn == nil && !c.wall {
		c.last = starvation.Begin(p.Starving(), false)
	}
}

// begin begins to measure.
func (c *turnClock) begin(p conversant) {
	c.begun, c.turn = true, c.last.BeginAt(c.start, p.Starving(), !c.asked)
}

// look looks if it is time to.
func (c *turnClock) look(p conversant) {
	now := clock.Now()
	if now.Before(c.next) {
		return
	}
	first := !c.looked
	if first {
		c.rival.turnLasts()
	}
	if c.looked = true; !c.begun {
		c.begin(p)
	} else {
		c.taken = c.turn.Look()
	}
	if first {
		c.rival.look()
	}
	if c.turn == nil {
		c.next = now.Add(24 * time.Hour)
		return
	}
	c.next = now.Add(c.spacing/2 + rand.N(c.spacing))
}

// deadline is when waiting ends that would end at d by the wall clock.
func (c *turnClock) deadline(d time.Time) time.Time { return d.Add(c.given) }

// extend makes the deadline later by what was taken since; false: there is no more to give.
func (c *turnClock) extend() bool {
	if c.turn == nil || c.wall {
		return false
	}
	c.taken = c.turn.Look()
	due := c.measured()
	if c.taken.Ready { // what a thread waits for just now is seen only when it runs, or at a second look
		due += min(fewest, c.limit/50)
	}
	if c.give(due) {
		return true
	}
	due, more := c.beset(clock.Since(c.start))
	return more && !c.spent && c.give(due)
}

// measured is what was taken up to the last look: what was seen of it, and what was not but had to be, while the program was beset.
// What is seen later comes on top of both; together it is no more than what the program has not computed.
func (c *turnClock) measured() time.Duration {
	seen := c.before + c.taken.Time
	return max(seen, min(seen+c.unseen, clock.Since(c.start)-c.taken.Ran))
}

// beset is what is due to a program that waits for a processor while its rival has them: all but what it has computed, for while
// they are that busy this process looks too seldom to see what it waited. Then the rival is paused at once, and what was not seen is noted.
func (c *turnClock) beset(lasted time.Duration) (due time.Duration, yes bool) {
	if !c.taken.Ready || c.taken.Ran >= c.limit {
		return 0, false
	}
	if _, much := c.rival.took(lasted); !much {
		return 0, false
	}
	c.rival.hold()
	due = lasted - c.taken.Ran
	c.unseen = max(c.unseen, due-c.before-c.taken.Time)
	return due, true
}

// give makes the deadline later by what is due and was not given yet; false: there is no more to give. From HoldAfter on it has
// the rival paused.
func (c *turnClock) give(due time.Duration) bool {
	more, most := due-c.given, MostGiven(c.limit)-c.given
	if more < least {
		return false
	}
	c.spent = most < least
	if c.given += min(more, most); c.given >= HoldAfter*c.limit {
		c.rival.hold()
	}
	return !c.spent
}

// late says what is known of a turn whose time is over.
func (c *turnClock) late() *Lateness {
	if c.turn == nil {
		return nil
	}
	c.taken = c.turn.Now()
	l := lateness(clock.Since(c.start), max(c.measured(), c.given), c.taken)
	if l != nil && c.wall {
		l.Starved, l.Waited = 0, l.Starved
	}
	return l
}

// starved returns what was taken up to now. It looks once more at a turn that was looked at.
func (c *turnClock) starved() time.Duration {
	if c.wall {
		return 0
	}
	if c.turn != nil && c.looked {
		c.taken = c.turn.Look()
	}
	return max(c.measured(), c.given)
}

// starved is what others took from a side in its turn.
func (l *loop) starved(side game.Side) time.Duration {
	if s, ok := l.seats[side].(interface{ starved() time.Duration }); ok {
		return s.starved()
	}
	return 0
}

// rival is a side as the rival of the one that is asked: it may have no turn, and keep processors from it all the same. Its
// methods may be called on nil: nobody could be paused.
type rival struct {
	mu    sync.Mutex
	seat  pausable // nil: nobody
	waits bool     // else its own turn runs, too, as both do during the set-ups
	held  bool
	seen  time.Time            // when it was first looked at in this turn
	used  func() time.Duration // since then; nil: it was not
}

// pausable is the seat of a program that runs while others are asked.
type pausable interface {
	conversing() conversant
	turnLasts() // the other's, that is: what has waited for its end is to be said
}

// goesOn bounds the wait for a program to go on after it was held, which takes its supervisor a moment, on a machine that is busy.
// One that has stopped itself does not.
const goesOn = time.Second / 4

// wait says that the rival has answered, and has no turn of its own while the other is asked.
func (r *rival) wait() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waits = true
}

// turnLasts tells the rival what it was not told at once.
func (r *rival) turnLasts() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seat != nil && r.waits { // else it is asked itself, by another goroutine
		r.seat.turnLasts()
	}
}

// look looks what the rival has used up to now, once in a turn: as soon as this process has a processor for it, which may be late.
func (r *rival) look() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seat != nil && r.used == nil {
		p := r.seat.conversing().Starving()
		before := starvation.Used(p)
		r.seen = clock.Now()
		r.used = func() time.Duration { return before.Since(p) }
	}
}

// hold pauses the rival until release, if it waits. It does not look whether it computes, or with how many processes: on a machine
// whose processors it keeps busy, that took longer than all of a short turn. One that sleeps loses nothing by it.
func (r *rival) hold() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seat != nil && r.waits && !r.held {
		r.held = true
		r.seat.conversing().Hold()
	}
}

// release lets the rival go on, and returns when it does.
func (r *rival) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held {
		p := r.seat.conversing()
		p.LetGo()
		for end := clock.Now().Add(goesOn); starvation.Stopped(p.Starving()) && clock.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
	}
	r.held, r.used = false, nil
}

// took says whether the rival has used a quarter or more of all processors while so much was given to the other side, and how much.
// If it was first looked at later than that, only what came after counts; if that is too short to tell, it says no.
func (r *rival) took(given time.Duration) (used time.Duration, much bool) {
	if r == nil {
		return 0, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used == nil {
		return 0, false
	}
	used = r.used()
	known := min(given, clock.Since(r.seen))
	return used, known >= min(given, fewest) && used >= known*time.Duration(runtime.NumCPU())/4
}

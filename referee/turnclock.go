package referee

import (
	"math/rand/v2"
	"time"

	"luzhanqi/clock"
	"luzhanqi/process/starvation"
)

// MaxGiven is how many times its limit a turn may last, besides its grace, by what is given back. A turn that would need more is
// void.
const MaxGiven = 10

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
	turn    *starvation.Turn // nil: nothing can be known
	given   time.Duration
	before  time.Duration // taken from processes that have answered in this turn
	taken   starvation.Taken
	spent   bool // MaxGiven was reached
}

// ask begins a turn, unless q is another question in the same one. Time for starting is not measured.
func (c *turnClock) ask(q Question, forStart time.Duration) {
	if q.Start.Equal(c.start) {
		return
	}
	first := q.Start.Add(forStart + max(time.Millisecond, min(quick, q.Limit/20)))
	*c = turnClock{wall: c.wall, asked: !c.start.IsZero(), start: q.Start, limit: q.Limit, first: first, next: first}
	c.spacing = max(fewest, q.Deadline.Sub(q.Start)/looks)
}

// restart goes on with another process in the same turn.
func (c *turnClock) restart() {
	c.before += c.taken.Time
	c.turn, c.taken, c.begun = nil, starvation.Taken{}, false
}

// due returns when to look, if that is before until.
func (c *turnClock) due(until time.Time) time.Time {
	if c.next.Before(until) {
		return c.next
	}
	return until
}

// look looks if it is time to.
func (c *turnClock) look(p conversant) {
	now := clock.Now()
	if now.Before(c.next) {
		return
	}
	if !c.begun {
		c.begun = true
		c.turn = starvation.Begin(p.Starving(), !c.asked)
	} else {
		c.taken = c.turn.Look()
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
	due := c.before + c.taken.Time
	if c.taken.Ready { // what a thread waits for just now is seen only when it runs, or at a second look
		due += min(fewest, c.limit/50)
	}
	return c.give(due)
}

// give makes the deadline later by what is due and was not given yet; false: there is no more to give.
func (c *turnClock) give(due time.Duration) bool {
	more, most := due-c.given, max((MaxGiven-1)*c.limit, leastMost)-c.given
	if more < least {
		return false
	}
	c.spent = most < least
	c.given += min(more, most)
	return !c.spent
}

// late says what is known of a turn whose time is over.
func (c *turnClock) late() *Lateness {
	if c.turn == nil {
		return nil
	}
	c.taken = c.turn.Now()
	l := lateness(clock.Since(c.start), max(c.before+c.taken.Time, c.given), c.taken)
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
	if c.turn != nil {
		c.taken = c.turn.Look()
	}
	return max(c.before+c.taken.Time, c.given)
}

package referee

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/process/starvation"
)

// TestGive: what was taken is given, up to nine limits or a second beyond limit and grace, however long the grace is; a turn to
// which nothing more can be given is spent, one to which nothing more is due is not.
func TestGive(t *testing.T) {
	for limit, most := range map[time.Duration]time.Duration{
		150 * time.Millisecond: 1350 * time.Millisecond, 10 * time.Second: 90 * time.Second, 50 * time.Millisecond: time.Second,
	} {
		c := &turnClock{limit: limit}
		for _, step := range []struct {
			due, given  time.Duration
			more, spent bool
		}{
			{0, 0, false, false},
			{10 * time.Millisecond, 10 * time.Millisecond, true, false},
			{10*time.Millisecond + least/2, 10 * time.Millisecond, false, false},
			{most - time.Millisecond, most - time.Millisecond, true, false},
			{most + time.Hour, most, true, false},
			{most + 2*time.Hour, most, false, true},
		} {
			if more := c.give(step.due); more != step.more || c.given != step.given || c.spent != step.spent {
				t.Errorf("limit %v, due %v: given %v, more %v, spent %v; want %+v", limit, step.due, c.given, more, c.spent, step)
			}
		}
	}
}

// still is the process of a rival.
type still struct {
	reciting
	held, let int
}

func (s *still) Hold()                  { s.held++ }
func (s *still) LetGo()                 { s.let++ }
func (s *still) conversing() conversant { return s }
func (*still) turnLasts()               {}

// TestHold: a rival is paused once its limit was given, once, and let go at the end of the turn; not while its own turn runs.
func TestHold(t *testing.T) {
	const limit = 100 * time.Millisecond
	for _, c := range []struct {
		waits bool
		due   []time.Duration
		held  int
	}{
		{true, []time.Duration{limit / 2, limit - 1}, 0},
		{true, []time.Duration{limit}, 1},
		{true, []time.Duration{limit / 2, 2 * limit, 20 * limit}, 1},
		{false, []time.Duration{20 * limit}, 0},
	} {
		process := &still{}
		r := &rival{seat: process}
		if c.waits {
			r.wait()
		}
		turn := &turnClock{limit: limit, rival: r}
		for _, due := range c.due {
			turn.give(due)
		}
		if process.held != c.held || process.let != 0 {
			t.Errorf("%+v: held %d times, let go %d times", c, process.held, process.let)
		}
		r.release()
		if r.release(); process.let != c.held {
			t.Errorf("%+v: let go %d times", c, process.let)
		}
	}
	(&turnClock{limit: limit}).give(2 * limit) // nobody to be paused
}

// TestStarvedOut: a turn to which nothing more is given is void, by the machine, unless the rival has used a large part of the
// processors: then by the rival, and it is named.
func TestStarvedOut(t *testing.T) {
	late := func(r *rival) *Foul {
		d := &dialogue{program: program{side: game.First, clock: turnClock{limit: 100 * time.Millisecond, rival: r}}}
		d.clock.give(time.Hour)
		d.clock.give(2 * time.Hour)
		return d.readFoul(t.Context(), os.ErrDeadlineExceeded, Question{})
	}
	for name, r := range map[string]*rival{
		"nobody": nil, "a rival that was not looked at": {}, "a rival that used little": {used: func() time.Duration { return 10 * time.Millisecond }},
	} {
		foul := late(r)
		if foul.Code != Void || foul.By != ByMachine || !strings.Contains(foul.Text, "its turn lasted 10 times its limit") {
			t.Errorf("with %s: %+v", name, foul)
		}
	}
	busy := &rival{used: func() time.Duration { return time.Hour }}
	if foul := late(busy); foul.Code != Void || foul.By != ByOpponent || !strings.Contains(foul.Text, "player 2 used 1h0m0s of processor time") {
		t.Errorf("%+v", foul)
	}
}

// TestBeset: who waits for a processor while its rival has a quarter of them or more is due all that it has not computed; who
// sleeps, has computed its limit, or has an idle rival, is not.
func TestBeset(t *testing.T) {
	const limit, lasted = 100 * time.Millisecond, 300 * time.Millisecond
	ready := starvation.Taken{Known: true, Ready: true, Ran: 10 * time.Millisecond, Time: 30 * time.Millisecond}
	asleep, spent := ready, ready
	asleep.Ready, spent.Ran = false, limit
	busy := func() time.Duration { return time.Hour }
	part := func() time.Duration { return lasted * time.Duration(runtime.NumCPU()) / 7 }
	for name, c := range map[string]struct {
		taken starvation.Taken
		used  func() time.Duration
		late  time.Duration // when the rival was first looked at
		due   time.Duration
	}{
		"ready": {ready, busy, 0, 290 * time.Millisecond}, "asleep": {asleep, busy, 0, 0}, "has computed": {spent, busy, 0, 0},
		"idle rival": {ready, func() time.Duration { return 0 }, 0, 0}, "nothing known of the rival": {ready, nil, 0, 0},
		"rival with a seventh of all": {ready, part, 0, 0}, "rival with a seventh, all of it late": {ready, part, 200 * time.Millisecond, 290 * time.Millisecond},
		"rival looked at just now": {ready, busy, lasted + time.Hour, 0},
	} {
		turn := turnClock{limit: limit, taken: c.taken, rival: &rival{used: c.used, seen: clock.Now().Add(c.late - lasted)}}
		if due, yes := turn.beset(lasted); due != c.due || yes != (c.due > 0) {
			t.Errorf("%s: due %v, %v; want %v", name, due, yes, c.due)
		}
		if want := max(0, c.due-c.taken.Time); turn.unseen != want {
			t.Errorf("%s: %v of it counts as unseen, want %v", name, turn.unseen, want)
		}
	}
}

// TestRivalIsLookedAtInTime: a rival is looked at when a turn begins, for this process may get no processor later, but of turns that follow
// each other within milliseconds only in the first; and once in a turn.
func TestRivalIsLookedAtInTime(t *testing.T) {
	r := &rival{seat: &still{}}
	turn := &turnClock{}
	begin := time.Now()
	for _, c := range []struct {
		after time.Duration
		yes   bool
	}{{0, false}, {time.Second, true}, {time.Second + recent/2, false}, {2 * time.Second, true}} { // the first one starts the program
		turn.ask(&still{}, Question{Start: begin.Add(c.after), Limit: time.Second, rival: r}, 0)
		if looked := r.used != nil; looked != c.yes {
			t.Errorf("turn after %v: looked at it: %v", c.after, looked)
		}
		first := r.seen
		turn.rival.look()
		if c.yes && r.seen != first {
			t.Errorf("turn after %v: looked at it twice", c.after)
		}
		r.release()
	}
}

// TestMeasured: what is seen after a program was beset comes on top of what it was due then, but is no more than the program has not
// computed.
func TestMeasured(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct{ lasts, seen, unseen, ran, want time.Duration }{
		{lasts: 1000 * ms, seen: 40 * ms, want: 40 * ms},
		{lasts: 1000 * ms, seen: 40 * ms, unseen: 250 * ms, ran: 10 * ms, want: 290 * ms},
		{lasts: 1000 * ms, seen: 90 * ms, unseen: 250 * ms, ran: 10 * ms, want: 340 * ms},
		{lasts: 1000 * ms, seen: 900 * ms, unseen: 250 * ms, ran: 50 * ms, want: 950 * ms},
		{lasts: 1000 * ms, seen: 990 * ms, unseen: 250 * ms, ran: 50 * ms, want: 990 * ms},
	} {
		turn := turnClock{start: clock.Now().Add(-c.lasts), taken: starvation.Taken{Time: c.seen - 20*ms, Ran: c.ran}, before: 20 * ms, unseen: c.unseen}
		if got := turn.measured(); got < c.want || got > c.want+20*ms {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

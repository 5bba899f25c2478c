package referee

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/text"
)

// Given counts what programs were given because others had the processors.
type Given struct {
	Turns int           // that lasted longer than limit and grace, and were in time all the same
	Time  time.Duration // by which they lasted longer
	Late  int           // turns that were given time, and were late in spite of it
}

// Add adds those of another game.
func (g *Given) Add(other Given) {
	g.Turns += other.Turns
	g.Time += other.Time
	g.Late += other.Late
}

// Mattered says whether any turn depended on it.
func (g *Given) Mattered() bool { return g.Turns+g.Late > 0 }

// String is for people; of what did not matter it is empty.
func (g *Given) String() string {
	if !g.Mattered() {
		return ""
	}
	s := "the machine was busy: "
	if g.Turns > 0 {
		were := "were"
		if g.Turns == 1 {
			were = "was"
		}
		s += fmt.Sprintf("%s %s longer than limit and grace, since others had the processors, and got %v more", text.Count(g.Turns, "turn"), were, g.Time.Round(time.Millisecond))
	}
	if g.Turns > 0 && g.Late > 0 {
		s += "; "
	}
	if g.Late > 0 {
		s += fmt.Sprintf("%s got more, and lost by time in spite of it", text.Count(g.Late, "turn"))
	}
	return s + ". Programs that think until their limit are weaker here than they are: play fewer games at a time, or on a machine with less other work"
}

// count counts what a side was given in a turn that has ended.
func (l *loop) count(side game.Side, took, allowed, starved time.Duration, foul *Foul) {
	if s, ok := l.seats[side].(interface{ allowance() time.Duration }); ok {
		allowed += s.allowance()
	}
	switch g := &l.given[side]; {
	case starved < least || took <= allowed:
	case foul == nil:
		g.Turns++
		g.Time += took - allowed
	case foul.Code == TimedOut:
		g.Late++
	}
}

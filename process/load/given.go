package load

import (
	"fmt"
	"math"
	"time"

	"luzhanqi/text"
)

// Given counts what programs were given because others had the processors. Its JSON is the same wherever it stands: in events, in
// the results of tournaments, in reports.
type Given struct {
	Starved float64 `json:"starved_ms,omitempty"`  // what others took in all turns that were looked at, those far from their limit too
	Turns   int     `json:"given_turns,omitempty"` // that lasted longer than limit and grace, and were in time all the same
	Time    float64 `json:"given_ms,omitempty"`    // by which those lasted longer
	Late    int     `json:"late_turns,omitempty"`  // turns that were given time, and were late in spite of it
}

// Add adds those of another game.
func (g *Given) Add(other Given) {
	g.Starved = sum(g.Starved, other.Starved)
	g.Turns += other.Turns
	g.Time = sum(g.Time, other.Time)
	g.Late += other.Late
}

// sum adds milliseconds, in whole microseconds as in records: else sums have a dozen digits that say nothing.
func sum(a, b float64) float64 { return math.Round(1000*(a+b)) / 1000 }

// Mattered says whether any turn depended on it.
func (g Given) Mattered() bool { return g.Turns+g.Late > 0 }

// Check refuses what nobody can have counted.
func (g Given) Check() error {
	if min(g.Turns, g.Late) < 0 || !(g.Time >= 0) || !(g.Starved >= 0) || g.Turns == 0 && g.Time > 0 {
		return fmt.Errorf("what turns were given: %+v", g)
	}
	return nil
}

// Said is for people: what was counted, what follows, and what to do. Of what did not matter it is empty.
func (g Given) Said() string {
	if !g.Mattered() {
		return ""
	}
	return "the machine was busy: " + g.counts() + ". " + consequence + ": play fewer games at a time, or on a machine with less other work"
}

// Sentences are for pages, whose readers cannot do anything about it. Of what did not matter they are empty.
func (g Given) Sentences() string {
	if !g.Mattered() {
		return ""
	}
	return "The machine was busy: " + g.counts() + ". " + consequence + "."
}

const consequence = "Programs that think until their limit are weaker here than they are"

func (g Given) counts() (s string) {
	if g.Turns > 0 {
		were := "were"
		if g.Turns == 1 {
			were = "was"
		}
		s = fmt.Sprintf("%s %s longer than limit and grace, since others had the processors, and got %v more", text.Count(g.Turns, "turn"), were, text.Duration(g.Time).Round(time.Millisecond))
	}
	if g.Turns > 0 && g.Late > 0 {
		s += "; "
	}
	if g.Late > 0 {
		s += fmt.Sprintf("%s got more, and lost by time in spite of it", text.Count(g.Late, "turn"))
	}
	return s
}

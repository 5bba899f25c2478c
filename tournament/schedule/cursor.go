package schedule

import (
	"slices"

	"luzhanqi/tournament/rating"
)

// pairer pairs the players of a format, stage by stage.
type pairer interface {
	// next returns the stage after the last one, whose encounters came out with these half points for the
	// two players; nil before the first stage, and always for a format that does not wait for results.
	// False: there is none.
	next(points [][2]int) (stage, bool)
	waits() bool
	byes() []Bye
	decisions() []Decision
}

// Bye is a round that a player sits out.
type Bye struct{ Round, Player int }

// Decision says which player went on after an encounter of a knockout.
type Decision struct {
	Round, Winner, Loser int
	Replays              int  // further pairs that were played
	BySeed               bool // tied to the last: the earlier seed went on
}

// Cursor goes through the games of a schedule. It is used by one goroutine at a time.
type Cursor struct {
	schedule *Schedule
	pairer   pairer
	stage    stage
	at       int      // the next game of the stage
	counted  int      // games of the stage whose results are in points
	points   [][2]int // half points of the encounters of the stage
	complete bool
}

// Cursor returns a cursor before the first game.
func (s *Schedule) Cursor() *Cursor {
	c := &Cursor{schedule: s}
	if s.spec.Growing {
		c.pairer = s.growing()
		return c
	}
	switch s.spec.Format {
	case RoundRobin:
		c.pairer = &roundRobin{spec: s.spec}
	case Gauntlet:
		c.pairer = &gauntlet{spec: s.spec, others: s.spec.others()}
	case Swiss:
		c.pairer = newSwiss(s.spec, s.order)
	case Knockout:
		c.pairer = newKnockout(s.spec, s.order)
	default:
		c.pairer = &match{games: s.spec.Games}
	}
	return c
}

// Next returns the next game; false: none is known yet, or the schedule is complete. Results are asked for
// each game of a stage once in order, and only if later games depend on them: all games of a Swiss round,
// all encounters of a knockout round, and then the further pairs of its tied ones.
func (c *Cursor) Next(r Results) (Game, bool) {
	for !c.complete {
		if c.at < c.stage.size() {
			c.at++
			return c.schedule.game(&c.stage, c.at-1), true
		}
		if c.pairer.waits() && !c.count(r) {
			return Game{}, false
		}
		more := false
		if c.stage, more = c.pairer.next(c.points); !more {
			c.complete = true
			break
		}
		c.at, c.counted = 0, 0
		if c.pairer.waits() {
			c.points = make([][2]int, len(c.stage.encounters))
		}
	}
	return Game{}, false
}

// count adds up the results of the stage; false: some are missing.
func (c *Cursor) count(r Results) bool {
	for ; c.counted < c.stage.size(); c.counted++ {
		result := r.Result(c.schedule.game(&c.stage, c.counted).ID)
		if result == rating.Void {
			return false
		}
		seat := c.counted % c.stage.games % 2 // of the encounter's first player
		points := &c.points[c.counted/c.stage.games]
		points[seat] += int(result - rating.Loss)
		points[1-seat] += int(rating.Win - result)
	}
	return true
}

// Complete says that Next has returned all games there will ever be. The last stage of a Swiss or a
// knockout must have been played before a cursor knows.
func (c *Cursor) Complete() bool { return c.complete }

// Byes returns the byes so far, in the order of rounds.
func (c *Cursor) Byes() []Bye { return slices.Clone(c.pairer.byes()) }

// Decisions returns what a knockout has decided so far, in the order of rounds.
func (c *Cursor) Decisions() []Decision { return slices.Clone(c.pairer.decisions()) }

package referee

import (
	"errors"
	"time"

	"luzhanqi/game"
	"luzhanqi/process/load"
	"luzhanqi/text"
)

// Result says how a game went.
type Result struct {
	Number      int    // of the game in its match, from 1
	Attempt     int    // 1, or more after void games
	Seats       [2]int // which entrant of the match played first, and second
	Ending      *Ending
	Postmortems [2]Postmortem // by seat; of players of ours: empty
	Took        time.Duration
	Given       [2]load.Given // by seat
	Record      string        // file; empty: none
	Course      string        // by which games that went alike are known, see course.Course; empty: it was void

	turns [2]turns // by seat
}

// Pair is which pair a game of a match belongs to, from 0: games 1 and 2, 3 and 4, …
func Pair(number int) int { return (number - 1) / 2 }

// Score counts the results of a match. Wins are counted by entrant; what is neither a win nor a draw is a loss.
type Score struct {
	Wins    [2]int
	Draws   int
	Voids   int
	Endings map[Code]int
	Given   load.Given // in all games, void ones too
}

// Games is how many games count.
func (s *Score) Games() int { return s.Wins[0] + s.Wins[1] + s.Draws }

// Points are those of an entrant: 1 for a win, ½ for a draw.
func (s *Score) Points(entrant int) float64 { return float64(s.Wins[entrant]) + float64(s.Draws)/2 }

func (s *Score) add(r Result) {
	if s.Endings == nil {
		s.Endings = map[Code]int{}
	}
	s.Endings[r.Ending.Code]++
	for _, given := range r.Given {
		s.Given.Add(given)
	}
	switch {
	case r.Ending.Code == Void:
		s.Voids++
	case r.Ending.Draw():
		s.Draws++
	default:
		s.Wins[r.Seats[*r.Ending.Winner]]++
	}
}

// ErrVoid: a match or a tournament stopped, since a game was void again and again.
var ErrVoid = errors.New("void again")

const (
	// maxVoids is how often the machine may make one game void, for whatever reasons.
	maxVoids = 5
	// maxAttempts is how often a game is void at most. It is never reached by hand, but everything ends.
	maxAttempts = 1000
)

// Voided is a void game, as far as it matters for whether it is played again.
type Voided struct {
	By     VoidBy
	Reason string
}

// Voided is what [GivenUp] asks of a void game.
func (e *Ending) Voided() Voided { return Voided{e.VoidBy, e.Reason} }

// counts says whether it tells that the game cannot be played here. A stop, an interruption, a person and an opponent do not:
// whoever is about to lose could otherwise end the match with them.
func (v Voided) counts() bool {
	return v.By != ByStop && v.By != ByInterruption && v.By != ByPerson && v.By != ByOpponent
}

// GivenUp says whether a game that was void so, in order, is not played again: of those times that the machine is to
// blame for, the last two have the same reason, or there are five.
func GivenUp(voids []Voided) bool {
	var reasons []string
	for _, v := range voids {
		if v.counts() {
			reasons = append(reasons, v.Reason)
		}
	}
	n := len(reasons)
	return n >= maxVoids || n >= 2 && reasons[n-1] == reasons[n-2] || len(voids) >= maxAttempts
}

// count counts what a side was given in a turn that has ended, and returns what was taken from it, to be recorded: all that an
// answer in time lasted beyond what is allowed, if others took anything.
func (l *loop) count(side game.Side, took, allowed, starved time.Duration, foul *Foul) (taken time.Duration) {
	if s, ok := l.seats[side].(interface{ allowance() time.Duration }); ok {
		allowed += s.allowance()
	}
	g := &l.given[side]
	g.Starved += text.Milliseconds(starved)
	switch {
	case starved < least || took <= allowed:
	case foul == nil:
		g.Turns++
		g.Time += text.Milliseconds(took - allowed)
		return max(starved, took-allowed) // the rest is this process's own: it read late what had come in time
	case foul.Code == TimedOut && starved >= allowed/lateShare && !l.idle(side):
		g.Late++
	}
	return starved
}

// lateShare is how large a part of what a turn was allowed others must have taken for the machine to have a part in its being late.
const lateShare = 20

// idle says that a program which was late is known to have slept or waited at the end of its time: no other kept it from answering.
func (l *loop) idle(side game.Side) bool {
	s, ok := l.seats[side].(interface{ late() *Lateness })
	if !ok {
		return false
	}
	late := s.late()
	return late != nil && late.Doing != Computing
}

package check

import (
	"fmt"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// The steps about whole games, and about how messages arrive.

// longThought is how long the opponent thinks in the step about slow opponents: far longer than most
// programs poll or wait.
const longThought = 2 * time.Second

func (s *session) movesInTime() finding {
	l := s.subject.Limits
	f := s.without(missing, atLater, fmt.Sprintf("each move within %v and %v grace", l.Move, l.Grace), wholeGames[:]...)
	if f.verdict == Pass {
		a, b := s.play(wholeGames[0]).observer, s.play(wholeGames[1]).observer
		f.note = fmt.Sprintf("the slowest of %d took %v of %v", max(0, a.own-1)+max(0, b.own-1), short(max(a.slowest, b.slowest)), l.Move)
	}
	return f
}

func (s *session) movesLegal() finding {
	f := s.legal(atLater, "moves")()
	if f.verdict == Pass {
		f.note = fmt.Sprintf("%s; %s", s.play(wholeGames[0]).result.Ending.Reason, s.play(wholeGames[1]).result.Ending.Reason)
	}
	return f
}

// withoutGrace is information: the grace is for the machine, and another referee may have none.
func (s *session) withoutGrace() finding {
	if s.oneShot() || s.console() {
		return absent("the clock of this way of talking holds the referee's own time, too")
	}
	for seat, sc := range wholeGames {
		p := s.play(sc)
		if f := p.foul(); f != nil && f.code == referee.TimedOut {
			return skipped("no matter: as player %v it exceeded a limit", game.Side(seat))
		}
		if first := p.limits.ForMove(seat); p.observer.first > first {
			return skipped("no matter: as player %v its first move took %v of %v", game.Side(seat), short(p.observer.first), first)
		}
		if p.observer.slowest > p.limits.Move {
			return skipped("no matter: as player %v a move took %v of %v", game.Side(seat), short(p.observer.slowest), p.limits.Move)
		}
	}
	return passed("")
}

// withMessages makes a step one of programs that are sent messages, which can be framed otherwise.
func (s *session) withMessages(step func() finding) func() finding {
	return func() finding {
		switch {
		case s.oneShot():
			return absent("the program is started for each question and gets it whole")
		case s.console():
			return absent("nothing is sent before the program asks")
		}
		return step()
	}
}

// joinedMessages is required: a match writes what is said at once together, and no referee can prevent that several
// messages are in the pipe when a program comes to read.
func (s *session) joinedMessages() finding {
	return s.plays(listening[joined], "it plays on when messages are written together, as in a match without --one-by-one-1 (or -2)")
}

// reframed is information: these ways of writing are no referee's, as far as the dialects are settled.
func (s *session) reframed(how framing) func() finding {
	return s.withMessages(func() finding { return s.plays(listening[how], "it plays on").optional() })
}

// plays expects a game without a foul.
func (s *session) plays(sc scenario, expected string) finding {
	p := s.play(sc)
	if f, ok := p.unplayed(); ok {
		return f
	}
	f := p.foul()
	if f == nil {
		return passed("")
	}
	if f, ok := s.known(f); ok {
		return f
	}
	return failed(p.evidence(), expected, "%s", f.text)
}

// known says whether a foul is that of the whole games: a mistake that has another reason is named once.
func (s *session) known(f *foul) (finding, bool) {
	for _, usual := range wholeGames {
		if known := s.play(usual).foul(); known != nil && known.code == f.code && known.phase == f.phase {
			return skipped("it ends as the whole games do: %s", f.code), true
		}
	}
	return finding{}, false
}

func (s *session) slowOpponent() finding {
	if s.oneShot() {
		return absent("no process of the program runs while the opponent thinks")
	}
	f := s.plays(slowOpponent, "it waits, and then answers as always")
	if f.verdict == Pass {
		f.note = fmt.Sprintf("%v at most", short(s.play(slowOpponent).observer.slowest))
	}
	return f
}

// short rounds a time for people.
func short(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > 10*time.Millisecond:
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}

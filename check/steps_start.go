package check

import (
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
)

// The steps up to the first move.

func (s *session) found() finding {
	if err := s.subject.Program.Check(); err != nil {
		return failed(evidence{}, "a program that is found and may be executed", "%v", err)
	}
	return passed("%s", s.subject.Program.Command)
}

// starts finds programs that the system cannot run, and those that end before they have said a word.
func (s *session) starts() finding {
	if s.oneShot() { // else it would be a game that is void
		p, err := process.Start(s.subject.Program.Command)
		if err != nil {
			return failed(evidence{}, "the program starts", "%v", err)
		}
		if _, err := p.Stop(0); err != nil {
			return skipped("the machine: %v", err)
		}
	}
	p := s.play(wholeGames[game.First])
	if f, ok := p.unplayed(); ok {
		return f
	}
	if f := p.foul(); f != nil && f.code == referee.Crashed && len(p.observer.output) == 0 {
		return failed(p.evidence(), "the program runs until it is told that its game is over", "%s; until then it had not written anything to standard output", f.text)
	}
	return passed("")
}

func (s *session) oneShot() bool { return s.subject.Program.Protocol.Kind() == game.OneShot }

func (s *session) console() bool {
	return s.subject.Program.Protocol.Kind() == game.Console
}

// kind sorts what can be wrong with an answer.
type kind uint8

const (
	missing kind = iota // nothing whole arrived
	garbled             // it cannot be read
	illegal             // it is against the rules
)

func (f *foul) kind(r referee.Postmortem) kind {
	switch f.code {
	case referee.Unreadable:
		return garbled
	case referee.Flooded:
		if r.StderrBytes > process.StderrMax {
			return missing
		}
		return garbled
	case referee.IllegalMove, referee.IllegalSetUp, referee.Resigned:
		return illegal
	}
	return missing
}

// faultless looks for a foul of one kind in one phase of these games.
func (s *session) faultless(ph phase, k kind, expected string, games ...scenario) (finding, bool) {
	for _, sc := range games {
		p := s.play(sc)
		if f, ok := p.unplayed(); ok {
			return f, true
		}
		if f := p.foul(); f != nil && f.phase == ph && f.kind(p.postmortem()) == k {
			return failed(p.evidence(), expected, "%s", f.text), true
		}
	}
	return finding{}, false
}

const noSetUp = "the game has no set-up"

// setUps judges the set-ups of both whole games.
func (s *session) setUps(k kind, expected string) (finding, bool) {
	if !s.subject.Game.HasSetUp() {
		return absent(noSetUp), true
	}
	return s.faultless(atSetUp, k, expected, wholeGames[:]...)
}

func (s *session) setUpInTime() finding {
	l := s.subject.Limits
	if f, ok := s.setUps(missing, fmt.Sprintf("a set-up within %v and %v grace", l.SetUp, l.Grace)); ok {
		return f
	}
	a, b := s.play(wholeGames[0]), s.play(wholeGames[1])
	return passed("%v as player 1, %v as player 2, of %v", short(a.observer.setUpTook), short(b.observer.setUpTook), l.SetUp)
}

func (s *session) setUpReadable() finding {
	if f, ok := s.setUps(garbled, "a set-up in dialect "+s.subject.Program.Protocol.Name()); ok {
		return f
	}
	return passed("")
}

func (s *session) setUpLegal() finding {
	if f, ok := s.setUps(illegal, "a set-up by the rules"); ok {
		return f
	}
	return passed("")
}

// setUpVaries is information: who always begins in the same way is soon known.
func (s *session) setUpVaries() finding {
	if !s.subject.Game.HasSetUp() {
		return absent(noSetUp)
	}
	var all []game.SetUp
	for _, sc := range []scenario{wholeGames[0], wholeGames[1], shortGames[0], shortGames[1]} {
		p := s.play(sc)
		if p.observer != nil && p.observer.setUp != "" && !slices.Contains(all, p.observer.setUp) {
			all = append(all, p.observer.setUp)
		}
	}
	if len(all) < 2 {
		return skipped("no matter: it proposes the same set-up in every game")
	}
	return passed("%d different ones in 4 games", len(all))
}

// answers looks at the first move of one seat.
func (s *session) answers(seat game.Side) finding {
	l := s.subject.Limits
	limit := l.ForMove(int(seat))
	sc := wholeGames[seat]
	if f, ok := s.faultless(atFirst, missing, fmt.Sprintf("a first move as player %v within %v and %v grace", seat, limit, l.Grace), sc); ok {
		return f
	}
	return passed("%v of %v", short(s.play(sc).observer.first), limit)
}

func (s *session) firstReadable() finding {
	if f, ok := s.faultless(atFirst, garbled, "a move in dialect "+s.subject.Program.Protocol.Name(), wholeGames[:]...); ok {
		return f
	}
	return passed("")
}

func (s *session) firstLegal() finding {
	if f, ok := s.faultless(atFirst, illegal, "a move by the rules", wholeGames[:]...); ok {
		return f
	}
	return passed("")
}

package check

import (
	"fmt"
	"slices"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/referee/chance"
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
		p, err := process.Start(chance.Seeded(s.subject.Program.Command, 1))
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

func (s *session) console() bool { return s.subject.Program.Protocol.Kind() == game.Console }

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

// without looks for a foul of one kind in one phase of these games, and passes if there is none.
func (s *session) without(k kind, ph phase, expected string, games ...scenario) finding {
	answered := k == missing
	for _, sc := range games {
		p := s.play(sc)
		if f, ok := p.unplayed(); ok {
			return f
		}
		f := p.foul()
		if f != nil && f.phase == ph && f.kind(p.postmortem()) == k {
			found := failed(p.evidence(), expected, "%s", f.text)
			found.late = f.code == referee.TimedOut
			return found
		}
		answered = answered || f == nil || f.phase > ph || f.phase == ph && (f.kind(p.postmortem()) != missing || ph == atLater && p.observer.own > 1)
	}
	if !answered {
		return skipped("nothing arrived that could be judged")
	}
	return passed("")
}

// readable is a step about answers that cannot be read.
func (s *session) readable(ph phase, what string) func() finding {
	return func() finding {
		return s.without(garbled, ph, what+" in dialect "+s.subject.Program.Protocol.Name(), wholeGames[:]...)
	}
}

// legal is a step about answers that are against the rules.
func (s *session) legal(ph phase, what string) func() finding {
	return func() finding { return s.without(illegal, ph, what+" by the rules", wholeGames[:]...) }
}

const noSetUp = "the game has no set-up"

// withSetUp makes a step one of games that have set-ups.
func (s *session) withSetUp(step func() finding) func() finding {
	return func() finding {
		if !s.subject.Game.HasSetUp() {
			return absent(noSetUp)
		}
		return step()
	}
}

func (s *session) setUpInTime() finding {
	l := s.subject.Limits
	f := s.without(missing, atSetUp, fmt.Sprintf("a set-up within %v and %v grace", l.SetUp, l.Grace), wholeGames[:]...)
	if f.verdict == Pass {
		a, b := s.play(wholeGames[0]), s.play(wholeGames[1])
		f.note = fmt.Sprintf("%v as player 1, %v as player 2, of %v", short(a.observer.setUpTook), short(b.observer.setUpTook), l.SetUp)
	}
	return f
}

// setUpVaries is information: opponents learn a set-up that never changes.
func (s *session) setUpVaries() finding {
	var all []game.SetUp
	for _, sc := range slices.Concat(wholeGames[:], shortGames[:]) {
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
func (s *session) answers(seat game.Side) func() finding {
	return func() finding {
		l, sc := s.subject.Limits, wholeGames[seat]
		limit := l.ForMove(int(seat))
		f := s.without(missing, atFirst, fmt.Sprintf("a first move as player %v within %v and %v grace", seat, limit, l.Grace), sc)
		if f.verdict == Pass {
			f.note = fmt.Sprintf("%v of %v", short(s.play(sc).observer.first), limit)
		}
		return f
	}
}

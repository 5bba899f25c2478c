package check

import (
	"fmt"

	"luzhanqi/referee"
)

// The steps about the end of a game.

// withEnd makes a step one of programs that are there at the end of a game.
func (s *session) withEnd(step func() finding) func() finding {
	return func() finding {
		if s.oneShot() {
			return absent("no process of the program runs between two questions")
		}
		return step()
	}
}

// exits expects a game without a foul, after which the program exits by itself.
func (s *session) exits(sc scenario) (p *played, f finding) {
	p = s.play(sc)
	if f, ok := p.unplayed(); ok {
		return p, f
	}
	expected := fmt.Sprintf("it exits by itself within %v of the end of its input", p.limits.Grace)
	if f := p.foul(); f != nil {
		if skip, ok := s.known(f); ok && f.code == referee.TimedOut {
			return p, skip
		}
		return p, failed(p.evidence(), "a game that does not end by the program's fault", "%s", f.text)
	}
	if p.postmortem().Exit.Killed {
		told := "it was told of the end, if the dialect has words for that, and its input was closed"
		if p.mute {
			told = "its input was closed"
		}
		return p, failed(p.evidence(), expected, "%s; %v later it still ran", told, p.limits.Grace)
	}
	return p, passed("%s", p.postmortem().Exit)
}

func (s *session) exitsAfterEnd() finding {
	for _, sc := range shortGames {
		if _, f := s.exits(sc); f.verdict != Pass {
			return f
		}
	}
	return passed("")
}

func (s *session) exitCode() finding {
	for _, sc := range shortGames {
		p := s.play(sc)
		if e := p.postmortem().Exit; e.Code != 0 {
			return failed(p.evidence(), "it exits with code 0", "it %s", e)
		}
	}
	return passed("")
}

// endsWell expects of this game what passed at the end of an ordinary one.
func (s *session) endsWell(sc scenario) func() finding {
	return s.withEnd(func() finding {
		p, f := s.exits(sc)
		if f.verdict != Pass {
			return f
		}
		if e, usual := p.postmortem().Exit, s.play(shortGames[sc.seat]).postmortem().Exit; e.Code != 0 && e.Code != usual.Code {
			return failed(p.evidence(), "it exits with code 0", "it %s", e)
		}
		return f
	})
}

func (s *session) inputEnds() finding {
	_, f := s.exits(inputEnds)
	return f
}

// inputEndsCode accepts any code: a program may report an input that ends early by its own.
func (s *session) inputEndsCode() finding {
	p := s.play(inputEnds)
	if e := p.postmortem().Exit; e.Signal != 0 {
		return failed(p.evidence(), "it exits, with whatever code", "it %s", e)
	}
	return passed("%s", p.postmortem().Exit)
}

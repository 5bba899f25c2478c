package check

import (
	"fmt"
	"strings"
	"time"
)

// The steps about what a program uses and leaves behind, in all games that were played.

// Standard error that is bearable: for a game, and for each of its moves. The most talkative player that
// was seen wrote 10 KB a move; whoever writes more fills the disk of the one who keeps it.
const (
	stderrAGame = 1 << 20
	stderrAMove = 64 << 10
)

func (s *session) stderrVolume() finding {
	games, most := s.reports(), int64(0)
	for _, p := range games {
		n, allowed := p.report().StderrBytes, int64(stderrAGame+stderrAMove*p.witness.own)
		if n > allowed {
			return failed(p.evidence(), fmt.Sprintf("at most %s of standard error in a game of %d own moves", size(allowed), p.witness.own), "it wrote %s to standard error", size(n))
		}
		most = max(most, n)
	}
	if len(games) == 0 {
		return skipped("no game was played")
	}
	return passed("at most %s a game", size(most))
}

func (s *session) noLeftovers() finding {
	if !seesFamilies {
		return absent("this system does not show which processes a program has started")
	}
	games := s.reports()
	for _, p := range games {
		if len(p.apart) > 0 {
			return failed(p.evidence(), "when a game is over, all processes that it has started belong to it and end with it",
				"%s of its own, in a session of their own or left by their parent: %s", counted(len(p.apart), "process", "processes"), strings.Join(p.apart, "; "))
		}
	}
	if len(games) == 0 {
		return skipped("no game was played")
	}
	return passed("%d games", len(games))
}

func (s *session) memory() finding {
	games := s.reports()
	var most *played
	for _, p := range games {
		if most == nil || p.report().Exit.MaxRSS > most.report().Exit.MaxRSS {
			most = p
		}
	}
	if most == nil || most.report().Exit.MaxRSS == 0 {
		return skipped("it is not known how much the program used")
	}
	n := most.report().Exit.MaxRSS
	if s.options.MostMemory > 0 && n > s.options.MostMemory {
		return failed(most.evidence(), "at most "+size(s.options.MostMemory), "it used %s (resident)", size(n))
	}
	return passed("at most %s (resident)%s", size(n), s.lastOnly())
}

func (s *session) processorTime() finding {
	games := s.reports()
	var most *played
	var sum time.Duration
	for _, p := range games {
		sum += p.processor()
		if most == nil || p.processor() > most.processor() {
			most = p
		}
	}
	if most == nil {
		return skipped("no game was played")
	}
	n := most.processor()
	if s.options.MostProcessor > 0 && n > s.options.MostProcessor {
		return failed(most.evidence(), fmt.Sprintf("at most %v a game", s.options.MostProcessor), "it used %v in one game", short(n))
	}
	return passed("%v a game on average, %v at most%s", short(sum/time.Duration(len(games))), short(n), s.lastOnly())
}

// lastOnly says what is not known of programs that are started for each question.
func (s *session) lastOnly() string {
	if s.anew() {
		return ", by the last process of a game"
	}
	return ""
}

func (p *played) processor() time.Duration { return p.report().Exit.User + p.report().Exit.System }

// size writes a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

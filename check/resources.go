package check

import (
	"fmt"
	"strings"
	"time"

	"luzhanqi/text"
)

// The steps about what a program uses and leaves behind, in all games that were played.

// The most standard error that passes: for a game, and for each of its moves. Who keeps it needs disk space for it;
// the most talkative known player wrote 10 KB a move.
const (
	maxStderrGame = 1 << 20
	maxStderrMove = 64 << 10
)

// overAll is a step that looks at all games in which the program was there.
func (s *session) overAll(step func(games []*played) finding) func() finding {
	return func() finding {
		games := s.attended()
		if len(games) == 0 {
			return skipped("no game was played")
		}
		return step(games)
	}
}

func (s *session) stderrVolume(games []*played) finding {
	maximum := int64(0)
	for _, p := range games {
		n, allowed := p.postmortem().StderrBytes, int64(maxStderrGame+maxStderrMove*p.observer.own)
		if n > allowed {
			return failed(p.evidence(), fmt.Sprintf("at most %s of standard error in a game of %d own moves", size(allowed), p.observer.own), "it wrote %s to standard error", size(n))
		}
		maximum = max(maximum, n)
	}
	return passed("at most %s a game", size(maximum))
}

func (s *session) noLeftovers(games []*played) finding {
	if !seesProcesses {
		return absent("this system does not show which processes a program has started")
	}
	for _, p := range games {
		if len(p.detached) > 0 {
			return failed(p.evidence(), "when a game is over, all processes that it has started belong to it and end with it",
				"%s of its own, in a session of their own or left by their parent: %s", text.Count(len(p.detached), "process"), strings.Join(p.detached, "; "))
		}
	}
	return passed("%d games", len(games))
}

func (s *session) memory(games []*played) finding {
	maximum := int64(0)
	for _, p := range games {
		maximum = max(maximum, p.postmortem().Exit.MaxRSS)
	}
	if maximum == 0 {
		return skipped("it is not known how much the program used")
	}
	return passed("at most %s (resident)%s", size(maximum), s.lastOnly())
}

func (s *session) processorTime(games []*played) finding {
	var sum, maximum time.Duration
	for _, p := range games {
		used := p.postmortem().Exit.User + p.postmortem().Exit.System
		sum, maximum = sum+used, max(maximum, used)
	}
	return passed("%v a game on average, %v at most%s", short(sum/time.Duration(len(games))), short(maximum), s.lastOnly())
}

// lastOnly says what is not known of programs that are started for each question.
func (s *session) lastOnly() string {
	if s.oneShot() {
		return ", by the last process of a game"
	}
	return ""
}

// size writes a number of bytes for people, rounded down.
func size(n int64) string {
	switch {
	case n >= 10<<20:
		n &^= 1<<20 - 1
	case n >= 10<<10:
		n &^= 1<<10 - 1
	}
	return text.Bytes(n)
}

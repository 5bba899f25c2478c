package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// The steps that play many full games.

// secondLevel is the weakest level of the game but random; empty: there is none.
func (s *session) secondLevel() string {
	if level := levels.Default(s.subject.Game); level.Name != everyLevel {
		return level.Name
	}
	return ""
}

// against are the full games against one level, from one seat.
func against(level string, seat game.Side) scenario {
	return scenario{name: fmt.Sprintf("%s-%v", level, seat), seat: seat, against: opponent{level: level}, depth: atLater}
}

// againstSecond plays the games against the second level, if there is one.
func (s *session) againstSecond(seat game.Side) finding {
	level := s.secondLevel()
	if level == "" {
		return absent("the game has no other level than %s", everyLevel)
	}
	return s.fullGames(against(level, seat))
}

// fullGames plays a quarter of all games.
func (s *session) fullGames(kinds ...scenario) finding {
	var all []*played
	var blocked string
	for _, kind := range kinds {
		for i := range s.options.Games / 4 {
			sc := kind
			sc.name = fmt.Sprintf("%s-%d", kind.name, i+1)
			p := s.play(sc)
			if p.blocked != "" {
				blocked = p.blocked
				break
			}
			if f, ok := p.unplayed(); ok && f.verdict == Skip {
				return f
			}
			all = append(all, p)
			if s.ctx.Err() != nil {
				return skipped("interrupted")
			}
		}
	}
	f := summary(all)
	if blocked != "" {
		if len(all) == 0 {
			return skipped("%s", blocked)
		}
		if f.verdict == Pass {
			return skipped("%s without a foul; then %s", text.Count(len(all), "game"), blocked)
		}
		f.happened += "; " + blocked
	}
	return f
}

// summary names each foul once, with the first game in which it happened.
func summary(all []*played) finding {
	var fouls []Foul
	var first *played
	var won, drawn, lost int
	var slowest, total time.Duration
	moves := 0
	for _, p := range all {
		w, e := p.observer, p.result.Ending
		slowest, total, moves = max(slowest, w.first, w.slowest), total+w.total, moves+w.own
		f := p.foul()
		switch {
		case f != nil:
			at := slices.IndexFunc(fouls, func(known Foul) bool { return known.Code == f.code })
			if at < 0 {
				fouls = append(fouls, Foul{Code: f.code, First: f.text, RecordText: p.record})
				at = len(fouls) - 1
			}
			fouls[at].Count++
			if first == nil {
				first = p
			}
		case e.Winner == nil:
			drawn++
		case *e.Winner == p.seat:
			won++
		default:
			lost++
		}
	}
	if first == nil {
		return passed("%s: %d won, %d drawn, %d lost; %d moves, %v on average, %v at most",
			text.Count(len(all), "game"), won, drawn, lost, moves, short(total/time.Duration(max(1, moves))), short(slowest))
	}
	slices.SortStableFunc(fouls, func(a, b Foul) int { return cmp.Compare(b.Count, a.Count) })
	var words []string
	for _, f := range fouls {
		words = append(words, fmt.Sprintf("%s ×%d, first: %s", f.Code, f.Count, f.First))
	}
	e := first.evidence()
	e.fouls = fouls
	return failed(e, text.Count(len(all), "game")+" without a foul", "%s", strings.Join(words, "; "))
}

// halfTime plays all games again with half the time for each move.
func (s *session) halfTime() finding {
	var kinds []scenario
	for _, level := range []string{everyLevel, s.secondLevel()} {
		for seat := range game.Side(2) {
			if level == "" {
				continue
			}
			sc := against(level, seat)
			sc.name, sc.half = "half-"+sc.name, true
			kinds = append(kinds, sc)
		}
	}
	return s.fullGames(kinds...)
}

// attended are all games in which the program was there, of which there is at least one if it can be
// started at all.
func (s *session) attended() (all []*played) {
	for seat := range wholeGames {
		s.play(wholeGames[seat])
		s.play(shortGames[seat])
	}
	for _, p := range s.games {
		if p.err == nil && p.postmortem().Program {
			all = append(all, p)
		}
	}
	return all
}

func (s *session) onlyAnswers(games []*played) finding {
	for _, p := range games {
		if f := p.foul(); f != nil && f.kind(p.postmortem()) == garbled && f.code != referee.IllegalMove {
			return failed(p.evidence(), "nothing but answers on standard output; all else belongs on standard error", "%s", f.text)
		}
	}
	return passed("%d games", len(games))
}

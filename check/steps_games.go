package check

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/referee/opening"
	"luzhanqi/text"
)

// The steps that play many full games.

// defaultLevel is the level of the game that plays when nobody says which; empty: that is random.
func (s *session) defaultLevel() string {
	if level := levels.Default(s.subject.Game); level.Name != everyLevel {
		return level.Name
	}
	return ""
}

// against are the full games against one level, from one seat.
func against(level string, seat game.Side) scenario {
	return scenario{name: fmt.Sprintf("%s-%v", level, seat), seat: seat, against: opponent{level: level}, depth: atLater, opened: level == everyLevel}
}

// opening is how a game begins with a program whose dialect has its extension for openings: with set-ups and moves or, where the
// program is player 2 and the game has positions, with one of these and a move.
func (s *session) opening(sc scenario) (o game.Opening, err error) {
	g, p := s.subject.Game, s.subject.Program.Protocol
	if p.Kind() == game.OneShot || !game.TellsOpenings(p) {
		return o, nil
	}
	r := rand.New(rand.NewPCG(s.options.Seed, uint64(numberOf(sc.name))))
	if g.HasSetUp() {
		for side := range o.SetUps {
			o.SetUps[side] = g.RandomSetUp(r)
		}
	}
	start, err := g.New(s.subject.Rules, o.SetUps)
	if err != nil {
		return o, err
	}
	o.Moves = opening.Draw(r, start, openingPlies, s.subject.Outcome)
	placed, ok := g.(game.Positional)
	if !ok || sc.seat == game.First {
		return o, nil
	}
	pos := start
	for _, m := range o.Moves {
		pos = pos.Play(m)
	}
	o = game.Opening{Position: string(placed.FormatPosition(pos))}
	if pos, err = o.Placed(g, s.subject.Rules); err == nil {
		o.Moves = opening.Draw(r, pos, 1, s.subject.Outcome)
	}
	return o, err
}

// openingPlies are the moves of an opening: odd, so that the second side begins.
const openingPlies = 5

// againstDefault plays the games against the default level, if that is another one.
func (s *session) againstDefault(seat game.Side) finding {
	level := s.defaultLevel()
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
	for _, level := range []string{everyLevel, s.defaultLevel()} {
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

package marks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"luzhanqi/grading/course"
	"luzhanqi/referee"
	"luzhanqi/text"
)

// because says what the program did, for each way in which its own fault ends a game.
var because = map[referee.Code]string{
	referee.Resigned:     "your program resigned",
	referee.IllegalMove:  "your program played an illegal move",
	referee.IllegalSetUp: "your program made an illegal set-up",
	referee.Unreadable:   "what your program answered could not be read",
	referee.TimedOut:     "your program did not answer in time",
	referee.Crashed:      "your program ended by itself in the middle of the game",
	referee.Closed:       "your program closed its standard output in the middle of the game",
	referee.Disconnected: "the connection to your program was lost",
	referee.Flooded:      "your program wrote more than any answer or log can have",
}

// level marks the score against a staff level.
func level(rule course.Item, s *LevelGames) (share float64, summary string, reasons []Reason) {
	points, won, drawn, lost := 0.0, 0, 0, 0
	for i := range s.Games {
		points += s.Games[i].Points
		switch s.Games[i].Points {
		case 1:
			won++
		case 0:
			lost++
		default:
			drawn++
		}
	}
	n := len(s.Games)
	summary = fmt.Sprintf("%s of %s against %s: %d won, %d drawn, %d lost", Format(points), text.Count(n, "point"), rule.Name, won, drawn, lost)
	return points / float64(n), summary, lostGames(rule, s.Games)
}

// group is the games that cost points in the same way.
type group struct {
	how   string // continues "2 of 4 games against greedy "
	order int
	games []*Game
}

func lostGames(rule course.Item, games []Game) (reasons []Reason) {
	groups := map[string]*group{}
	for i := range games {
		g := &games[i]
		if g.Points == 1 {
			continue
		}
		how, order := "were lost by the rules of the game", 1
		switch {
		case g.Points > 0:
			how, order = "were drawn", 2
		case g.Own:
			how, order = "were lost because "+because[g.Code], 0
		}
		if groups[how] == nil {
			groups[how] = &group{how: how, order: order}
		}
		groups[how].games = append(groups[how].games, g)
	}
	var sorted []*group
	for _, g := range groups {
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(a, b *group) int {
		return cmp.Or(a.order-b.order, len(b.games)-len(a.games), cmp.Compare(a.how, b.how))
	})
	for _, g := range sorted {
		reasons = append(reasons, g.reason(fmt.Sprintf("%d of %s against %s %s.", len(g.games), text.Count(len(games), "game"), rule.Name, g.how)))
	}
	return reasons
}

// reason shows the first game, if possible one whose record is kept.
func (g *group) reason(why string) Reason {
	first := g.games[0]
	if at := slices.IndexFunc(g.games, func(g *Game) bool { return g.Record != "" }); at >= 0 {
		first = g.games[at]
	}
	return Reason{
		Text: why, Detail: fmt.Sprintf("game %s: %s", first.ID, first.Reason),
		Lines: first.Lines, Exit: first.Exit, Stderr: first.Stderr, Record: first.Record, Board: first.Board,
	}
}

// discipline marks the share of games in which the time limits were kept.
func discipline(rule course.Item, e *Evidence) (share float64, summary string, reasons []Reason) {
	all, kept := 0, 0
	late := &group{how: "your program did not answer in time"}
	slow := &group{how: fmt.Sprintf("a move took more than %s %% of its limit", Format(cents(100*rule.Slow)))}
	none := &group{how: "your program failed before its first move"}
	for _, n := range slices.Sorted(maps.Keys(e.Matches)) {
		for i := range e.Matches[n].Games {
			g := &e.Matches[n].Games[i]
			all++
			switch {
			case g.withinLimits(rule.Slow):
				kept++
			case g.Own && g.Code == referee.TimedOut:
				late.games = append(late.games, g)
			case g.Slowest > rule.Slow:
				slow.games = append(slow.games, g)
			default:
				none.games = append(none.games, g)
			}
		}
	}
	for _, g := range []*group{late, slow, none} {
		if len(g.games) > 0 {
			reasons = append(reasons, g.reason(fmt.Sprintf("In %d of %s %s.", len(g.games), text.Count(all, "game"), g.how)))
		}
	}
	return float64(kept) / float64(all), fmt.Sprintf("limits kept in %d of %s", kept, text.Count(all, "game")), reasons
}

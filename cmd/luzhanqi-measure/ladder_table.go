package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"luzhanqi/game"
	"luzhanqi/tournament/rating"
)

// ladder is levels of a game, the weakest first, as the file of results names them.
type ladder struct {
	game  game.Game
	names []string
	seed  uint64
}

// Neighbours score between these: less, and nobody notices the difference; more, and nobody gets there.
const (
	leastStep = 65
	mostStep  = 85
)

// farOff is by how many points in a hundred two levels may miss what their joint ratings promise.
const farOff = 10

// scores are what the higher of each two levels took from the lower, by the pairs they played.
func (l *ladder) scores(f *panelFile) (scores map[[2]int]rating.Estimate, met []rating.Met) {
	scores = map[[2]int]rating.Estimate{}
	for j := range l.names {
		for i := range l.names[:j] {
			var t rating.Tally
			for _, p := range f.between(l.names[i], l.names[j], l.seed) {
				for n, g := range p.Games {
					t.Add(p.Pair, g.result().Swapped())
					met = append(met, asWins(i, j, n, g))
				}
			}
			if t.Games().Total() > 0 {
				scores[[2]int{i, j}] = rating.NewEstimate(t.Counts())
			}
		}
	}
	return scores, met
}

// asWins counts a game twice, so that a draw is a win and a loss: Bradley and Terry's own model, which promises scores. The
// model with draws of its own takes them to be as frequent between all levels, and here they are not: weak players never draw.
func asWins(i, j, n int, g playedGame) rating.Met {
	wins := int(2 * g.Points)
	if n == 1 { // the higher level moved first
		return rating.Met{First: j, Second: i, Wins: 2 - wins, Losses: wins}
	}
	return rating.Met{First: i, Second: j, Wins: wins, Losses: 2 - wins}
}

// promised is the score of the higher of two levels, seats exchanged, that the joint fit promises.
func promised(r rating.Ratings, i, j int) float64 {
	apart, first := r.Elo(j)-r.Elo(i), r.Advantage().Value
	return (rating.Score(apart+first) + rating.Score(apart-first)) / 2
}

// print writes the table, the weakest first, and what is not as it should be.
func (l *ladder) print(out io.Writer, f *panelFile) error {
	scores, met := l.scores(f)
	ratings, err := rating.Fit(len(l.names), met)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprint(w, "level\tElo, joint fit\tagainst the one before\tgames\t\n")
	var worst string
	worstBy := -1.0
	for j, name := range l.names {
		e := ratings.FromMean(j)
		// Every game was counted twice.
		fmt.Fprintf(w, "%s\t%s ± %.0f", strings.TrimPrefix(name, l.game.Name()+":"), rating.Signed(e.Value-ratings.Elo(0), 0), e.Error()*math.Sqrt2)
		for i := range l.names[:j] {
			s, ok := scores[[2]int{i, j}]
			if ok {
				if off := 100 * (s.Score.Value - promised(ratings, i, j)); math.Abs(off) > worstBy {
					worstBy = math.Abs(off)
					worst = fmt.Sprintf("%s against %s takes %.1f ± %.1f %%, and %.1f by the joint fit: %+.1f points",
						name, l.names[i], 100*s.Score.Value, 100*s.Score.Error(), 100*promised(ratings, i, j), off)
				}
			}
			if i < j-1 {
				continue
			}
			games := 2 * len(f.between(l.names[i], name, l.seed))
			if !ok {
				fmt.Fprint(w, "\t\t0\t")
				continue
			}
			note := ""
			switch percent := 100 * s.Score.Value; {
			case percent < leastStep:
				note = fmt.Sprintf("below %d", leastStep)
			case percent > mostStep:
				note = fmt.Sprintf("above %d", mostStep)
			}
			fmt.Fprintf(w, "\t%.1f ± %.1f %%\t%d\t%s", 100*s.Score.Value, 100*s.Score.Error(), games, note)
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil || worst == "" {
		return err
	}
	_, err = fmt.Fprintf(out, "furthest off: %s (allowed are %d)\n", worst, farOff)
	return err
}

package main

import (
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/tournament/rating"
)

// tally is how a match went for the first of two players.
type tally struct {
	names   [2]string
	games   int
	counts  rating.Games
	endings map[string]int
	lost    []string // which games, and how
	plies   int
	slowest [2]time.Duration
	moves   [2]int
	took    [2]time.Duration
	fights  [2]fights
}

// fights add up what the fights that a player of Luzhanqi began have won and lost, in pieces.
type fights struct{ begun, won, lost int }

func (t *tally) fight(p game.Position, i int, m game.Move) {
	l, ok := p.(*luzhanqi.Position)
	if !ok {
		return
	}
	b := l.Board()
	_, attacker, _ := b.At(m.From)
	_, defender, defended := b.At(m.To)
	if !defended {
		return
	}
	f := &t.fights[i]
	f.begun++
	result := luzhanqi.Combat(attacker, defender, false)
	if result.DefenderFalls() {
		f.won++
	}
	if result.AttackerFalls() {
		f.lost++
	}
}

// add takes in a game that the first player played from a side.
func (t *tally) add(n int, side game.Side, plies int, o game.Outcome) {
	t.plies += plies
	how := "lost"
	switch {
	case o.Draw:
		t.counts.Draws++
		how = "drawn"
	case o.Winner == side:
		t.counts.Wins++
		how = "won"
	default:
		t.counts.Losses++
		t.lost = append(t.lost, fmt.Sprintf("game %d as player %v after %d plies: %s", n, side, plies, o.Reason))
	}
	t.endings[how+": "+o.Reason]++
}

// String gives the score with 1.96 standard errors.
func (t *tally) String() string {
	var s strings.Builder
	score := rating.NewEstimate(t.counts).Score
	fmt.Fprintf(&s, "%s v %s: %.1f%% ± %.1f (%d games: %d won, %d drawn, %d lost; %d plies a game; %v)",
		t.names[0], t.names[1], 100*score.Value, 100*score.Error(),
		t.games, t.counts.Wins, t.counts.Draws, t.counts.Losses, t.plies/t.games, t.endings)
	for i, name := range t.names {
		mean := t.took[i] / time.Duration(max(t.moves[i], 1))
		fmt.Fprintf(&s, "\n  %s: %v a move, slowest %v", name, mean.Round(time.Microsecond), t.slowest[i].Round(time.Millisecond))
		if f := t.fights[i]; f.begun > 0 {
			n := float64(t.games)
			fmt.Fprintf(&s, "; %.1f fights begun a game, which won %.1f pieces and lost %.1f", float64(f.begun)/n, float64(f.won)/n, float64(f.lost)/n)
		}
	}
	for _, l := range t.lost {
		s.WriteString("\n  lost: " + l)
	}
	return s.String()
}

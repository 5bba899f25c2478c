package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
)

// fightsCommand measures adverse selection: what a player expects of the fights that it begins with pieces of which it
// does not know what they are, and what it gains. Whoever chooses the fights that look best has chosen those about
// which it errs, too.
type fightsCommand struct {
	Players []string `arg:"" help:"Levels or variants of Luzhanqi that play, as match names them."`
	Against []string `default:"strong" help:"Players against whom (default ${default})."`
	Games   int      `short:"n" default:"40" help:"Games against each (default ${default})."`
	Nodes   int      `default:"30000" help:"Positions a move for players that would use the time (default ${default})."`
	Seed    uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
}

// begun are fights of one kind, in hundredths of the unit of material: sums, and sums of squares of what was expected less gained.
type begun struct {
	n                int
	expected, gained float64
	square           float64
	chance, won      float64 // that the defender falls
}

func (f *begun) add(expected, gained, chance, won float64) {
	f.n++
	f.expected += expected
	f.gained += gained
	f.square += (expected - gained) * (expected - gained)
	f.chance += chance
	f.won += won
}

// Run implements the command.
func (c *fightsCommand) Run(out io.Writer) error {
	if c.Games < 1 {
		return fmt.Errorf("--games %d: allowed are whole numbers from 1", c.Games)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "fights begun with\ta game\texpected\tgained\tless\tfalls, expected\tfell")
	for _, name := range c.Players {
		for _, against := range c.Against {
			var all fightsOf
			for n := range c.Games {
				if err := c.play(name, against, n, &all); err != nil {
					return fmt.Errorf("%s against %s, game %d: %w", name, against, n, err)
				}
			}
			fmt.Fprintf(t, "%s against %s\n", name, against)
			for i := range all {
				all[i].print(t, fightNames[i], c.Games)
			}
		}
	}
	return t.Flush()
}

// fightsOf are by kind.
type fightsOf [4]begun

var fightNames = [4]string{
	"unknown pieces that have moved", "the same, by a 7, 8 or 9", "the same, by others", "unknown pieces that have not moved",
}

func (f *begun) print(out io.Writer, name string, games int) {
	if f.n == 0 {
		fmt.Fprintf(out, "  %s\t0\n", name)
		return
	}
	n := float64(f.n)
	mean := (f.expected - f.gained) / n
	err := 1.96 * math.Sqrt(max(f.square/n-mean*mean, 0)/max(n-1, 1))
	fmt.Fprintf(out, "  %s\t%.1f\t%+.0f\t%+.0f\t%+.0f ± %.0f\t%.1f %%\t%.1f %%\n", name, n/float64(games), f.expected/n, f.gained/n, mean, err, 100*f.chance/n, 100*f.won/n)
}

// play plays one game and adds the fights that the player began in it.
func (c *fightsCommand) play(name, against string, n int, all *fightsOf) error {
	own, err := find(rules.Game{}, name, player.Options{Nodes: c.Nodes, Threads: 1})
	if err != nil {
		return err
	}
	explainer, ok := own.(player.Explainer)
	if !ok {
		return errors.New("says nothing of what it believes")
	}
	var known *hiddeninfo.Belief // by what was observed
	d := duel{against: against, nodes: c.Nodes, seed: c.Seed}
	_, err = d.play(own, n, func(_ player.Player, p game.Position, m game.Move) {
		v := p.View(p.Mover()).(*rules.View)
		if known == nil {
			known = hiddeninfo.New(v)
		} else {
			known.Update(v)
		}
		piece, ok := known.PieceAt(m.To)
		if !ok || known.Mask(piece).Len() == 1 {
			return
		}
		why, _ := explainer.Explain()
		i := slices.IndexFunc(why.Belief, func(s player.Suspicion) bool { return s.Square == rules.SquareName(m.To) })
		if i < 0 { // by this it was not chosen
			return
		}
		board := p.(*rules.Position).Board()
		_, attacker, _ := board.At(m.From)
		_, defender, _ := board.At(m.To)
		expected, chance := 0.0, 0.0
		for _, rank := range rules.Ranks {
			gain, falls := fought(attacker, rank, v.MinesStay())
			part := why.Belief[i].Odds[string(rank.Letter())]
			expected, chance = expected+part*gain, chance+part*falls
		}
		gained, fell := fought(attacker, defender, v.MinesStay())
		if at, _ := known.SquareOf(piece); at == known.Initial(piece) {
			all[3].add(expected, gained, chance, fell)
			return
		}
		all[0].add(expected, gained, chance, fell)
		if attacker >= rules.MajorGeneral && attacker <= rules.FieldMarshal {
			all[1].add(expected, gained, chance, fell)
		} else {
			all[2].add(expected, gained, chance, fell)
		}
	})
	return err
}

// fought is what a fight gains, and whether the defender falls.
func fought(attacker, defender rules.Rank, minesStay bool) (gain, fell float64) {
	if rules.Combat(attacker, defender, minesStay).DefenderFalls() {
		fell = 1
	}
	return float64(luzhanqi.FightGain(attacker, defender, minesStay)), fell
}

package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"text/tabwriter"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

// beliefCommand measures what beliefs about the pieces of players are worth, in games that each of them plays
// against one opponent, whose belief it is.
type beliefCommand struct {
	Players  []string `arg:"" help:"Levels or variants of Luzhanqi, as match names them."`
	Opponent string   `default:"strong-f665184" help:"Player against whom each plays (default ${default})."`
	Games    int      `short:"n" default:"20" help:"Games of each (default ${default})."`
	Nodes    int      `default:"2000" help:"Positions a move for players that would use the time (default ${default})."`
	Ply      int      `default:"60" help:"Ply after which beliefs are judged; the second number is the mean of every tenth up to it (default ${default})."`
	Seed     uint64   `default:"1" help:"Seed of every random choice (default ${default})."`

	Prior       float64 `default:"-1" help:"Trust in the weights of makers, in place of that of strong."`
	Likelihoods float64 `default:"-1" help:"Trust in the likelihoods of moves, in place of that of strong; for makers of whom nothing is known, in proportion."`
	Strangers   float64 `default:"-1" help:"Trust in the likelihoods of moves of makers of whom nothing is known, in place of that."`
}

// judged is one opinion over all games of a player.
type judged struct {
	name  string
	trust likelihood.Trust
	table likelihood.Learned
	last  hiddeninfo.Evaluation // after the ply
	all   hiddeninfo.Evaluation
	games []float64 // nats a piece after the ply, by game
}

// Run implements the command.
func (c *beliefCommand) Run(out io.Writer) error {
	if c.Games < 1 || c.Ply < 1 {
		return fmt.Errorf("--games %d, --ply %d: allowed are whole numbers from 1", c.Games, c.Ply)
	}
	now := luzhanqi.Strong.Trust
	now.Makers = true
	if c.Prior >= 0 {
		now.Prior = c.Prior
	}
	if c.Likelihoods >= 0 {
		now = now.WithLikelihoods(c.Likelihoods)
	}
	if c.Strangers >= 0 {
		now.Strangers = c.Strangers
	}
	reserved := now
	reserved.Strangers = 0
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "nats a hidden piece\tafter ply %d\tto it\tagainst constraints, by game\n", c.Ply)
	for _, name := range c.Players {
		opinions := []*judged{
			{name: "constraints", table: likelihood.Default()},
			{name: "f665184", trust: likelihood.Trust{Prior: 0.5, Likelihoods: 0.7}, table: likelihood.F665184()},
			{name: "makers", trust: likelihood.Trust{Prior: now.Prior, Makers: true}, table: likelihood.Default()},
			{name: "strangers without habits", trust: reserved, table: likelihood.Default()},
			{name: "makers and habits", trust: now, table: likelihood.Default()},
		}
		styles := map[string]float64{}
		for n := range c.Games {
			if err := c.play(name, n, opinions, styles); err != nil {
				return fmt.Errorf("%s, game %d: %w", name, n, err)
			}
		}
		for _, o := range opinions {
			fmt.Fprintf(t, "%s: %s\t%.3f\t%.3f\t%s\n", name, o.name, o.last.LogLoss(), o.all.LogLoss(), o.against(opinions[0]))
		}
		fmt.Fprintf(t, "%s: made by\t%s\n", name, shares(styles))
	}
	return t.Flush()
}

// against is the mean difference of games, with twice its standard error.
func (o *judged) against(other *judged) string {
	sum, square, n := 0.0, 0.0, float64(len(o.games))
	for i := range o.games {
		d := o.games[i] - other.games[i]
		sum, square = sum+d, square+d*d
	}
	if n < 2 || o == other {
		return ""
	}
	mean := sum / n
	return fmt.Sprintf("%+.3f ± %.3f", mean, 1.96*math.Sqrt(max(square/n-mean*mean, 0)/(n-1)))
}

func shares(styles map[string]float64) string {
	total := 0.0
	for _, p := range styles {
		total += p
	}
	var all []string
	for _, name := range likelihood.DefaultMakers().Names {
		all = append(all, fmt.Sprintf("%s %.0f %%", name, 100*styles[name]/total))
	}
	return strings.Join(all, ", ")
}

// play plays a game up to the ply and judges what the opponent believes about the player's pieces.
func (c *beliefCommand) play(name string, n int, opinions []*judged, styles map[string]float64) error {
	side := game.Side(n & 1) // of the player
	var players [2]player.Player
	var setUps [2]rules.SetUp
	var random [2]*rand.Rand
	for s := range game.Side(2) {
		who := c.Opponent
		if s == side {
			who = name
		}
		p, err := find(rules.Game{}, who, player.Options{Nodes: c.Nodes, Threads: 1})
		if err != nil {
			return err
		}
		players[s], random[s] = p, rand.New(rand.NewPCG(c.Seed, uint64(n)<<1|uint64(s)))
		if setUps[s], err = rules.ParseSetUp(string(p.SetUp(random[s]))); err != nil {
			return err
		}
	}
	var truth hiddeninfo.World
	for p, home := range hiddeninfo.Homes {
		truth[p] = setUps[side].At(home)
	}
	p := rules.NewPosition(setUps[0], setUps[1], false)
	watchers := make([]*likelihood.Watcher, len(opinions))
	for i, o := range opinions {
		watchers[i] = likelihood.Watch(p.View(side.Other()).(*rules.View), o.table, o.trust)
	}
	for p.Ply() < c.Ply {
		mover := p.Mover()
		showTruth(players[mover], p)
		p = p.Play(players[mover].Choose(p.View(mover), time.Now().Add(time.Hour), random[mover])).(*rules.Position)
		_, over := p.Outcome()
		if !over && p.Ply()%10 != 0 {
			continue
		}
		view := p.View(side.Other()).(*rules.View)
		for i, o := range opinions {
			w := watchers[i]
			w.Update(view)
			m, hidden := w.Belief.Marginals(), w.Belief.Hidden()
			if over { // the latest move has shown the flag
				break
			}
			o.all.Add(m, &truth, hidden)
			if p.Ply() == c.Ply {
				o.last.Add(m, &truth, hidden)
				o.games = append(o.games, hiddeninfo.LogLoss(m, &truth, hidden))
				if o.trust.Makers && i == len(opinions)-1 {
					all := w.Belief.Styles()
					total := 0.0 // less than 1 by the doubt
					for _, p := range all {
						total += p
					}
					for style, p := range all {
						styles[likelihood.DefaultMakers().Names[style]] += p / total
					}
				}
			}
		}
		if over {
			break
		}
	}
	return nil
}

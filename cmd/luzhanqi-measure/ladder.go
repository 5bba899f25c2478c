package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// ladderCommand plays the levels of a game against each other, for they are the staff of courses: whoever beats one of
// them should have a worthy next opponent, so neighbours must be neither equal nor out of reach.
type ladderCommand struct {
	Game   string   `arg:"" help:"Game whose levels are measured."`
	Levels []string `placeholder:"NAME" help:"Levels or variants in the order of the ladder, as match names them; left out, all levels but styles."`

	Nodes int      `default:"30000" help:"Positions a move of those that would use the time (default ${default})."`
	Games int      `short:"n" default:"400" help:"Games of each two neighbours (default ${default})."`
	Far   int      `default:"40" help:"Games of each other two (default ${default})."`
	Deep  []string `placeholder:"NAME" help:"Levels that take long: those of their games that are played are --few."`
	Few   int      `default:"40" help:"Games of each two of which one is deep (default ${default})."`
	openings
	Seed    uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
	Results string        `type:"path" placeholder:"FILE" help:"File that every pair is added to, and from which an interrupted run goes on; one for each game."`
	For     time.Duration `placeholder:"TIME" help:"Start no pair of games after that time; what is missing is played by the next run with the same --results."`
}

// Run implements the command.
func (c *ladderCommand) Run(out io.Writer) error {
	g, err := games.Find(c.Game)
	if err != nil {
		return err
	}
	names := c.Levels
	if len(names) == 0 {
		for _, l := range levels.Of(g) {
			if !l.Style {
				names = append(names, l.Name)
			}
		}
	}
	if len(names) < 2 || c.Games < 2 || c.Far < 0 || c.Few < 0 {
		return fmt.Errorf("ladder of %d levels, %d games of neighbours, %d of others, %d of deep ones: allowed are 2 or more levels, 2 or more games, 0 or more, 0 or more",
			len(names), c.Games, c.Far, c.Few)
	}
	for i, name := range names {
		if _, err := find(g, c.budgeted(g, name), player.Options{}); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("--levels: %s is there twice: must be different ones", name)
		}
	}
	for _, deep := range c.Deep {
		if !slices.Contains(names, deep) {
			return fmt.Errorf("--deep: %s is no level of this ladder: allowed are %s", deep, strings.Join(names, ", "))
		}
	}
	f, err := openPanel(c.Results)
	if err != nil {
		return err
	}
	defer f.close()
	l := ladder{game: g, seed: c.Seed}
	for _, name := range names {
		l.names = append(l.names, g.Name()+":"+c.budgeted(g, name))
	}
	inTime := within(c.For)
	for pair, going := 0, true; going && inTime(); pair++ { // all by turns, so that an interrupted run tells something of all
		going = false
		for i := range names {
			for j := range names[:i] {
				if 2*pair >= c.games(names, j, i) || !inTime() {
					continue
				}
				going = true
				if err := c.playPair(f, g, [2]string{l.names[j], l.names[i]}, pair); err != nil {
					return err
				}
			}
		}
	}
	return l.print(out, f)
}

// games is how many two levels play.
func (c *ladderCommand) games(names []string, i, j int) int {
	n := c.Far
	if j == i+1 {
		n = c.Games
	}
	for _, deep := range c.Deep {
		if names[i] == deep || names[j] == deep {
			n = min(n, c.Few)
		}
	}
	return n
}

// budgeted is the name of a level with its budget if it would use the time. The file of results has the game before it.
func (c *ladderCommand) budgeted(g game.Game, name string) string {
	if l, err := levels.Find(g, name); err == nil && l.Timed {
		name = fmt.Sprintf("%s@%d", name, c.Nodes)
	}
	return name
}

// playPair plays both games of a pair, unless the file has them.
func (c *ladderCommand) playPair(f *panelFile, g game.Game, named [2]string, pair int) error {
	names := named
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], g.Name()+":")
	}
	m := matchCommand{Threads: 1, Seed: c.Seed, openings: c.openings}
	_, err := f.play(playedPair{Players: named, Seed: c.Seed, Pair: pair}, func(n int) (playedGame, error) {
		o, plies, err := m.playOut(io.Discard, g, 2*pair+n, &tally{names: names})
		return playedGame{Points: o.Points(game.Side(n)), Plies: plies, Reason: o.Reason}, err
	})
	return err
}

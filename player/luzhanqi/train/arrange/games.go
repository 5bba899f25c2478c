package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/player/luzhanqi/stranger"
)

type gamesCommand struct {
	Book    string   `required:"" placeholder:"FILE" help:"Book whose set-ups are varied."`
	Against []string `required:"" placeholder:"PLAYERS" help:"Opponents in turn: levels of Luzhanqi, styles of package stranger or of files (.json), and rusher or drawn, which are drawn anew for each game."`
	Games   int      `required:"" help:"Games to play."`
	Nodes   int      `default:"6000" help:"Positions a move (default ${default})."`
	Seed    uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
	Out     string   `required:"" type:"path" placeholder:"FILE" help:"File to write the games to."`
}

// mostExchanges are of pairs of pieces in a set-up of the book.
const mostExchanges = 8

// mostGames is more than anybody has time for.
const mostGames = 10_000_000

// Run implements the command. What it writes does not depend on the number of processors.
func (c *gamesCommand) Run() error {
	if c.Games < 1 || c.Games > mostGames || c.Nodes < 1 || len(c.Against) == 0 {
		return fmt.Errorf("--games %d, --nodes %d, --against %q: allowed are whole numbers from 1, at most %d games, and an opponent at least",
			c.Games, c.Nodes, c.Against, mostGames)
	}
	book, err := readBook(c.Book)
	if err != nil {
		return err
	}
	for _, name := range c.Against { // before hours are played
		if strings.ContainsAny(name, " \t\r\n") {
			return fmt.Errorf("--against %q: must have no blanks, since a game is written as three words", name)
		}
		if _, _, err := c.opponent(name, rand.New(rand.NewPCG(1, 1))); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Dir(c.Out)); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	lines, errs := make([]string, c.Games), make([]error, c.Games)
	next := make(chan int)
	var failed atomic.Bool
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range next {
				if lines[n], errs[n] = c.play(book, n); errs[n] != nil {
					errs[n] = fmt.Errorf("game %d: %w", n, errs[n])
					failed.Store(true)
				}
			}
		})
	}
	for n := range lines {
		if failed.Load() {
			break
		}
		next <- n
	}
	close(next)
	workers.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	header := fmt.Sprintf("# set-up, opponent, points; made by\n# go run ./player/luzhanqi/train/arrange games --book %s --against %s --games %d --nodes %d --seed %d --out FILE\n",
		c.Book, strings.Join(c.Against, ","), c.Games, c.Nodes, c.Seed)
	return os.WriteFile(c.Out, []byte(header+strings.Join(lines, "")), 0o666)
}

// play plays the game of a number, and returns its line.
func (c *gamesCommand) play(book []rules.SetUp, n int) (string, error) {
	r := rand.New(rand.NewPCG(c.Seed, uint64(n)))
	own := exchanged(book[r.IntN(len(book))], r.IntN(mostExchanges+1), r)
	against := c.Against[n%len(c.Against)]
	enemy, theirs, err := c.opponent(against, r)
	if err != nil {
		return "", err
	}
	if r.IntN(2) == 0 {
		theirs = stranger.SetUp{SetUp: theirs}.Mirrored().SetUp
	}
	strong, err := levels.Find(rules.Game{}, "strong")
	if err != nil {
		return "", err
	}
	seat := game.Side(n / len(c.Against) & 1)
	var players [2]player.Player
	var setUps [2]rules.SetUp
	players[seat], setUps[seat] = strong.New(rules.Game{}, player.Options{Nodes: c.Nodes, Threads: 1}), own
	players[seat.Other()], setUps[seat.Other()] = enemy, theirs
	random := [2]*rand.Rand{rand.New(rand.NewPCG(^c.Seed, uint64(n)<<1)), rand.New(rand.NewPCG(^c.Seed, uint64(n)<<1|1))}
	points := 0.5
	const longest = 800 // plies, after which few games are won any more
	for p := rules.NewPosition(setUps[0], setUps[1], false); p.Ply() < longest; {
		if o, over := p.Outcome(); over {
			points = o.Points(seat)
			break
		}
		side := p.Mover()
		m := players[side].Choose(p.View(side), time.Now().Add(time.Hour), random[side])
		if err := p.Check(m); err != nil {
			return "", err
		}
		p = p.Play(m).(*rules.Position)
	}
	var letters strings.Builder
	for sq := range standing.All() {
		letters.WriteByte(own.At(sq).Letter())
	}
	return fmt.Sprintf("%s %s %v\n", letters.String(), against, points), nil
}

// standing are the squares on which a set-up has pieces.
const standing = rules.OwnHalf &^ rules.Camps

// opponent is one with a set-up: a level, or a style, drawn, by name, or of a file.
func (c *gamesCommand) opponent(name string, r *rand.Rand) (player.Player, rules.SetUp, error) {
	style, none := stranger.Find(name)
	if strings.HasSuffix(name, ".json") {
		if style, none = stranger.ReadFile(name); none != nil {
			return nil, rules.SetUp{}, none
		}
	}
	if none == nil || name == "rusher" || name == "drawn" {
		rusher := stranger.DrawnRusher(r) // whoever plays: what is drawn after it has been so
		switch name {
		case "rusher":
			style = rusher
		case "drawn":
			style = stranger.Drawn(r)
		}
		return stranger.New(&style), style.SetUps[0].SetUp, nil
	}
	l, err := levels.Find(rules.Game{}, name)
	if err != nil {
		return nil, rules.SetUp{}, fmt.Errorf("%w; or rusher, or drawn; %w", err, none)
	}
	p := l.New(rules.Game{}, player.Options{Nodes: c.Nodes, Threads: 1})
	s, err := rules.ParseSetUp(string(p.SetUp(r)))
	return p, s, err
}

// readGames reads what the command games has written.
func readGames(path string) (all []played, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for number, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		g, err := readGame(line)
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %q: %w", path, number+1, line, err)
		}
		all = append(all, g)
	}
	if len(all) < 20 {
		return nil, fmt.Errorf("%s: %d games, must be 20 at least", path, len(all))
	}
	return all, nil
}

func readGame(line string) (g played, err error) {
	fields := strings.Fields(line)
	if len(fields) != 3 || len(fields[0]) != rules.ArmySize {
		return g, fmt.Errorf("must be %d ranks, an opponent and points", rules.ArmySize)
	}
	var ranks [squares]rules.Rank
	n := 0
	for sq := range standing.All() {
		if ranks[sq], err = rules.ParseRank(fields[0][n]); err != nil {
			return g, err
		}
		n++
	}
	if g.setUp, err = rules.NewSetUp(ranks); err != nil {
		return g, err
	}
	g.setUp, g.against = framed(g.setUp), fields[1]
	if g.points, err = strconv.ParseFloat(fields[2], 64); err == nil && !(g.points >= 0 && g.points <= 1) {
		err = fmt.Errorf("%v points: must be from 0 to 1", g.points)
	}
	return g, err
}

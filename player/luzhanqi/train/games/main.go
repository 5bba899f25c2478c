// Command games plays games of Luzhanqi to learn from: strong by short searches against itself, the other levels and strangers.
//
//	go run ./player/luzhanqi/train/games --out panel.gz --games 16000 --seed 2
//	go run ./player/luzhanqi/train/games --out levels.gz --games 4000 --seed 3 --cast levels
//	go run ./player/luzhanqi/train/games --out drawn.gz --games 12800 --seed 4 --cast drawn
//
// Interrupted, it goes on from its file: a game depends on the seed and its number alone.
package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/player/luzhanqi/train/gamefile"
)

type command struct {
	Out   string `required:"" type:"path" help:"File that games are added to." placeholder:"FILE"`
	Games int    `default:"25600" help:"Games in all (default ${default})."`
	Nodes int    `default:"2000" help:"Positions a move for players that would use the time (default ${default})."`
	Cast  string `default:"panel" enum:"panel,levels,drawn" help:"Who plays against strong: strong itself and the panel of strangers, the weaker levels, or styles and set-ups that are drawn (${enum}; default ${default})."`
	Seed  uint64 `default:"1" help:"Seed of every random choice (default ${default})."`
}

func main() {
	c := &command{}
	parsed := kong.Parse(c, kong.Description("Plays games of Luzhanqi to learn from."))
	parsed.FatalIfErrorf(c.run(os.Stdout))
}

// part is how many of a hundred games somebody plays.
type part struct {
	share int
	name  string
}

// drawn is the name of who plays a style that is drawn; before another name: that player, with a set-up that is drawn.
const drawn = "drawn"

var casts = map[string][]part{
	"panel": {
		{50, "strong"},
		{8, "medium"},
		{6, "strong-f665184"},
		{3, "greedy"},
		{2, "rush"},
		{4, "column"},
		{4, "sideways"},
		{3, "exchange"},
		{3, "engineers"},
		{3, "sevens"},
		{3, "feint"},
		{2, "centre"},
		{2, "bombs"},
		{3, "exchanger"},
		{2, "waiter"},
		{1, "counter"},
		{1, "defender"},
	},
	"levels": {
		{16, "random"},
		{24, "greedy"},
		{18, "easy"},
		{8, "naive"},
		{10, "medium"},
		{12, "strong-f665184"},
		{12, "rush"},
	},
	drawn: {
		{56, drawn},
		{10, drawn + " random"},
		{10, drawn + " greedy"},
		{6, drawn + " rush"},
		{6, drawn + " easy"},
		{8, drawn + " medium"},
		{4, drawn + " strong"},
	},
}

func draw(cast []part, r *rand.Rand) string {
	n := r.IntN(100)
	for _, p := range cast {
		if n -= p.share; n < 0 {
			return p.name
		}
	}
	return cast[0].name
}

// newPlayer makes a player for one game.
func newPlayer(name string, nodes int, r *rand.Rand) (player.Player, error) {
	if name == drawn {
		s := stranger.Drawn(r)
		return stranger.New(&s), nil
	}
	named, ok := strings.CutPrefix(name, drawn+" ")
	p, err := newNamed(named, nodes, r)
	if ok {
		p = placed{p}
	}
	return p, err
}

// placed is a player whose set-up is drawn.
type placed struct{ player.Player }

// SetUp implements player.Player.
func (placed) SetUp(r *rand.Rand) game.SetUp { return game.SetUp(stranger.DrawnSetUp(r).String()) }

// brief is strong for many games: it has few worlds and short playouts, and believes what the frozen level believes, for to count for
// every maker takes ten times as long as all its playouts.
func brief() luzhanqi.Style {
	s := luzhanqi.Strong
	s.Worlds, s.Most, s.Workers, s.Plies, s.Full = 16, 0, 1, 10, 0
	s.Trust, s.Learned = luzhanqi.F665184.Trust, luzhanqi.F665184.Learned
	return s
}

func newNamed(name string, nodes int, r *rand.Rand) (player.Player, error) {
	o := player.Options{Nodes: nodes, Threads: 1}
	if name == "strong" {
		s := brief()
		s.SetUps = []luzhanqi.SetUpSource{luzhanqi.FromBook, luzhanqi.FromBook, luzhanqi.ByRows, luzhanqi.AsGreedy}[r.IntN(4)]
		return luzhanqi.NewSearcher(s, o), nil
	}
	l, err := levels.Find(rules.Game{}, name)
	if err != nil {
		return nil, err
	}
	return l.New(rules.Game{}, o), nil
}

// longest is the number of plies after which a game counts as drawn.
const longest = 800

// play plays one game. In half of the games some moves are random, so that there are positions nobody would choose.
func (c *command) play(n int) (gamefile.Game, error) {
	r := rand.New(rand.NewPCG(c.Seed, uint64(n)))
	g := gamefile.Game{Number: n, Players: [2]string{"strong", draw(casts[c.Cast], r)}}
	if n&1 == 1 {
		g.Players[0], g.Players[1] = g.Players[1], g.Players[0]
	}
	var players [2]player.Player
	for side, name := range g.Players {
		p, err := newPlayer(name, c.Nodes, r)
		if err != nil {
			return g, err
		}
		players[side] = p
		g.SetUps[side] = string(p.SetUp(r))
	}
	armies, err := g.Armies()
	if err != nil {
		return g, err
	}
	noise := []float64{0, 0, 0.04, 0.12}[r.IntN(4)]
	p := rules.NewPosition(armies[0], armies[1], false)
	var moves []string
	for p.Ply() < longest {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		v := p.View(side)
		m := players[side].Choose(v, time.Now().Add(time.Hour), r)
		if r.Float64() < noise {
			all := v.Moves(nil)
			m = all[r.IntN(len(all))]
		}
		moves = append(moves, rules.MoveName(m))
		p = p.Play(m).(*rules.Position)
	}
	o, over := p.Outcome()
	if !over {
		o = game.Drawn("plies")
	}
	g.Points, g.Moves = o.Points(game.First), strings.Join(moves, ",")
	return g, nil
}

// together is how many games are written at once.
const together = 100

func (c *command) run(out io.Writer) error {
	if c.Games < 1 || c.Nodes < 1 {
		return fmt.Errorf("--games %d, --nodes %d: allowed are whole numbers from 1", c.Games, c.Nodes)
	}
	have := map[int]bool{}
	all, err := gamefile.Read(c.Out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for i := range all {
		have[all[i].Number] = true
	}
	file, err := os.OpenFile(c.Out, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	began := time.Now()
	next := make(chan int)
	var mu sync.Mutex
	var failed error
	note := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failed = errors.Join(failed, err)
	}
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var batch []gamefile.Game
			write := func() {
				mu.Lock()
				defer mu.Unlock()
				failed = errors.Join(failed, gamefile.Append(file, batch))
				batch = batch[:0]
			}
			for n := range next {
				g, err := c.play(n)
				if err != nil {
					note(fmt.Errorf("game %d: %w", n, err))
					continue
				}
				if batch = append(batch, g); len(batch) == together {
					write()
				}
			}
			write()
		})
	}
	played := 0
	for n := range c.Games {
		if have[n] {
			continue
		}
		next <- n
		if played++; played%1000 == 0 {
			fmt.Fprintf(out, "%d games, %v\n", played, time.Since(began).Round(time.Second))
		}
	}
	close(next)
	wg.Wait()
	return errors.Join(failed, file.Close())
}

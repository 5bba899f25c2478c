// Command arrange makes the book of set-ups from which the level strong of Luzhanqi draws, by what games say of who should stand where.
//
//	go run ./player/luzhanqi/train/arrange games --book player/luzhanqi/setups-f665184.txt --against tuned,tuned,reckless --games 9000 --seed 6 --out tuned.games
//	go run ./player/luzhanqi/train/arrange games --book player/luzhanqi/setups-f665184.txt \
//	    --against rusher,medium,rusher,strong-f665184,rusher,drawn,strong,rusher --games 14000 --seed 7 --out world.games
//	go run ./player/luzhanqi/train/arrange book --book player/luzhanqi/setups-f665184.txt --games tuned.games,world.games --out player/luzhanqi/setups.txt
//
// Its own set-ups are those of a book that was evolved in games of the quick policy, with up to eight pairs of pieces exchanged by chance.
// A game is one coin, and no single set-up is played often enough to know what it is worth; but each game says a little of every piece and its square. So what a
// rank is worth on a square is fitted to all games (fit.go), and set-ups are drawn by the sum of it, with flags and landmines where they were.
//
// The games were played at commit d7b2fb1; since then the level strong, who is among the opponents, has the book that was made of them.
package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
)

// commands are those of the program.
type commands struct {
	Games gamesCommand `cmd:"" help:"Play games with set-ups that are varied by chance."`
	Book  bookCommand  `cmd:"" help:"Make a book by what games say."`
}

func main() {
	parsed := kong.Parse(&commands{}, kong.Description("Arranges the set-ups of Luzhanqi by games."), kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	parsed.FatalIfErrorf(parsed.Run())
}

type bookCommand struct {
	Book  string   `required:"" placeholder:"FILE" help:"Book to begin with; the new one has as many set-ups."`
	Games []string `required:"" placeholder:"FILE,FILE" help:"Files of games."`
	Out   string   `required:"" type:"path" placeholder:"FILE" help:"File to write the book to."`
	Sure  float64  `default:"120" help:"How much worth counts: a set-up is drawn in proportion to e to the power of this many times it (default ${default})."`
	Steps int      `default:"3000" help:"Exchanges tried to draw a set-up (default ${default})."`
	Seed  uint64   `default:"1" help:"Seed of every random choice (default ${default})."`
}

// mostSure is more than anybody could want: the same set-up again and again.
const mostSure = 10_000

// Run implements the command.
func (c *bookCommand) Run(out io.Writer) error {
	if c.Steps < 1 || !(c.Sure >= 0 && c.Sure <= mostSure) {
		return fmt.Errorf("--steps %d, --sure %v: allowed are whole numbers from 1, and numbers from 0 to %d", c.Steps, c.Sure, mostSure)
	}
	book, err := readBook(c.Book)
	if err != nil {
		return err
	}
	var all []played
	for _, path := range c.Games {
		some, err := readGames(path)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	known, held := split(all, c.Seed)
	slope, deviation := fit(known).foretells(held)
	w := fit(all)
	r := rand.New(rand.NewPCG(c.Seed, 5))
	before, after := 0.0, 0.0
	weights := make([]float64, len(book))
	for i := range book {
		before += w.of(book[i]) / float64(len(book))
		book[i] = w.draw(book[i], c.Sure, c.Steps, r)
		after += w.of(book[i]) / float64(len(book))
		weights[i] = 1 / float64(len(book))
	}
	fmt.Fprintf(out, "%d games; of what the others foretell of %d of them, %.2f ± %.2f comes; by the fit to all, set-ups of the book were worth %+.1f points of a hundred in the mean, and are now worth %+.1f\n",
		len(all), len(held), slope, 1.96*deviation, 100*before, 100*after)
	header := fmt.Sprintf("# weight, then the ranks of A1, B1, … E6 without the camps; made by\n"+
		"# go run ./player/luzhanqi/train/arrange book --book %s --games %s --out FILE --sure %v --steps %d --seed %d\n",
		c.Book, strings.Join(c.Games, ","), c.Sure, c.Steps, c.Seed)
	return os.WriteFile(c.Out, []byte(header+luzhanqi.BookText(book, weights)), 0o666)
}

// readBook reads a book, all set-ups with the flag on the left.
func readBook(path string) ([]rules.SetUp, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	book, err := luzhanqi.ReadBook(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all := book.SetUps()
	for i, s := range all {
		all[i] = framed(s)
	}
	return all, nil
}

// framed is a set-up, or its mirror image, with the flag on the left: left and right are the same to the board.
func framed(s rules.SetUp) rules.SetUp {
	const right = 3 // D1
	if s.At(right) == rules.Flag {
		return stranger.SetUp{SetUp: s}.Mirrored().SetUp
	}
	return s
}

// draw draws one of the set-ups with the same flag and landmines, in proportion to e to the power of sure times its worth, as a walk does that begins with another and
// exchanges pieces (Metropolis and others, "Equation of state calculations by fast computing machines", 1953).
func (w *worths) draw(s rules.SetUp, sure float64, steps int, r *rand.Rand) rules.SetUp {
	now := w.of(s)
	for range steps {
		next := exchanged(s, 1, r)
		if v := w.of(next); r.Float64() < math.Exp(sure*(v-now)) {
			s, now = next, v
		}
	}
	return s
}

// exchanged lets so many pairs of pieces that move change places.
func exchanged(s rules.SetUp, pairs int, r *rand.Rand) rules.SetUp {
	for pairs > 0 {
		var ranks [squares]rules.Rank
		for sq := range ranks {
			ranks[sq] = s.At(game.Square(sq))
		}
		i, j := r.IntN(len(ranks)), r.IntN(len(ranks))
		if ranks[i] == ranks[j] || !ranks[i].Moves() || !ranks[j].Moves() {
			continue
		}
		ranks[i], ranks[j] = ranks[j], ranks[i]
		if next, err := rules.NewSetUp(ranks); err == nil {
			s = next
			pairs--
		}
	}
	return s
}

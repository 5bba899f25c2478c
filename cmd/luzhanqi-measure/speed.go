package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
)

// speedCommand measures what the referee costs, beside floors in C, of a ply that makes the same system calls and of starts in the
// same isolation, and beside fastchess.
//
// All programs answer at once, so that what is left is the referee and the kernel. The ways alternate within each round, so
// that whatever else the machine does meets all of them; what counts is the ratios of medians.
type speedCommand struct {
	Luzhanqi  []string      `placeholder:"PATH" sep:"none" help:"A binary of luzhanqi to measure; several are compared. Default: this source, built."`
	Fastchess string        `placeholder:"PATH" help:"A binary of fastchess. Without it there are only the floor and luzhanqi."`
	Rounds    int           `default:"5" help:"How often each way is measured (default ${default})."`
	Plies     int           `default:"2000" help:"Length of a long game (default ${default})."`
	Long      int           `default:"20" help:"Long games a round (default ${default})."`
	Short     int           `default:"400" help:"Games of 10 plies a round: with fewer, starts of the referees outweigh them (default ${default})."`
	Limit     time.Duration `default:"10s" help:"Time for a move: nothing of it is used (default ${default})."`
}

//go:embed speed
var speedSources embed.FS

// chessPlies is how long the scripted game of chess is.
const chessPlies = 1200

// bench is where everything is built and played.
type bench struct {
	*speedCommand
	dir string
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// way is one thing that is measured.
type way struct {
	name    string
	measure func() (sample, error)
	samples []sample
}

// sample holds the referee's own processor time a ply in µs, that of it and all that it has started and waited for (its
// supervisors and the programs), and plies a second; of short games both times are in ms a game, and there are games a second.
type sample struct{ own, all, rate float64 }

// Run implements the command.
func (c *speedCommand) Run(out io.Writer) error {
	dir, err := os.MkdirTemp("", "luzhanqi-speed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{speedCommand: c, dir: dir}
	if err := b.build(); err != nil {
		return err
	}
	long, short, start := b.ways()
	for round := range c.Rounds {
		for _, w := range slices.Concat(long, short, start) {
			s, err := w.measure()
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			w.samples = append(w.samples, s)
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, c.Rounds)
	}
	b.report(out, "long games, two at a time", "µs/ply", "plies/s", long)
	b.report(out, "games of 10 plies, two at a time", "ms/game", "games/s", short)
	b.report(out, "luzhanqi games", "ms", "per second", start)
	return nil
}

// build compiles the C programs and, if no binary is given, luzhanqi; and writes the scripts.
func (b *bench) build() error {
	for _, name := range []string{"floor.c", "starts.c", "luzhanqi.c", "uci.c", "chess.txt"} {
		text, err := speedSources.ReadFile("speed/" + name)
		if err == nil {
			err = os.WriteFile(b.path(name), text, 0o644)
		}
		if err != nil {
			return err
		}
		if program, ok := strings.CutSuffix(name, ".c"); ok {
			if said, err := exec.Command("cc", "-O2", "-o", b.path(program), b.path(name)).CombinedOutput(); err != nil {
				return fmt.Errorf("compile %s by cc: %w\n%s", name, err, said)
			}
		}
	}
	if err := os.Chmod(b.dir, 0o755); err != nil { // programs of root run as a user of their own
		return err
	}
	if len(b.Luzhanqi) == 0 {
		b.Luzhanqi = []string{b.path("bin")}
		build := exec.Command("go", "build", "-o", b.path("bin"), "luzhanqi/cmd/luzhanqi")
		if said, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build luzhanqi: %w\n%s", err, said)
		}
	}
	return b.script()
}

// script writes, for each seat, a set-up and the moves of a long game without captures.
func (b *bench) script() error {
	r := rand.New(rand.NewPCG(1, 1))
	g := rules.Game{}
	setUps := [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
	pos, err := g.New(game.Rules{}, setUps)
	if err != nil {
		return err
	}
	var text [2]strings.Builder
	for side, s := range setUps {
		text[side].WriteString("(")
		for item := range strings.FieldsSeq(string(s)) {
			square, piece, _ := strings.Cut(item, ":")
			fmt.Fprintf(&text[side], "(%s %s) ", square, piece)
		}
		text[side].WriteString(")\n")
	}
	for range b.Plies {
		side := pos.Mover()
		moves := pos.Moves(nil)
		enemy := pos.View(side).(*rules.View).Enemy()
		m := moves[r.IntN(len(moves))]
		for enemy.Has(m.To) || rules.Headquarters.Has(m.To) {
			m = moves[r.IntN(len(moves))]
		}
		own := m
		if side == game.Second {
			own = rules.TurnMove(m)
		}
		fmt.Fprintf(&text[side], "(%s)\n", rules.MoveName(own))
		if pos = pos.Play(m); pos.Ply() < b.Plies {
			if o, over := pos.Outcome(); over {
				return fmt.Errorf("the scripted game is over after %d plies: %s", pos.Ply(), o.Reason)
			}
		}
	}
	for side := range text {
		if err := os.WriteFile(b.path("script"+strconv.Itoa(side+1)), []byte(text[side].String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// floors are the ways in which floors of plies tell their programs (see floor.c). The first is the one that the referee is to come
// near to; the others say what of the distance isolation costs any referee, and what the order of its calls is worth.
var floors = []struct{ name, how string }{
	{"floor", ""}, {"floor, sessions of their own", "s"}, {floorAsHere, "sjl"},
}

// floorAsHere makes the calls that the referee makes, for programs that stand apart as they do here.
const floorAsHere = "floor, sessions, told as here"

// ways are what is measured, in long games, in short ones, and at the start of a command.
func (b *bench) ways() (long, short, start []*way) {
	for _, f := range floors {
		long = append(long, &way{name: f.name, measure: func() (sample, error) { return b.floor(f.how) }})
	}
	short = append(short, &way{name: "floor, not isolated", measure: func() (sample, error) { return b.starts(false) }})
	if os.Geteuid() == 0 { // as an ordinary user's, programs are isolated in another way
		short = append(short, &way{name: "floor", measure: func() (sample, error) { return b.starts(true) }})
	}
	for _, records := range []bool{false, true} {
		with := ""
		if records {
			with = ", records"
		}
		for _, binary := range b.Luzhanqi {
			name := filepath.Base(binary)
			long = append(long, &way{name: name + with, measure: func() (sample, error) { return b.match(binary, records, b.Long, b.Plies) }})
			if !records {
				short = append(short, &way{name: name, measure: func() (sample, error) { return perGame(b.match(binary, false, b.Short, 10)) }})
				start = append(start, &way{name: name, measure: func() (sample, error) { return b.start(binary) }})
			}
		}
		if b.Fastchess != "" {
			long = append(long, &way{name: "fastchess" + with, measure: func() (sample, error) { return b.fastchess(records, b.Long*b.Plies/chessPlies, chessPlies) }})
			if !records {
				short = append(short, &way{name: "fastchess restart=off", measure: func() (sample, error) { return perGame(b.fastchess(false, b.Short, 10)) }})
			}
		}
	}
	return long, short, start
}

// perGame makes of plies of games of ten plies games.
func perGame(s sample, err error) (sample, error) {
	return sample{s.own * 10 / 1000, s.all * 10 / 1000, s.rate / 10}, err
}

// starts runs two floors of starts at a time, for games of programs that are isolated or not.
func (b *bench) starts(isolated bool) (sample, error) {
	dir := ""
	if isolated {
		dir = b.dir
	}
	var both [2]sample
	var failed [2]error
	var wait sync.WaitGroup
	for i := range both {
		wait.Go(func() {
			said, err := exec.Command(b.path("starts"), strconv.Itoa(b.Short/2), dir).CombinedOutput()
			if err == nil {
				_, err = fmt.Sscan(string(said), &both[i].all, &both[i].rate)
			}
			if err != nil {
				failed[i] = fmt.Errorf("%w: %s", err, said)
			}
		})
	}
	wait.Wait()
	return sample{all: (both[0].all + both[1].all) / 2, rate: both[0].rate + both[1].rate}, errors.Join(failed[:]...)
}

// floor runs two floors at a time, each on a processor of its own.
func (b *bench) floor(how string) (sample, error) {
	var both [2]sample
	var failed [2]error
	var wait sync.WaitGroup
	for i := range both {
		wait.Go(func() {
			plies := b.Long * b.Plies / 2
			said, err := exec.Command(b.path("floor"), strconv.Itoa(i), strconv.Itoa(min(plies, b.Plies)), how,
				b.path("luzhanqi"), b.path("script1"), b.path("script2")).Output()
			if err == nil {
				_, err = fmt.Sscan(string(said), &both[i].own, &both[i].rate)
			}
			failed[i] = err
		})
	}
	wait.Wait()
	for _, err := range failed {
		if err != nil {
			return sample{}, err
		}
	}
	return sample{own: (both[0].own + both[1].own) / 2, rate: both[0].rate + both[1].rate}, nil
}

// match plays games of so many plies.
func (b *bench) match(binary string, records bool, games, plies int) (sample, error) {
	program := fmt.Sprintf("%s %s %s", b.path("luzhanqi"), b.path("script1"), b.path("script2"))
	words := []string{
		"match", program, program, "--name-1", "one", "--name-2", "two", "--quiet", "--seed", "1", "--time", b.Limit.String(),
		"--games", strconv.Itoa(games), "--concurrency", "2", "--max-plies", strconv.Itoa(plies),
	}
	if records {
		folder, err := os.MkdirTemp(b.dir, "records")
		if err != nil {
			return sample{}, err
		}
		defer os.RemoveAll(folder)
		words = append(words, "--record", folder)
	}
	cmd := exec.Command(binary, words...)
	cmd.Dir = b.dir
	return per(cmd, games*plies)
}

// fastchess plays games of so many plies, a multiple of two.
func (b *bench) fastchess(records bool, games, plies int) (sample, error) {
	games += games & 1
	var words []string
	for _, name := range []string{"one", "two"} {
		words = append(words, "-engine", "cmd="+b.path("uci"), "args="+b.path("chess.txt"), "name="+name)
	}
	words = append(words, "-each", "tc=60+1", "restart=off", "-rounds", strconv.Itoa(games/2), "-games", "2", "-concurrency", "2", "-maxmoves", strconv.Itoa(plies/2))
	if records {
		words = append(words, "-pgnout", "file="+b.path("games.pgn"))
	}
	cmd := exec.Command(b.Fastchess, words...)
	cmd.Dir = b.dir
	return per(cmd, games*plies)
}

// start runs the quickest command. The shell that starts it takes next to nothing.
func (b *bench) start(binary string) (sample, error) {
	s, err := per(exec.Command("sh", "-c", `for i in 1 2 3 4 5 6 7 8 9 10; do "$0" games >/dev/null; done`, binary), 10)
	return sample{s.all / 1000, s.all / 1000, s.rate}, err
}

// per runs a command that plays so many plies.
func per(cmd *exec.Cmd, plies int) (sample, error) {
	own, all, wall, err := timed(cmd)
	each := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(plies) }
	return sample{each(own), each(all), float64(plies) / wall.Seconds()}, err
}

// report prints medians, and their ratios to those of the first and, if there is one, of fastchess.
func (b *bench) report(out io.Writer, title, time, rate string, ways []*way) {
	fmt.Fprintf(out, "\n%-34s %12s %12s %12s\n", title, "own "+time, "all "+time, rate)
	for _, w := range ways {
		m := w.median()
		number := func(n float64) string { // a floor says only one of the two
			if n > 0 {
				return fmt.Sprintf("%.2f", n)
			}
			return "–"
		}
		fmt.Fprintf(out, "%-34s %12s %12s %12.0f", w.name, number(m.own), number(m.all), m.rate)
		for _, base := range ways {
			floor := base.name == "floor" || base.name == floorAsHere
			if base == w || !floor && !strings.HasPrefix(base.name, "fastchess") || strings.HasPrefix(w.name, "fastchess") || strings.HasPrefix(w.name, "floor") {
				continue
			}
			if !floor && strings.Contains(base.name, "records") != strings.Contains(w.name, "records") {
				continue
			}
			fm := base.median()
			fmt.Fprintf(out, "   %s: ", base.name)
			if fm.own > 0 {
				fmt.Fprintf(out, "%.2f× own, ", m.own/fm.own)
			}
			if fm.all > 0 {
				fmt.Fprintf(out, "%.2f× all, ", m.all/fm.all)
			}
			fmt.Fprintf(out, "%.2f× rate", m.rate/fm.rate)
		}
		fmt.Fprintln(out)
	}
}

// median returns the median of each number.
func (w *way) median() sample {
	of := func(number func(sample) float64) float64 {
		var all []float64
		for _, s := range w.samples {
			all = append(all, number(s))
		}
		slices.Sort(all)
		return all[len(all)/2]
	}
	return sample{
		of(func(s sample) float64 { return s.own }), of(func(s sample) float64 { return s.all }), of(func(s sample) float64 { return s.rate }),
	}
}

package tune

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/tournament"
)

func TestMain(m *testing.M) {
	process.Reexec()
	process.AdoptOrphans()
	if x := os.Getenv("TOY"); x != "" {
		toy(x)
		return
	}
	if dir := os.Getenv(killedVariable); dir != "" {
		if err := tuneIn(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// toy is a program that fails the more often the farther its number is from 3.
func toy(text string) {
	x, err := strconv.ParseFloat(text, 64)
	seed, wrong := strconv.ParseUint(os.Getenv("SEED"), 10, 64)
	g, unknown := games.Find("gastank")
	level, none := levels.Find(g, "random")
	if err := errors.Join(err, wrong, unknown, none); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	end := g.Protocols()[0].PlayerEnd(game.Rules{}, game.First, 0)
	r := rand.New(rand.NewPCG(seed, math.Float64bits(x)))
	player.Serve(os.Stdin, os.Stdout, end, &failing{level.New(g, player.Options{}), min(0.9, 0.1*math.Abs(x-3))}, r, zerolog.Nop())
}

type failing struct {
	player.Player
	share float64
}

func (f *failing) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	if r.Float64() < f.share {
		os.Exit(1)
	}
	return f.Player.Choose(v, deadline, r)
}

const toyPlan = `
game = "gastank"
seed = 5
[limits]
max_plies = 12
move = "1m"
[[player]]
name = "toy"
command = %q
env = { TOY = "{x}", SEED = "{seed}" }
[[number]]
name = "x"
start = 8
min = 0
max = 10
step = 2
[tune]
pairs = %d
batch = 2
verify = %d
rate = 0.5
`

func loadToy(t *testing.T, pairs, verify int) (*Tuning, tournament.Options) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "plan.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, toyPlan, exe, pairs, verify), 0o666); err != nil {
		t.Fatal(err)
	}
	u, o, err := Load(file, "test")
	if err != nil {
		t.Fatal(err)
	}
	o.Dir, o.Warn, o.Concurrency = filepath.Join(t.TempDir(), "store"), func(s string) { t.Log(s) }, 2
	return u, o
}

func stateOf(t *testing.T, u *Tuning, dir string) State {
	t.Helper()
	s, err := u.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	st, err := u.State(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestResumed: a tuning that was broken off goes on as if it had not been, since all it knows is in its plan and its store.
func TestResumed(t *testing.T) {
	t.Parallel()
	pairs, verify := 6, 2
	if os.Getenv("LUZHANQI_NIGHTLY") != "" {
		pairs, verify = 60, 20
	}
	whole, o := loadToy(t, pairs, verify)
	if _, err := tournament.Run(t.Context(), whole.Tournament, o); err != nil {
		t.Fatal(err)
	}
	want := stateOf(t, whole, o.Dir)
	if !want.Complete || want.Rounds != pairs/2 || want.Gain == nil || want.Gain.Games != 2*verify {
		t.Fatalf("%+v", want)
	}
	_, o = loadToy(t, pairs, verify)
	for run, broken := 0, true; broken; run++ {
		u, other := loadToy(t, pairs, verify)
		other.Dir = o.Dir
		ctx, stop := context.WithCancel(t.Context())
		results := 0
		other.Events = func(e tournament.Event) {
			if e.Kind == tournament.EventResult {
				if results++; results == 5 && run < 2 {
					stop()
				}
			}
		}
		_, err := tournament.Run(ctx, u.Tournament, other)
		if broken = ctx.Err() != nil; !broken && err != nil {
			t.Fatal(err)
		}
		stop()
	}
	again, _ := loadToy(t, pairs, verify)
	if diff := cmp.Diff(want, stateOf(t, again, o.Dir), cmp.AllowUnexported(Number{})); diff != "" {
		t.Error(diff)
	}
	if os.Getenv("LUZHANQI_NIGHTLY") != "" && (math.Abs(want.Numbers[0].Tuned-3) > 2 || want.Gain.Score < 0.6) {
		t.Errorf("tuned to %v, which scores %v", want.Numbers[0].Tuned, want.Gain.Score)
	}
}

// TestConverges: against an objective with noise like that of games, both kinds of numbers come to within a step and a half of their best
// values.
func TestConverges(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		s := spsa{
			numbers: []Number{
				{Name: "real", Start: 8, Max: 10, Step: 0.5, decimals: 3},
				{Name: "integer", Start: 30, Max: 40, Step: 2, Integer: true},
				{Name: "useless", Start: 1, Max: 10, Step: 0.5, decimals: 3},
			},
			pairs: 2000, batch: 8, rate: 0.0125, seed: seed,
		}
		best := []float64{3.7, 12}
		random := rand.New(rand.NewPCG(seed, 1))
		elo := func(x []float64) (sum float64) {
			for i, b := range best {
				d := (x[i] - b) / s.numbers[i].Step
				sum -= 5 * d * d
			}
			return sum
		}
		theta := []float64{8, 30, 1}
		path := [][]float64{theta}
		for r := 1; r <= s.pairs/s.batch; r++ {
			p := s.play(r, theta)
			won := 0
			for range 2 * s.batch {
				score := 1 / (1 + math.Pow(10, (elo(p.minus)-elo(p.plus))/400))
				switch u := random.Float64(); { // a third of the games are drawn
				case u < score-1.0/6:
					won++
				case u > score+1.0/6:
					won--
				}
			}
			theta = s.move(r, theta, p, won)
			path = append(path, theta)
		}
		found := settled(path)
		for i, b := range best {
			if n := &s.numbers[i]; math.Abs(n.final(found[i])-b) > 1.5*n.Step {
				t.Errorf("seed %d: %s is %v, not %v", seed, n.Name, n.final(found[i]), b)
			}
		}
	}
}

// TestRefused: a plan that makes no tuning says where and why.
func TestRefused(t *testing.T) {
	t.Parallel()
	const good = "game = \"gastank\"\n[[player]]\nname = \"p\"\ncommand = \"./p {x}\"\n"
	number := func(lines string) string {
		return good + "[[number]]\nname = \"x\"\nstart = 1\nmin = 0\nmax = 4\n" + lines + "\n"
	}
	for name, c := range map[string][2]string{
		"no number":   {good, "allowed are 1 to 100, each begun with [[number]]"},
		"nowhere":     {strings.Replace(number("step = 1"), "{x}", "x", 1), "{x} stands neither in the player's command nor in its env"},
		"seed":        {strings.ReplaceAll(number("step = 1"), "x", "seed"), "choose another name"},
		"wide":        {number("step = 3"), "at most half of the range, 2"},
		"fine":        {number("step = 0.1\ninteger = true"), "0.5 or more for an integer"},
		"no step":     {number(""), "step"},
		"outside":     {strings.Replace(number("step = 1"), "start = 1", "start = 5", 1), "allowed are 0 to 4"},
		"two":         {good + good[len("game = \"gastank\"\n"):], "allowed is one, begun with [[player]]"},
		"level":       {strings.Replace(number("step = 1"), `command = "./p {x}"`, `level = "random"`, 1), "has no numbers"},
		"twice":       {number("step = 1") + number("step = 1")[len(good):], `another number is called "x" too`},
		"rounds":      {number("step = 1") + "[tune]\npairs = 100000\n", "101 or more pairs a round"},
		"unknown key": {number("step = 1") + "[tune]\nmethod = \"clop\"\n", "method"},
	} {
		file := filepath.Join(t.TempDir(), "plan.toml")
		if err := os.WriteFile(file, []byte(c[0]), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Load(file, "test"); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
	}
}

// TestPlot: the plot is XML, and says what was tuned.
func TestPlot(t *testing.T) {
	t.Parallel()
	st := State{Rounds: 1, Of: 2, Path: [][]float64{{1}, {2}}, Numbers: []Value{{Number{Name: "depth", Start: 1, Max: 4, Step: 1}, 2}}}
	var b bytes.Buffer
	if err := st.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "depth: 2, from 1") {
		t.Error(b.String())
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	st.Text(&b)
	if got := b.String(); !strings.Contains(got, "▃▅") || !strings.Contains(got, "1 of 2 rounds") {
		t.Error(got)
	}
}

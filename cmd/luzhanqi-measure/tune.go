package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/tournament/rating"
)

// tuneCommand makes a style of package stranger, or a search like strong's, a better response to a level: its numbers and
// its set-ups are changed at random, and what scores better is changed further. A game is one coin, so the best of many tried has
// mostly been lucky; the champion therefore goes on playing, and is followed by another when its luck has gone.
type tuneCommand struct {
	Style   string        `arg:"" help:"Who is tuned: a style, by its name or its file (.json); strong, which is a search like it with four set-ups of its book; or the file of a search (.search)."`
	Against string        `default:"strong" help:"Level, variant or file of a style (.json), a search (.search) or a book of set-ups (.txt) to respond to (default ${default})."`
	Nodes   int           `default:"6000" help:"Positions a move of the level, if it would use the time, and of a search that is tuned (default ${default})."`
	For     time.Duration `default:"10m" help:"How long to tune, on one processor (default ${default})."`
	Tries   int           `placeholder:"N" help:"How many changes to try, whatever time they take: makes a file again."`
	SetUps  int           `placeholder:"N" help:"With the first N of its set-ups alone a style begins, and keeps as many: what one of them gains counts the more, the fewer there are."`
	Games   int           `short:"n" default:"100" help:"New games to play with the best at the end (default ${default})."`
	Out     string        `type:"path" placeholder:"FILE" help:"File to write the best to."`
	Seed    uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
}

// tunable is who is tuned.
type tunable interface {
	name() string
	made() string // by hand, or by what command
	player(player.Options) player.Player
	changed(*rand.Rand) tunable // a little, at random; it stays as it is itself
	text(made string) ([]byte, error)
}

// tried is one of them with what it has scored.
type tried struct {
	tunable
	points, games float64
}

// shrunk is the mean with so many games at the mean of all besides, since the best of many was mostly lucky.
func (t *tried) shrunk(mean float64) float64 {
	const games = 24
	return (t.points + games*mean) / (t.games + games)
}

// Run implements the command.
func (c *tuneCommand) Run(out io.Writer) error {
	start, err := c.start()
	if err != nil {
		return err
	}
	if start, err = c.fewer(start); err != nil {
		return err
	}
	if _, err := find(rules.Game{}, c.Against, player.Options{}); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(c.Seed, 11))
	t := tuning{command: c, champions: []*tried{{tunable: start}}}
	if err := t.play(t.champions[0], stages[len(stages)-1]); err != nil {
		return err
	}
	tries := 0
	more := func(end time.Time) bool {
		if c.Tries > 0 {
			return tries < c.Tries
		}
		return time.Now().Before(end)
	}
	for end := time.Now().Add(c.For); more(end); tries++ {
		if err := t.try(r, out, tries); err != nil {
			return err
		}
	}
	best := t.best()
	fmt.Fprintf(out, "%d changes tried in %d games\n", tries, t.game)
	t.game = 1 << 40 // games that nothing was chosen by
	fresh := &tried{tunable: best.tunable}
	if err := t.play(fresh, c.Games); err != nil {
		return err
	}
	if c.Games > 0 {
		e := rating.NewEstimate(t.counts)
		fmt.Fprintf(out, "%s takes %.1f%% ± %.1f of %d new games from %s\n", best.name(),
			100*e.Score.Value, 100*e.Score.Error(), c.Games, budgeted(c.Against, strconv.Itoa(c.Nodes)))
	}
	if c.Out == "" {
		return nil
	}
	made, fewer := start.made(), ""
	if c.SetUps > 0 {
		fewer = fmt.Sprintf(" --set-ups %d", c.SetUps)
	}
	if best != t.champions[0] || c.SetUps > 0 {
		made = fmt.Sprintf("luzhanqi-measure tune %s --against %s --nodes %d%s --tries %d --seed %d; before that: %s",
			c.Style, c.Against, c.Nodes, fewer, tries, c.Seed, made)
	}
	text, err := best.text(made)
	if err != nil {
		return err
	}
	return os.WriteFile(c.Out, text, 0o666)
}

// start is who was named.
func (c *tuneCommand) start() (tunable, error) {
	if c.Style == "strong" {
		s := likeStrong(c.Seed, c.Nodes)
		return &s, nil
	}
	if strings.HasSuffix(c.Style, ".search") {
		return readSearching(c.Style)
	}
	s, err := stranger.Find(c.Style)
	if err == nil {
		return styled(s), nil
	}
	if read, unread := stranger.ReadFile(c.Style); !errors.Is(unread, os.ErrNotExist) {
		return styled(read), unread
	}
	return nil, fmt.Errorf("%w, or a file; or strong, or the file of a search (.search)", err)
}

// fewer is the start with so many of its set-ups as were asked for.
func (c *tuneCommand) fewer(start tunable) (tunable, error) {
	if c.SetUps == 0 {
		return start, nil
	}
	s, ok := start.(styled)
	if !ok {
		return nil, fmt.Errorf("--set-ups %d: a search has its own four, allowed is none", c.SetUps)
	}
	if c.SetUps < 1 || c.SetUps > len(s.SetUps) {
		return nil, fmt.Errorf("--set-ups %d: allowed are 1 to %d, which %s has", c.SetUps, len(s.SetUps), s.Name)
	}
	s.SetUps = s.SetUps[:c.SetUps]
	return s, nil
}

// styled is a style of package stranger as tune knows it.
type styled stranger.Style

func (s styled) name() string { return s.Name }
func (s styled) made() string { return s.Made }

func (s styled) player(player.Options) player.Player {
	style := stranger.Style(s)
	return stranger.New(&style)
}

func (s styled) text(made string) ([]byte, error) {
	s.Made = made
	return stranger.Style(s).Text()
}

// tuning is what has been tried so far.
type tuning struct {
	command   *tuneCommand
	champions []*tried // those that did better than their parents, the start first
	game      uint64
	counts    rating.Games // of the last series
}

// stages are after how many games a change is given up if it scores less than its parent. In each the parent plays
// half as many.
var stages = []int{8, 16, 32, 64}

// try changes the best and keeps the change among the champions if it holds to the end.
func (t *tuning) try(r *rand.Rand, out io.Writer, number int) error {
	parent := t.best()
	child := &tried{tunable: parent.changed(r)}
	for _, games := range stages {
		n := games - int(child.games)
		if err := errors.Join(t.play(child, n), t.play(parent, n/2)); err != nil {
			return err
		}
		if child.points/child.games < parent.points/parent.games {
			return nil
		}
	}
	t.champions = append(t.champions, child)
	fmt.Fprintf(out, "%d tried: %.1f%% of %.0f games, its parent %.1f%% of %.0f\n", number+1,
		100*child.points/child.games, child.games, 100*parent.points/parent.games, parent.games)
	return nil
}

func (t *tuning) best() *tried {
	points, games := 0.0, 0.0
	for _, c := range t.champions {
		points, games = points+c.points, games+c.games
	}
	mean := points / max(games, 1)
	return slices.MaxFunc(t.champions, func(a, b *tried) int { return cmp.Compare(a.shrunk(mean), b.shrunk(mean)) })
}

// play plays games of one of them against the level, in turn from either seat.
func (t *tuning) play(s *tried, games int) error {
	c := t.command
	t.counts = rating.Games{}
	for range games {
		n := t.game
		t.game++
		opponent, err := find(rules.Game{}, c.Against, player.Options{Nodes: c.Nodes, Threads: 1})
		if err != nil {
			return err
		}
		seat := game.Side(n & 1)
		var players [2]player.Player
		players[seat], players[seat.Other()] = s.player(player.Options{Nodes: c.Nodes, Threads: 1}), opponent
		var setUps [2]game.SetUp
		var random [2]*rand.Rand
		for side, p := range players {
			setUps[side] = p.SetUp(rand.New(rand.NewPCG(c.Seed, n<<1|uint64(side))))
			random[side] = rand.New(rand.NewPCG(^c.Seed, n<<1|uint64(side)))
		}
		o, _, err := playOut(players, setUps, random, time.Hour)
		if err != nil {
			return fmt.Errorf("game %d: %w", n, err)
		}
		points := o.Points(seat)
		s.points, s.games = s.points+points, s.games+1
		switch points {
		case 0:
			t.counts.Losses++
		case 1:
			t.counts.Wins++
		default:
			t.counts.Draws++
		}
	}
	return nil
}

// changed is the style with some of its numbers changed by a factor each, or some pieces of a set-up exchanged, or both.
func (s styled) changed(r *rand.Rand) tunable {
	s.SetUps = slices.Clone(s.SetUps)
	kind := r.IntN(3)
	if kind != 0 {
		i := r.IntN(len(s.SetUps))
		for range 1 + r.IntN(3) {
			s.SetUps[i] = s.SetUps[i].Exchanged(r)
		}
	}
	if kind != 1 {
		if s.Begin != "never" {
			changeWeights(reflect.ValueOf(&s.Strike).Elem(), r)
		}
		if s.Begin != "at once" {
			changeWeights(reflect.ValueOf(&s.Wait).Elem(), r)
			s.After *= math.Exp(0.2 * r.NormFloat64())
		}
	}
	return s
}

func changeWeights(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			changeWeights(v.Field(i), r)
		}
	case reflect.Array:
		for i := range v.Len() {
			changeWeights(v.Index(i), r)
		}
	default:
		x := v.Float()
		switch n := r.IntN(16); {
		case n == 0 && x == 0:
			x = 0.5 * math.Abs(r.NormFloat64()) // a change by a factor would leave it zero for ever
		case n < 3:
			x *= math.Exp(0.6 * r.NormFloat64())
		}
		v.SetFloat(x)
	}
}

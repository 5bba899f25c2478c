package regret

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// The committed positions come back as they were written, and each offers a choice that both searches have judged twice.
func TestPositions(t *testing.T) {
	all := Positions()
	if len(all) != 200 {
		t.Errorf("%d positions: must be 200", len(all))
	}
	header := text[:strings.Index(text, "game ")]
	if written := Text(strings.ReplaceAll(header, "# ", ""), all); written != text {
		t.Error("what is written differs from what was read")
	}
	for i, p := range all {
		long, frozen := p.Verdicts["long"], p.Verdicts["long-f665184"]
		if len(p.Verdicts) != 2 || len(long) != 2 || len(frozen) != 2 || len(long[0].Values) < 2 {
			t.Errorf("position %d: verdicts %v: must be of two moves at least, two by each of both searches", i, p.Verdicts)
			continue
		}
		if slices.Equal(long[0].Values, long[1].Values) || slices.Equal(frozen[0].Values, frozen[1].Values) {
			t.Errorf("position %d: a search said the same twice: %v", i, p.Verdicts)
		}
	}
}

// A file with a mistake says in which line, and what is allowed.
func TestReadRefuses(t *testing.T) {
	lines := strings.SplitAfter(text, "\n")
	begin := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "game ") })
	for _, test := range []struct {
		change func(all []string)
		want   string
	}{
		{func(all []string) { all[0] = "ply 4\n" }, "line 1: \"ply\" before the first game"},
		{func(all []string) { all[1] = "A1:F\n" }, "line 3: player 1: illegal set-up: A1 holds the flag"},
		{func(all []string) { all[3] = "A6-A1 " + all[3] }, "line 4: move \"A6-A1\" at ply 0"},
		{func(all []string) { all[4] = "ply 5000\n" }, "line 5: ply \"5000\": must be a number from 0 to "},
		{func(all []string) { all[5] = "long 1 2\n" }, "line 6: long: 2 values: must be "},
		{func(all []string) { all[5] = "long x" + all[5][6:] }, "must be a whole number from -10000 to 10000"},
		{func(all []string) { all[5] = strings.Replace(all[5], "*", "", 1) }, "long: no *: one value must be marked"},
		{func(all []string) { all[5] = strings.Replace(all[5], " ", " *", 2) }, "line 6: long: "},
		{func(all []string) { all[0] = "game nobody\n" }, "line 1: a game must have two players"},
		{func(all []string) { all[4] = "long" + all[5][4:] }, "line 5: \"long\" before the first ply of its game"},
	} {
		all := slices.Clone(lines[begin : begin+7])
		test.change(all)
		if _, err := Read(strings.Join(all, "")); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: must say %q", err, test.want)
		}
	}
}

// oracle chooses the best or the worst move by the values of the position that it is asked about.
type oracle struct {
	all   []Position
	worst bool
	next  int
}

func (*oracle) SetUp(*rand.Rand) game.SetUp { return "" }

func (o *oracle) Choose(v game.View, _ time.Time, _ *rand.Rand) game.Move {
	p := &o.all[o.next]
	o.next++
	verdict := p.Verdicts["long"][0]
	best := verdict.Best
	if o.worst {
		best = slices.Index(verdict.Values, slices.Min(verdict.Values))
	}
	return p.Before(0).Moves(nil)[best]
}

// Who plays what a verdict chose has no regret by it, and who always plays the worst has all that there is; by what other verdicts
// say of these choices, both are worth less than what was chosen by the others.
func TestMeasure(t *testing.T) {
	all := slices.Clone(Positions()[:6])
	for _, i := range []int{0, 3} {
		moves := len(all[i].Verdicts["long"][0].Values)
		other := Verdict{Values: make([]int, moves), Best: moves - 1}
		for m := range moves {
			other.Values[m] = 10 * m
		}
		all[i].Verdicts = map[string][]Verdict{"long": {all[i].Verdicts["long"][0]}, "both": {all[i].Verdicts["long"][0], other}}
	}
	all = []Position{all[0], all[0], all[3], all[3]} // a player for each seed, and two seeds
	var spread, lostBest, lostWorst float64
	for _, p := range all {
		v, other := p.Verdicts["both"][0], p.Verdicts["both"][1]
		worst := slices.Index(v.Values, slices.Min(v.Values))
		spread += float64(v.Values[v.Best]-v.Values[worst]) / 10_000 / float64(len(all))
		for _, chosen := range []struct {
			by   *float64
			move int
		}{{&lostBest, v.Best}, {&lostWorst, worst}} {
			*chosen.by += float64(v.Values[other.Best]-v.Values[chosen.move]+other.Values[v.Best]-other.Values[chosen.move]) / 2 / 10_000 / float64(len(all))
		}
	}
	for _, worst := range []bool{false, true} {
		n := 0
		trial, err := Measure(all, func() (player.Player, error) {
			n++
			return &oracle{all: all[(n-1)/2:], worst: worst}, nil
		}, 2, 0, func() time.Duration { return 0 })
		if err != nil {
			t.Fatal(err)
		}
		regret, _ := trial.Regret["long"].Mean()
		best, _ := trial.Best["long"].Mean()
		agree, _ := trial.Agreement.Mean()
		lost, _ := trial.Lost["both"].Mean()
		want, share, wantLost := 0.0, 1.0, lostBest
		if worst {
			want, share, wantLost = spread, 0, lostWorst
		}
		if math.Abs(regret-want) > 1e-9 || best != share || agree != 1 || trial.Moves != 8 {
			t.Errorf("worst %v: regret %v, best in %v, agreement %v, %d moves; must be %v, %v, 1, 8", worst, regret, best, agree, trial.Moves, want, share)
		}
		if math.Abs(lost-wantLost) > 1e-9 {
			t.Errorf("worst %v: lost %v by the other verdict, must be %v", worst, lost, wantLost)
		}
		if alone := trial.Lost["long"]; alone != nil {
			t.Errorf("lost %v by one verdict, which no other values", alone)
		}
	}
	if m, e := (Means{1, 2, 3}).Minus(Means{1, 1, 1}).Mean(); m != 1 || math.Abs(e-1.96*math.Sqrt(1.0/3)) > 1e-9 {
		t.Errorf("mean %v ± %v", m, e)
	}
}

// Who chooses by luck alone, as verdicts do where no move is better, has regret and loses nothing: what one verdict chose is worth as much by
// the others as what the player did, however many there are.
func TestLostOwesNothingToLuck(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	trial := &Trial{Regret: map[string]Means{}, Best: map[string]Means{}, Lost: map[string]Means{}}
	noise := func() Verdict {
		v := Verdict{Values: make([]int, 30)}
		for i := range v.Values {
			v.Values[i] = int(100 * r.NormFloat64())
		}
		v.Best = slices.Index(v.Values, slices.Max(v.Values))
		return v
	}
	for range 2000 {
		p := &Position{Verdicts: map[string][]Verdict{"noise": {noise(), noise(), noise()}}}
		trial.add(p, []int{noise().Best, noise().Best})
	}
	regret, _ := trial.Regret["noise"].Mean()
	lost, e := trial.Lost["noise"].Mean()
	if regret < 0.015 || math.Abs(lost) > 2*e {
		t.Errorf("regret %v, lost %v ± %v: must be some 0.02 and nothing", regret, lost, e)
	}
	// Three that agree lose to each other what two would.
	same := Verdict{Values: []int{100, 0}}
	for _, n := range []int{2, 3} {
		trial := &Trial{Regret: map[string]Means{}, Best: map[string]Means{}, Lost: map[string]Means{}}
		trial.add(&Position{Verdicts: map[string][]Verdict{"same": slices.Repeat([]Verdict{same}, n)}}, []int{1})
		if lost := trial.Lost["same"][0]; math.Abs(lost-0.01) > 1e-12 {
			t.Errorf("%d verdicts: lost %v, must be 0.01", n, lost)
		}
	}
}

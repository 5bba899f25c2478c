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

// The committed positions come back as they were written, and each offers a choice that both searches have judged.
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
		if len(p.Values) != 2 || len(p.Values["long"]) < 2 || len(p.Values["long-f665184"]) < 2 {
			t.Errorf("position %d: values %v: must be of two moves at least, by both searches", i, p.Values)
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
	values := p.Values["long"]
	best := slices.Max(values)
	if o.worst {
		best = slices.Min(values)
	}
	return p.Before(0).Moves(nil)[slices.Index(values, best)]
}

// Who plays the best move has no regret, and who always plays the worst has all that there is.
func TestMeasure(t *testing.T) {
	all := Positions()[:6]
	all = []Position{all[0], all[0], all[3], all[3]} // a player for each seed, and two seeds
	spread := 0.0
	for _, p := range all {
		spread += float64(slices.Max(p.Values["long"])-slices.Min(p.Values["long"])) / 10_000 / float64(len(all))
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
		lost, _ := trial.Regret["long"].Mean()
		best, _ := trial.Best["long"].Mean()
		agree, _ := trial.Agreement.Mean()
		want, share := 0.0, 1.0
		if worst {
			want, share = spread, 0
		}
		if math.Abs(lost-want) > 1e-9 || best != share || agree != 1 || trial.Moves != 8 {
			t.Errorf("worst %v: regret %v, best in %v, agreement %v, %d moves; must be %v, %v, 1, 8", worst, lost, best, agree, trial.Moves, want, share)
		}
	}
	if m, e := (Means{1, 2, 3}).Minus(Means{1, 1, 1}).Mean(); m != 1 || math.Abs(e-1.96*math.Sqrt(1.0/3)) > 1e-9 {
		t.Errorf("mean %v ± %v", m, e)
	}
}

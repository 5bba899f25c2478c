package levels

import (
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
)

// Levels for measuring are found by name but not offered.
func TestHiddenLevels(t *testing.T) {
	g, err := games.Find("luzhanqi")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range Of(g) {
		if l.Name == "naive" {
			t.Error("naive is offered")
		}
	}
	if _, err := Find(g, "naive"); err != nil {
		t.Error(err)
	}
	if _, err := Find(g, "nobody"); err == nil || strings.Contains(err.Error(), "naive") {
		t.Errorf("the error for an unknown level is %v", err)
	}
}

// unlisted is a game that the list does not have.
type unlisted struct{ game.Game }

func (unlisted) Name() string { return "unlisted" }

// A game that nobody has written players for has one level, which is the default wherever there must be one.
func TestUnlistedGameHasTheLevelRandom(t *testing.T) {
	g := unlisted{}
	if all := Of(g); len(all) != 1 || all[0].Name != "random" {
		t.Errorf("%d levels", len(all))
	}
	if Default(g).Name != "random" || Strongest(g).Name != "random" {
		t.Errorf("default %s, strongest %s", Default(g).Name, Strongest(g).Name)
	}
	if _, err := Find(g, "greedy"); err == nil || err.Error() != `level "greedy" of unlisted: allowed are random` {
		t.Error(err)
	}
}

func TestDefaults(t *testing.T) {
	for _, g := range games.All {
		if Default(g).Name != "greedy" || Strongest(g).Name != "strong" {
			t.Errorf("%s: default %s, strongest %s", g.Name(), Default(g).Name, Strongest(g).Name)
		}
	}
}

// Rungs stand where they belong: what slips more is weaker, and below what it is made of; fewer positions come before more.
func TestRungsAreInOrder(t *testing.T) {
	for name, want := range map[string]string{
		"luzhanqi": "random greedy-slip80 greedy-slip50 greedy rush easy-slip30 easy medium hard nodes1500 strong",
		"jungle":   "random greedy-slip75 greedy-slip55 greedy-slip30 greedy nodes15 nodes50 easy nodes1500 medium strong",
		"gastank":  "random greedy-slip83 greedy-slip55 greedy-slip30 greedy-slip12 greedy nodes75 easy nodes1000 medium strong",
		"quagmire": "random greedy easy-slip85 easy-slip70 easy-slip50 easy-slip27 easy medium strong",
		"chess1d":  "random greedy easy medium-slip20 medium strong",
	} {
		g, err := games.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range Of(g) {
			got = append(got, l.Name)
			if l.Style != (l.Name == "rush" || name == "quagmire" && l.Name == "greedy") || l.Timed != (l.Name == "strong") {
				t.Errorf("%s: %s: style %v, timed %v", name, l.Name, l.Style, l.Timed)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s has\n%s, want\n%s", name, strings.Join(got, " "), want)
		}
	}
}

// An answer comes before the deadline; matches against the clock measure by how much. The machine of the
// tests is shared: a player that keeps to its time does so in one of ten attempts, whatever others do.
func TestTimedLevelsAnswerInTime(t *testing.T) {
	const late = 250 * time.Millisecond
	for _, g := range games.All {
		r := seeded(2)
		p, err := g.New(rulesOf(t, g), [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)})
		if err != nil {
			t.Fatal(err)
		}
		for _, limit := range []time.Duration{5 * time.Millisecond, 50 * time.Millisecond, 150 * time.Millisecond} {
			took := time.Hour
			for i := 0; i < 10 && took > limit+late; i++ {
				strong := Strongest(g).New(g, player.Options{})
				start := time.Now()
				strong.Choose(p.View(p.Mover()), start.Add(limit), seeded(1))
				took = time.Since(start)
			}
			if took > limit+late {
				t.Errorf("%s: %v for a limit of %v", g.Name(), took, limit)
			}
		}
	}
}

func rulesOf(t *testing.T, g game.Game) game.Rules {
	t.Helper()
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

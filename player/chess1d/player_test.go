package chess1d

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/player"
)

// playerOf makes a level of 1-D chess; strong gets nodes instead of time, so that tests repeat.
func playerOf(t *testing.T, rules game.Rules, name string) player.Player {
	t.Helper()
	g := chess1d.Game{}
	if name == "random" {
		return randomPlayer{}
	}
	o := player.Options{Rules: rules}
	if name == "strong" {
		o.Nodes = 60_000
	}
	return levelOf(t, name).New(g, o)
}

func levelOf(t *testing.T, name string) player.Level {
	t.Helper()
	for _, l := range Levels() {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("no level %s", name)
	return player.Level{}
}

// randomPlayer is the level random.
type randomPlayer struct{}

func (randomPlayer) SetUp(r *rand.Rand) game.SetUp { return chess1d.Game{}.RandomSetUp(r) }

func (randomPlayer) Choose(v game.View, _ time.Time, r *rand.Rand) game.Move {
	moves := v.Moves(nil)
	return moves[r.IntN(len(moves))]
}

// match plays a match between two levels, in pairs with the same seeds for the set-ups, and returns
// the points of the first.
func match(t *testing.T, rules game.Rules, names [2]string, games int) (points float64) {
	t.Helper()
	g := chess1d.Game{}
	for n := range games {
		var players [2]player.Player
		var setUps [2]game.SetUp
		for side := range players {
			players[side] = playerOf(t, rules, names[side^n&1])
			setUps[side] = players[side].SetUp(rand.New(rand.NewPCG(uint64(n/2), uint64(side))))
		}
		p, err := g.New(rules, setUps)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(uint64(n), 99))
		outcome := game.Drawn("plies")
		for p.Ply() < g.Limits().MaxPlies {
			if end, over := p.Outcome(); over {
				outcome = end
				break
			}
			m := players[p.Mover()].Choose(p.View(p.Mover()), time.Now(), r)
			if err := p.Check(m); err != nil {
				t.Fatalf("game %d, ply %d: %s: %v", n, p.Ply(), names[int(p.Mover())^n&1], err)
			}
			p = p.Play(m)
		}
		points += outcome.Points(game.Side(n & 1))
	}
	t.Logf("%v: %s against %s: %.1f of %d", rules, names[0], names[1], points, games)
	return points
}

func rulesOf(t *testing.T, text string) game.Rules {
	t.Helper()
	rules, err := game.ParseRules(text, chess1d.Game{}.Options())
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// Each level beats the one before, in both readings of the rules. No clock is asked, so the points are
// the same everywhere.
func TestEachLevelBeatsTheOneBefore(t *testing.T) {
	if os.Getenv("LUZHANQI_NIGHTLY") == "" {
		t.Skip("LUZHANQI_NIGHTLY is not set")
	}
	for _, text := range []string{"nomoves=loss", "nomoves=draw"} {
		for _, c := range []struct {
			better, worse string
			games         int
			least         float64
		}{
			{"greedy", "random", 40, 24},
			{"easy", "greedy", 40, 24},
			{"medium", "easy", 20, 14},
			{"strong", "medium", 20, 14},
		} {
			if got := match(t, rulesOf(t, text), [2]string{c.better, c.worse}, c.games); got < c.least {
				t.Errorf("%s: %s against %s: %.1f of %d points, want %.1f", text, c.better, c.worse, got, c.games, c.least)
			}
		}
	}
}

// Levels that draw any set-up get next to nothing against strong.
func TestStrongIsNotBeaten(t *testing.T) {
	for _, text := range []string{"nomoves=loss", "nomoves=draw"} {
		for _, worse := range []string{"random", "greedy", "easy"} {
			if got := match(t, rulesOf(t, text), [2]string{"strong", worse}, 12); got < 10 {
				t.Errorf("%s: strong against %s: %.1f of 12 points", text, worse, got)
			}
		}
	}
}

// The set-up is that of the equilibrium for the rules of the game, and the other levels vary theirs.
func TestSetUps(t *testing.T) {
	for text, want := range map[string]string{"nomoves=loss": "q a hf", "nomoves=draw": " kf sa"} {
		rules := rulesOf(t, text)
		drawn := map[string]map[game.SetUp]bool{}
		for _, name := range []string{"random", "greedy", "easy", "medium", "strong"} {
			drawn[name] = map[game.SetUp]bool{}
			for seed := range uint64(60) {
				s := playerOf(t, rules, name).SetUp(rand.New(rand.NewPCG(seed, 1)))
				if err := (chess1d.Game{}).CheckSetUp(s); err != nil {
					t.Fatalf("%s: %q: %v", name, s, err)
				}
				drawn[name][s] = true
			}
		}
		if len(drawn["strong"]) != 1 || !drawn["strong"][game.SetUp(want)] {
			t.Errorf("%s: strong sets up %v, want %q", text, drawn["strong"], want)
		}
		for _, name := range []string{"random", "greedy", "easy"} {
			if len(drawn[name]) < 40 {
				t.Errorf("%s: %s has %d set-ups in 60 draws", text, name, len(drawn[name]))
			}
		}
	}
	if s := playerOf(t, nil, "strong").SetUp(rand.New(rand.NewPCG(1, 1))); s != "q a hf" {
		t.Errorf("without rules, which are the default ones: %q", s)
	}
}

func viewOf(t *testing.T, board string, side game.Side) *chess1d.View {
	t.Helper()
	b, err := chess1d.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	return chess1d.NewView(b.InFrame(side), side, false)
}

// Positions, drawn as the mover sees them, in which one move is right for each level.
func TestTactics(t *testing.T) {
	for _, c := range []struct{ name, board, want, levels string }{
		{"takes the royal piece", "  a   Q  k f  F", "26", "greedy easy medium strong"},
		{"takes a piece", "q     a   S h K", "6a", "greedy"},
		{"does not take a piece when its queen would be taken", "  Fh q   A    K", "56", "greedy easy medium strong"},
	} {
		for _, name := range strings.Fields(c.levels) {
			for side := range game.Side(2) {
				v := viewOf(t, c.board, side)
				m := playerOf(t, nil, name).Choose(v, time.Now().Add(time.Second), rand.New(rand.NewPCG(1, 1)))
				if got := chess1d.MoveName((chess1d.Game{}).InFrame(m, side)); got != c.want {
					t.Errorf("%s: %s as player %v plays %s, want %s", c.name, name, side, got, c.want)
				}
			}
		}
	}
}

// With a number of positions, everything repeats; and what was chosen can be explained.
func TestRepeatsAndExplains(t *testing.T) {
	v := viewOf(t, "q a hf   FA H Q", game.Second)
	var first player.Explanation
	for n := range 3 {
		p := playerOf(t, nil, "strong").(*solver)
		if _, ok := p.Explain(); ok {
			t.Error("explains before it has chosen")
		}
		m := p.Choose(v, time.Now(), rand.New(rand.NewPCG(uint64(n), 1)))
		e, ok := p.Explain()
		if e.Time = 0; n == 0 {
			first = e
		}
		if !ok || e.Move != chess1d.MoveName(m) || e.Move != first.Move || e.Nodes != first.Nodes || len(e.Candidates) != 1 || e.Candidates[0] != first.Candidates[0] {
			t.Errorf("%+v, %v; at first %+v", e, ok, first)
		}
	}
}

// player.Explanations say how long a win takes, and tell what is proven from what is not.
func TestExplainsProofs(t *testing.T) {
	for _, c := range []struct {
		board, level string
		wins         int
		value, err   float64
	}{
		{"  a   Q  k f  F", "easy", 1, 1, 0},
		{"h a qf   FA H Q", "easy", 0, 0, 1},   // a thousand positions prove nothing here
		{"q a hf   FH A Q", "strong", 0, 0, 0}, // in the book
	} {
		p := playerOf(t, nil, c.level).(*solver)
		p.Choose(viewOf(t, c.board, game.First), time.Now(), rand.New(rand.NewPCG(1, 1)))
		e, _ := p.Explain()
		if e.Wins != c.wins || e.Loses != 0 || len(e.Candidates) != 1 || e.Candidates[0].Value != c.value || e.Candidates[0].Error != c.err {
			t.Errorf("%q: %+v, want wins %d, value %v ± %v", c.board, e, c.wins, c.value, c.err)
		}
	}
}

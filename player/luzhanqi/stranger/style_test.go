package stranger

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	levels "luzhanqi/player/luzhanqi"
)

// game plays a style against greedy, and shows every position in which the style is to move with its move.
func play(t *testing.T, s *Style, side game.Side, plies int, visit func(*luzhanqi.Position, game.Move)) {
	t.Helper()
	var players [2]player.Player
	players[side], players[side.Other()] = New(s), levels.Levels()[0].New(luzhanqi.Game{}, player.Options{})
	r := rand.New(rand.NewPCG(uint64(side), 4))
	p, err := luzhanqi.Game{}.New(game.Rules{}, [2]game.SetUp{players[0].SetUp(r), players[1].SetUp(r)})
	if err != nil {
		t.Fatal(err)
	}
	for p.Ply() < plies {
		if _, over := p.Outcome(); over {
			return
		}
		mover := p.Mover()
		m := players[mover].Choose(p.View(mover), time.Now(), r)
		if err := p.Check(m); err != nil {
			t.Fatalf("ply %d: %v", p.Ply(), err)
		}
		if mover == side {
			visit(p.(*luzhanqi.Position), m)
		}
		p = p.Play(m)
	}
}

func find(t *testing.T, name string) *Style {
	t.Helper()
	s, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// Every style is a level that nobody is offered, and is written as it is read.
func TestStyles(t *testing.T) {
	if n := len(All()); n < 9 {
		t.Errorf("%d styles: must be six rushers, a waiter, a defender and a player of exchanges at least", n)
	}
	for _, l := range Levels() {
		if !l.Hidden || l.Timed || l.Summary == "" {
			t.Errorf("%s: hidden %v, timed %v, summary %q", l.Name, l.Hidden, l.Timed, l.Summary)
		}
	}
	for _, s := range All() {
		text, err := s.Text()
		if err != nil {
			t.Fatal(err)
		}
		file, err := files.ReadFile("styles/" + s.Name + ".json")
		if err != nil || string(file) != string(text) {
			t.Errorf("%s: the file is not as the style would be written: %v", s.Name, err)
		}
		if s.SetUps[0].Mirrored().Mirrored() != s.SetUps[0] || s.SetUps[0].Mirrored() == s.SetUps[0] {
			t.Errorf("%s: mirrored twice it is another", s.Name)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	text, err := All()[0].Text()
	if err != nil {
		t.Fatal(err)
	}
	letters, err := All()[0].SetUps[0].MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, want string }{
		{`"name"`, `"nome"`, `unknown field "nome"`},
		{`"name": "` + All()[0].Name, `"name": "`, `style "": found 1 set-ups`},
		{`"begin": "` + All()[0].Begin, `"begin": "nome`, `begin "nome`},
		{`"lane": "` + All()[0].Lane, `"lane": "nome`, `lane "nome`},
		{string(letters), "LFL2", "found 4 pieces, must be 25"},
		{string(letters), strings.Repeat("9", 25), "illegal set-up"},
		{string(letters), strings.Repeat("x", 25), `set-up "xxx`},
	} {
		if _, err := Parse([]byte(strings.Replace(string(text), c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q instead of %q: %v, want %q", c.to, c.from, err, c.want)
		}
	}
}

// The styles play legal moves in either seat, and what each is named for can be seen.
func TestStylesPlayAsTheyAreNamed(t *testing.T) {
	for _, s := range All() {
		for side := range game.Side(2) {
			t.Run(s.Name+"-"+side.String(), func(t *testing.T) {
				t.Parallel()
				passed := 0
				play(t, &s, side, 50, func(p *luzhanqi.Position, m game.Move) {
					half := luzhanqi.OwnHalf
					if side == game.Second {
						half = luzhanqi.TurnSquares(half)
					}
					if half.Has(m.From) && !half.Has(m.To) {
						passed++
					}
				})
				switch waits := s.Begin == "never" || s.Begin == "after plies"; {
				case waits && passed > 0:
					t.Errorf("%d moves into the enemy's half", passed)
				case s.Begin == "at once" && passed == 0:
					t.Error("no move into the enemy's half in 50 plies")
				}
			})
		}
	}
}

// The set-up and the lane are mirrored together: in the mirror a style plays the mirrored moves.
func TestMirrored(t *testing.T) {
	s := find(t, "column")
	s.Strike.Noise = 0
	other := levels.AsGreedy.Draw(rand.New(rand.NewPCG(1, 1)))
	begin := func(own, enemy luzhanqi.SetUp) game.Position {
		p, err := luzhanqi.Game{}.New(game.Rules{}, [2]game.SetUp{game.SetUp(own.String()), game.SetUp(enemy.String())})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, q := begin(s.SetUps[0].SetUp, other), begin(s.SetUps[0].Mirrored().SetUp, SetUp{other}.Mirrored().SetUp)
	a, b := New(s), New(s)
	r := rand.New(rand.NewPCG(1, 2))
	for range 6 {
		m, n := a.Choose(p.View(game.First), time.Now(), r), b.Choose(q.View(game.First), time.Now(), r)
		if n != (game.Move{From: mirror(m.From), To: mirror(m.To)}) {
			t.Fatalf("ply %d: %s, and in the mirror %s", p.Ply(), luzhanqi.MoveName(m), luzhanqi.MoveName(n))
		}
		p, q = p.Play(m), q.Play(n)
		if _, over := p.Outcome(); over {
			break
		}
		reply := p.Moves(nil)[0]
		p, q = p.Play(reply), q.Play(game.Move{From: mirror(reply.From), To: mirror(reply.To)})
	}
}

// A player takes a flag that it can take, and goes in by the gate that its style prefers.
func TestGates(t *testing.T) {
	for _, c := range []struct {
		gates [3]float64
		want  int
	}{{[3]float64{0, 5, 5}, 0}, {[3]float64{5, 0, 5}, 1}, {[3]float64{5, 5, 0}, 2}} {
		w := Weights{Near: 10, Way: 3, Gates: c.gates}
		v := luzhanqi.NewView(game.First, All()[0].SetUps[0].SetUp, false)
		p := New(&Style{Lane: "any", Begin: "never", Wait: w, SetUps: All()[0].SetUps})
		p.look(v)
		cost := p.costs(false)
		for _, hq := range []string{"B12", "D12"} {
			sq, err := luzhanqi.ParseSquare(hq)
			if err != nil {
				t.Fatal(err)
			}
			for from := range (luzhanqi.Beside(luzhanqi.Bit(sq)) &^ luzhanqi.Headquarters).All() {
				if got := cost[from] == 1; got != (gateOf(from, sq) == c.want) {
					t.Errorf("gates %v: from %s it is %v steps to %s", c.gates, luzhanqi.SquareName(from), cost[from], hq)
				}
			}
		}
	}
}

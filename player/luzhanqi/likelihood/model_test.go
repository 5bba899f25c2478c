package likelihood

import (
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// GreedyGame returns every position of a game between two greedy players, with the set-ups. It is set by
// the external part of the tests, which may import them.
var GreedyGame func(tb testing.TB, seed uint64, plies int) (positions []*luzhanqi.Position, setUps [2]luzhanqi.SetUp)

func viewOf(p *luzhanqi.Position, side game.Side) *luzhanqi.View {
	return p.View(side).(*luzhanqi.View)
}

// TestPublicFollowsTheView guards that behaviour is judged on the board as it is.
func TestPublicFollowsTheView(t *testing.T) {
	for seed := range uint64(20) {
		positions, _ := GreedyGame(t, seed, 200)
		s := newPublic()
		for ply, p := range positions {
			v := viewOf(p, game.First)
			if ply > 0 {
				o, _ := v.Last()
				if !s.fits(&o) {
					t.Fatalf("seed %d, ply %d: %+v does not fit", seed, ply, o)
				}
				s.play(&o)
			}
			if s.of[game.First] != v.Own() || s.of[game.Second] != v.Enemy() {
				t.Fatalf("seed %d, ply %d: %x, the view has %x and %x", seed, ply, s.of, v.Own(), v.Enemy())
			}
			if flag, shown := v.EnemyFlag(); shown && s.flag[game.Second] != flag {
				t.Fatalf("seed %d, ply %d: flag on %v, the view has it on %v", seed, ply, s.flag, flag)
			}
			b := hiddeninfo.New(v)
			for sq := range v.Enemy().All() {
				if want, _ := b.PieceAt(sq); int(want) != int(s.piece[sq]) {
					t.Fatalf("seed %d, ply %d: piece %d on %s, the belief has %d", seed, ply, s.piece[sq], luzhanqi.SquareName(sq), want)
				}
			}
		}
	}
}

// learned are the newest model, and that of the frozen level.
var learned = map[string]Learned{"newest": Default(), "f665184": F665184()}

// TestBehaviourFromAnyPly guards that what was seen counts the same whether it is taken in move by move
// or all at once, and that a shorter view begins another game.
func TestBehaviourFromAnyPly(t *testing.T) {
	positions, _ := GreedyGame(t, 4, 120)
	last := viewOf(positions[len(positions)-1], game.Second)
	for name, learned := range learned {
		steps, once := New(last, learned), New(last, learned)
		start := *once.Likelihoods(1)
		for _, p := range positions {
			steps.Update(viewOf(p, game.Second))
		}
		once.Update(last)
		if *steps.Likelihoods(1) != *once.Likelihoods(1) || *steps.Likelihoods(1) == start {
			t.Errorf("%s: the way to the position matters", name)
		}
		once.Update(viewOf(positions[0], game.Second))
		once.Update(last)
		if *steps.Likelihoods(1) != *once.Likelihoods(1) {
			t.Errorf("%s: another game remembers the first", name)
		}
	}
}

// TestBehaviourTellSomething guards the promise of the table: on games that it was not made from, prior
// and likelihoods each lower the loss. It also fails if table and features come apart.
func TestBehaviourTellSomething(t *testing.T) {
	var constraints, prior, likelihoods, both hiddeninfo.Evaluation
	for seed := range uint64(60) {
		positions, setUps := GreedyGame(t, 1000+seed, 200)
		w := Watch(viewOf(positions[0], game.First), Default(), DefaultTrust)
		var truth hiddeninfo.World
		for p, home := range hiddeninfo.Homes {
			truth[p] = setUps[game.Second].At(home)
		}
		for ply := 9; ply < len(positions); ply += 10 {
			w.Update(viewOf(positions[ply], game.First))
			for i, e := range []*hiddeninfo.Evaluation{&constraints, &prior, &likelihoods, &both} {
				e.Add(w.Marginals(Opinions[i+1]), &truth, w.Belief.Hidden())
			}
		}
	}
	t.Logf("constraints %.4f, prior %.4f, likelihoods %.4f, both %.4f", constraints.LogLoss(), prior.LogLoss(), likelihoods.LogLoss(), both.LogLoss())
	// What pieces do was learned for what the makers do not say: alone it says nothing that could be promised.
	if both.Excluded() > 0 || prior.LogLoss() > constraints.LogLoss()-0.02 || both.LogLoss() > prior.LogLoss()-0.006 {
		t.Error("opinions do not help")
	}
}

// TestBehaviourExcludeNothing guards that opinions change odds and never what is possible.
func TestBehaviourExcludeNothing(t *testing.T) {
	for seed := range uint64(6) {
		positions, _ := GreedyGame(t, seed, 200)
		b, h := hiddeninfo.New(viewOf(positions[0], game.First)), New(viewOf(positions[0], game.First), Default())
		for ply := 0; ply < len(positions); ply += 15 {
			v := viewOf(positions[ply], game.First)
			b.Update(v)
			h.Update(v)
			b.SetPrior(nil)
			b.SetLikelihoods(nil)
			var masks [hiddeninfo.Pieces]hiddeninfo.Mask
			for p := range masks {
				masks[p] = b.Mask(hiddeninfo.Piece(p))
			}
			b.SetPrior(F665184().SetUpPrior(1))
			b.SetLikelihoods(h.Likelihoods(1))
			for p := range masks {
				if got := b.Mask(hiddeninfo.Piece(p)); got != masks[p] {
					t.Fatalf("seed %d, ply %d, piece %d: %v, without opinions %v", seed, ply, p, got, masks[p])
				}
			}
		}
	}
}

// TestBehaviourOfTheImpossible guards that nonsense neither panics nor says anything.
func TestBehaviourOfTheImpossible(t *testing.T) {
	positions, _ := GreedyGame(t, 2, 30)
	v := viewOf(positions[len(positions)-1], game.First)
	for name, learned := range learned {
		for _, o := range []luzhanqi.Observation{
			{Mover: game.Second, Move: game.Move{From: 63, To: 7}},
			{Mover: game.Second, Move: game.Move{From: 200, To: 201}, Result: luzhanqi.Win},
			{Mover: game.Second, Move: game.Move{From: 32, To: 32}, Result: luzhanqi.Tie},
		} {
			h := New(v, learned)
			h.Update(v)
			before := h.counts
			next := v.Observe(o)
			h.Update(next)
			h.Update(next)
			if h.counts != before {
				t.Errorf("%s: %+v says something", name, o)
			}
		}
	}
}

// TestTable guards that ranks which shall weigh the same do, since counting relies on it.
func TestTable(t *testing.T) {
	check := func(what string, row *[tables.RankCodes]float64) {
		for _, twins := range [][2]luzhanqi.Rank{
			{luzhanqi.MajorGeneral, luzhanqi.BrigadierGeneral}, {luzhanqi.Colonel, luzhanqi.Major}, {luzhanqi.Captain, luzhanqi.Lieutenant},
		} {
			if row[twins[0]] != row[twins[1]] {
				t.Errorf("%s: %v and %v differ: %v", what, twins[0], twins[1], row)
			}
		}
	}
	for f := range F665184().setUp {
		check("set-up", &F665184().setUp[f])
	}
	for e := range F665184().events {
		for m := range F665184().events[e] {
			check("event", &F665184().events[e][m])
		}
	}
	prior := F665184().SetUpPrior(1)
	for p, home := range hiddeninfo.Homes {
		for q, other := range hiddeninfo.Homes {
			if other == Mirror(home) && prior[p] != prior[q] {
				t.Errorf("%s and %s differ", luzhanqi.SquareName(home), luzhanqi.SquareName(other))
			}
		}
	}
	for _, test := range []struct{ text, want string }{
		{"", "0 rows"},
		{"1 2 3", "line 1: row 1 of 3 numbers"},
		{"# fine\n0 0 0 0 0 0 0 0 0 0 0 NaN", `line 2: "NaN"`},
		{"0 0 0 0 0 0 0 0 0 0 0 1001", `"1001": must be a whole number from -1000 to 1000`},
		{tableText + "0 0 0 0 0 0 0 0 0 0 0 0\n", "must be"},
	} {
		if _, err := readTable(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.20q: %v, want %q", test.text, err, test.want)
		}
	}
}

// BenchmarkHabits takes in a move of ours and one of theirs. BenchmarkHabitsBelief also works out what
// follows, as a player does before its move, with and without opinions.
func BenchmarkHabits(b *testing.B) {
	positions, _ := GreedyGame(b, 5, 100)
	h, ply := New(viewOf(positions[0], game.First), Default()), 0
	b.ReportAllocs()
	for b.Loop() {
		if ply += 2; ply >= len(positions) {
			h, ply = New(viewOf(positions[0], game.First), Default()), 2
		}
		h.Update(viewOf(positions[ply], game.First))
	}
}

func BenchmarkHabitsBelief(b *testing.B) {
	for _, name := range []string{"constraints", "prior", "likelihoods", "both"} {
		b.Run(name, func(b *testing.B) {
			positions, _ := GreedyGame(b, 5, 100)
			begin := func() (*hiddeninfo.Belief, *BehaviourModel) {
				belief := hiddeninfo.New(viewOf(positions[0], game.First))
				if name == "prior" || name == "both" {
					belief.SetPrior(F665184().SetUpPrior(DefaultTrust.Prior))
				}
				return belief, New(viewOf(positions[0], game.First), Default())
			}
			belief, h := begin()
			ply := 0
			for b.Loop() {
				if ply += 2; ply >= len(positions) {
					b.StopTimer()
					belief, h = begin()
					ply = 2
					b.StartTimer()
				}
				belief.Update(viewOf(positions[ply], game.First))
				if name == "likelihoods" || name == "both" {
					h.Update(viewOf(positions[ply], game.First))
					belief.SetLikelihoods(h.Likelihoods(DefaultTrust.Likelihoods))
				}
				belief.Marginals()
			}
		})
	}
}

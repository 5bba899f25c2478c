package alphabeta

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/player"
)

// walkGames visits the positions of random games of perfect information.
func walkGames(t *testing.T, count int, visit func(g TestGame, p game.Position, tr Tree)) {
	t.Helper()
	for _, g := range TestGames {
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(count) {
			r := rand.New(rand.NewPCG(seed, 21))
			p, err := g.New(rules, [2]game.SetUp{})
			if err != nil {
				t.Fatal(err)
			}
			for plies := 0; plies < 150; plies++ {
				if _, over := p.Outcome(); over {
					break
				}
				visit(g, p, g.Search.NewTree(p.View(p.Mover()), g.Limits().MaxPlies))
				moves := p.Moves(nil)
				p = p.Play(moves[r.IntN(len(moves))])
			}
		}
	}
}

// A tree plays by the rules of its game, takes back what it played, and what it says about positions
// is true.
func TestTreesAgreeWithTheirGames(t *testing.T) {
	struck, inCheck, ended := 0, 0, 0
	walkGames(t, 12, func(g TestGame, p game.Position, tr Tree) {
		moves := tr.Moves(nil)
		var plain []game.Move
		var gains, captures []game.Move
		for _, m := range moves {
			plain = append(plain, m.Move)
			if m.Gain > 0 {
				gains = append(gains, m.Move)
			}
			if tr.Gain(m.Move) != m.Gain {
				t.Fatalf("%s: Gain and Moves disagree about %s", g.Name(), g.FormatMove(m.Move))
			}
		}
		for _, m := range tr.Captures(nil) {
			captures = append(captures, m.Move)
		}
		if !slices.Equal(plain, p.Moves(nil)) {
			t.Fatalf("%s: the tree's moves are not those of the position\n%s", g.Name(), p.Draw(game.DrawStyle{}))
		}
		byMove := func(a, b game.Move) int { return cmp.Compare(butterfly(a), butterfly(b)) }
		slices.SortFunc(gains, byMove)
		slices.SortFunc(captures, byMove)
		if g.Search.Rules.Captures && !slices.Equal(gains, captures) {
			t.Fatalf("%s: captures %v, moves with a gain %v\n%s", g.Name(), captures, gains, p.Draw(game.DrawStyle{}))
		}
		key, value, wins := tr.Key(), tr.Evaluate(), false
		for _, m := range plain {
			next := p.Play(m)
			o, over := next.Outcome()
			tr.Play(m)
			said, treeOver := tr.Over()
			if !treeOver && len(tr.Moves(nil)) == 0 {
				said, treeOver = g.Search.Rules.Stuck, true
			}
			if over {
				ended++
				if !treeOver || said != int(2*o.Points(next.Mover()))-1 {
					t.Fatalf("%s: after %s the game is over with %v, the tree says %d, %v", g.Name(), g.FormatMove(m), o, said, treeOver)
				}
				wins = wins || o.Winner == p.Mover()
			} else if treeOver && tr.Left() > 0 {
				t.Fatalf("%s: after %s the game goes on, the tree says %d", g.Name(), g.FormatMove(m), said)
			}
			tr.Back()
		}
		if tr.Key() != key || tr.Evaluate() != value {
			t.Fatalf("%s: the tree does not take moves back", g.Name())
		}
		if tr.WinsNext() {
			if struck++; !wins {
				t.Fatalf("%s: the mover cannot win at once\n%s", g.Name(), p.Draw(game.DrawStyle{}))
			}
		}
		if value <= -evaluated || value >= evaluated {
			t.Fatalf("%s: an evaluation of %d", g.Name(), value)
		}
		if tr.InCheck() {
			inCheck++
		}
	})
	if struck == 0 || inCheck == 0 || ended == 0 {
		t.Errorf("not every case was met: %d wins next, %d inCheck, %d ends", struck, inCheck, ended)
	}
}

// With a number of nodes the same player makes the same move and thinks the same, however many
// processors there are.
func TestTreeNodesMakeItDeterministic(t *testing.T) {
	for _, g := range TestGames {
		v := randomView(t, g, 6, 5)
		var thoughts [2]player.Explanation
		for i := range thoughts {
			p := levelOf(t, g, "strong").New(g, player.Options{Nodes: 20_000}).(*Player)
			p.Choose(v, time.Now(), newRand(3))
			thoughts[i], _ = p.Explain()
			thoughts[i].Time = 0
			if n := thoughts[i].Nodes; n > 20_000 {
				t.Errorf("%s: %d nodes", g.Name(), n)
			}
		}
		if !reflect.DeepEqual(thoughts[0], thoughts[1]) {
			t.Errorf("%s: %+v, then %+v", g.Name(), thoughts[0], thoughts[1])
		}
	}
}

// Workers that search the same tree share its table and nothing else, which the race detector watches, and the one who
// answers plays by the rules.
func TestWorkersShareTheTable(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, g := range TestGames {
		p := New(g, g.Search, Config{Threads: 4}, player.Options{})
		if n := p.workers(); n != 4 {
			t.Fatalf("%s: %d workers, must be 4", g.Name(), n)
		}
		for _, plies := range []int{6, 8, 3} { // the last is of another game
			v := randomView(t, g, plies, 5)
			if m := p.Choose(v, time.Now().Add(60*time.Millisecond), newRand(3)); !slices.Contains(v.Moves(nil), m) {
				t.Errorf("%s: chose %s, which is not among the moves", g.Name(), g.FormatMove(m))
			}
		}
		p.helpers.Wait()
	}
}

func levelOf(tb testing.TB, g TestGame, name string) player.Level {
	tb.Helper()
	for _, l := range Levels(g.Search) {
		if l.Name == name {
			return l
		}
	}
	tb.Fatalf("%s has no level %s", g.Name(), name)
	return player.Level{}
}

// Every level, the hidden ones too, plays whole games by the rules from either seat.
func TestTreeLevelsPlayWholeGames(t *testing.T) {
	for _, g := range TestGames {
		for _, l := range Levels(g.Search) {
			if l.Name == "depth6" {
				continue
			}
			for n := range 2 {
				p := l.New(g, player.Options{Nodes: 200})
				o, plies := againstRandom(t, g, p, game.Side(n), newRand(uint64(n)), newRand(uint64(n+10)))
				if l.Name == "strong" && !o.Draw && o.Winner != game.Side(n) {
					t.Errorf("%s: %s lost to random moves after %d plies", g.Name(), l.Name, plies)
				}
			}
		}
	}
}

// againstRandom plays a game from a random opening against random moves.
func againstRandom(tb testing.TB, g TestGame, p player.Player, side game.Side, opening, r *rand.Rand) (game.Outcome, int) {
	tb.Helper()
	position := randomPosition(tb, g, 2, opening)
	for {
		if o, over := position.Outcome(); over {
			return o, position.Ply()
		}
		if limit := g.Limits().MaxPlies; limit > 0 && position.Ply() >= limit {
			return game.Drawn("plies"), position.Ply()
		}
		moves := position.Moves(nil)
		m := moves[r.IntN(len(moves))]
		if position.Mover() == side {
			m = p.Choose(position.View(side), time.Now().Add(100*time.Millisecond), r)
		}
		if err := position.Check(m); err != nil {
			tb.Fatalf("ply %d: %v\n%s", position.Ply(), err, position.Draw(game.DrawStyle{}))
		}
		position = position.Play(m)
	}
}

// One player serves one game after another, and views that skip moves.
func TestTreePlayerOfSeveralGames(t *testing.T) {
	for _, g := range TestGames {
		l := levelOf(t, g, "medium")
		p := l.New(g, player.Options{Nodes: 500})
		for _, plies := range []int{4, 6, 12, 3, 3, 8} {
			v := randomView(t, g, plies, uint64(plies))
			if m := p.Choose(v, time.Now(), newRand(1)); !slices.Contains(v.Moves(nil), m) {
				t.Errorf("%s: chose %s, which is not among the moves", g.Name(), g.FormatMove(m))
			}
			if _, ok := p.(player.Explainer).Explain(); !ok {
				t.Errorf("%s: nothing to explain after a move", g.Name())
			}
		}
	}
}

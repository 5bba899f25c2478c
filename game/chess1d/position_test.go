package chess1d

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"luzhanqi/game"
)

// play plays moves from a board and returns the last position.
func play(t *testing.T, p game.Position, moves ...string) game.Position {
	t.Helper()
	for _, text := range moves {
		m, ok := parseMove(text)
		if !ok {
			t.Fatal(text)
		}
		if err := p.Check(m); err != nil {
			t.Fatalf("%q: %v", p.(*Position).Board(), err)
		}
		p = p.Play(m)
	}
	return p
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name, board string
		mover       game.Side
		draws       bool
		moves       []string
		want        *game.Outcome
	}{
		{"the game goes on", "kahf       FHAK", game.First, false, nil, nil},
		{"a footman takes the king", "k     f K      ", game.First, false, []string{"68"}, &game.Outcome{Winner: game.First, Reason: "royal piece captured"}},
		{"a queen takes the queen", "     qQ        ", game.Second, false, []string{"65"}, &game.Outcome{Winner: game.Second, Reason: "royal piece captured"}},
		{"no move loses", "k       K      ", game.First, false, nil, &game.Outcome{Winner: game.Second, Reason: "no legal moves"}},
		{"or draws", "k       K      ", game.First, true, nil, &game.Outcome{Draw: true, Reason: "no legal moves"}},
		{"the last move takes the last move away", " k           K ", game.First, false, []string{"10", "de"}, &game.Outcome{Winner: game.Second, Reason: "no legal moves"}},
		{"taking the royal comes before having no moves", "k     f K      ", game.First, true, []string{"68"}, &game.Outcome{Winner: game.First, Reason: "royal piece captured"}},
		{"a board without the mover's royal", "      f K      ", game.First, true, nil, &game.Outcome{Winner: game.Second, Reason: "royal piece captured"}},
		{"a board without the other royal", "k     f        ", game.First, true, nil, &game.Outcome{Winner: game.First, Reason: "royal piece captured"}},
	} {
		p := play(t, NewPosition(mustBoard(t, c.board), c.mover, c.draws), c.moves...)
		got, over := p.Outcome()
		if over != (c.want != nil) || over && got != *c.want {
			t.Errorf("%s: %v %v, want %v", c.name, got, over, c.want)
		}
		if over {
			if len(p.Moves(nil)) > 0 {
				t.Errorf("%s: moves after the end", c.name)
			}
			if err := p.Check(game.Move{From: 0, To: 1}); err == nil || !strings.Contains(err.Error(), "the game is over") {
				t.Errorf("%s: error %v after the end", c.name, err)
			}
		}
	}
}

// Two horses go 2 forward and 1 back twice: the position comes back every six plies. The third time
// it is a draw, and not before.
func TestRepetition(t *testing.T) {
	start := mustBoard(t, "kc h       H CK")
	round := []string{"35", "b9", "54", "9a", "43", "ab"}
	p := game.Position(NewPosition(start, game.First, false))
	for n := range 2 * len(round) {
		if _, over := p.Outcome(); over {
			t.Fatalf("over after %d plies", n)
		}
		p = play(t, p, round[n%len(round)])
	}
	if got, over := p.Outcome(); !over || got != game.Drawn("repetition") {
		t.Errorf("%v %v, want a draw by repetition", got, over)
	}
}

// Random games: Play leaves its receiver alone, legal moves are playable, and playing the same moves
// again ends the same way.
func TestGamesReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		g := Game{}
		rules := game.Rules{"nomoves": rapid.SampledFrom([]string{"loss", "draw"}).Draw(t, "nomoves")}
		setUps := [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
		start, err := g.New(rules, setUps)
		if err != nil {
			t.Fatal(err)
		}
		var record []game.Move
		p := start
		for len(record) < 300 {
			moves := p.Moves(nil)
			if _, over := p.Outcome(); over != (len(moves) == 0) {
				t.Fatalf("over %v with %d moves", over, len(moves))
			}
			if len(moves) == 0 {
				break
			}
			m := moves[r.IntN(len(moves))]
			before := p.(*Position).Board()
			next := p.Play(m)
			if p.(*Position).Board() != before || p.Ply() != len(record) || next.Ply() != p.Ply()+1 || next.Mover() == p.Mover() {
				t.Fatalf("%s changed %q", MoveName(m), before)
			}
			for _, side := range []game.Side{game.First, game.Second} {
				v := next.View(side).(*View)
				if v.Side() != side || v.Mover() != next.Mover() || v.Ply() != next.Ply() || v.Board() != next.(*Position).Board() {
					t.Fatalf("player %v's view differs from the position", side)
				}
				if _, over := next.Outcome(); side == next.Mover() && !slices.Equal(v.Moves(nil), next.Moves(nil)) || over && len(v.Moves(nil)) > 0 {
					t.Fatalf("player %v's view has other moves", side)
				}
			}
			p, record = next, append(record, m)
		}
		again := start
		for _, m := range record {
			if err := again.Check(m); err != nil {
				t.Fatal(err)
			}
			again = again.Play(m)
		}
		o1, over1 := p.Outcome()
		o2, over2 := again.Outcome()
		if over1 != over2 || o1 != o2 || again.(*Position).Board() != p.(*Position).Board() {
			t.Fatal("the same moves end differently")
		}
	})
}

package luzhanqi

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 9)) }

// With a number of nodes, the seed decides everything: neither the clock nor how many workers share
// the playouts changes a move.
func TestNodesMakeItDeterministic(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		v := midgame(t, seed, 30)
		var first player.Explanation
		for _, workers := range []int{1, 2, 5} {
			s := Strong
			s.Workers = workers
			p := &Searcher{style: s, options: player.Options{Nodes: 20_000}}
			m := p.Choose(v, time.Now(), newRand(seed))
			e, _ := p.Explain()
			e.Time = 0
			if workers == 1 {
				first = e
				continue
			}
			got, _ := json.Marshal(e)
			want, _ := json.Marshal(first)
			if string(got) != string(want) {
				t.Errorf("seed %d: %d workers chose %s\n%s\none chose\n%s", seed, workers, luzhanqi.MoveName(m), got, want)
			}
		}
	}
}

// Every level plays whole games by the rules from either seat.
func TestLevelsPlayWholeGames(t *testing.T) {
	for _, l := range Levels() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(2) {
				players := [2]player.Player{l.New(luzhanqi.Game{}, player.Options{Nodes: 700}), &greedy{}}
				if seed == 1 {
					players[0], players[1] = players[1], players[0]
				}
				playOne(t, players, [2]*rand.Rand{newRand(seed), newRand(seed + 10)}, 160)
			}
		})
	}
}

// playOne plays one game, of at most so many plies.
func playOne(tb testing.TB, players [2]player.Player, random [2]*rand.Rand, maxPlies int) *luzhanqi.Position {
	tb.Helper()
	var setUps [2]luzhanqi.SetUp
	for side, p := range players {
		s, err := luzhanqi.ParseSetUp(string(p.SetUp(random[side])))
		if err != nil {
			tb.Fatalf("player %d: %v", side+1, err)
		}
		setUps[side] = s
	}
	p := luzhanqi.NewPosition(setUps[0], setUps[1], false)
	for p.Ply() < maxPlies {
		if _, over := p.Outcome(); over {
			break
		}
		side := p.Mover()
		m := players[side].Choose(p.View(side), time.Now().Add(time.Hour), random[side])
		if err := p.Check(m); err != nil {
			tb.Fatalf("ply %d: player %d: %v\n%s", p.Ply(), side+1, err, p.Draw(game.DrawStyle{}))
		}
		p = p.Play(m).(*luzhanqi.Position)
	}
	return p
}

// What a worker finds after its round has been closed is not counted: the others no longer wait.
func TestStragglersAreNotCounted(t *testing.T) {
	b := board(t, "B1:F1 D12:F2 C12:91 E1:32 A6:31 E7:42")
	for _, closed := range []bool{false, true} {
		s := searchOf(t, b, game.First, 0)
		r := round{racing: s.candidates, limit: 5, closed: closed}
		s.work(&r, slices.Clone(s.candidates))
		for _, c := range s.candidates {
			if want := map[bool]int64{false: 5}[closed]; c.visits != want {
				t.Errorf("closed %v: %s was counted %d times, want %d", closed, luzhanqi.MoveName(c.move), c.visits, want)
			}
		}
	}
}

// Proofs keep to their share of the positions of a choice, and are left out where it is too small.
func TestProofsKeepToTheirShare(t *testing.T) {
	b := board(t, "B1:F1 B2:L1 D12:F2 A9:91 E1:32 A6:31 E7:42 C7:52 C3:72")
	for _, nodes := range []int{0, 100, 10_000, 1_000_000} {
		s := searchOf(t, b, game.First, 0)
		s.findMates(nodes)
		// A proof may look at one position more for each ply that it is deep when it runs out.
		if used := int(s.played.Load()); used > nodes/mateShare+40*len(s.candidates) {
			t.Errorf("%d positions of %d", used, nodes)
		}
		if proven := s.candidates[0].mates != nil; proven != (nodes/mateShare/len(s.candidates) >= minMateNodes) {
			t.Errorf("%d nodes for %d moves: proofs %v", nodes, len(s.candidates), proven)
		}
	}
}

// Once every world has been played often enough, it does not use up its time.
func TestAnswersAtOnceWhenSettled(t *testing.T) {
	b := board(t, "B1:F1 D12:F2 C12:91 E1:32")
	s := searchOf(t, b, game.First, 0)
	start := time.Now()
	s.run(budget{start: start, deadline: start.Add(time.Minute)})
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it thought for %v", took)
	}
}

func board(tb testing.TB, text string) luzhanqi.Board {
	tb.Helper()
	b, err := luzhanqi.ParseBoard(text)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// searchOf searches a position that both sides see.
func searchOf(tb testing.TB, b luzhanqi.Board, side game.Side, nodes int) *search {
	tb.Helper()
	v := luzhanqi.NewView(side, luzhanqi.RandomSetUp(newRand(1)), false)
	d := &sampler{view: v, style: naive, random: newRand(1), truth: &b}
	s := &search{side: side, plies: Strong.Plies, rushes: true, seed: 1, workers: 2}
	for _, m := range b.Moves(side, nil) {
		s.candidates = append(s.candidates, candidate{move: m, bias: 1})
	}
	s.worlds, s.schedule = d.draw(1)
	if nodes > 0 {
		s.run(budget{nodes: nodes})
	}
	return s
}

// Positions in which one move, or several, must be found.
func TestTactics(t *testing.T) {
	for _, c := range []struct {
		name, board string
		side        game.Side
		best        []string // any of these
		not         []string // none of these
	}{
		{
			name: "takes the flag", side: game.First,
			board: "B1:F1 A1:L1 B2:L1 C1:L1 C12:51 D12:F2 D11:92 A9:82 A8:72 E3:71",
			best:  []string{"C12 D12"},
		},
		{
			name: "takes the piece that is about to take the flag", side: game.First,
			board: "B1:F1 A1:L1 C1:L1 B2:32 C2:51 D12:F2 E12:L2 C12:L2 D11:L2 A9:82 E9:71",
			best:  []string{"C2 B2"},
		},
		{
			name: "shuts the gate before the engineer comes through", side: game.First,
			board: "B1:F1 A1:L1 C1:L1 B3:12 C2:31 E5:91 D12:F2 E12:L2 C12:L2 D11:L2 A9:82",
			best:  []string{"C2 B2", "C2 A2"},
		},
		{
			name: "network.Default() a stronger piece alone", side: game.First,
			board: "B1:F1 A1:L1 B2:L1 C1:L1 C6:81 C7:92 E3:71 D12:F2 E12:L2 C12:L2 D11:L2 A11:52",
			not:   []string{"C6 C7"},
		},
		{
			name: "an engineer opens the mine that a general would die on", side: game.First,
			board: "B1:F1 A1:L1 B2:L1 C1:L1 D12:F2 E12:L2 C12:L2 D11:L2 C11:11 E11:81 A3:32",
			best:  []string{"C11 C12", "C11 D11"},
			not:   []string{"E11 E12", "E11 D11"},
		},
		{
			name: "does not walk into an empty headquarters", side: game.First,
			board: "B1:F1 A1:L1 B2:L1 C1:L1 D12:F2 E12:L2 C12:L2 D11:L2 B11:81 C5:11 A6:52 E7:42",
			not:   []string{"B11 B12"},
		},
		{
			name: "takes the last piece that can move", side: game.Second,
			board: "D12:F2 C12:L2 D11:L2 E12:L2 C8:82 C7:61 B1:F1 A1:L1 B2:L1 C1:L1 A9:52",
			best:  []string{"C8 C7"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := searchOf(t, board(t, c.board), c.side, 100_000)
			got := luzhanqi.MoveName(s.pick(newRand(1)).move)
			found := len(c.best) == 0
			for _, m := range c.best {
				found = found || m == got
			}
			for _, m := range c.not {
				found = found && m != got
			}
			if !found {
				t.Errorf("chose %s, value %.3f; best are %v, none of %v", got, s.candidates[0].value(), c.best, c.not)
			}
		})
	}
}

// Whatever a referee says, the player says once that it cannot be and plays on.
func TestGarbageObservations(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		r := newRand(seed)
		said := 0
		p := &Searcher{style: Strong, options: player.Options{Nodes: 600, Log: func(string) { said++ }}}
		v := luzhanqi.NewView(game.Side(seed&1), luzhanqi.RandomSetUp(r), seed&2 != 0)
		for range 40 {
			o := luzhanqi.Observation{
				Mover: game.Side(r.IntN(2)), Result: luzhanqi.Result(r.IntN(5)),
				Move: game.Move{From: game.Square(r.IntN(60)), To: game.Square(r.IntN(60))},
			}
			if r.IntN(4) == 0 {
				o.Flags = []luzhanqi.Reveal{{Owner: game.Side(r.IntN(2)), Square: game.Square(r.IntN(60))}}
			}
			v = v.Observe(o)
			moves := v.Moves(nil)
			if len(moves) == 0 {
				continue
			}
			m := p.Choose(v, time.Now().Add(time.Hour), r)
			legal := false
			for _, l := range moves {
				legal = legal || l == m
			}
			if !legal {
				t.Fatalf("seed %d: chose %s, which is not among the moves", seed, luzhanqi.MoveName(m))
			}
		}
		if p.watcher.Belief.Trouble() == nil || said != 1 {
			t.Errorf("seed %d: trouble %v, said %d times; 40 random observations cannot be, and are to be complained of once",
				seed, p.watcher.Belief.Trouble(), said)
		}
	}
}

// A piece that has shown itself to be the field marshal is left alone by a lesser one.
func TestKnowsWhoTookTheGeneral(t *testing.T) {
	setUp, err := luzhanqi.ParseSetUp("A1:L B1:F C1:L D1:2 E1:2 A2:B B2:L C2:1 D2:1 E2:1 A3:B C3:3 E3:3 " +
		"A4:2 B4:3 D4:4 E4:4 A5:5 C5:5 E5:6 A6:6 B6:9 C6:8 D6:7 E6:7")
	if err != nil {
		t.Fatal(err)
	}
	v := luzhanqi.NewView(game.First, setUp, false)
	mv := func(from, to string) game.Move {
		a, _ := luzhanqi.ParseSquare(from)
		b, _ := luzhanqi.ParseSquare(to)
		return game.Move{From: a, To: b}
	}
	v = v.Observe(luzhanqi.Observation{Mover: game.First, Move: mv("C6", "C7"), Result: luzhanqi.Loss})
	v = v.Observe(luzhanqi.Observation{Mover: game.Second, Move: mv("C7", "C6")})
	for seed := range uint64(5) {
		p := &Searcher{style: Strong, options: player.Options{Nodes: 20_000}}
		m := p.Choose(v, time.Now(), newRand(seed))
		if at, _ := luzhanqi.ParseSquare("C6"); m.To == at && v.Rank(m.From) != luzhanqi.Bomb && v.Rank(m.From) != luzhanqi.FieldMarshal {
			t.Errorf("seed %d: %s attacks the field marshal with a %v", seed, luzhanqi.MoveName(m), v.Rank(m.From))
		}
	}
}

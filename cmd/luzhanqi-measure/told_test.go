package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
)

// asked is a game between a player and itself as it begins, and what it says of the first move. Who slips at times is asked who does not.
func asked(t *testing.T, name string, nodes int) (game.Position, player.Explanation) {
	t.Helper()
	p, err := find(rules.Game{}, name, player.Options{Nodes: nodes, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	var setUps [2]game.SetUp
	for side := range setUps {
		setUps[side] = p.SetUp(rand.New(rand.NewPCG(7, uint64(side))))
	}
	begun, err := rules.Game{}.New(game.Rules{}, setUps)
	if err != nil {
		t.Fatal(err)
	}
	p = player.Sure(p)
	showTruth(p, begun)
	p.Choose(begun.View(game.First), time.Now().Add(time.Hour), rand.New(rand.NewPCG(1, 1)))
	why, ok := p.(player.Explainer).Explain()
	if !ok {
		t.Fatalf("%s says nothing of its move", name)
	}
	return begun, why
}

// The twin that is told a quarter knows six pieces when the game begins, as they are, and one that is told nothing none.
func TestTold(t *testing.T) {
	for name, want := range map[string]int{"told-25": 6, "told-25-f665184": 6, "told-100": 25, "knows-98B": 4, "knows-F": 1, "strong": 0} {
		begun, why := asked(t, name, 100)
		board := begun.(*rules.Position).Board()
		known := 0
		for _, s := range why.Belief {
			sq, err := rules.ParseSquare(s.Square)
			if err != nil {
				t.Fatal(err)
			}
			_, rank, _ := board.At(sq)
			if len(s.Odds) == 1 {
				known++
			}
			if s.Odds[string(rank.Letter())] == 0 {
				t.Errorf("%s: %s cannot be what it is, %v", name, s.Square, rank)
			}
		}
		if known < want || want == 0 && known > 0 || known > want+3 { // what is told can tell more
			t.Errorf("%s knows %d pieces, not %d", name, known, want)
		}
	}
	for _, wrong := range []string{"told-0", "told-x", "told-101", "told-", "knows-", "knows-0", "knows-99", "knows-b"} {
		if _, err := find(rules.Game{}, wrong, player.Options{}); err == nil {
			t.Errorf("%s is a player", wrong)
		}
	}
}

// In games of a panel, too, it is told what it is told, and who sees the truth sees it.
func TestToldInPanel(t *testing.T) {
	c := panelCommand{Nodes: 300, Seed: 3}
	games := map[string]playedGame{}
	for _, name := range []string{"strong", "told-100", "strong%1", "told-100%1"} {
		g, err := c.play([2]string{name, "greedy"}, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		games[name] = g
	}
	if games["strong"] == games["told-100"] || games["strong%1"] == games["told-100%1"] {
		t.Errorf("strong and who is told all play the same game: %+v", games)
	}
	shown, err := find(rules.Game{}, "oracle", player.Options{Nodes: 100, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := find(rules.Game{}, "greedy", player.Options{})
	if err != nil {
		t.Fatal(err)
	}
	players, setUps := [2]player.Player{shown, other}, [2]game.SetUp{}
	var random [2]*rand.Rand
	for side, p := range players {
		random[side] = rand.New(rand.NewPCG(5, uint64(side)))
		setUps[side] = p.SetUp(random[side])
	}
	if _, _, err := playOut(players, setUps, random, time.Hour); err != nil || shown.(*oracle).Truth == nil {
		t.Errorf("%v; the oracle was shown the truth: %v", err, shown.(*oracle).Truth != nil)
	}
}

package gamefile

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

var army = luzhanqi.RandomSetUp(rand.New(rand.NewPCG(1, 1))).String()

// Games come back by their numbers, whatever the order in which parts were added.
func TestFile(t *testing.T) {
	games := []Game{
		{Number: 0, Players: [2]string{"strong", "medium"}, SetUps: [2]string{army, army}, Moves: "A6 A7", Points: 0.5},
		{Number: 1, Players: [2]string{"greedy", "strong"}, SetUps: [2]string{army, army}, Moves: "", Points: 1},
		{Number: 2, Players: [2]string{"strong", "strong"}, SetUps: [2]string{army, army}, Moves: "C6 C7", Points: 0},
	}
	path := filepath.Join(t.TempDir(), "games.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][]Game{games[2:], games[:2], nil} {
		if err := Append(file, part); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(path); err != nil || !reflect.DeepEqual(got, games) {
		t.Errorf("%v, %v", got, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-20], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil {
		t.Error("a cut file has no error")
	}
}

// Replay says where a game cannot be played on.
func TestReplay(t *testing.T) {
	for _, test := range []struct{ moves, want string }{
		{"", ""},
		{"A12 A11", "game 7, ply 0"}, // the other side's
		{"A1 A2", "game 7, ply 0"},
		{"nonsense", "game 7, ply 0"},
	} {
		g := Game{Number: 7, SetUps: [2]string{army, army}, Moves: test.moves}
		plies := 0
		p, err := g.Replay(func(p *luzhanqi.Position, m game.Move) { plies++ })
		if test.want == "" && (err != nil || p.Ply() != 0) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %v", test.moves, err)
		}
	}
	g := Game{SetUps: [2]string{army, "((A1 L))"}}
	if _, err := g.Replay(nil); err == nil || !strings.Contains(err.Error(), "player 2") {
		t.Errorf("half a set-up: %v", err)
	}
}

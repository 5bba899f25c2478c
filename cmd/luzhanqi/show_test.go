package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/referee"
)

// TestBoardsAreWhole: games that are played at a time draw one board after the other, each as a whole, while
// the score changes.
func TestBoardsAreWhole(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	g := jungle.Game{}
	pos, err := g.New(game.Rules{}, [2]game.SetUp{})
	if err != nil {
		t.Fatal(err)
	}
	m := &referee.Match{
		Conditions: referee.Conditions{Game: g}, Entrants: [2]referee.Entrant{{Name: "ann"}, {Name: "bob"}}, Games: 1000, Concurrency: 2,
	}
	w := newShow(&stdio{out: &output{File: file}, err: os.Stderr}, m, &matchCommand{Board: "on"})
	move := pos.Moves(nil)[0]
	const boards = 200
	var games sync.WaitGroup
	for number := range 2 {
		follower := w.watch(&referee.Game{Conditions: m.Conditions, Entrants: m.Entrants, Number: number + 1})
		games.Go(func() {
			for range boards {
				follower.Moved(pos, pos.Play(move), referee.Played{Move: move})
			}
		})
	}
	games.Go(func() {
		for number := range 20 {
			w.ended(referee.Result{Number: number + 1, Ending: &referee.Ending{Code: referee.Drawn}}, referee.Score{Draws: number + 1})
		}
	})
	games.Wait()
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	board := "\n" + pos.Play(move).Draw(game.DrawStyle{Last: &move}) + "\n"
	if whole := strings.Count(string(text), "\nply 1: ann plays "+g.FormatMove(move)+" (0s)\n"+board); whole != 2*boards {
		t.Errorf("%d of %d boards are whole", whole, 2*boards)
	}
}

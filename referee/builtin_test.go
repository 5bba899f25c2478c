package referee_test

import (
	"context"
	"testing"

	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
)

// A player of ours is told after how many plies the match is drawn, which may not be as the game has it,
// and by which rules it is played.
func TestPlayersKnowTheCapOfTheMatch(t *testing.T) {
	random, err := levels.Find(toy{}, "random")
	if err != nil {
		t.Fatal(err)
	}
	for _, plies := range []int{0, 3} {
		var told []int
		curious := player.Level{Name: "curious", New: func(g game.Game, o player.Options) player.Player {
			if o.MaxPlies == nil || o.Rules["cap"] != "told" {
				t.Fatalf("it is told %+v", o)
			}
			told = append(told, *o.MaxPlies)
			return random.New(g, o)
		}}
		limits := toy{}.Limits()
		limits.MaxPlies = plies
		f := &referee.Game{
			Conditions: referee.Conditions{Game: toy{50}, Rules: game.Rules{"cap": "told"}, Limits: limits}, Number: 1, Attempt: 1,
			Entrants: [2]referee.Entrant{{Name: "a", Level: &curious}, {Name: "b", Level: &curious}},
		}
		o, err := f.Play(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(told) != 2 || told[0] != plies || told[1] != plies || plies > 0 && (o.Ending.Code != referee.Drawn || o.Ending.Plies != plies) {
			t.Errorf("a cap of %d plies: the players were told %v, and it ended %s after %d", plies, told, o.Ending.Code, o.Ending.Plies)
		}
	}
}

package referee_test

import (
	"context"
	"fmt"

	"luzhanqi/game/games"
	"luzhanqi/referee"
)

// A game of two players of ours. The same seed is the same game.
func ExampleGame_Play() {
	kind, err := games.Find("jungle")
	if err != nil {
		panic(err)
	}
	g := referee.Game{Conditions: referee.Conditions{Game: kind, Limits: kind.Limits()}, Seed: 7, Number: 1, Attempt: 1}
	if err := g.SetRules("illegal=retry:2"); err != nil {
		panic(err)
	}
	g.Limits.MaxPlies = 20
	for seat := range g.Entrants {
		if g.Entrants[seat], err = referee.ParseEntrant(kind, "builtin:random", ""); err != nil {
			panic(err)
		}
	}
	referee.Number(&g.Entrants)
	result, err := g.Play(context.Background(), nil)
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Ending.Code, "after", result.Ending.Plies, "plies:", result.Ending.Reason)
	// Output: drawn after 20 plies: draw: cap of 20 plies reached
}

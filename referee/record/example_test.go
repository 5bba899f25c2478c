package record_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

// A game is recorded, read back and judged again; a record that was changed disagrees with the rules.
func Example() {
	kind, err := games.Find("jungle")
	if err != nil {
		panic(err)
	}
	g := &referee.Game{Conditions: referee.Conditions{Game: kind, Limits: kind.Limits()}, Seed: 7, Number: 1, Attempt: 1}
	g.Limits.MaxPlies = 4
	for seat := range g.Entrants {
		if g.Entrants[seat], err = referee.ParseEntrant(kind, "builtin:random", "player "+fmt.Sprint(seat+1)); err != nil {
			panic(err)
		}
	}
	var text bytes.Buffer
	if _, err := g.Play(context.Background(), record.NewWriter(&text, g)); err != nil {
		panic(err)
	}
	changed := strings.Replace(text.String(), `"ply":3`, `"ply":5`, 1)

	replay, err := record.Read(&text, games.Find)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: %s, %d moves\n", replay.Header, replay.Ending.Code, len(replay.Moves))
	fmt.Println("disagreements:", len(replay.Disagreements))

	replay, err = record.Read(strings.NewReader(changed), games.Find)
	if err != nil {
		panic(err)
	}
	fmt.Println(replay.Disagreements[0])
	// Output:
	// jungle: player 1 – player 2, game 1 of seed 7: drawn, 4 moves
	// disagreements: 0
	// line 4: the ply is 3, not 5
}

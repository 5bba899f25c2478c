package schedule_test

import (
	"fmt"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
)

// played is the results so far.
type played map[string]rating.Result

func (p played) Result(id string) rating.Result { return p[id] }

// A Swiss: the second round is known when the first has been played.
func ExampleCursor() {
	swiss, err := schedule.New(schedule.Spec{Format: schedule.Swiss, Players: 4, Rounds: 2, Games: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	names := []string{"Ada", "Bo", "Cy", "Di"}
	results := played{}
	games := swiss.Cursor()
	for !games.Complete() {
		g, ok := games.Next(results)
		if !ok {
			break
		}
		fmt.Printf("%s: %s – %s\n", g.ID, names[g.Players[0]], names[g.Players[1]])
		results[g.ID] = rating.Loss // whoever sits at seat 2 wins
		if g.Players[0] < g.Players[1] {
			results[g.ID] = rating.Win
		}
	}
	// Output:
	// r01-p001-g1: Ada – Cy
	// r01-p001-g2: Cy – Ada
	// r01-p002-g1: Di – Bo
	// r01-p002-g2: Bo – Di
	// r02-p001-g1: Bo – Ada
	// r02-p001-g2: Ada – Bo
	// r02-p002-g1: Di – Cy
	// r02-p002-g2: Cy – Di
}

package standings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
)

// someGames draws games of a few players.
func someGames(t *rapid.T) (names []string, list []Game) {
	n := rapid.IntRange(2, 7).Draw(t, "players")
	for i := range n {
		names = append(names, fmt.Sprint("player ", i))
	}
	for range rapid.IntRange(0, 60).Draw(t, "games") {
		first := rapid.IntRange(0, n-1).Draw(t, "first")
		second := (first + rapid.IntRange(1, n-1).Draw(t, "second")) % n
		result := rapid.SampledFrom([]rating.Result{rating.Void, rating.Loss, rating.Draw, rating.Win}).Draw(t, "result")
		list = append(list, Game{first, second, result, result != rating.Draw && rapid.Bool().Draw(t, "foul")})
	}
	return names, list
}

// written is all that a table says.
func written(t *rapid.T, table *Table) string {
	var b bytes.Buffer
	if err := table.Text(&b, 0); err != nil {
		t.Fatal(err)
	}
	if err := table.CrossText(&b, 0); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + string(text)
}

// TestAnyOrder: the order in which games end changes no byte.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, list := someGames(t)
		order := rapid.SampledFrom([]Order{RoundRobin, Swiss, Gauntlet, {By: Score}}).Draw(t, "ranked")
		table, err := Compute(names, list, order)
		if err != nil {
			t.Fatal(err)
		}
		mixed, err := Compute(names, rapid.Permutation(list).Draw(t, "order"), order)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := written(t, table), written(t, mixed); a != b {
			t.Fatalf("-in order, +mixed:\n%s", cmp.Diff(a, b))
		}
	})
}

// TestNothingIsLost: every game that counts gives one point, in the rows and in the cross-table; ranks are
// those of a total order.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names, list := someGames(t)
		table, err := Compute(names, list, RoundRobin)
		if err != nil {
			t.Fatal(err)
		}
		points, fouls, voids := 0.0, 0, 0
		for i, r := range table.Rows {
			points += r.Points
			fouls -= r.Fouls
			if r.Rank != i+1 || r.Games != r.Wins+r.Draws+r.Losses || i > 0 && r.Points > table.Rows[i-1].Points {
				t.Fatalf("%+v", table.Rows)
			}
			across := 0.0
			for j := range names {
				c, back := table.Cell(r.Player, j), table.Cell(j, r.Player)
				across += c.Points
				if c.Games != back.Games || c.Points+back.Points != float64(c.Games) {
					t.Fatalf("%v and %v", c, back)
				}
			}
			if across != r.Points {
				t.Fatalf("%v points, in the cross-table %v", r.Points, across)
			}
		}
		for _, g := range list {
			if g.Result == rating.Void {
				voids++
			} else if g.Foul {
				fouls++
			}
		}
		if points != float64(table.Games) || table.Games+voids != len(list) || table.Voids != voids || fouls != 0 {
			t.Fatalf("%v points, %d games, %d void, of %d; fouls differ by %d", points, table.Games, table.Voids, len(list), fouls)
		}
	})
}

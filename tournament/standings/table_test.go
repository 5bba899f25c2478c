package standings

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"luzhanqi/tournament/rating"
)

// games reads lines such as "a b 1-0 foul": players are letters, in the order of entry.
func games(t testing.TB, text string) []Game {
	t.Helper()
	var list []Game
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		result := map[string]rating.Result{"1-0": rating.Win, "½-½": rating.Draw, "0-1": rating.Loss, "void": rating.Void}
		r, ok := result[fields[2]]
		if !ok {
			t.Fatalf("no result: %q", line)
		}
		list = append(list, Game{int(fields[0][0] - 'a'), int(fields[1][0] - 'a'), r, len(fields) > 3})
	}
	return list
}

func mustCompute(t testing.TB, players int, list []Game, order Order) *Table {
	t.Helper()
	names := make([]string, players)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	table, err := Compute(names, list, order)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func ranking(t *Table) (names string) {
	for _, r := range t.Rows {
		names += r.Name
	}
	return names
}

// TestTable counts a round robin of four that was worked out by hand.
func TestTable(t *testing.T) {
	table := mustCompute(t, 4, games(t, `
		a b 1-0
		c d ½-½
		d a 1-0 foul
		b c 1-0
		a c 1-0
		b d void
		b d 0-1 foul
	`), RoundRobin)
	if got := ranking(table); got != "dabc" {
		t.Errorf("ranked %s, want dabc", got)
	}
	d := table.Rows[0]
	d.Elo, d.Superiority = rating.Interval{}, 0
	want := Row{
		Rank: 1, Player: 3, Name: "d", Games: 3, Wins: 2, Draws: 1, Points: 2.5, Score: 2.5 / 3,
		SonnebornBerger: 1*2 + 1*1 + 0.5*0.5, Buchholz: 2 + 1 + 0.5,
	}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("the first (-want +got):\n%s", diff)
	}
	if a, b := table.Rows[1], table.Rows[2]; a.Fouls != 1 || b.Fouls != 1 || table.Games != 6 || table.Voids != 1 || table.First != (Moved{4, 1, 1}) {
		t.Errorf("%+v\n%+v\n%+v", a, b, table)
	}
	if c := table.Cell(3, 2); c != (Cell{0.5, 1}) {
		t.Errorf("d against c: %v", c)
	}
	if c := table.Cell(3, 3); c != (Cell{}) {
		t.Errorf("d against itself: %v", c)
	}
}

// TestTieBreaks names who is ahead of those level on points, and by what.
func TestTieBreaks(t *testing.T) {
	for _, test := range []struct {
		name  string
		games string
		order Order
		want  string
	}{
		{"a beat b, and d beat c", "b a 0-1\n b c 1-0\n c a 1-0\n c d 0-1\n d b 0-1\n a d 1-0", Order{Points, []TieBreak{HeadToHead}}, "abdc"},
		{"b beat a, and d beat c", "b a 1-0\n a c 1-0\n a d 1-0\n b c 0-1\n b d 1-0\n c d 0-1", Order{Points, []TieBreak{HeadToHead}}, "badc"},
		{"a circle: the order of entry", "a b 1-0\n b c 1-0\n c a 1-0", RoundRobin, "abc"},
		{"not all have met: no head-to-head", "b a 1-0\n a d 1-0\n c d 1-0", Order{Points, []TieBreak{HeadToHead}}, "abcd"},
		{"b drew with the winner, a with the last", "d a 1-0\n a c ½-½\n b d ½-½\n c b 0-1\n d c 1-0\n a b ½-½\n a c 1-0\n c b ½-½\n", Order{Points, []TieBreak{SonnebornBerger}}, "dbac"},
		{"b and d met the stronger", "a c 1-0\n b d 1-0\n d c 1-0", Order{Points, []TieBreak{Buchholz}}, "bdac"},
		{"more wins", "b c 1-0\n c b 1-0\n a d ½-½\n d a ½-½", Order{Points, []TieBreak{Wins}}, "bcad"},
		{"by score, not points", "a b 1-0\n a b 0-1\n a b 1-0\n c d 1-0", Order{By: Score}, "cabd"},
		{"by Elo: c beat who beat d twice", "b d 1-0\n d b 0-1\n c b 1-0\n b c 0-1\n a d 1-0\n a d 1-0\n a d 1-0\n", Order{By: Elo}, "cabd"},
	} {
		if got := ranking(mustCompute(t, len(test.want), games(t, test.games), test.order)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestByes(t *testing.T) {
	tally := NewTally([]string{"a", "b", "c"})
	for _, g := range games(t, "a b 1-0") {
		if err := tally.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	if err := tally.AddBye(Bye{2, 1.5}); err != nil {
		t.Fatal(err)
	}
	table, err := tally.Table(Swiss)
	if err != nil {
		t.Fatal(err)
	}
	c := table.Rows[0]
	if c.Name != "c" || c.Points != 1.5 || c.Games != 0 || c.Byes != 1 || c.Score != 0 || !math.IsInf(c.Elo.High, 1) {
		t.Errorf("%+v", c)
	}
	for _, bad := range []Bye{{3, 1}, {-1, 1}, {0, 0.3}, {0, -1}, {0, math.NaN()}, {0, math.Inf(1)}} {
		if tally.AddBye(bad) == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

func TestRefuses(t *testing.T) {
	tally := NewTally([]string{"a", "b"})
	for _, bad := range []Game{
		{0, 2, rating.Win, false},
		{-1, 0, rating.Win, false},
		{1, 1, rating.Win, false},
		{0, 1, rating.Win + 1, false},
		{0, 1, rating.Draw, true},
	} {
		if tally.Add(bad) == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if table, err := tally.Table(RoundRobin); err != nil || table.Games != 0 || len(table.cells) != 0 {
		t.Errorf("what was refused was counted: %+v, %v", table, err)
	}
	for _, bad := range []Order{{By: 9}, {TieBreaks: []TieBreak{9}}} {
		if _, err := tally.Table(bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	many := NewTally(make([]string, 1001))
	if table, err := many.Table(Swiss); err != nil || table.Rated {
		t.Errorf("1,001 players: %v", err)
	}
	if _, err := many.Table(Gauntlet); err == nil {
		t.Error("1,001 players were ranked by Elo")
	}
	for _, players := range []int{0, 1} {
		if table := mustCompute(t, players, nil, RoundRobin); len(table.Rows) != players {
			t.Errorf("%d players: %+v", players, table)
		}
	}
}

// TestJSON: what is unknown or infinite is null, and nothing else is.
func TestJSON(t *testing.T) {
	table := mustCompute(t, 3, games(t, "a b 1-0\n b a 0-1\n"), RoundRobin)
	text, err := json.Marshal(table)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Players []struct {
			Name  string
			Score *float64
			Elo   struct{ Value, Low, High *float64 }
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	a, b, c := got.Players[0], got.Players[1], got.Players[2]
	if a.Name != "a" || *a.Score != 1 || a.Elo.Value == nil || a.Elo.High != nil || b.Name != "b" && c.Name != "b" {
		t.Errorf("%s", text)
	}
	if idle := got.Players[slices.IndexFunc(table.Rows, func(r Row) bool { return r.Name == "c" })]; idle.Score != nil || idle.Elo.Low != nil {
		t.Errorf("%s", text)
	}
}

// BenchmarkTable is a tournament of 100,000 games of 100 players, counted and ranked.
func BenchmarkTable(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	names := make([]string, 100)
	list := make([]Game, 100_000)
	for i := range list {
		first := r.IntN(len(names))
		list[i] = Game{first, (first + 1 + r.IntN(len(names)-1)) % len(names), rating.Loss + rating.Result(r.IntN(3)), false}
	}
	for b.Loop() {
		if _, err := Compute(names, list, RoundRobin); err != nil {
			b.Fatal(err)
		}
	}
}

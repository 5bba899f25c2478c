package schedule

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"luzhanqi/tournament/rating"
)

// chance is a result for every game, drawn from a seed and the id.
type chance struct{ seed uint64 }

func (c chance) Result(id string) rating.Result {
	h := fnv.New64a()
	h.Write([]byte(id))
	return rating.Loss + rating.Result(mix(h.Sum64()+c.seed*golden)%3)
}

// drawSpec draws any small spec that is allowed.
func drawSpec(t *rapid.T, formats ...Format) Spec {
	s := Spec{Format: rapid.SampledFrom(formats).Draw(t, "format"), Players: 2, Seed: rapid.Uint64().Draw(t, "seed")}
	if s.Format != Match {
		s.Players = rapid.IntRange(2, 13).Draw(t, "players")
	}
	s.Games = rapid.IntRange(1, 5).Draw(t, "games")
	s.Odd = s.Games%2 == 1 || rapid.Bool().Draw(t, "odd")
	switch s.Format {
	case RoundRobin:
		s.Cycles = rapid.IntRange(1, 3).Draw(t, "cycles")
	case Gauntlet:
		s.Cycles = rapid.IntRange(1, 3).Draw(t, "cycles")
		all := rapid.Permutation(upTo(s.Players)).Draw(t, "challengers")
		s.Challengers = all[:rapid.IntRange(1, s.Players-1).Draw(t, "number of challengers")]
	case Swiss:
		s.Rounds = rapid.IntRange(1, s.Players-1+s.Players%2).Draw(t, "rounds")
		s.Drawn = rapid.Bool().Draw(t, "drawn")
		if rapid.Bool().Draw(t, "rematches") {
			s.Rematches, s.Rounds = true, s.Rounds+rapid.IntRange(0, 9).Draw(t, "more rounds")
		}
	case Knockout:
		s.Replays = rapid.IntRange(0, 3).Draw(t, "replays")
		s.Drawn = rapid.Bool().Draw(t, "drawn")
	}
	return s
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

var allFormats = []Format{Match, RoundRobin, Gauntlet, Swiss, Knockout}

func scheduleOf(t interface{ Fatal(...any) }, spec Spec) *Schedule {
	s, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What holds in every format: ids are unique and sort like the games' rounds and pairs, the two games of a
// pair have swapped seats and one seed, other games have another, nobody plays twice at a time, and the
// number of games is within what Size says.
func TestGamesOfAnyFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t, allFormats...)
		s := scheduleOf(t, spec)
		results := chance{rapid.Uint64().Draw(t, "results")}
		games := slices.Collect(s.Games(results))
		if least, most := s.Size(); len(games) < least || len(games) > most {
			t.Fatalf("%d games, Size says %d to %d", len(games), least, most)
		}
		ids, seeds := map[string]Game{}, map[uint64]Game{}
		for _, g := range games {
			if _, twice := ids[g.ID]; twice {
				t.Fatalf("id %s twice", g.ID)
			}
			ids[g.ID] = g
			if g.Players[0] == g.Players[1] || min(g.Players[0], g.Players[1]) < 0 || max(g.Players[0], g.Players[1]) >= spec.Players {
				t.Fatalf("%+v", g)
			}
			partner, paired := seeds[g.Seed]
			if paired != (g.Number == 2) || g.Seed>>63 != 0 {
				t.Fatalf("%+v has the seed of %+v", g, partner)
			}
			if paired && (partner.Players[0] != g.Players[1] || partner.Players[1] != g.Players[0] || partner.Round != g.Round || partner.Pair != g.Pair) {
				t.Fatalf("%+v is no partner of %+v", g, partner)
			}
			seeds[g.Seed] = g
		}
		byRoundAndPair := slices.Clone(games)
		slices.SortFunc(byRoundAndPair, func(a, b Game) int {
			return slices.Compare([]int{a.Round, a.Pair, a.Number}, []int{b.Round, b.Pair, b.Number})
		})
		byID := slices.Clone(games)
		slices.SortFunc(byID, func(a, b Game) int { return strings.Compare(a.ID, b.ID) })
		if diff := cmp.Diff(byRoundAndPair, byID); diff != "" {
			t.Fatal(diff)
		}
		opponents := map[[2]int]int{} // by round and player
		for _, g := range games {
			for _, p := range [][2]int{{g.Players[0], g.Players[1]}, {g.Players[1], g.Players[0]}} {
				at := [2]int{g.Round, p[0]}
				if other, met := opponents[at]; met && other != p[1] {
					t.Fatalf("player %d has two opponents in round %d", p[0], g.Round)
				}
				opponents[at] = p[1]
			}
		}
	})
}

// Whatever the order in which results come in, a cursor that gets them one by one yields the games that one
// made from scratch yields, and more results only add games at the end.
func TestOrderOfResultsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scheduleOf(t, drawSpec(t, allFormats...))
		results := chance{rapid.Uint64().Draw(t, "results")}
		whole := slices.Collect(s.Games(results))
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		known, got, open := Map{}, []Game(nil), []Game(nil)
		c := s.Cursor()
		for {
			for g, ok := c.Next(known); ok; g, ok = c.Next(known) {
				got, open = append(got, g), append(open, g)
				if order.IntN(4) == 0 {
					break // the coordinator need not take all at once
				}
			}
			if len(got) > len(whole) || !slices.Equal(got, whole[:len(got)]) {
				t.Fatalf("not a prefix:\n%s", cmp.Diff(whole, got))
			}
			if scratch := slices.Collect(s.Games(known)); !slices.Equal(got, scratch[:len(got)]) {
				t.Fatalf("from scratch:\n%s", cmp.Diff(scratch, got))
			}
			if len(open) == 0 {
				break
			}
			i := order.IntN(len(open))
			known[open[i].ID] = results.Result(open[i].ID)
			open = slices.Delete(open, i, i+1)
		}
		if !c.Complete() || len(got) != len(whole) {
			t.Fatalf("complete %t with %d of %d games", c.Complete(), len(got), len(whole))
		}
	})
}

// In the formats without pairing by results, everybody meets whom they should as often as they should, and
// has each seat equally often; with an odd number of games to an encounter, nearly.
func TestEncountersOfFixedFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := drawSpec(t, Match, RoundRobin, Gauntlet)
		met, surplus := map[[2]int]int{}, make([]int, spec.Players)
		for g := range scheduleOf(t, spec).Games(nil) {
			met[[2]int{min(g.Players[0], g.Players[1]), max(g.Players[0], g.Players[1])}]++
			surplus[g.Players[0]]++
			surplus[g.Players[1]]--
		}
		for a := range spec.Players {
			for b := range a {
				want := spec.Games * max(1, spec.Cycles)
				if spec.Format == Gauntlet && slices.Contains(spec.Challengers, a) == slices.Contains(spec.Challengers, b) {
					want = 0
				}
				if got := met[[2]int{b, a}]; got != want {
					t.Fatalf("%d and %d play %d games, want %d", b, a, got, want)
				}
			}
			switch {
			case spec.Games%2 == 0 && surplus[a] != 0,
				spec.Games%2 == 1 && max(surplus[a], -surplus[a]) > 1:
				t.Fatalf("player %d is first %d times more often than second", a, surplus[a])
			}
		}
	})
}

// A tournament that was begun is resumed by later versions: the games of a spec and results never change.
func TestGamesAreForEver(t *testing.T) {
	var got strings.Builder
	all := []Spec{
		{Format: Match, Players: 2, Games: 3, Odd: true, Seed: 1},
		{Format: RoundRobin, Players: 3, Games: 2, Cycles: 1, Seed: 42},
		{Format: Gauntlet, Players: 4, Games: 1, Odd: true, Cycles: 1, Challengers: []int{2, 1}, Seed: 42},
		{Format: Swiss, Players: 7, Games: 1, Odd: true, Rounds: 4, Drawn: true, Seed: 5},
		{Format: Knockout, Players: 5, Games: 1, Odd: true, Replays: 1, Drawn: true, Seed: 5},
	}
	for i := range 3 * len(all) {
		spec := all[i%len(all)]
		spec.Seeds = [...]Seeds{Wide, Mixed, Hidden}[i/len(all)]
		fmt.Fprintln(&got, [...]string{"wide", "mixed", "hidden"}[i/len(all)], spec.Format)
		for g := range scheduleOf(t, spec).Games(chance{3}) {
			fmt.Fprintf(&got, "%s %d-%d %d\n", g.ID, g.Players[0], g.Players[1], g.Seed)
		}
	}
	want, err := os.ReadFile("testdata/games.txt")
	if *update {
		if err := os.WriteFile("testdata/games.txt", []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if err != nil {
		t.Fatal(err)
	} else if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-update would change tournaments in progress:\n%s", diff)
	}
}

var update = flag.Bool("update", false, "write testdata anew")

// A million games take no memory but the one at hand.
func TestManyGamesAreNotKept(t *testing.T) {
	for _, spec := range []Spec{
		{Format: Match, Players: 2, Games: 1_000_000, Seed: 1},
		{Format: RoundRobin, Players: 1000, Games: 2, Cycles: 1, Seed: 1},
		{Format: Gauntlet, Players: 1000, Games: 10, Cycles: 50, Challengers: []int{7, 8}, Seed: 1},
	} {
		s := scheduleOf(t, spec)
		c := s.Cursor()
		before, n := heap(), 0
		for _, ok := c.Next(nil); ok; _, ok = c.Next(nil) {
			n++
			if n == 900_000 {
				if kept := heap() - before; kept > 1<<20 {
					t.Errorf("%v: %d bytes are kept after %d games", spec.Format, kept, n)
				}
			}
		}
		if least, _ := s.Size(); n != least || n < 900_000 {
			t.Errorf("%v: %d games, want %d", spec.Format, n, least)
		}
	}
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkCursor(b *testing.B) {
	s := scheduleOf(b, Spec{Format: Match, Players: 2, Games: MaxGames, Seed: 1})
	c := s.Cursor()
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := c.Next(nil); !ok {
			c = s.Cursor()
		}
	}
}

// Map is results in memory.
type Map map[string]rating.Result

// Result returns the result of a game.
func (m Map) Result(id string) rating.Result { return m[id] }

package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// Measuring the players of the games of perfect information, in pairs of games from the same random
// opening with the seats changed:
//
//	go test ./player -run TestPairs -pairs jungle:strong,depth4 -pair-games 40 -pair-nodes 20000 -v
//	go test ./player -run TestPairs -pairs gastank:strong,depth4 -pair-games 200 -pair-limit 1s -v -timeout 0
//
// A number of nodes is for levels that would use the time; with none they get -pair-limit.
var (
	pairsOf      = flag.String("pairs", "", "game:level,level to be measured against each other; a level may have nodes, as in strong@5000")
	pairsGames   = flag.Int("pair-games", 20, "games of -pairs")
	pairsNodes   = flag.Int("pair-nodes", 0, "nodes a move of the searching players of -pairs")
	pairsLimit   = flag.Duration("pair-limit", 100*time.Millisecond, "time a move of -pairs")
	pairsOpening = flag.Int("pair-opening", 2, "random plies at the start of -pairs")
	pairsSeed    = flag.Uint64("pair-seed", 1, "seed of -pairs")
	pairsFair    = flag.Int("pair-fair", 0, "draw another opening of -pairs if a search of depth 4 gives either side more than this; zero: never")
	pairsThink   = flag.Bool("pair-think", false, "tell what the players of -pairs think")
	pairsFirst   = flag.Int("pair-first", 0, "number of the first game of -pairs")
	pairsShow    = flag.Bool("pair-show", false, "draw every game of -pairs")
)

func TestPairs(t *testing.T) {
	if *pairsOf == "" {
		t.Skip("a measurement: give -pairs")
	}
	name, both, ok := strings.Cut(*pairsOf, ":")
	a, b, also := strings.Cut(both, ",")
	g, err := games.Find(name)
	if err != nil {
		g, err = gameOfTest(name)
	}
	if err != nil || !ok || !also {
		t.Fatalf("-pairs %q: must be game:level,level (%v)", *pairsOf, err)
	}
	fmt.Println(pairs(t, g, [2]string{a, b}, *pairsGames))
}

// tally is how a match went for the first of two players.
type tally struct {
	names             [2]string
	games, won, drawn int
	lost              []string // how
	plies             int
	slowest           [2]time.Duration
	moves             [2]int
	took              [2]time.Duration
}

func (t tally) score() float64 { return (float64(t.won) + float64(t.drawn)/2) / float64(t.games) }

// String gives the score with 1.96 standard errors.
func (t tally) String() string {
	n, mean := float64(t.games), t.score()
	variance := (float64(t.won)+float64(t.drawn)/4)/n - mean*mean
	s := fmt.Sprintf("%s v %s: %.1f%% ± %.1f (%d games: %d won, %d drawn, %d lost; %d plies a game)",
		t.names[0], t.names[1], 100*mean, 196*math.Sqrt(max(variance, 0)/n),
		t.games, t.won, t.drawn, len(t.lost), t.plies/t.games)
	for i, name := range t.names {
		s += fmt.Sprintf("\n  %s: %v a move, slowest %v", name, (t.took[i] / time.Duration(max(t.moves[i], 1))).Round(time.Microsecond), t.slowest[i].Round(time.Millisecond))
	}
	for _, l := range t.lost {
		s += "\n  lost: " + l
	}
	return s
}

// pairs plays a match.
func pairs(tb testing.TB, g game.Game, names [2]string, count int) tally {
	tb.Helper()
	t := tally{names: names, games: count}
	for n := *pairsFirst; n < *pairsFirst+count; n++ {
		var players [2]Player
		for i, name := range names {
			players[i^n&1] = levelOfTest(tb, g, name)
		}
		opening := rand.New(rand.NewPCG(*pairsSeed, uint64(n/2)))
		r := rand.New(rand.NewPCG(^*pairsSeed, uint64(n)))
		o, plies := pairGame(tb, g, players, opening, r, &t, n&1)
		t.plies += plies
		switch {
		case o.Draw:
			t.drawn++
		case o.Winner == game.Side(n&1):
			t.won++
		default:
			t.lost = append(t.lost, fmt.Sprintf("game %d as player %d after %d plies: %s", n, n&1+1, plies, o.Reason))
		}
	}
	return t
}

// levelOfTest makes a player; a name may end in @ and a number of nodes.
func levelOfTest(tb testing.TB, g game.Game, name string) Player {
	tb.Helper()
	o := Options{Nodes: *pairsNodes}
	if level, nodes, ok := strings.Cut(name, "@"); ok {
		name = level
		if _, err := fmt.Sscan(nodes, &o.Nodes); err != nil {
			tb.Fatalf("nodes of %s: %v", name, err)
		}
	}
	l, err := FindLevel(g, name)
	if err != nil {
		if p := rivalOfTest(g, name, o); p != nil {
			return p
		}
		tb.Fatal(err)
	}
	return l.New(g, o)
}

// pairGame plays one game after a random opening.
func pairGame(tb testing.TB, g game.Game, players [2]Player, opening, r *rand.Rand, t *tally, turn int) (game.Outcome, int) {
	tb.Helper()
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		tb.Fatal(err)
	}
	p := randomOpening(tb, g, rules, opening)
	most := g.Limits().MaxPlies
	for ply := p.Ply(); most == 0 || ply < most; ply++ {
		if o, over := p.Outcome(); over {
			return o, ply
		}
		side := p.Mover()
		start := time.Now()
		m := players[side].Choose(p.View(side), start.Add(*pairsLimit), r)
		took := time.Since(start)
		i := int(side) ^ turn
		t.slowest[i], t.took[i], t.moves[i] = max(t.slowest[i], took), t.took[i]+took, t.moves[i]+1
		if err := p.Check(m); err != nil {
			tb.Fatalf("ply %d: player %d: %v\n%s", ply, side+1, err, p.Draw(game.Style{}))
		}
		if *pairsShow {
			fmt.Printf("%d. %s plays %s\n%s\n", ply, t.names[i], g.FormatMove(m), p.Draw(game.Style{}))
		}
		if a, ok := players[side].(*alphaBeta); ok && *pairsThink {
			t, _ := a.Explain()
			fmt.Printf("%d. %s depth %d score %d wins %d loses %d nodes %d %v %v\n", ply, t.Move, t.Depth, *t.Score, t.Wins, t.Loses, t.Nodes, t.Time.Round(time.Millisecond), t.Line)
		}
		p = p.Play(m)
	}
	if o, over := p.Outcome(); over {
		return o, most
	}
	return game.Drawn("plies"), most
}

// randomOpening plays -pair-opening random moves. Of random moves, some lose by force, such as a
// king's that takes its own queen; -pair-fair leaves those out.
func randomOpening(tb testing.TB, g game.Game, rules game.Rules, r *rand.Rand) game.Position {
	tb.Helper()
	for {
		p, err := g.New(rules, [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)})
		if err != nil {
			tb.Fatal(err)
		}
		over := false
		for n := 0; n < *pairsOpening && !over; n++ {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
			_, over = p.Outcome()
		}
		if over {
			continue
		}
		if *pairsFair == 0 {
			return p
		}
		judge := levelOfTest(tb, g, "depth4").(*alphaBeta)
		judge.Choose(p.View(p.Mover()), time.Now().Add(time.Hour), rand.New(rand.NewPCG(1, 1)))
		if t, _ := judge.Explain(); abs(*t.Score) <= *pairsFair {
			return p
		}
	}
}

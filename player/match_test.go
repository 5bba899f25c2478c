package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// Measuring inside the test binary, at fixed nodes, so that a busy machine changes nothing:
//
//	go test ./player -run TestGate -gate strong,naive -games 40 -nodes 20000 -v
var (
	gate      = flag.String("gate", "", "two players of the pool, separated by a comma, to be measured")
	gateGames = flag.Int("games", 20, "games of -gate")
	gateNodes = flag.Int("nodes", 20000, "nodes a move of the searching players of -gate")
	gateShow  = flag.Bool("show", false, "draw every position of -gate")
	gateSeed  = flag.Uint64("seed", 1, "seed of -gate")
)

// setUpsOf are the set-ups of a pair of games, by seat, and result the points of one game.
func playOne(tb testing.TB, players [2]Player, setUps, moves [2]*rand.Rand, maxPlies int, limit time.Duration) (*luzhanqi.Position, game.Outcome) {
	tb.Helper()
	var ranks [2]luzhanqi.SetUp
	for side, p := range players {
		s, err := luzhanqi.ParseSetUp(string(p.SetUp(setUps[side])))
		if err != nil {
			tb.Fatalf("player %d: %v", side+1, err)
		}
		ranks[side] = s
	}
	p := luzhanqi.NewPosition(ranks[0], ranks[1], false)
	for p.Ply() < maxPlies {
		if o, over := p.Outcome(); over {
			return p, o
		}
		side := p.Mover()
		if s, ok := players[side].(*searcher); ok && s.style.twin {
			truth := p.Board()
			s.truth = func(*luzhanqi.View) luzhanqi.Board { return truth }
		}
		deadline := time.Now().Add(limit)
		m := players[side].Choose(p.View(side), deadline, moves[side])
		if err := p.Check(m); err != nil {
			tb.Fatalf("ply %d: player %d: %v\n%s", p.Ply(), side+1, err, p.Draw(game.Style{}))
		}
		if *gateShow {
			fmt.Printf("%d. player %d %s\n%s", p.Ply(), side+1, luzhanqi.MoveName(m), p.Draw(game.Style{}))
		}
		if board := p.Board(); *gateShow || fights != nil {
			fights.note(&board, side, m)
		}
		p = p.Play(m).(*luzhanqi.Position)
	}
	if o, over := p.Outcome(); over {
		return p, o
	}
	return p, game.Drawn("plies")
}

// ledger adds up what the fights that each player began have won and lost, in the weights of ranks.
type ledger struct {
	begun     [2]int // by player: a, b
	won, lost [2]int32
	swapped   bool
}

var fights *ledger

func rankOn(b *luzhanqi.Board, sq game.Square) luzhanqi.Rank {
	_, rank, _ := b.At(sq)
	return rank
}

func (l *ledger) note(b *luzhanqi.Board, side game.Side, m game.Move) {
	attacker, defender := rankOn(b, m.From), rankOn(b, m.To)
	if l == nil || defender == luzhanqi.None {
		return
	}
	who := int(side)
	if l.swapped {
		who = 1 - who
	}
	l.begun[who]++
	result := luzhanqi.Combat(attacker, defender, false)
	if result.DefenderFalls() {
		l.won[who] += weights[defender]
	}
	if result.AttackerFalls() {
		l.lost[who] += weights[attacker]
	}
}

func TestGate(t *testing.T) {
	if *gate == "" {
		t.Skip("a measurement: give -gate")
	}
	var a, b string
	for i := range *gate {
		if (*gate)[i] == ',' {
			a, b = (*gate)[:i], (*gate)[i+1:]
		}
	}
	total, square := 0.0, 0.0
	draws, plies := 0, 0
	endings := map[string]int{}
	began := time.Now()
	fights = &ledger{}
	for g := range *gateGames {
		pair := uint64(g / 2)
		names := [2]string{a, b}
		if g%2 == 1 {
			names = [2]string{b, a}
		}
		var players [2]Player
		var setUps, moves [2]*rand.Rand
		for side, name := range names {
			players[side] = pool(t, name)
			setUps[side] = rand.New(rand.NewPCG(*gateSeed, pair<<2|uint64(side)))
			moves[side] = rand.New(rand.NewPCG(^*gateSeed, uint64(g)<<2|uint64(side)))
		}
		fights.swapped = g%2 == 1
		p, o := playOne(t, players, setUps, moves, 2000, time.Hour)
		side := game.Side(g % 2)
		points := o.Points(side)
		total += points
		square += points * points
		plies += p.Ply()
		if o.Draw {
			draws++
		}
		if points == 1 {
			endings["won: "+o.Reason]++
		} else {
			endings["not won: "+o.Reason]++
		}
	}
	for who, name := range [2]string{a, b} {
		games := int32(*gateGames)
		fmt.Printf("%s began %.1f fights a game, won %d, lost %d\n", name, float64(fights.begun[who])/float64(games), fights.won[who]/games, fights.lost[who]/games)
	}
	n := float64(*gateGames)
	mean := total / n
	err := 1.96 * math.Sqrt(max(square/n-mean*mean, 0)/n)
	fmt.Printf("%s v %s: %.1f%% ± %.1f (%d games, %d draws, %d plies a game, %v) %v\n",
		a, b, 100*mean, 100*err, *gateGames, draws, plies / *gateGames, time.Since(began).Round(time.Second), endings)
}

// pool makes a player by name: a level, or a searcher that differs from strong.
func pool(tb testing.TB, name string) Player {
	tb.Helper()
	o := Options{Nodes: *gateNodes}
	if s, ok := variants[name]; ok {
		s.workers = 1
		if s.nodes > 0 { // so many times as many
			o.Nodes *= s.nodes
		}
		return &searcher{style: s, options: o}
	}
	if name == "responder" {
		return &rush{habits: responder}
	}
	for _, l := range levels {
		if l.Name == name {
			p := l.Make(luzhanqi.Game{}, o)
			if s, ok := p.(*searcher); ok {
				s.style.workers = 1
			}
			return p
		}
	}
	tb.Fatalf("no player %q", name)
	return nil
}

// variants are what changes were measured with: strong, but for one thing.
var variants = map[string]style{
	"oracle":    but(func(s *style) { s.worlds, s.twin, s.beliefs = 1, true, false }),
	"x4":        but(func(s *style) { s.nodes = 4 }),
	"x16":       but(func(s *style) { s.nodes = 16 }),
	"x16w256":   but(func(s *style) { s.nodes, s.worlds = 16, 256 }),
	"asinbook":  but(func(s *style) { s.setUps = asInBook }),
	"noproofs":  but(func(s *style) { s.proofs = false }),
	"handmade":  but(func(s *style) { s.learned = false }),
	"blind":     but(func(s *style) { s.beliefs = false }),
	"nohabits":  but(func(s *style) { s.habits = 0 }),
	"noprior":   but(func(s *style) { s.prior = 0 }),
	"noopinion": but(func(s *style) { s.prior, s.habits = 0, 0 }),
	"surer":     but(func(s *style) { s.prior, s.habits = 0.8, 1 }),
	"plies10":   but(func(s *style) { s.plies = 10 }),
	"plies14":   but(func(s *style) { s.plies = 14 }),
	"plies30":   but(func(s *style) { s.plies = 30 }),
	"rushes":    but(func(s *style) { s.rushes = true }),
	"norushes":  but(func(s *style) { s.rushes = false }),
	"nobook":    but(func(s *style) { s.setUps = fromKnowledge }),
	"worlds32":  but(func(s *style) { s.worlds = 32 }),
	"worlds128": but(func(s *style) { s.worlds = 128 }),
}

func but(change func(*style)) style {
	s := strong
	change(&s)
	return s
}

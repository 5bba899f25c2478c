package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// Tuning the weights of GasTank: games of strong against itself, and a logistic regression of their
// results on what its evaluation counts.
//
//	go test ./player -run TestTuneGasTank -tune-games 4000 -tune-nodes 4000 -v -timeout 0
var (
	tuneGames = flag.Int("tune-games", 0, "games to tune GasTank's evaluation by")
	tuneNodes = flag.Int("tune-nodes", 4000, "nodes a move of -tune-games")
	tuneSeed  = flag.Uint64("tune-seed", 1, "seed of -tune-games")
)

// tuned is a position of a game: what the first player has more of than the second, and the result.
type tuned struct {
	terms  []float64
	result float64 // 1: the first player won
}

func TestTuneGasTank(t *testing.T) {
	if *tuneGames == 0 {
		t.Skip("a measurement: give -tune-games")
	}
	positions := playToTune(t)
	names, now := gasTankTerms()
	if len(now) != len(positions[0].terms) {
		t.Fatalf("%d names of %d terms", len(now), len(positions[0].terms))
	}
	scale := bestScale(positions, now)
	train, test := positions[:len(positions)*9/10], positions[len(positions)*9/10:]
	fmt.Printf("%d positions; with the weights as they are: scale %.0f, loss %.4f, of the last tenth %.4f\n", len(positions), scale, logLoss(train, now, scale), logLoss(test, now, scale))
	weights := regress(train, now, scale)
	fmt.Printf("tuned: loss %.4f, of the last tenth %.4f\n", logLoss(train, weights, scale), logLoss(test, weights, scale))
	for i, name := range names {
		fmt.Printf("%-12s %7.1f, was %5.0f\n", name, weights[i], now[i])
	}
}

// gasTankTerms are the names of what is counted, and the weights as they are.
func gasTankTerms() (names []string, weights []float64) {
	w := gasTankDefaults
	add := func(name string, weight float64) { names, weights = append(names, name), append(weights, weight) }
	for _, kind := range tunedKinds {
		for gas := range 4 {
			add(fmt.Sprintf("%v %d", kind, gas), float64(w.tanks[kind][gas]))
		}
	}
	for _, kind := range tunedKinds {
		add(fmt.Sprintf("mobile %v", kind), float64(w.mobile[kind]))
		add(fmt.Sprintf("distance %v", kind), float64(w.distance[kind]))
		add(fmt.Sprintf("takes %v", kind), float64(w.takes[kind]))
		add(fmt.Sprintf("eats %v", kind), float64(w.eats[kind]))
	}
	add("shelter", float64(w.shelter))
	add("gas late", float64(w.gasLate))
	add("men late", float64(w.menLate))
	add("haste", float64(w.haste))
	add("mover", float64(w.mover))
	return names, weights
}

var tunedKinds = []gastank.Kind{gastank.King, gastank.Knight, gastank.Bishop, gastank.Queen}

// countTerms is what the first player has more of.
func countTerms(b *gastank.Board, mover game.Side) []float64 {
	late := float64(gasTankFull-gasLeft(b, game.First)-gasLeft(b, game.Second)) / gasTankFull
	terms := countSide(b, game.First, late, mover)
	for i, x := range countSide(b, game.Second, late, mover) {
		terms[i] -= x
	}
	return terms
}

// countSide counts in the order of gasTankTerms.
func countSide(b *gastank.Board, s game.Side, late float64, mover game.Side) []float64 {
	n := len(tunedKinds)
	terms := make([]float64, 8*n+5)
	rest := terms[8*n:]
	enemyKing, _ := b.King(s.Other())
	ownKing, _ := b.King(s)
	var covered gastank.Squares
	for left := b.Of(s.Other()) & b.Fuelled(); left != 0; left &= left - 1 {
		covered |= b.Targets(left.First())
	}
	for left := b.Of(s); left != 0; left &= left - 1 {
		sq := left.First()
		i := slices.Index(tunedKinds, b.Kind(sq))
		terms[4*i+b.Gas(sq)]++
		rest[1] += late * float64(b.Gas(sq))
		rest[2] += late
		if b.Gas(sq) == 0 {
			continue
		}
		to := b.Targets(sq)
		takes := float64((to & b.Of(s.Other())).Len())
		k := terms[4*n+4*i:]
		k[0] += float64((to &^ b.Of(s)).Len())
		k[1] += float64(gasTankWays.distance[enemyKing][sq])
		k[2] += takes
		k[3] += float64((to & b.Of(s)).Len())
		if mover == s {
			rest[3] += takes
		}
	}
	rest[0] = float64((gasTankWays.king[ownKing] &^ covered).Len())
	if mover == s {
		rest[4] = 1
	}
	return terms
}

func playToTune(t *testing.T) []tuned {
	g := gastank.Game{}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	all := make([][]tuned, *tuneGames)
	var workers sync.WaitGroup
	numbers := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := range numbers {
				r := rand.New(rand.NewPCG(*tuneSeed, uint64(n)))
				p := openingToTune(t, rules, r)
				players := [2]Player{}
				for side := range players {
					players[side] = &alphaBeta{game: g, kind: gasTankGame, options: Options{}, nodes: *tuneNodes, threads: 1}
				}
				var played []tuned
				for {
					o, over := p.Outcome()
					if over {
						result := 0.0
						if o.Winner == game.First {
							result = 1
						}
						for i := range played {
							played[i].result = result
						}
						break
					}
					b := p.View(p.Mover()).(gastank.View).Board()
					if !attacksKing(&b, game.First) && !attacksKing(&b, game.Second) && r.IntN(2) == 0 {
						played = append(played, tuned{terms: countTerms(&b, p.Mover())})
					}
					m := players[p.Mover()].Choose(p.View(p.Mover()), time.Now().Add(time.Hour), r)
					p = p.Play(m)
				}
				all[n] = played
			}
		})
	}
	for n := range *tuneGames {
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	var positions []tuned
	for _, one := range all {
		positions = append(positions, one...)
	}
	return positions
}

func openingToTune(t *testing.T, rules game.Rules, r *rand.Rand) game.Position {
	for {
		p, err := gastank.Game{}.New(rules, [2]game.SetUp{})
		if err != nil {
			t.Fatal(err)
		}
		over := false
		for n := 2 + r.IntN(5); n > 0 && !over; n-- {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
			_, over = p.Outcome()
		}
		if !over {
			return p
		}
	}
}

func logLoss(positions []tuned, weights []float64, scale float64) (loss float64) {
	for _, p := range positions {
		chance := 1 / (1 + math.Exp(-dot(p.terms, weights)/scale))
		loss -= math.Log(max(1e-12, p.result*chance+(1-p.result)*(1-chance)))
	}
	return loss / float64(len(positions))
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func bestScale(positions []tuned, weights []float64) float64 {
	best, least := 0.0, math.Inf(1)
	for scale := 50.0; scale < 2000; scale *= 1.05 {
		if loss := logLoss(positions, weights, scale); loss < least {
			best, least = scale, loss
		}
	}
	return best
}

// regress descends from the weights as they are; a little is paid for going far from them.
func regress(positions []tuned, from []float64, scale float64) []float64 {
	weights, mean, square := append([]float64(nil), from...), make([]float64, len(from)), make([]float64, len(from))
	for step := 1; step <= 1500; step++ {
		gradient := make([]float64, len(from))
		for _, p := range positions {
			off := 1/(1+math.Exp(-dot(p.terms, weights)/scale)) - p.result
			for i, x := range p.terms {
				gradient[i] += off * x
			}
		}
		for i := range weights {
			g := gradient[i]/float64(len(positions)) + 1e-6*(weights[i]-from[i])
			mean[i], square[i] = 0.9*mean[i]+0.1*g, 0.999*square[i]+0.001*g*g
			weights[i] -= 2 * (mean[i] / (1 - math.Pow(0.9, float64(step)))) / (math.Sqrt(square[i]/(1-math.Pow(0.999, float64(step)))) + 1e-9)
		}
	}
	return weights
}

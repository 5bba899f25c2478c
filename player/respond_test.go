package player

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"luzhanqi/game"
)

// How far strong can be exploited is measured by a rusher that is tuned against it:
//
//	go test ./player -run TestRespond -respond 1h -nodes 30000 -seed 1 -v -timeout 0
//
// climbs from the level rush by changing its rushHabits at random and keeping what scores better, and at
// the end plays -games games that were not climbed on.
var respond = flag.Duration("respond", 0, "how long to tune a rusher against strong")

// responder is what 25 minutes of it made of rush (seed 2).
var responder = rushHabits{
	Win: 1.172, Lose: 2.764, Open: 1.813, Fight: 0.933, Near: 91.94, Way: 2.910, Danger: 0.0976, Exposure: 139.6, Noise: 0.2237,
}

func TestRespond(t *testing.T) {
	if *respond == 0 {
		t.Skip("a measurement: give -respond")
	}
	r := rand.New(rand.NewPCG(*gateSeed, 9))
	next := uint64(1)
	score := func(h rushHabits, games int) float64 {
		total := 0.0
		for range games {
			total += against(t, h, next)
			next++
		}
		return total
	}
	best, points, games := rusher, 0.0, 0.0
	tried := 0
	for end := time.Now().Add(*respond); time.Now().Before(end); tried++ {
		h := mutated(best, r)
		const first, then = 12, 48
		won := score(h, first)
		points, games = points+score(best, first/2), games+first/2
		if won/first < points/games {
			continue
		}
		won += score(h, then)
		points, games = points+score(best, then/2), games+then/2
		if won/(first+then) > points/games {
			best, points, games = h, won, first+then
			fmt.Printf("%d tried: %.1f%% of %.0f games with %+v\n", tried, 100*points/games, games, best)
		}
	}
	played := next - 1
	next = 1 << 40
	n := *gateGames
	p := score(best, n) / float64(n)
	fmt.Printf("%d games while climbing, %d responses tried; the best, %+v, scores %.1f%% ± %.1f of %d new games\n",
		played, tried, best, 100*p, 196*math.Sqrt(p*(1-p)/float64(n)), n)
}

// against returns the points of one game of a rusher against strong.
func against(t *testing.T, h rushHabits, n uint64) float64 {
	side := game.Side(n & 1)
	var players [2]Player
	players[side] = &rush{habits: h}
	players[side.Other()] = pool(t, "strong")
	var setUps, moves [2]*rand.Rand
	for s := range players {
		setUps[s] = rand.New(rand.NewPCG(*gateSeed, n<<2|uint64(s)))
		moves[s] = rand.New(rand.NewPCG(^*gateSeed, n<<2|uint64(s)))
	}
	_, o := playOne(t, players, setUps, moves, 2000, time.Hour)
	return o.Points(side)
}

// mutated changes some rushHabits, by a factor each.
func mutated(h rushHabits, r *rand.Rand) rushHabits {
	v := reflect.ValueOf(&h).Elem()
	for i := range v.NumField() {
		if r.IntN(3) == 0 {
			v.Field(i).SetFloat(v.Field(i).Float() * math.Exp(0.6*r.NormFloat64()))
		}
	}
	return h
}

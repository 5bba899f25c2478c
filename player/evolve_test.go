package player

import (
	"cmp"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// The book of set-ups is made by
//
//	go test ./player -run TestEvolve -evolve setups.txt -evolve-for 5m -seed 1 -v
//
// Each of its set-ups climbs by itself from another start, so that the book stays varied: pieces
// change places, and the change stays if it scores better in the same games against the same
// opponents, which are the other members, set-ups made without any evolution, and rushers.
var (
	evolve      = flag.String("evolve", "", "file to write a new book of set-ups to")
	evolveMines = flag.Int("evolve-mines", 3, "landmines at least next to the flag in the set-ups of -evolve")
	evolveFor   = flag.Duration("evolve-for", time.Minute, "how long -evolve may take")
)

const bookSize = 200

// arena plays set-ups against each other by the quick policy. What the sides know at the start
// depends on no rank, so it is worked out once.
type arena struct {
	knows [2]*knowledge
	worth values
}

func newArena() *arena {
	a := &arena{worth: values{weights, weights}}
	v := luzhanqi.NewView(game.First, luzhanqi.RandomSetUp(newRand(1)), false)
	fresh := hiddeninfo.New(v)
	var left [rankCodes]uint8
	for _, rank := range luzhanqi.Ranks {
		left[rank] = uint8(luzhanqi.Count(rank))
	}
	for side := range game.Side(2) {
		var of suspects
		var squares [32]game.Square
		for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			of[p] = suspected(fresh.Known(p), &left)
			squares[p] = fresh.Initial(p)
			if side == game.Second {
				squares[p] = luzhanqi.Turn(squares[p])
			}
		}
		a.knows[side] = newKnowledge(&of, 1<<hiddeninfo.Pieces-1, &squares, &weights, &weights, false)
	}
	return a
}

// play returns the points of the first set-up, by the evaluation if nobody has won for long.
func (a *arena) play(first, second luzhanqi.SetUp, ahead [2]uint8, seed uint64) float64 {
	const longest = 260
	b := luzhanqi.Deploy(first, second)
	w := a.world(&b, game.Side(seed&1))
	r := newStream(seed, 1, 1)
	s := w.start
	s.ahead = ahead
	random := r.next()
	s.aim = [2]game.Square{w.knows[0].draw(uint8(random)), w.knows[1].draw(uint8(random >> 8))}
	w.playout(&s, longest, &r)
	return (float64(w.evaluation(&s, game.First, nil))/10_000 + 1) / 2
}

// world is the start of a game.
func (a *arena) world(b *luzhanqi.Board, mover game.Side) *world {
	var next [2]hiddeninfo.Piece
	w := &world{worth: a.worth, knows: a.knows}
	w.start = newState(b, mover, false, func(side game.Side, sq game.Square) (hiddeninfo.Piece, bool) {
		next[side]++
		if side == game.Second { // pieces are numbered in their owner's frame
			return hiddeninfo.Pieces - next[side], true
		}
		return next[side] - 1, true
	})
	w.start.value(&w.worth)
	w.guard()
	return w
}

// score is the mean against opponents drawn by the seed, every other one of which rushes.
func (a *arena) score(s luzhanqi.SetUp, pool []luzhanqi.SetUp, games int, seed uint64) float64 {
	r := rand.New(rand.NewPCG(seed, 5))
	total := 0.0
	for n := range games {
		habits := [2]uint8{steady, steady}
		if n%2 == 1 {
			habits[1] = rushing
		}
		total += a.play(s, pool[r.IntN(len(pool))], habits, r.Uint64())
	}
	return total / float64(games)
}

// mutate exchanges two pieces, sometimes four; the flag keeps its shelter.
func mutate(s luzhanqi.SetUp, r *rand.Rand) luzhanqi.SetUp {
	for {
		ranks := ranksOf(s)
		for range 1 + r.IntN(2) {
			i, j := r.IntN(30), r.IntN(30)
			if ranks[i] != luzhanqi.None && ranks[j] != luzhanqi.None {
				ranks[i], ranks[j] = ranks[j], ranks[i]
			}
		}
		if next, err := luzhanqi.NewSetUp(ranks); err == nil && next != s && gatesMined(next) >= *evolveMines {
			return next
		}
	}
}

func gatesMined(s luzhanqi.SetUp) (mined int) {
	for sq := range game.Square(30) {
		if s.At(sq) == luzhanqi.Flag {
			for gate := range ways[sq].attackers.All() {
				if s.At(gate) == luzhanqi.Landmine {
					mined++
				}
			}
		}
	}
	return mined
}

func TestEvolve(t *testing.T) {
	if *evolve == "" {
		t.Skip("makes the book: give -evolve")
	}
	r := rand.New(rand.NewPCG(*gateSeed, 3))
	a := newArena()
	var members, strangers []luzhanqi.SetUp
	for range bookSize {
		members = append(members, sheltered(r))
		strangers = append(strangers, sheltered(r))
		if s, err := luzhanqi.ParseSetUp(string((&rush{habits: rusher}).SetUp(r))); err == nil && len(strangers) < 2*bookSize {
			strangers = append(strangers, s)
		}
	}
	mean := func() float64 {
		total := 0.0
		for _, s := range members {
			total += a.score(s, strangers, 100, 99)
		}
		return total / bookSize
	}
	fmt.Printf("at the start %.4f against strangers\n", mean())
	generations := 0
	for end := time.Now().Add(*evolveFor); time.Now().Before(end); generations++ {
		pool := append(slices.Clone(members), strangers...)
		for i, s := range members {
			const games = 120
			seed := r.Uint64()
			changed := mutate(s, r)
			if a.score(changed, pool, games, seed) > a.score(s, pool, games, seed)+0.01 {
				members[i] = changed
			}
		}
	}
	fmt.Printf("after %d generations %.4f\n", generations, mean())
	mix := a.equilibrium(members, *gateSeed)
	order := make([]int, bookSize)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(mix[j], mix[i]) })
	var text strings.Builder
	fmt.Fprintf(&text, "# weight, then the ranks of A1, B1, … E6 without the camps; made by\n"+
		"# go test ./player -run TestEvolve -evolve setups.txt -evolve-for %v -evolve-mines %d -seed %d (%d generations)\n", *evolveFor, *evolveMines, *gateSeed, generations)
	for _, i := range order {
		fmt.Fprintf(&text, "%.4f ", mix[i])
		for _, rank := range ranksOf(members[i]) {
			if rank != luzhanqi.None {
				text.WriteByte(rank.Letter())
			}
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(*evolve, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// equilibrium mixes the members so that no other mix of them does much better (multiplicative
// weights on the matrix of payoffs). Half of every weight is its even share, since the payoffs are
// measured with noise and a mix that is spread out tells a stranger less.
func (a *arena) equilibrium(members []luzhanqi.SetUp, seed uint64) []float64 {
	n := len(members)
	payoff := make([][]float64, n)
	for i := range payoff {
		payoff[i] = make([]float64, n)
	}
	const games = 6
	for i := range n {
		for j := range i {
			for g := range uint64(games) {
				habits := [2]uint8{steady, steady}
				x := a.play(members[i], members[j], habits, seed^g^uint64(i*n+j)<<8) - 0.5
				payoff[i][j] += x / games
				payoff[j][i] -= x / games
			}
		}
	}
	weight, mean := make([]float64, n), make([]float64, n)
	for i := range weight {
		weight[i] = 1 / float64(n)
	}
	const rounds = 2000
	for range rounds {
		total := 0.0
		next := make([]float64, n)
		for i := range n {
			gain := 0.0
			for j := range n {
				gain += payoff[i][j] * weight[j]
			}
			next[i] = weight[i] * math.Exp(0.1*gain)
			total += next[i]
		}
		for i := range n {
			weight[i] = next[i] / total
			mean[i] += weight[i] / rounds
		}
	}
	for i := range mean {
		mean[i] = mean[i]/2 + 0.5/float64(n)
	}
	return mean
}

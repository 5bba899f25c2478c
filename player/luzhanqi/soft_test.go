package luzhanqi

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/policy"
)

// midgameWorlds are worlds of a position in the middle of a game.
func midgameWorlds(t *testing.T, seed uint64, plies, worlds int) []*world {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	p := luzhanqi.NewPosition(FromBook.Draw(r), FromBook.Draw(r), false)
	before := p
	who := [2]player.Player{NewRush(DefaultRush), &greedy{}}
	for range plies {
		next := p.Play(who[p.Mover()].Choose(p.View(p.Mover()), time.Time{}, r)).(*luzhanqi.Position)
		if _, over := next.Outcome(); over {
			p = before // the loser's last move
			break
		}
		before, p = p, next
	}
	var h PolicyTrainer
	h.Add(p.View(p.Mover()).(*luzhanqi.View), worlds, seed)
	return h.starts[0]
}

func randomWeights(seed uint64, spread float64) *policy.Weights {
	w, r := &policy.Weights{}, rand.New(rand.NewPCG(seed, 2))
	for i := range w {
		w[i] = float32(r.NormFloat64() * spread)
	}
	return w
}

// What playouts draw moves by is what is learned: soft draws each move as often as the softmax of its inputs says, deep in playouts, too.
func TestSoftDrawsWhatInputsSay(t *testing.T) {
	const draws = 3000
	weights := randomWeights(1, 1)
	for _, rare := range []int{policy.Answer, policy.Back, policy.Idle, policy.Unguard, policy.Break} {
		weights[rare] = 2
	}
	laid := policy.New(weights)
	fights, answers, home, idle := 0, 0, 0, 0
	for seed := range uint64(80) {
		plies, on := int(10+4*seed), int(seed%9)
		if seed%2 == 1 {
			plies, on = 1000, int(seed%3) // where a flag is about to fall
		}
		start := midgameWorlds(t, seed, plies, 1)[0]
		start = start.by(laid)
		r := newRNG(seed, 0, 0)
		var b moveBuffer
		s := start.start
		for side, k := range start.exchanges {
			s.aim[side] = k.aims[0]
		}
		start.playout(&s, on, &r, &b)
		if s.lost != 0 {
			continue
		}
		if seed%4 == 2 {
			beforeEmptyHeadquarters(&s)
		}
		logits, total := map[game.Move]float64{}, 0.0
		for sq := range s.movable(s.of[s.mover&1] | (s.of[0]|s.of[1])&luzhanqi.Camps).All() {
			for to := range s.targets(sq).All() {
				in := start.inputs(&s, sq, to, nil)
				for _, i := range in {
					fights += btoi(i.N == policy.Gain)
					answers += btoi(i.N == policy.Answer)
					home += btoi(i.N >= policy.Home && i.N < policy.HomeOff)
					idle += btoi(i.N == policy.Idle)
				}
				logits[game.Move{From: sq, To: to}] = math.Exp(weights.Sum(in))
				total += math.Exp(weights.Sum(in))
			}
		}
		drawn := map[game.Move]float64{}
		for range draws {
			from, to, ok := start.soft(&s, &r, &b)
			if ok != (len(logits) > 0) {
				t.Fatalf("seed %d: %d moves, and soft says %v", seed, len(logits), ok)
			}
			if !ok {
				break
			}
			drawn[game.Move{From: from, To: to}]++
		}
		for m, x := range logits {
			want := x / total
			// Five standard errors, and what rounding to the unit of tables may do.
			if off := math.Abs(drawn[m]/draws - want); off > 5*math.Sqrt(want*(1-want)/draws)+0.03*want+0.001 {
				t.Errorf("seed %d: %v is drawn in %.4f of all, must be %.4f", seed, m, drawn[m]/draws, want)
			}
			delete(drawn, m)
		}
		for m, n := range drawn {
			t.Errorf("seed %d: %v is drawn %v times, and is no move", seed, m, n)
		}
	}
	if fights < 20 || answers < 5 || home < 20 || idle < 5 {
		t.Errorf("%d fights, %d answers, %d moves near the own flag and %d into empty headquarters: too few to test", fights, answers, home, idle)
	}
}

// beforeEmptyHeadquarters clears the enemy's headquarters that has no flag, and puts a piece of the mover before it.
func beforeEmptyHeadquarters(s *state) {
	me := s.mover & 1
	enemy := me ^ 1
	for hq := range luzhanqi.Headquarters.All() {
		if other := hq ^ 2; s.flag[enemy] != other {
			continue
		}
		at := luzhanqi.Bit(hq)
		s.of[0], s.of[1], s.fixed, s.engineers = s.of[0]&^at, s.of[1]&^at, s.fixed&^at, s.engineers&^at
		for door := range (luzhanqi.Beside(at) &^ (s.of[0] | s.of[1])).All() {
			for from := range (s.of[me] &^ (s.fixed | s.engineers | luzhanqi.Headquarters)).All() {
				s.of[me] = s.of[me]&^luzhanqi.Bit(from) | luzhanqi.Bit(door)
				s.rank[door], s.piece[door] = s.rank[from], s.piece[from]
				return
			}
		}
	}
}

// Leaving out what can be lost and won changes nothing: soft chooses the highest of all logits with noise, whatever the weights, and these are what
// inputs add up to but for rounding.
func TestSoftLeavesOutNothing(t *testing.T) {
	states, threats := 0, 0
	for seed := range uint64(24) {
		start := midgameWorlds(t, seed+1000, int(2+13*seed), 1)[0]
		wild := randomWeights(seed, 0.05)
		r := rand.New(rand.NewPCG(seed, 9))
		for n := policy.RiskTo; n < policy.LastTo; n++ {
			wild[n] = float32(3 * r.NormFloat64())
		}
		low := *wild
		for n := policy.RiskTo; n < policy.LastTo; n++ {
			low[n] -= 5
		}
		for number, weights := range []*policy.Weights{policy.Default().Weights, randomWeights(seed, 1), wild, &low} {
			laid := policy.New(weights)
			start = start.by(laid)
			random := newRNG(seed, number, 0)
			var b moveBuffer
			s := start.start
			for side, k := range start.exchanges {
				s.aim[side] = k.aims[0]
			}
			for range 60 {
				drafting, before := random, random
				from, to, ok := start.soft(&s, &random, &b)
				moves := slices.Clone(start.draft(&s, &drafting, &b, s.contact()))
				if !ok || drafting != random {
					if ok || len(moves) > 0 {
						t.Fatalf("seed %d: %d moves, and soft draws other random numbers", seed, len(moves))
					}
					break
				}
				states++
				highest, chosen := math.Inf(-1), math.Inf(-1)
				noises := policy.NewNoises(before.next())
				for _, m := range moves {
					logit := weights.Sum(start.inputs(&s, m.from, m.to, nil))*policy.Unit + float64(noises.Next())
					highest = max(highest, logit)
					if m.from == from && m.to == to {
						chosen = logit
					}
					threats += btoi(doors.Has(m.to))
				}
				if highest-chosen > 16 { // in parts of 256 of a nat: each of some ten numbers is rounded
					t.Fatalf("seed %d, weights %d: soft chooses %v to %v, which has %.0f, and another has %.0f", seed, number, from, to, chosen, highest)
				}
				if s.play(from, to); s.lost != 0 {
					break
				}
			}
		}
	}
	if states < 2000 || threats < 2000 {
		t.Errorf("%d states and %d moves to doors of headquarters: too few to test", states, threats)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What a learner notes is the gradient of the logarithm of its choice, and what it adds to the sum that of the entropy.
func TestLearnerNotesTheGradient(t *testing.T) {
	start := midgameWorlds(t, 5, 60, 1)[0]
	weights := randomWeights(3, 0.5)
	s := start.start
	for side, k := range start.exchanges {
		s.aim[side] = k.aims[0]
	}
	p := &learner{weights: weights, entropy: 1, sum: &PolicyGradient{}}
	r := newRNG(1, 2, 3)
	from, to, ok := p.choose(start, &s, &r, s.mover)
	if !ok {
		t.Fatal("there is no move")
	}
	at := slices.Index(p.moves, game.Move{From: from, To: to})
	noted := [policy.Inputs]float64{}
	for _, i := range p.noted {
		noted[i.N] += float64(i.X)
	}
	other := &learner{weights: weights, entropy: 1, sum: &PolicyGradient{}}
	r = newRNG(1, 2, 3)
	other.choose(start, &s, &r, s.mover.Other())
	for i, in := range other.noted { // what the enemy gains, we lose
		if in.N != p.noted[i].N || in.X != -p.noted[i].X {
			t.Fatalf("noted %d is %v, must be the opposite of %v", i, in, p.noted[i])
		}
	}
	if len(other.noted) != len(p.noted) || other.sum.Gradient != p.sum.Gradient {
		t.Error("whose entropy it is must not count")
	}
	logOf := func() (chosen, entropy float64) {
		q := &learner{weights: weights, entropy: 1, sum: &PolicyGradient{}}
		r := newRNG(1, 2, 3)
		q.choose(start, &s, &r, s.mover) // another move, it may be
		return math.Log(q.chance[at]), q.sum.Entropy
	}
	const step = 1e-3
	tested := 0
	for n := range noted {
		if noted[n] == 0 && p.sum.Gradient[n] == 0 {
			continue
		}
		old := weights[n]
		weights[n] = old + step
		upper, above := logOf()
		weights[n] = old - step
		lower, below := logOf()
		weights[n] = old
		width := float64(float32(old+step) - float32(old-step))
		if slope := (upper - lower) / width; math.Abs(slope-noted[n]) > 2e-3 {
			t.Errorf("input %d: the logarithm changes by %.4f, noted is %.4f", n, slope, noted[n])
		}
		if slope := (above - below) / width; math.Abs(slope-p.sum.Gradient[n]) > 2e-3 {
			t.Errorf("input %d: entropy changes by %.4f, the sum says %.4f", n, slope, p.sum.Gradient[n])
		}
		tested++
	}
	if tested < 60 {
		t.Errorf("only %d inputs were tested", tested)
	}
}

package luzhanqi

import (
	"math"
	"math/rand/v2"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/policy"
	"luzhanqi/player/luzhanqi/tables"
)

// kept are the odds that exchanges were worked out by, which a policy needs while it is learned.
type kept struct {
	of    suspects
	shown [shownCodes]odds
}

func newKept(of *suspects, standing uint32) *kept {
	t := &kept{of: *of}
	army := of.army(standing)
	for code := 1; code < shownCodes; code++ {
		t.shown[code] = army.shown(code)
	}
	return t
}

// inputs appends those of a move. It is what soft adds up, one by one.
func (w *world) inputs(s *state, from, to game.Square, in []policy.Input) []policy.Input {
	me := s.mover & 1
	enemy := me ^ 1
	k := w.exchanges[me]
	foes := s.of[enemy]
	aim := s.aimed(foes)
	rank := s.rank[from] & 15
	row := int(rank)
	by := s.phase()*tables.RankCodes + row
	mirrored := policy.Mirrored(s.flag[me], me)
	add := func(n int, x float32) { in = append(in, policy.Input{N: int32(n), X: x}) }

	add(policy.To+by*64+policy.Oriented(to, me, mirrored), 1)
	add(policy.Off+by*64+policy.Oriented(from, me, mirrored), 1)
	add(policy.WayTo+by*policy.Near+policy.Steps(tables.Distances[aim&63][to]), 1)
	add(policy.WayOff+by*policy.Near+policy.Steps(tables.Distances[aim&63][from]), 1)
	if s.last != tables.Nowhere {
		add(policy.LastTo+policy.Steps(tables.Distances[s.last&63][to]), 1)
		add(policy.LastOff+policy.Steps(tables.Distances[s.last&63][from]), 1)
	}
	if s.shown[me][s.piece[from]&31] == shownNothing {
		add(policy.First+row, 1)
	}
	if from == s.before {
		add(policy.Again, 1)
		if to == s.origin {
			add(policy.Back, 1)
		}
	}

	out, at := luzhanqi.Bit(from), luzhanqi.Bit(to)
	fight := foes.Has(to)
	stays := float32(1)
	if fight {
		piece := s.piece[to] & 31
		shown := s.shown[enemy][piece]
		of := &k.kept.of[piece]
		if shown != shownNothing && shown != shownNoNews {
			of = &k.kept.shown[shown]
		}
		for code, chance := range of {
			if chance > 0 {
				add(policy.Fight+row*tables.RankCodes+code, float32(chance))
			}
		}
		likely := share(k.survives(rank, piece, shown))
		for i, x := range policy.Gains(float64(k.attack(rank, piece, shown)), likely) {
			add(policy.Gain+i, x)
		}
		stays = float32(likely)
		if to == s.last {
			add(policy.Answer, 1)
		}
	}
	here := k.weighed.reach(s, from, rank, 0, foes)
	add(policy.RiskOff+row*2*policy.Buckets+policy.Risk(here.risk, here.pursued), 1)
	add(policy.ThreatOff+int(here.threat), 1)
	there := k.weighed.reach(s, to, rank, out, foes&^at)
	add(policy.RiskTo+row*2*policy.Buckets+policy.Risk(there.risk, there.flank), stays)
	add(policy.ThreatTo+int(there.threat), stays)

	gate, guards, zone := tables.Paths[aim&63].Attackers, w.guards[me], tables.Zones[s.flag[me]&63]
	if near := foes & zone &^ s.fixed; near != 0 {
		if at&zone != 0 {
			add(policy.Home+row, 1)
		}
		if out&zone != 0 {
			add(policy.HomeOff+row, 1)
		}
		if out&guards != 0 {
			add(policy.Unguard, 1)
		}
		if at&guards != 0 && !fight {
			add(policy.Shut+row, 1)
		}
		switch {
		case at&near&guards != 0:
			add(policy.Save+row, 1)
		case at&near != 0:
			add(policy.Clear+row, 1)
		}
	}
	switch {
	case at&gate != 0 && fight:
		add(policy.Break, 1)
	case at&gate != 0:
		add(policy.Gate+row, 1)
	case luzhanqi.Headquarters.Has(to) && !fight:
		add(policy.Idle, 1)
	}
	return in
}

// PolicyTrainer plays playouts by a policy that is being learned: policy gradients (REINFORCE; Williams 1992) of both sides at once, from
// worlds that a search would draw. What a playout returns counts against the mean of others from the same start; some enemies storm
// or choose by the quick policy in place of the learned one, so that it answers these, too.
type PolicyTrainer struct{ starts [][]*world }

// trainingStyle is the style by whose beliefs worlds are drawn. Its policy only makes the searcher work out what inputs need.
var trainingStyle = func() Style {
	s := Strong
	s.Policy = sync.OnceValue(func() *policy.Policy { return policy.New(&policy.Weights{}) })
	return s
}()

// by is the same world played out by a policy.
func (w *world) by(p *policy.Policy) *world {
	other := *w
	other.policy = p
	for side, k := range w.exchanges {
		var standing uint32
		for sq := range w.start.of[side^1].All() {
			standing |= 1 << (w.start.piece[sq] & 31)
		}
		weighed := *k
		weighed.weighed = k.weigh(p, &k.kept.of, standing)
		other.exchanges[side] = &weighed
	}
	return &other
}

// Add draws worlds of a position, as its mover sees it.
func (h *PolicyTrainer) Add(v *luzhanqi.View, worlds int, seed uint64) {
	p := NewSearcher(trainingStyle, player.Options{})
	p.update(v)
	defer p.Rest()
	d := &sampler{view: v, belief: p.watcher.Belief, style: trainingStyle, random: rand.New(rand.NewPCG(seed, 1)), kept: true}
	all, schedule := d.draw(worlds)
	enemies := newWays(v.Enemy(), v.Own())
	for _, w := range all {
		w.ways = &enemies
	}
	var starts []*world // each as often as a search would play in it
	for _, n := range schedule[:min(worlds, len(schedule))] {
		starts = append(starts, all[n])
	}
	h.starts = append(h.starts, starts)
}

// PolicyGradient is what a batch of playouts says.
type PolicyGradient struct {
	Gradient [policy.Inputs]float64 // of the mean return of both sides, and of the entropy by as much as it counts
	Entropy  float64                // nats, in all of the plies
	Plies    int
	Value    float64 // what they returned to the side that began, −1 to 1, in all
	Playouts int
}

// Shares of 16 in which the enemy storms, or chooses by the quick policy.
const (
	trainingStorms = 4
	trainingQuick  = 2
	trainingGroup  = 8 // playouts from the same start
)

// Learn plays so many groups of playouts of half to one and a half times the horizon, in plies.
func (h *PolicyTrainer) Learn(w *policy.Weights, groups, horizon int, entropy float64, seed uint64, worker int) *PolicyGradient {
	l := &PolicyGradient{}
	r := newRNG(seed, worker, 1)
	leaves := network.Default()
	p := learner{weights: w, entropy: entropy, sum: l}
	for range groups {
		worlds := h.starts[r.next()%uint64(len(h.starts))]
		start := worlds[r.next()%uint64(len(worlds))]
		us := start.start.mover
		kind := r.next() & 15
		length := horizon/2 + int(r.next()%uint64(horizon))
		var values [trainingGroup]float64
		var ends [trainingGroup]int
		mean := 0.0
		p.noted = p.noted[:0]
		for n := range values {
			s := start.start
			random := r.next()
			for side, k := range start.exchanges {
				s.aim[side] = k.draw(uint8(random >> (8 * side)))
			}
			for range length {
				if s.lost != 0 {
					break
				}
				var from, to game.Square
				var ok bool
				switch {
				case s.mover != us && kind < trainingStorms:
					from, to, ok = start.storm(&s, &r, &p.buffer)
				case s.mover != us && kind < trainingStorms+trainingQuick:
					from, to, ok = start.quick(&s, &r, &p.buffer)
				default:
					from, to, ok = p.choose(start, &s, &r, us)
				}
				if !ok {
					s.lost = int8(s.mover) + 1
					break
				}
				s.play(from, to)
			}
			values[n], ends[n] = float64(start.evaluation(&s, us, leaves))/10_000, len(p.noted)
			mean += values[n] / trainingGroup
		}
		l.Value += mean * trainingGroup
		l.Playouts += trainingGroup
		begin := 0
		for n, end := range ends {
			// The mean of the others is what this one is measured by.
			better := (values[n] - mean) * trainingGroup / (trainingGroup - 1)
			for _, i := range p.noted[begin:end] {
				l.Gradient[i.N] += better * float64(i.X)
			}
			begin = end
		}
	}
	return l
}

// learner chooses by weights, and notes how they would have to change for its choices to become likelier.
type learner struct {
	weights *policy.Weights
	entropy float64 // what a nat of it counts
	sum     *PolicyGradient
	noted   []policy.Input // of the gradient of the logarithm of what was chosen, with the sign of who gains
	buffer  moveBuffer
	// Of the moves of one ply.
	moves  []game.Move
	inputs []policy.Input
	ends   []int
	chance []float64
}

func (p *learner) choose(w *world, s *state, r *rng, us game.Side) (from, to game.Square, ok bool) {
	me := s.mover & 1
	s.lay(&p.buffer, s.of[me^1], s.of[me^1])
	barred := s.of[me] | (s.of[0]|s.of[1])&luzhanqi.Camps
	p.moves, p.inputs, p.ends, p.chance = p.moves[:0], p.inputs[:0], p.ends[:0], p.chance[:0]
	highest := math.Inf(-1)
	for sq := range s.movable(barred).All() {
		for target := range p.buffer.targets[sq&63].All() {
			begin := len(p.inputs)
			p.inputs = w.inputs(s, sq, target, p.inputs)
			logit := p.weights.Sum(p.inputs[begin:])
			highest = max(highest, logit)
			p.moves, p.ends, p.chance = append(p.moves, game.Move{From: sq, To: target}), append(p.ends, len(p.inputs)), append(p.chance, logit)
		}
	}
	if len(p.moves) == 0 {
		return 0, 0, false
	}
	total := 0.0
	for i := range p.chance {
		p.chance[i] = math.Exp(p.chance[i] - highest)
		total += p.chance[i]
	}
	left := float64(r.next()>>11) / (1 << 53) * total
	chosen := -1
	entropy := 0.0
	for i := range p.chance {
		if left -= p.chance[i]; left < 0 && chosen < 0 {
			chosen = i
		}
		p.chance[i] /= total
		if c := p.chance[i]; c > 0 {
			entropy -= c * math.Log(c)
		}
	}
	if chosen < 0 {
		chosen = len(p.moves) - 1
	}
	p.sum.Entropy += entropy
	p.sum.Plies++
	sign := 1.0
	if me != us {
		sign = -1
	}
	begin := 0
	for i, end := range p.ends {
		c := p.chance[i]
		likelier, wider := -c, 0.0
		if i == chosen {
			likelier++
		}
		if c > 0 {
			wider = -p.entropy * c * (math.Log(c) + entropy)
		}
		for _, in := range p.inputs[begin:end] {
			if math.Abs(likelier) > 1e-4 {
				p.noted = append(p.noted, policy.Input{N: in.N, X: float32(sign*likelier) * in.X})
			}
			p.sum.Gradient[in.N] += wider * float64(in.X)
		}
		begin = end
	}
	return p.moves[chosen].From, p.moves[chosen].To, true
}

// Duel plays a policy against the quick one from every start, with both sides in turn, for so many plies, and returns what the
// policy gains, −1 to 1, in the mean and its standard error, for which all worlds of a position count as one.
func (h *PolicyTrainer) Duel(p *policy.Policy, plies int, seed uint64) (gains, deviation float64) {
	leaves := network.Default()
	var sum, square, n float64
	var b moveBuffer
	for i, worlds := range h.starts {
		position := 0.0
		for j, start := range worlds {
			w := start.by(p)
			gained := 0.0
			for side := range game.Side(2) {
				r := newRNG(seed, i, j)
				s := w.start
				random := r.next()
				for of, k := range w.exchanges {
					s.aim[of] = k.draw(uint8(random >> (8 * of)))
				}
				for n := 0; n < plies && s.lost == 0; n++ {
					choose := w.quick
					if s.mover == side {
						choose = w.soft
					}
					from, to, ok := choose(&s, &r, &b)
					if !ok {
						s.lost = int8(s.mover) + 1
						break
					}
					s.play(from, to)
				}
				gained += float64(w.evaluation(&s, side, leaves)) / 20_000
			}
			position += gained / float64(len(worlds))
		}
		sum += position
		square += position * position
		n++
	}
	mean := sum / n
	return mean, math.Sqrt(max(square/n-mean*mean, 0) / max(n-1, 1))
}

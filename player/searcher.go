package player

import (
	"fmt"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// setUpSource is where a level has its set-ups from.
type setUpSource uint8

const (
	asGreedy setUpSource = iota
	fromKnowledge
	fromBook
	asInBook // as the book has it; measurement only
)

// style is what tells one searching level from another.
type style struct {
	worlds  int     // drawn for a move, at 0.1 s
	plies   int     // of a playout
	nodes   int     // for a move whatever the time; zero: as many as the time allows
	workers int     // zero: as many as there are processors
	beliefs bool    // worlds agree with every combat, and each side judges by what it can know
	prior   float64 // how far set-ups are believed to be like others'
	habits  float64 // how far pieces are believed to move as others of their rank do
	learned bool    // the network judges the leaves
	proofs  bool    // forced ends are looked for
	rushes  bool    // in some playouts the enemy rushes
	setUps  setUpSource
	twin    bool // it is shown the truth; measurement only
}

// searcher plays Luzhanqi by determinized search: it draws worlds from its belief, plays every move
// out in all of them, and takes one that did best.
type searcher struct {
	style    style
	options  Options
	belief   *hiddeninfo.Belief
	history  history
	habits   *Habits
	reported bool // that something observed cannot be
	latest   latest
	overrun  time.Duration // by which searches have lately missed their deadline
	// truth, when not nil, is the only world: for the twin that measures what hidden information costs.
	truth func(*luzhanqi.View) luzhanqi.Board
}

// latest is what Explain is asked about.
type latest struct {
	view   *luzhanqi.View
	search *search // nil: there was nothing to search
	move   game.Move
	took   time.Duration
}

// SetUp draws one from the book, made by knowledge, or as greedy does.
func (p *searcher) SetUp(r *rand.Rand) game.SetUp {
	switch p.style.setUps {
	case fromBook:
		return game.SetUp(varied(setUps.draw(r), r).String())
	case asInBook:
		return game.SetUp(setUps.draw(r).String())
	case fromKnowledge:
		return game.SetUp(sheltered(r).String())
	}
	return (&greedy{}).SetUp(r)
}

// Choose implements Player.
func (p *searcher) Choose(view game.View, deadline time.Time, r *rand.Rand) game.Move {
	start := time.Now()
	v := view.(*luzhanqi.View)
	seed := r.Uint64()
	p.update(v)
	p.latest = latest{view: v}
	if m, ok := obvious(v); ok {
		p.latest.move = m
	} else {
		s := p.search(v, seed, deadline.Sub(start))
		b := budget{nodes: p.nodes(), start: time.Now(), deadline: deadline.Add(-p.margin(deadline.Sub(start)))}
		if p.style.proofs {
			s.prove(p.proofNodes(deadline.Sub(start)))
		}
		s.run(b)
		if b.nodes == 0 { // a freeze of the whole machine is not remembered at its full length
			p.overrun = max(p.overrun*15/16, min(time.Since(b.deadline), deadline.Sub(start)/2), 0)
		}
		p.latest.search, p.latest.move = s, s.pick(r)
	}
	p.latest.took = time.Since(start)
	return p.latest.move
}

// update takes in what has been observed.
func (p *searcher) update(v *luzhanqi.View) {
	if p.belief == nil || v.Ply() < p.history.ply { // the first move, or another game
		p.belief = hiddeninfo.New(v)
		if p.style.prior > 0 {
			p.belief.SetPrior(SetUpPrior(p.style.prior))
		}
		p.habits = NewHabits(v)
	} else {
		p.belief.Update(v)
	}
	if p.style.habits > 0 {
		p.habits.Update(v)
		p.belief.SetLikelihoods(p.habits.Likelihoods(p.style.habits))
	}
	p.history.update(v)
	if err := p.belief.Trouble(); err != nil && !p.reported {
		p.reported = true
		if p.options.Log != nil {
			p.options.Log(fmt.Sprintf("what was observed cannot be; playing on with what fits: %v", err))
		}
	}
}

// obvious is the only move, or one that takes a flag that was shown.
func obvious(v *luzhanqi.View) (game.Move, bool) {
	moves := v.Moves(nil)
	for _, m := range moves {
		if v.Enemy().Has(m.To) && v.Rank(m.To) == luzhanqi.Flag {
			return m, true
		}
	}
	return moves[0], len(moves) == 1
}

// search prepares one.
func (p *searcher) search(v *luzhanqi.View, seed uint64, limit time.Duration) *search {
	s := &search{side: v.Side(), plies: p.style.plies, rushes: p.style.rushes, seed: seed, workers: p.style.workers}
	if s.workers == 0 {
		s.workers = p.options.cores()
	}
	if p.style.learned {
		s.leaves = leaves
	}
	for _, m := range v.Moves(nil) {
		c := candidate{move: m, bias: 1}
		if !v.Enemy().Has(m.To) {
			c.seen = p.history.times(m)
			c.draw = c.seen >= drawnAfter
			c.bias = 1 - float64(min(c.seen, drawnAfter))/drawnAfter
		}
		s.candidates = append(s.candidates, c)
	}
	d := &dealer{view: v, belief: p.belief, style: p.style, random: rand.New(rand.NewPCG(seed, 1))}
	if p.truth != nil {
		b := p.truth(v)
		d.truth = &b
	}
	s.worlds, s.schedule = d.deal(p.worlds(limit))
	return s
}

// drawnAfter is how often a configuration can have occurred before once more makes a draw.
const drawnAfter = 9

func (p *searcher) nodes() int {
	if p.options.Nodes > 0 {
		return p.options.Nodes
	}
	return p.style.nodes
}

// worlds is how many to draw: making one costs as much as a few playouts, so more where there is time.
func (p *searcher) worlds(limit time.Duration) int {
	n := p.style.worlds
	if p.nodes() == 0 {
		for ; limit > 300*time.Millisecond && n < 8*p.style.worlds; limit /= 2 {
			n *= 2
		}
	}
	return n
}

// proofNodes is the budget of which proofs get a share: by time, what a slow processor can look at.
func (p *searcher) proofNodes(limit time.Duration) int {
	if n := p.nodes(); n > 0 {
		return n
	}
	const perSecond = 4_000_000
	return int(perSecond * limit.Seconds())
}

// margin is kept for what no clock check of ours sees: the scheduler and the garbage collector. What
// they have cost lately they may cost again, so a busy machine gets more.
func (p *searcher) margin(limit time.Duration) time.Duration {
	return min(min(3*time.Millisecond+limit/20, 20*time.Millisecond)+p.overrun, limit/2)
}

// pick draws among the moves that nothing tells from the best. What was dropped early may look better
// by luck, so only those with half of the most visits can be the best.
func (s *search) pick(r *rand.Rand) game.Move {
	most := int64(0)
	for i := range s.candidates {
		most = max(most, s.candidates[i].visits)
	}
	var best *candidate
	for i := range s.candidates {
		if c := &s.candidates[i]; c.visits*2 >= most && (best == nil || c.value() > best.value()) {
			best = c
		}
	}
	n := 0
	choice := best.move
	for i := range s.candidates {
		c := &s.candidates[i]
		if c.draw && c != best || c.visits*4 < most*3 || best.value()-c.value() > 0.3*best.err() {
			continue
		}
		if n++; r.IntN(n) == 0 {
			choice = c.move
		}
	}
	return choice
}

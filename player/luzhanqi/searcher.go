package luzhanqi

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/policy"
)

// Style is what tells one searching level from another.
type Style struct {
	Worlds  int  // drawn for a move, at 0.1 s; with Most, for 12,000 positions
	Most    int  // worlds to which more positions lead, in proportion; zero: not in proportion
	Plies   int  // of a playout
	Begin   int  // plies of the playouts of the first round, from which they grow to Plies; zero: all have Plies
	Full    int  // positions of a move (by time: about) from which playouts are so long; with fewer they are shorter in proportion, to half; zero: they never are
	Halfway bool // long playouts count by the mean of what they are worth halfway and at their end
	Nodes   int  // for a move whatever the time; zero: as many as the time allows
	Workers int  // zero: as many as there are processors
	Beliefs bool // worlds agree with every combat, and each side judges by what it can know
	Trust   likelihood.Trust
	Learned func() likelihood.Learned // what is trusted so; nil: the newest
	Network func() *network.Network   // judges the leaves; nil: the handmade terms do
	Learns  bool                      // playouts make more often what did well in those before
	Policy  func() *policy.Policy     // draws the moves of playouts that no storm chooses; nil: the quick policy chooses them
	Mates   bool                      // forced ends are looked for
	Rushes  bool                      // in some playouts the enemy rushes, where the quick policy chooses its moves
	Storms  int                       // of 16 playouts, those in which it storms, unless it is passive
	Passive bool                      // an enemy that has stayed in its half for long is expected to go on so (see passivity)
	SetUps  SetUpSource
	// What older levels have wrong in their playouts, and keep so: which of several open squares next to a flag a
	// piece enters, and how likely the enemy thinks that a piece in our headquarters is the flag.
	Gates, FlagOdds bool
	Foretelling     Foretelling // what it says of its moves; nil: what the playouts return
	// Boldness is what a fight with a piece that is not known is worth beyond what playouts return where nobody is ahead, in
	// wins from −1 to 1 (see bold).
	Boldness float64
}

// Lengths are how many plies playouts have in a search of so many positions: the longest, and those of the first round.
func (s *Style) Lengths(positions int) (plies, begin int) {
	if positions >= s.Full {
		return s.Plies, s.Begin
	}
	positions = max(positions, s.Full/2)
	return max(s.Plies*positions/s.Full, 1), s.Begin * positions / s.Full
}

// bold is what boldness is worth in a search of so many positions. With 6,000 it wins games with rushers that were tuned against strong, and by
// the verdicts of long searches costs nothing; with 30,000 it costs a little by these, so with more it counts less.
func (s *Style) bold(positions int) float64 {
	const settled = 30_000.0 // beyond, in proportion to the error of a mean
	return s.Boldness * math.Sqrt(min(1, settled/max(1, float64(positions))))
}

func (s *Style) learned() likelihood.Learned {
	if s.Learned == nil {
		return likelihood.Default()
	}
	return s.Learned()
}

// Searcher plays Luzhanqi by determinized search: it draws worlds from its belief, plays every move
// out in all of them, and takes one that did best.
type Searcher struct {
	// Truth, when not nil, is the only world: for the twin that measures what hidden information costs.
	Truth func(*luzhanqi.View) luzhanqi.Board
	// Tell, when not nil, is called with the belief when a game begins: for the twin that is told a part of the truth.
	Tell func(*hiddeninfo.Belief)

	style      Style
	options    player.Options
	watcher    *likelihood.Watcher
	repetition repetition
	passivity  passivity
	waits      bool // the latest move was to wait for nothing
	reported   bool // that something observed cannot be
	last       lastSearch
	margin     player.Margin
}

// NewSearcher makes a player for one game.
func NewSearcher(s Style, o player.Options) *Searcher { return &Searcher{style: s, options: o} }

// lastSearch is what Explain is asked about.
type lastSearch struct {
	view   *luzhanqi.View
	search *search // nil: there was nothing to search
	move   game.Move
	took   time.Duration
}

// SetUp implements player.Player.
func (p *Searcher) SetUp(r *rand.Rand) game.SetUp {
	return game.SetUp(p.style.SetUps.Draw(r).String())
}

// Choose implements player.Player.
func (p *Searcher) Choose(view game.View, deadline time.Time, r *rand.Rand) game.Move {
	start := clock.Now()
	v := view.(*luzhanqi.View)
	seed := r.Uint64()
	p.update(v)
	limit := deadline.Sub(start)
	think := p.thinks(limit)
	p.last, p.waits = lastSearch{view: v}, false
	if m, ok := obvious(v); ok {
		p.last.move = m
	} else {
		s := p.search(v, seed, limit)
		b := budget{nodes: p.nodes(), start: clock.Now()}
		if b.nodes == 0 || p.options.Cut != nil {
			b.deadline = p.margin.Stop(start, deadline)
			if soon := start.Add(think); soon.Before(b.deadline) {
				b.deadline = soon
			}
		}
		if p.style.Mates {
			s.findMates(p.mateNodes(think))
		}
		s.run(b)
		if !b.deadline.IsZero() {
			p.margin.Stopped(b.deadline, limit)
		}
		if b.nodes > 0 && b.over() {
			p.options.Cut(s.played.Load())
		}
		c := s.pick(r)
		p.last.search, p.last.move, p.waits = s, c.move, c.waits()
	}
	p.last.took = clock.Since(start)
	return p.last.move
}

// thinks is how much of the time for a move it takes. Where both sides wait nothing changes from move to move, and a game can last
// a thousand of them. Levels that count positions look at as many as ever.
func (p *Searcher) thinks(limit time.Duration) time.Duration {
	if p.nodes() == 0 && p.waits && p.passivity.likely() >= mostPassive {
		return limit / 10
	}
	return limit
}

// Rest implements player.Rester.
func (p *Searcher) Rest() {
	p.last = lastSearch{}
	if p.watcher != nil {
		p.watcher.Belief.Release()
	}
}

// update takes in what has been observed.
func (p *Searcher) update(v *luzhanqi.View) {
	if p.watcher == nil || v.Ply() < p.repetition.ply { // the first move, or another game
		p.watcher = likelihood.Watch(v, p.style.learned(), p.style.Trust)
		if p.Tell != nil {
			p.Tell(p.watcher.Belief)
		}
	} else {
		p.watcher.Update(v)
	}
	p.repetition.update(v)
	p.passivity.update(v)
	if err := p.watcher.Belief.Trouble(); err != nil && !p.reported {
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
func (p *Searcher) search(v *luzhanqi.View, seed uint64, limit time.Duration) *search {
	plies, begin := p.style.Lengths(p.positions(limit))
	s := &search{
		side: v.Side(), plies: plies, begin: begin, halfway: p.style.Halfway, rushes: p.style.Rushes, storms: p.style.Storms, seed: seed,
		workers: cmp.Or(p.style.Workers, p.options.Workers()),
	}
	if p.style.Learns {
		s.learned = &averages{}
	}
	if p.style.Network != nil {
		s.leaves = p.style.Network()
	}
	bold := p.style.bold(p.positions(limit))
	if p.Truth != nil {
		bold = 0 // it knows them all
	}
	passive := 0.0
	if p.style.Passive {
		passive = p.passivity.likely()
		s.storms = int(math.Round((1 - passive/2) * float64(s.storms))) // who has waited may strike: half of them in any case
	}
	home := luzhanqi.HalfOf(v.Side())
	for _, m := range v.Moves(nil) {
		c := candidate{move: m, bias: 1}
		if !v.Enemy().Has(m.To) {
			c.seen = p.repetition.times(m)
			c.draw = c.seen >= drawnAfter
			c.bias = 1 - float64(min(c.seen, drawnAfter))/drawnAfter
			if home.Has(m.To) {
				c.passive = passive
			}
		} else if piece, ok := p.watcher.Belief.PieceAt(m.To); ok && p.watcher.Belief.Mask(piece).Len() > 1 {
			c.bold = bold
		}
		s.candidates = append(s.candidates, c)
	}
	d := &sampler{view: v, belief: p.watcher.Belief, style: p.style, random: rand.New(rand.NewPCG(seed, 1))}
	if p.Truth != nil {
		b := p.Truth(v)
		d.truth = &b
	}
	s.worlds, s.schedule = d.draw(p.worlds(limit))
	if s.storms > 0 {
		enemies := newWays(v.Enemy(), v.Own())
		for _, w := range s.worlds {
			w.ways = &enemies
		}
	}
	if s.leaves != nil {
		for _, w := range s.worlds {
			sums := s.leaves.Sum(&w.start.of, &w.start.rank, s.side)
			w.sums = &sums
		}
	}
	return s
}

// drawnAfter is how often a configuration can have occurred before once more makes a draw.
const drawnAfter = 9

func (p *Searcher) nodes() int { return cmp.Or(p.options.Nodes, p.style.Nodes) }

// positions are how many a move looks at: by time, what one processor can, about.
func (p *Searcher) positions(limit time.Duration) int {
	const perSecond = 1_000_000
	return cmp.Or(p.nodes(), int(perSecond*limit.Seconds()))
}

// worlds is how many to draw: making one costs as much as a few playouts, so more where there is time.
func (p *Searcher) worlds(limit time.Duration) int {
	n := p.style.Worlds
	if p.style.Most > 0 {
		for positions := p.positions(limit); positions > 12_000 && n < p.style.Most; positions /= 2 {
			n *= 2
		}
		return n
	}
	if p.nodes() == 0 {
		for ; limit > 300*time.Millisecond && n < 8*p.style.Worlds; limit /= 2 {
			n *= 2
		}
	}
	return n
}

// mateNodes is the budget of which mates get a share: by time, what a slow processor can look at.
func (p *Searcher) mateNodes(limit time.Duration) int {
	const perSecond = 4_000_000
	inTime := int(perSecond * limit.Seconds())
	if n := p.nodes(); n > 0 && (p.options.Cut == nil || n < inTime) {
		return n
	}
	return inTime
}

// pick draws among the moves that nothing tells from the best. What was dropped early may look better
// by luck, so only those with half of the most visits can be the best.
func (s *search) pick(r *rand.Rand) *candidate {
	highest := int64(0)
	for i := range s.candidates {
		highest = max(highest, s.candidates[i].visits)
	}
	var best *candidate
	for i := range s.candidates {
		if c := &s.candidates[i]; c.visits*2 >= highest && (best == nil || c.worth() > best.worth()) {
			best = c
		}
	}
	n := 0
	choice := best
	for i := range s.candidates {
		c := &s.candidates[i]
		if c.draw && c != best || c.visits*4 < highest*3 || best.worth()-c.worth() > 0.3*best.err() {
			continue
		}
		if n++; r.IntN(n) == 0 {
			choice = c
		}
	}
	return choice
}

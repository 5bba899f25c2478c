package luzhanqi

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/clock"
	"luzhanqi/game"
	"luzhanqi/player/luzhanqi/network"
)

// candidate is one root move with what its playouts have returned.
type candidate struct {
	move    game.Move
	seen    int     // how often the configuration after the move has occurred
	bias    float64 // factor by which repetition draws the value towards that of a draw
	bold    float64 // what it is worth beyond what playouts return, where nobody is ahead
	passive float64 // how likely the enemy is to stay in its half, where the move stays in ours
	draw    bool    // the move ends the game in a draw
	mates   []int8  // by world: how it ends for us after the move, where that is forced
	visits  int64
	sum     int64 // of evaluations
	square  int64 // of their squares
}

// value is what the move is worth in wins, from −1 to 1: the mean of its playouts, or what waiting makes of it.
func (c *candidate) value() float64 {
	if c.draw || c.visits == 0 {
		return 0
	}
	v := c.mean()
	if c.held(v) {
		return waiting + (v-waiting)*(1-c.passive)
	}
	return v
}

// mean is what playouts return, and repetition.
func (c *candidate) mean() float64 { return c.bias * float64(c.sum) / float64(c.visits) / 10_000 }

// waits says whether the move is for nothing but that an enemy waits that hardly will come.
func (c *candidate) waits() bool { return c.visits > 0 && c.passive >= mostPassive && c.held(c.mean()) }

// waiting is what it is worth to wait where the enemy does, too: below it, the value of a move in the own half is drawn towards it. It is not that of a draw: who is hardly
// behind plays on, and wins most games against enemies that cannot attack.
const waiting = -0.15

// held says whether this value is drawn so. What is forced in every world is not.
func (c *candidate) held(v float64) bool { return v < waiting && c.passive > 0 && !c.known() }

// worth is the value by which moves are chosen. Who has won or lost has nothing to be bold for.
func (c *candidate) worth() float64 {
	v := c.value()
	if c.bold == 0 || c.draw || c.visits == 0 || c.known() {
		return v
	}
	return v + c.bold*(1-v*v)
}

// known says whether the end after the move is forced in every world, as far as findMates proves it: against an enemy who knows everything, by a side that
// comes to know which world it is. Repetition draws its value towards that of a draw all the same.
func (c *candidate) known() bool {
	return c.draw || c.mates != nil && !slices.Contains(c.mates, unknown)
}

// err is the standard error of the value.
func (c *candidate) err() float64 {
	if c.draw || c.visits < 2 {
		return 0
	}
	n := float64(c.visits)
	mean := float64(c.sum) / n
	slope := c.bias
	if c.held(c.mean()) {
		slope *= 1 - c.passive
	}
	return slope * math.Sqrt(max(float64(c.square)/n-mean*mean, 0)/(n-1)) / 10_000
}

// search is one choice: the root moves are played out in the same worlds with the same random
// numbers, and after each round the worse half is dropped (sequential halving).
type search struct {
	side       game.Side
	worlds     []*world
	schedule   []int            // worlds in the order in which turns take them
	plies      int              // of a playout in the last two rounds
	begin      int              // of one in the first round; zero: plies in all
	halfway    bool             // long ones count by what they are worth halfway, too
	rushes     bool             // in some playouts the enemy rushes
	storms     int              // of 16 playouts, those in which it storms
	leaves     *network.Network // judges where playouts end; nil: the handmade terms do
	learned    *averages        // of its playouts; nil: they learn nothing
	seed       uint64
	candidates []candidate // those still in the running come first
	workers    int
	played     atomic.Int64 // plies
}

// budget ends a search: at a number of plies if there is one, and at a time if there is one.
type budget struct {
	nodes    int
	start    time.Time
	deadline time.Time
}

// over says whether the time is.
func (b *budget) over() bool { return !b.deadline.IsZero() && !clock.Now().Before(b.deadline) }

// run plays until the budget is used up or one move is left.
func (s *search) run(b budget) {
	racing := s.candidates
	rounds := max(bits.Len(uint(len(racing)-1)), 1)
	turn := 0
	for round := range rounds {
		plies := s.length(round, rounds)
		limit := turn + enough + enoughInWorld*len(s.worlds)
		var until time.Time
		if b.nodes > 0 {
			limit = turn + max(b.nodes/rounds/len(racing)/(plies+1), 1)
			until = b.deadline
		} else {
			until = b.start.Add(b.deadline.Sub(b.start) * time.Duration(round+1) / time.Duration(rounds))
		}
		if round > 0 && b.over() {
			break
		}
		turn = s.play(racing, turn, limit, plies, until)
		slices.SortStableFunc(racing, func(x, y candidate) int { return cmp.Compare(y.worth(), x.worth()) })
		if round == rounds-1 {
			break
		}
		racing = racing[:(len(racing)+1)/2]
		for plies == s.plies && len(racing) > 1 && racing[0].behind(&racing[len(racing)-1]) {
			racing = racing[:len(racing)-1]
		}
		if len(racing) == 1 {
			break
		}
	}
}

// length is how many plies playouts have in a round. Short ones tell moves apart at a fraction of the price (64 of 4
// plies as well as 32 of 20), and most of what is lost is lost in the first rounds, where few fit. What a move leads to
// later is for the last two rounds to see.
func (s *search) length(round, rounds int) int {
	if s.begin == 0 {
		return s.plies
	}
	begin := min(s.begin, s.plies)
	return min(s.plies, begin+(s.plies-begin)*round/max(rounds-2, 1))
}

// A round ends early when every world has been played so often that more would tell nothing that the
// worlds themselves do not blur.
const (
	enough        = 2000
	enoughInWorld = 100
)

// behind says whether c is so far behind that more playouts would hardly bring it back. The worlds
// are shared, so the difference is known better than the errors say.
func (best *candidate) behind(c *candidate) bool {
	return best.visits > 100 && best.worth()-c.worth() > 4*math.Hypot(best.err(), c.err())
}

// straggler is how long the end of a round waits for the other workers once the time is over. One
// that the system has not let run since then is not waited for: what it has found is lost, not the game.
const straggler = 2 * time.Millisecond

// play gives every candidate the turns from first up to limit, or as many as there is time for, and
// returns the next turn. The workers share out the turns; sums of whole numbers make the result the
// same for any number of workers.
func (s *search) play(racing []candidate, first, limit, plies int, until time.Time) int {
	r := round{racing: racing, limit: limit, plies: plies, until: until}
	if s.learned != nil && first > 0 {
		r.prefer = s.learned.preferences(s.side)
	}
	r.next.Store(int64(first))
	copies := make([][]candidate, s.workers)
	for i := range copies {
		copies[i] = slices.Clone(racing)
	}
	var others sync.WaitGroup
	for _, own := range copies[1:] {
		others.Go(func() { s.work(&r, own) })
	}
	s.work(&r, copies[0])
	if until.IsZero() {
		others.Wait()
	} else if s.workers > 1 {
		done := make(chan struct{})
		go func() {
			others.Wait()
			close(done)
		}()
		clock.Wait(done, clock.Until(until)+straggler)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return min(int(r.next.Load()), limit)
}

// round is what the workers share.
type round struct {
	racing []candidate // locked until closed
	limit  int
	plies  int          // of a playout
	prefer *preferences // from the rounds before; nil: nothing
	until  time.Time
	next   atomic.Int64 // turn
	mu     sync.Mutex
	closed bool // too late to add anything
}

// work plays turns until there are none, or no time, and adds what came out to the round. The
// candidates are the worker's own copy.
func (s *search) work(r *round, candidates []candidate) {
	tally := make([]candidate, len(candidates))
	b := moveBuffer{prefer: r.prefer}
	var learned averages
	var lines []line
	if s.learned != nil {
		lines = make([]line, len(candidates))
	}
	plies := 0
	for {
		turn := int(r.next.Add(1)) - 1
		if turn >= r.limit {
			break
		}
		for i := range candidates {
			if candidates[i].draw {
				continue
			}
			if lines != nil {
				lines[i].n = 0
				b.line = &lines[i]
			}
			value, n := s.playout(&candidates[i], turn, r.plies, &b)
			plies += n
			if lines != nil {
				lines[i].value = int64(value)
			}
			tally[i].visits++
			tally[i].sum += int64(value)
			tally[i].square += int64(value) * int64(value)
		}
		if lines != nil {
			learned.learn(s.side, candidates, lines)
		}
		if !r.until.IsZero() && turn > 0 && clock.Now().After(r.until) {
			break
		}
	}
	s.played.Add(int64(plies))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return
	}
	if s.learned != nil {
		s.learned.add(&learned)
	}
	for i := range tally {
		r.racing[i].visits += tally[i].visits
		r.racing[i].sum += tally[i].sum
		r.racing[i].square += tally[i].square
	}
}

// playout plays one root move out in the turn's world.
func (s *search) playout(c *candidate, turn, length int, b *moveBuffer) (value int32, plies int) {
	n := s.schedule[turn%len(s.schedule)]
	if c.mates != nil && c.mates[n] != unknown {
		return int32(c.mates[n]) * mateValue, 1
	}
	m, w := c.move, s.worlds[n]
	r := newRNG(s.seed, 0, turn)
	state := w.start
	state.play(m.From, m.To)
	random := r.next()
	for side, k := range w.exchanges {
		state.aim[side] = k.draw(uint8(random >> (8 * side)))
	}
	if int(random>>24&15) < s.storms {
		state.ahead[s.side.Other()] = storming
	} else if s.rushes && random>>16&3 == 0 {
		state.ahead[s.side.Other()] = rushing
	}
	first := length
	if s.halfway && length > shortPlayout {
		first /= 2
	}
	plies = w.playout(&state, first, &r, b)
	value = w.evaluation(&state, s.side, s.leaves)
	if first < length && state.lost == 0 {
		plies += w.playout(&state, length-first, &r, b)
		value = (value + w.evaluation(&state, s.side, s.leaves)) / 2
	}
	// A win now is better than the same win later, and a loss the other way round.
	return value - value*int32(plies)/400, plies + 1
}

// A playout of at most shortPlayout plies counts by its end alone.
const shortPlayout = 8

// mateValue is that of a forced end, which may be some moves away.
const mateValue = 9_800

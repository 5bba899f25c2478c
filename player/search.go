package player

import (
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"luzhanqi/game"
)

// candidate is one root move with what its playouts have returned.
type candidate struct {
	move   game.Move
	seen   int     // how often the configuration after the move has occurred
	bias   float64 // factor by which repetition draws the value towards that of a draw
	draw   bool    // the move ends the game in a draw
	proven []int8  // by world: how it ends for us after the move, where that is forced
	visits int64
	sum    int64 // of evaluations
	square int64 // of their squares
}

// value is the mean in wins, from −1 to 1.
func (c *candidate) value() float64 {
	if c.draw || c.visits == 0 {
		return 0
	}
	return c.bias * float64(c.sum) / float64(c.visits) / 10_000
}

// err is the standard error of the value.
func (c *candidate) err() float64 {
	if c.draw || c.visits < 2 {
		return 0
	}
	n := float64(c.visits)
	mean := float64(c.sum) / n
	return c.bias * math.Sqrt(max(float64(c.square)/n-mean*mean, 0)/(n-1)) / 10_000
}

// search is one choice: the root moves are played out in the same worlds with the same random
// numbers, and after each round the worse half is dropped (sequential halving).
type search struct {
	side       game.Side
	worlds     []*world
	schedule   []int // worlds in the order in which turns take them
	plies      int
	rushes     bool     // in some playouts the enemy rushes
	leaves     *network // judges where playouts end; nil: the handmade terms do
	seed       uint64
	candidates []candidate // those still in the running come first
	workers    int
	played     atomic.Int64 // plies
}

// budget ends a search: at a number of plies if there is one, else at a time.
type budget struct {
	nodes    int
	start    time.Time
	deadline time.Time
}

// run plays until the budget is used up or one move is left.
func (s *search) run(b budget) {
	racing := s.candidates
	rounds := max(bits.Len(uint(len(racing)-1)), 1)
	turn := 0
	for round := range rounds {
		limit := turn + enough + enoughInWorld*len(s.worlds)
		var until time.Time
		if b.nodes > 0 {
			limit = turn + max(b.nodes/rounds/len(racing)/(s.plies+1), 1)
		} else {
			until = b.start.Add(b.deadline.Sub(b.start) * time.Duration(round+1) / time.Duration(rounds))
		}
		done := s.play(racing, turn, limit, until)
		if done == turn && round > 0 {
			break
		}
		turn = done
		slices.SortStableFunc(racing, func(x, y candidate) int {
			switch a, b := x.value(), y.value(); {
			case a > b:
				return -1
			case a < b:
				return 1
			}
			return 0
		})
		if round == rounds-1 {
			break
		}
		racing = racing[:(len(racing)+1)/2]
		for len(racing) > 1 && racing[0].behind(&racing[len(racing)-1]) {
			racing = racing[:len(racing)-1]
		}
		if len(racing) == 1 {
			break
		}
	}
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
	return best.visits > 100 && best.value()-c.value() > 4*math.Hypot(best.err(), c.err())
}

// play gives every candidate the turns from first up to limit, or as many as there is time for, and
// returns the next turn. The workers share out the turns; sums of whole numbers make the result the
// same for any number of workers.
func (s *search) play(racing []candidate, first, limit int, until time.Time) int {
	var next atomic.Int64
	next.Store(int64(first))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range s.workers {
		wg.Go(func() {
			tally := make([]candidate, len(racing))
			plies := 0
			for {
				turn := int(next.Add(1)) - 1
				if turn >= limit {
					break
				}
				for i := range racing {
					if racing[i].draw {
						continue
					}
					value, n := s.playout(&racing[i], turn)
					plies += n
					tally[i].visits++
					tally[i].sum += int64(value)
					tally[i].square += int64(value) * int64(value)
				}
				if !until.IsZero() && turn > 0 && time.Now().After(until) {
					break
				}
			}
			s.played.Add(int64(plies))
			mu.Lock()
			defer mu.Unlock()
			for i := range tally {
				racing[i].visits += tally[i].visits
				racing[i].sum += tally[i].sum
				racing[i].square += tally[i].square
			}
		})
	}
	wg.Wait()
	return min(int(next.Load()), limit)
}

// playout plays one root move out in the turn's world.
func (s *search) playout(c *candidate, turn int) (value int32, plies int) {
	n := s.schedule[turn%len(s.schedule)]
	if c.proven != nil && c.proven[n] != unproven {
		return int32(c.proven[n]) * provenValue, 1
	}
	m, w := c.move, s.worlds[n]
	r := newStream(s.seed, 0, turn)
	state := w.start
	state.play(m.From, m.To, &w.worth)
	random := r.next()
	for side, k := range w.knows {
		state.aim[side] = k.draw(uint8(random >> (8 * side)))
	}
	if s.rushes && random>>16&3 == 0 {
		state.ahead[s.side.Other()] = rushing
	}
	plies = w.playout(&state, s.plies, &r)
	value = w.evaluation(&state, s.side, s.leaves)
	// A win now is better than the same win later, and a loss the other way round.
	return value - value*int32(plies)/400, plies + 1
}

// provenValue is that of a forced end, which may be some moves away.
const provenValue = 9_800

// cores is how many workers a search may use.
func cores() int { return max(1, min(runtime.GOMAXPROCS(0), 16)) }

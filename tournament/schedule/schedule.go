// Package schedule says which games a tournament consists of, as a pure function of its [Spec] and of the
// results so far: no clock, no input, no output, and no random choice but from the spec's seed. It knows
// players by their index, from 0, and nothing of the game they play.
//
// [New] checks a spec. A [Cursor] of the schedule yields the games one by one, in constant memory for the
// formats whose games do not depend on results; a cursor that is made anew after a crash and given the
// same results yields the same games in the same order. More results only ever add games at the end.
package schedule

import (
	"iter"
	"math/rand/v2"
	"slices"

	"luzhanqi/tournament/rating"
)

// Schedule is a tournament whose spec was checked. It does not change.
type Schedule struct {
	spec               Spec
	minGames, maxGames int
	order              []int // the players by seed, the first seed first
	digits             [2]int
}

// New returns the schedule of a spec. An error is a [*SpecError].
func New(spec Spec) (*Schedule, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	spec.Challengers = slices.Clone(spec.Challengers)
	s := &Schedule{spec: spec, order: make([]int, spec.Players)}
	s.minGames, s.maxGames = spec.size()
	for i := range s.order {
		s.order[i] = i
	}
	if spec.Drawn {
		s.order = rand.New(rand.NewPCG(spec.Seed, drawStream)).Perm(spec.Players)
	}
	rounds, pairs := spec.shape()
	s.digits = [2]int{max(2, decimals(rounds)), max(3, decimals(pairs))}
	if spec.Growing {
		s.digits = [2]int{2, 3} // at least
	}
	return s, nil
}

// drawStream is the stream of the spec's seed from which the order of the seeds is drawn.
const drawStream = 0x5eed

// Spec returns what the schedule was made from, with an own copy of the challengers.
func (s *Schedule) Spec() Spec {
	spec := s.spec
	spec.Challengers = slices.Clone(spec.Challengers)
	return spec
}

// Size is the number of games; they differ for a knockout only, whose tied encounters are played on.
func (s *Schedule) Size() (minGames, maxGames int) { return s.minGames, s.maxGames }

// Order returns the players by seed, the first seed first: the order of entry unless it was drawn.
func (s *Schedule) Order() []int { return slices.Clone(s.order) }

// ByePoints returns the points for a Swiss round without an opponent: as many as for winning all games of the round. No
// other format gives points for a bye.
func (s *Schedule) ByePoints() float64 {
	if s.spec.Format != Swiss {
		return 0
	}
	return float64(s.spec.Games)
}

// Games yields the games known from the results, from the first.
func (s *Schedule) Games(r Results) iter.Seq[Game] {
	return func(yield func(Game) bool) {
		c := s.Cursor()
		for g, ok := c.Next(r); ok && yield(g); g, ok = c.Next(r) {
		}
	}
}

// Results are the results so far, by the id of the game, from the side of the player at seat 1;
// [rating.Void]: the game has none yet. They may only grow.
type Results interface {
	Result(id string) rating.Result
}

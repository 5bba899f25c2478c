package tournament

import (
	"context"
	"fmt"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

// sprt is the sequential test of a match. It takes the pairs in the order of the schedule, whenever
// their games end, so that the same results always decide it after the same pair; pairs beyond do not count.
type sprt struct {
	rating.Sequential
	early map[int][]paired // games of pairs that wait for earlier ones, by pair
}

// paired is one game of a pair, from the side of the first player of the plan.
type paired struct {
	result rating.Result
	course string
}

// pairs counts those that the test has seen.
func (s *sprt) pairs() int { return s.Tally.Pairs().Total() }

// course tells how a game went and who had the first seat; empty: that is not known.
func course(first int, course string) string {
	if course == "" {
		return ""
	}
	return fmt.Sprintf("%d:%s", first, course)
}

// add takes in a result, from the side of the first player of the plan.
func (s *sprt) add(r *store.Result) {
	if s.Decided() || r.Void() {
		return
	}
	result := r.Outcome()
	if r.Players[0] != 0 {
		result = result.Swapped()
	}
	s.early[r.Pair] = append(s.early[r.Pair], paired{result, course(r.Players[0], r.Course)})
	for next := s.pairs() + 1; !s.Decided() && len(s.early[next]) == 2; next++ {
		for _, g := range s.early[next] {
			s.Add(next, g.result, g.course)
		}
		delete(s.early, next)
	}
}

// sprt tests the results in the store; nil: the tournament has no test.
func (t *Tournament) sprt(ctx context.Context, s *store.Store) (*sprt, error) {
	if t.Test == nil {
		return nil, nil
	}
	q := &sprt{rating.Sequential{Test: t.Test}, map[int][]paired{}}
	return q, s.Results(ctx, false, func(r *store.Result) error {
		q.add(r)
		return nil
	})
}

// Verdict says in a line what the sequential test of a match has found.
func (t *Tournament) Verdict(ctx context.Context, s *store.Store) (string, error) {
	q, err := t.sprt(ctx, s)
	if err != nil || q == nil {
		return "", err
	}
	v := q.Verdict()
	return fmt.Sprintf("%v: after %d pairs %s, %v", t.Test, q.pairs(), v.Progress(), v.Decision), nil
}

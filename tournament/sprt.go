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
	test     rating.SPRT
	tally    rating.Tally
	early    map[int][]rating.Result // games of pairs that wait for earlier ones, by pair
	pairs    int                     // that were judged
	decision rating.Decision
}

// add takes in a result, from the side of the first player of the plan.
func (s *sprt) add(r *store.Result) {
	if s.decision != rating.Continue || r.Void() {
		return
	}
	if s.early == nil {
		s.early = map[int][]rating.Result{}
	}
	result := r.Outcome()
	if r.Players[0] != 0 {
		result = result.Swapped()
	}
	s.early[r.Pair] = append(s.early[r.Pair], result)
	for s.decision == rating.Continue && len(s.early[s.pairs+1]) == 2 {
		s.pairs++
		for _, result := range s.early[s.pairs] {
			s.tally.Add(s.pairs, result)
		}
		delete(s.early, s.pairs)
		s.decision = s.test.Decide(s.test.LLR(s.tally.Counts()))
	}
}

// sprt judges the results in the store; nil: the tournament has no test.
func (t *Tournament) sprt(ctx context.Context, s *store.Store) (*sprt, error) {
	if t.Test == nil {
		return nil, nil
	}
	q := &sprt{test: *t.Test}
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
	lower, upper := q.test.Bounds()
	return fmt.Sprintf("%v: after %d pairs LLR %.2f (%.2f to %.2f), %v", q.test, q.pairs, q.test.LLR(q.tally.Counts()), lower, upper, q.decision), nil
}

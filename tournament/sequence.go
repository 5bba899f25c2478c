package tournament

import (
	"context"
	"fmt"

	"luzhanqi/tournament/rating"
)

// sequence is the sequential test of a match. It takes the pairs in the order of the schedule, whenever
// their games end, so that the same results always decide it after the same pair; pairs beyond do not count.
type sequence struct {
	test     rating.SPRT
	tally    rating.Tally
	early    map[int][]rating.Result // games of pairs that wait for earlier ones, by pair
	pairs    int                     // that were judged
	decision rating.Decision
}

// add takes in a result, from the side of the first player of the plan.
func (s *sequence) add(r *Result) {
	if s.decision != rating.Continue || r.Void() {
		return
	}
	points := r.Points()
	if r.Players[0] != 0 {
		points = 1 - points
	}
	if s.early == nil {
		s.early = map[int][]rating.Result{}
	}
	s.early[r.Pair] = append(s.early[r.Pair], map[float64]rating.Result{0: rating.Loss, 0.5: rating.Draw, 1: rating.Win}[points])
	for s.decision == rating.Continue && len(s.early[s.pairs+1]) == 2 {
		s.pairs++
		for game, result := range s.early[s.pairs] {
			s.tally.Add(2*s.pairs-1+game, result)
		}
		delete(s.early, s.pairs)
		s.decision = s.test.Decide(s.test.LLR(s.tally.Counts()))
	}
}

// sequence judges the results in the store; nil: the tournament has no test.
func (t *Tournament) sequence(ctx context.Context, s *Store) (*sequence, error) {
	if t.Test == nil {
		return nil, nil
	}
	q := &sequence{test: *t.Test}
	return q, s.Results(ctx, false, func(r *Result) error {
		q.add(r)
		return nil
	})
}

// Verdict says in a line what the sequential test of a match has found.
func (t *Tournament) Verdict(ctx context.Context, s *Store) (string, error) {
	q, err := t.sequence(ctx, s)
	if err != nil || q == nil {
		return "", err
	}
	lower, upper := q.test.Bounds()
	return fmt.Sprintf("%v: after %d pairs LLR %.2f (%.2f to %.2f), %v", q.test, q.pairs, q.test.LLR(q.tally.Counts()), lower, upper, q.decision), nil
}

package tournament

import (
	"context"
	"fmt"
	"slices"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/store"
)

// HeadToHead counts the games between two players, from the side of the first, in pairs where there are any. A test counts pairs
// that went alike once.
func (t *Tournament) HeadToHead(ctx context.Context, s *store.Store, first, second string, test *rating.SPRT) (*rating.Sequential, error) {
	names := t.Names()
	a, b := slices.Index(names, first), slices.Index(names, second)
	wrong := first
	if a >= 0 {
		wrong = second
	}
	if a < 0 || b < 0 || a == b {
		return nil, fmt.Errorf("player %q: allowed are two different ones of %q", wrong, names)
	}
	all := &rating.Sequential{Test: test, Whole: true}
	err := s.Results(ctx, false, func(r *store.Result) error {
		pair := r.Round*schedule.MaxGames + r.Pair // no round has more pairs
		switch r.Players {
		case [2]int{a, b}:
			all.Add(pair, r.Outcome(), course(0, r.Course))
		case [2]int{b, a}:
			all.Add(pair, r.Outcome().Swapped(), course(1, r.Course))
		}
		return nil
	})
	return all, err
}

package tournament

import (
	"context"
	"fmt"

	"luzhanqi/tournament/rating"
)

// duel counts the games of two players in pairs, from the side of the first of them.
type duel struct {
	players [2]int
	tally   rating.Tally
	pairs   map[[2]int]int // the number of each pair that was seen, by round and pair
}

// add counts a game, unless others played it or it is void; it says whether it has completed a pair.
func (d *duel) add(r *Result) (paired bool) {
	points := r.Points()
	switch {
	case r.Void():
		return false
	case r.Players == d.players:
	case r.Players == [2]int{d.players[1], d.players[0]}:
		points = 1 - points
	default:
		return false
	}
	if d.pairs == nil {
		d.pairs = map[[2]int]int{}
	}
	pair, known := d.pairs[[2]int{r.Round, r.Pair}]
	if !known {
		pair = len(d.pairs)
		d.pairs[[2]int{r.Round, r.Pair}] = pair
	}
	number := 2*pair + 1 // which game of the pair it is does not matter to the tally
	if known {
		number++
	}
	return d.tally.Add(number, map[float64]rating.Result{0: rating.Loss, 0.5: rating.Draw, 1: rating.Win}[points])
}

// Duel counts the games between two players, from the side of the first, in pairs where there are any.
func (t *Tournament) Duel(ctx context.Context, s *Store, first, second string) (rating.Counts, error) {
	d := duel{players: [2]int{-1, -1}}
	for i, name := range t.Names() {
		switch name {
		case first:
			d.players[0] = i
		case second:
			d.players[1] = i
		}
	}
	for side, name := range []string{first, second} {
		if d.players[side] < 0 {
			return nil, fmt.Errorf("player %q: allowed are two different ones of %q", name, t.Names())
		}
	}
	err := s.Results(ctx, false, func(r *Result) error {
		d.add(r)
		return nil
	})
	return d.tally.Counts(), err
}

package tournament

import (
	"context"
	"fmt"

	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

// headToHead counts the games of two players in pairs, from the side of the first of them.
type headToHead struct {
	players [2]int
	tally   rating.Tally
	pairs   map[[2]int]int // the number of each pair that was seen, by round and pair
}

// add counts a game, unless others played it or it is void.
func (d *headToHead) add(r *store.Result) {
	result := r.Outcome()
	switch r.Players {
	case d.players:
	case [2]int{d.players[1], d.players[0]}:
		result = result.Swapped()
	default:
		return
	}
	if d.pairs == nil {
		d.pairs = map[[2]int]int{}
	}
	if result == rating.Void {
		return
	}
	pair, known := d.pairs[[2]int{r.Round, r.Pair}]
	if !known {
		pair = len(d.pairs)
		d.pairs[[2]int{r.Round, r.Pair}] = pair
	}
	d.tally.Add(pair, result)
}

// HeadToHead counts the games between two players, from the side of the first, in pairs where there are any.
func (t *Tournament) HeadToHead(ctx context.Context, s *store.Store, first, second string) (rating.Counts, error) {
	d := headToHead{players: [2]int{-1, -1}}
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
	err := s.Results(ctx, false, func(r *store.Result) error {
		d.add(r)
		return nil
	})
	return d.tally.Counts(), err
}

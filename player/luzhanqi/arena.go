package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// Arena plays set-ups against each other by the quick policy of playouts. What the sides know at the start
// depends on no rank, so it is worked out once.
type Arena struct {
	exchanges [2]*exchanges
}

// NewArena makes one; any number of goroutines may use it.
func NewArena() *Arena {
	a := &Arena{}
	var left [tables.RankCodes]uint8
	for _, rank := range luzhanqi.Ranks {
		left[rank] = uint8(luzhanqi.Count(rank))
	}
	fresh := hiddeninfo.New(luzhanqi.NewView(game.First, setUpBook().setUps[0], false))
	for side := range game.Side(2) {
		var of suspects
		var squares [32]game.Square
		for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
			of[p] = suspected(fresh.Known(p), &left)
			squares[p] = fresh.Initial(p)
			if side == game.Second {
				squares[p] = luzhanqi.Turn(squares[p])
			}
		}
		a.exchanges[side] = newExchanges(&of, 1<<hiddeninfo.Pieces-1, &squares, false)
	}
	return a
}

// Play returns the points of the first set-up, by the evaluation if nobody has won for long. Which side
// begins and all that is drawn depends on the seed. A side that rushes cares for going forward most.
func (a *Arena) Play(first, second luzhanqi.SetUp, rushes [2]bool, seed uint64) float64 {
	const longest = 260
	b := luzhanqi.Deploy(first, second)
	var next [2]hiddeninfo.Piece
	w := newWorld(&b, game.Side(seed&1), false, func(side game.Side, _ game.Square) (hiddeninfo.Piece, bool) {
		next[side]++
		if side == game.Second { // pieces are numbered in their owner's frame
			return hiddeninfo.Pieces - next[side], true
		}
		return next[side] - 1, true
	})
	w.exchanges = a.exchanges
	r := newRNG(seed, 1, 1)
	s := w.start
	for side, rushes := range rushes {
		if rushes {
			s.ahead[side] = rushing
		}
	}
	random := r.next()
	s.aim = [2]game.Square{w.exchanges[0].draw(uint8(random)), w.exchanges[1].draw(uint8(random >> 8))}
	w.playout(&s, longest, &r, &moveBuffer{})
	return (float64(w.evaluation(&s, game.First, nil))/10_000 + 1) / 2
}

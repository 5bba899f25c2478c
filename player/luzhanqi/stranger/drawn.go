package stranger

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// written are the styles that were written by hand: who is drawn from them stays the same when others are tuned.
func written() []Style {
	return slices.DeleteFunc(slices.Clone(All()), func(s Style) bool { return !strings.HasPrefix(s.Made, "by hand") })
}

// Drawn is a style that nobody wrote: one of those in the files with another set-up, what it cares for made more or less, and mostly
// another way and another time to strike. Who learns from a few styles learns their set-ups by heart; of these no two are alike.
func Drawn(r *rand.Rand) Style {
	all := written()
	s := all[r.IntN(len(all))]
	s.Name, s.Summary, s.Made = "drawn", "a style that was drawn", "by chance"
	s.SetUps = []SetUp{{DrawnSetUp(r)}}
	if r.IntN(2) == 0 {
		s.Lane = []string{"any", "edge", "centre", "both"}[r.IntN(4)]
	}
	switch r.IntN(8) {
	case 0:
		s.Begin, s.After = "after plies", float64(r.IntN(80))
	case 1:
		s.Begin, s.After = "after exchanges", float64(1+r.IntN(4))
	case 2:
		s.Begin, s.After = "after fights", float64(1+r.IntN(8))
	case 3:
		s.Begin, s.After = "at once", 0
	}
	s.Wait, s.Strike = s.Wait.drawn(r, 0.5), s.Strike.drawn(r, 0.5)
	return s
}

// drawn is weights near these, more or less by so many times e; what is zero stays so, but for the ways in.
func (w Weights) drawn(r *rand.Rand, spread float64) Weights {
	for _, v := range []*float64{
		&w.Win, &w.Lose, &w.Trade, &w.Fight, &w.Open, &w.Guard, &w.Near, &w.Way, &w.Off, &w.Through, &w.Queue, &w.Doubt, &w.Far,
		&w.Danger, &w.Cover, &w.Threat, &w.Exposure, &w.Shut, &w.Camp, &w.Cross, &w.Back, &w.Noise,
	} {
		*v *= math.Exp(spread * r.NormFloat64())
	}
	if r.IntN(2) == 0 {
		for i := range w.Gates {
			w.Gates[i] = float64(r.IntN(4))
		}
	}
	if r.IntN(2) == 0 {
		slope := spread * r.NormFloat64() // the strong ones first, or the weak ones
		for i := range w.Eager {
			w.Eager[i] *= math.Exp(slope*(0.5-float64(i)/float64(len(w.Eager)-1)) + 0.8*spread*r.NormFloat64())
		}
	}
	return w
}

// DrawnSetUp is a set-up with a plan that was drawn: mostly landmines around the flag, and the army in an order from the strong to the
// weak along some direction, more or less exactly. One of seven is any legal one.
func DrawnSetUp(r *rand.Rand) luzhanqi.SetUp {
	if r.IntN(7) == 0 {
		return luzhanqi.RandomSetUp(r)
	}
	var ranks [30]luzhanqi.Rank
	free := luzhanqi.OwnHalf &^ luzhanqi.Camps
	put := func(sq game.Square, rank luzhanqi.Rank) {
		ranks[sq] = rank
		free &^= luzhanqi.Bit(sq)
	}
	pick := func(of luzhanqi.Squares) game.Square {
		all := slices.Collect(of.All())
		return all[r.IntN(len(all))]
	}
	flag := pick(luzhanqi.Headquarters & luzhanqi.OwnHalf)
	put(flag, luzhanqi.Flag)
	guarded := []int{3, 3, 3, 2, 2, 0}[r.IntN(6)] // landmines next to the flag, at least
	for range luzhanqi.Count(luzhanqi.Landmine) {
		where := luzhanqi.BackRows
		if guarded > 0 {
			where = tables.Paths[flag].Attackers
			guarded--
		}
		put(pick(where&free), luzhanqi.Landmine)
	}
	// What makes a square one for the strong: the front, the edges, the side of the flag; and what makes a piece stand there.
	front, edge, side := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
	strong, engineer, bomb := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
	blur := 1.5 * r.Float64() * r.Float64()
	type scored[T any] struct {
		of    T
		score float64
	}
	var squares []scored[game.Square]
	for sq := range free.All() {
		row, column := float64(sq/tables.Columns)/5, float64(sq%tables.Columns)/2-1
		score := front*row + edge*math.Abs(column) + blur*r.NormFloat64()
		if flag%tables.Columns > 2 {
			score += side * column
		} else {
			score -= side * column
		}
		squares = append(squares, scored[game.Square]{sq, score})
	}
	var pieces []scored[luzhanqi.Rank]
	for _, rank := range luzhanqi.Ranks {
		if rank == luzhanqi.Flag || rank == luzhanqi.Landmine {
			continue
		}
		for range luzhanqi.Count(rank) {
			score := strong*worth[rank]/10 + blur*r.NormFloat64()/2
			switch rank {
			case luzhanqi.Engineer:
				score += engineer
			case luzhanqi.Bomb:
				score += bomb
			}
			pieces = append(pieces, scored[luzhanqi.Rank]{rank, score})
		}
	}
	slices.SortFunc(squares, func(a, b scored[game.Square]) int { return cmp.Compare(b.score, a.score) })
	slices.SortFunc(pieces, func(a, b scored[luzhanqi.Rank]) int { return cmp.Compare(b.score, a.score) })
	take := func(from int, barred luzhanqi.Squares) game.Square {
		for i := range squares {
			if sq := squares[(from+i)%len(squares)].of; (free &^ barred).Has(sq) {
				return sq
			}
		}
		panic("stranger: more pieces than squares")
	}
	for i, p := range pieces { // bombs before the others, for they may not stand in front
		if p.of == luzhanqi.Bomb {
			put(take(i, luzhanqi.FrontRow), p.of)
		}
	}
	for _, p := range pieces {
		if p.of != luzhanqi.Bomb {
			put(take(0, 0), p.of)
		}
	}
	s, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		panic("stranger: a set-up that was drawn: " + err.Error())
	}
	return s
}

// forcesWay is what who cares more for being near the flag will give pieces for.
const forcesWay = 50

// DrawnRusher is a rusher that nobody wrote: one of those in the files that strike at once, with a pair of pieces exchanged or two, what
// it cares for made a little more or less, and half as much regret for what it loses: a search takes that for mistakes, and loses to it.
func DrawnRusher(r *rand.Rand) Style {
	var rushers []Style
	for _, s := range written() {
		if s.Begin == "at once" && s.Strike.Near > forcesWay {
			rushers = append(rushers, s)
		}
	}
	s := rushers[r.IntN(len(rushers))]
	s.Name, s.Summary, s.Made = "drawn rusher", "a rusher that was drawn", "by chance"
	set := s.SetUps[r.IntN(len(s.SetUps))].Exchanged(r)
	if r.IntN(2) == 0 {
		set = set.Exchanged(r)
	}
	s.SetUps = []SetUp{set}
	s.Strike = s.Strike.drawn(r, 0.15)
	s.Strike.Lose *= math.Exp(-0.4 - 0.8*r.Float64())
	return s
}

// Exchanged lets two pieces change places.
func (s SetUp) Exchanged(r *rand.Rand) SetUp {
	for {
		var ranks [30]luzhanqi.Rank
		for sq := range ranks {
			ranks[sq] = s.At(game.Square(sq))
		}
		i, j := r.IntN(len(ranks)), r.IntN(len(ranks))
		if ranks[i] == ranks[j] || ranks[i] == luzhanqi.None || ranks[j] == luzhanqi.None {
			continue
		}
		ranks[i], ranks[j] = ranks[j], ranks[i]
		if next, err := luzhanqi.NewSetUp(ranks); err == nil {
			return SetUp{next}
		}
	}
}

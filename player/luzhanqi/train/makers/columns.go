package main

import (
	"math/rand/v2"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/tables"
)

// column draws set-ups of those who mean to rush: three landmines at the flag, and what is strong one behind the other
// on an edge railway, in an order that is drawn. Every rusher that was met sets up so; the weights are a guess
// from that and not counted from anybody's set-ups. Near is the edge on the flag's side.
func column(near bool) func(*rand.Rand) rules.SetUp {
	return func(r *rand.Rand) rules.SetUp {
		for {
			var ranks [30]rules.Rank
			ranks[1] = rules.Flag
			for sq := range tables.Paths[1].Attackers.All() {
				ranks[sq] = rules.Landmine
			}
			edge := 0
			if !near {
				edge = tables.Columns - 1
			}
			for _, rank := range []rules.Rank{
				rules.FieldMarshal, rules.General, rules.Bomb, rules.MajorGeneral, rules.MajorGeneral, rules.Bomb,
				rules.BrigadierGeneral, rules.BrigadierGeneral,
			} {
				place(&ranks, rank, r, func(row, col int) float64 {
					away := max(col-edge, edge-col)
					return [...]float64{6, 1, 0.5, 0.4, 0.4}[away] * [...]float64{0.05, 0.3, 0.5, 1, 1.2, 1.2}[row]
				})
			}
			for _, rank := range rules.Ranks {
				for n := count(&ranks, rank); n < rules.Count(rank); n++ {
					place(&ranks, rank, r, func(row, _ int) float64 {
						if row == 0 && rank == rules.Engineer {
							return 0.5
						}
						return 1
					})
				}
			}
			if s, err := rules.NewSetUp(ranks); err == nil {
				if r.IntN(2) == 0 {
					return mirrored(s)
				}
				return s
			}
		}
	}
}

func count(ranks *[30]rules.Rank, rank rules.Rank) (n int) {
	for _, x := range ranks {
		if x == rank {
			n++
		}
	}
	return n
}

// place puts a piece on one of the empty squares, with probabilities in proportion to the weights of rows and columns
// from 0.
func place(ranks *[30]rules.Rank, rank rules.Rank, r *rand.Rand, weight func(row, col int) float64) {
	total := 0.0
	at := game.Square(0)
	for sq := range (rules.OwnHalf &^ rules.Camps).All() {
		if ranks[sq] != rules.None {
			continue
		}
		w := weight(int(sq)/tables.Columns, int(sq)%tables.Columns)
		if total += w; r.Float64()*total < w {
			at = sq
		}
	}
	ranks[at] = rank
}

func mirrored(s rules.SetUp) rules.SetUp {
	var ranks [30]rules.Rank
	for sq := range game.Square(len(ranks)) {
		ranks[likelihood.Mirror(sq)] = s.At(sq)
	}
	m, err := rules.NewSetUp(ranks)
	if err != nil {
		panic("the mirror image of a set-up: " + err.Error())
	}
	return m
}

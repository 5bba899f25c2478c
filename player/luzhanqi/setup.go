package luzhanqi

import (
	"math"
	"math/rand/v2"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// SetUpSource is where a level has its set-ups from: a [Book], or one of the [Sources].
type SetUpSource interface {
	Draw(r *rand.Rand) luzhanqi.SetUp
}

// Sources are those that are part of the program.
type Sources uint8

// The sources.
const (
	AsGreedy Sources = iota
	AsRush
	ByRows   // the flag behind landmines, the others by rows
	FromBook // varied a little
	AsInBook // not varied; for measuring only
	FromBookF665184
)

// Draw draws a set-up.
func (s Sources) Draw(r *rand.Rand) luzhanqi.SetUp {
	switch s {
	case FromBook:
		return setUpBook().Draw(r)
	case FromBookF665184:
		return varied(bookF665184().draw(r), 0, r)
	case AsInBook:
		return setUpBook().draw(r)
	case ByRows:
		return sheltered(r)
	case AsRush:
		return bestOf(400, forRush, r)
	}
	return bestOf(200, shelter, r)
}

// bestOf draws so many set-ups and returns the first of those with the highest score.
func bestOf(n int, score func(luzhanqi.SetUp) float64, r *rand.Rand) luzhanqi.SetUp {
	best, highest := luzhanqi.SetUp{}, math.Inf(-1)
	for range n {
		s := luzhanqi.RandomSetUp(r)
		if score := score(s); score > highest {
			best, highest = s, score
		}
	}
	return best
}

// sheltered draws a set-up with the flag behind three landmines, on either side; what can fight
// stands where it can move, bombs behind the officers that draw fire, and what is slow or weak in the
// corners. Each place is one of many, so that no piece can be read from its square.
func sheltered(r *rand.Rand) luzhanqi.SetUp {
	var ranks [30]luzhanqi.Rank
	flag := game.Square(1 + 2*r.IntN(2))
	ranks[flag] = luzhanqi.Flag
	for sq := range tables.Paths[flag].Attackers.All() {
		ranks[sq] = luzhanqi.Landmine
	}
	// Weights of the rows, from row 1 to row 6, for each rank that is drawn, in the order of drawing.
	for _, draw := range [...]struct {
		rank luzhanqi.Rank
		rows [6]float64
	}{
		{luzhanqi.Bomb, [6]float64{0, 3, 4, 2, 2, 0}},
		{luzhanqi.FieldMarshal, [6]float64{0, 0.5, 2, 2, 3, 2}},
		{luzhanqi.General, [6]float64{0, 1, 2, 2, 3, 3}},
		{luzhanqi.MajorGeneral, [6]float64{0, 1, 2, 2, 3, 3}},
		{luzhanqi.BrigadierGeneral, [6]float64{0, 1, 2, 2, 2, 2}},
		{luzhanqi.Engineer, [6]float64{0.5, 3, 2, 2, 1, 0.3}},
		{luzhanqi.Colonel, [6]float64{0.2, 1, 2, 2, 2, 2}},
		{luzhanqi.Major, [6]float64{0.3, 1, 2, 2, 2, 2}},
		{luzhanqi.Captain, [6]float64{2, 1, 1, 1, 1, 1}},
		{luzhanqi.Lieutenant, [6]float64{1, 1, 1, 1, 1, 1}},
	} {
		for range luzhanqi.Count(draw.rank) {
			var weights [len(ranks)]float64
			for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
				if ranks[sq] == luzhanqi.None {
					weights[sq] = draw.rows[sq/tables.Columns]
				}
			}
			ranks[weighted(weights[:], r)] = draw.rank
		}
	}
	s, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		panic("player: " + err.Error()) // the rows leave every rank enough squares
	}
	return s
}

// weighted draws an index with probabilities in proportion to the weights.
func weighted(weights []float64, r *rand.Rand) (drawn int) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	rest := total * r.Float64()
	for i, w := range weights {
		if w == 0 {
			continue
		}
		drawn = i
		if rest -= w; rest < 0 {
			break
		}
	}
	return drawn
}

// swaps is how many pairs of neighbours in a set-up of the book change places.
const swaps = 2

// varied exchanges a few pieces that stand near each other, but never a flag or a landmine, nor what stands on the squares that keep. There are
// millions of set-ups near those of the book, so who has read the book cannot tell, from the pieces
// that have been seen, where the others are.
func varied(s luzhanqi.SetUp, keep luzhanqi.Squares, r *rand.Rand) luzhanqi.SetUp {
	for done := 0; done < swaps; {
		ranks := ranksOf(s)
		i := r.IntN(len(ranks))
		j := i + r.IntN(2*tables.Columns) + 1
		if j >= len(ranks) || !ranks[i].Moves() || !ranks[j].Moves() || keep&(1<<i|1<<j) != 0 {
			continue
		}
		ranks[i], ranks[j] = ranks[j], ranks[i]
		if next, err := luzhanqi.NewSetUp(ranks); err == nil {
			s = next
			done++
		}
	}
	return s
}

// ranksOf lists the pieces from A1 to E6.
func ranksOf(s luzhanqi.SetUp) (ranks [30]luzhanqi.Rank) {
	for sq := range ranks {
		ranks[sq] = s.At(game.Square(sq))
	}
	return ranks
}

// mirrored exchanges left and right, which the board does not tell apart.
func mirrored(s luzhanqi.SetUp) luzhanqi.SetUp {
	ranks := ranksOf(s)
	for row := 0; row < len(ranks); row += tables.Columns {
		slices.Reverse(ranks[row : row+tables.Columns])
	}
	m, err := luzhanqi.NewSetUp(ranks)
	if err != nil {
		return s
	}
	return m
}

package network

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// The frozen network has an input for each rank of each army on each square, and one hidden layer.
const (
	frozenInputs = 2 * len(luzhanqi.Ranks) * tables.SquareCount
	frozenHidden = 32
	frozenScale  = 256 // of a hidden weight that is 1
	frozenCap    = 1   // the most that a hidden unit says
	frozenBias   = 2 * frozenScale
)

// Frozen is a network whose moves are kept: that of commit f665184.
type Frozen struct {
	frozenWeights
	// packed is Hidden with four weights in a word, each made positive by a bias: an army and a half
	// of them add up without a carry from one to the next, four for the price of one.
	packed [frozenInputs][frozenHidden / 4]uint64
}

// frozenWeights are what is kept. The fields are exported for package binary.
type frozenWeights struct {
	Hidden [frozenInputs][frozenHidden]int16 // scaled by Scale
	Bias   [frozenHidden]int16
	Out    [frozenHidden]float32
	Terms  [Terms]float32
	Offset float32
}

// frozenText is the network of commit f665184; its first lines say what made it.
//
//go:embed f665184.txt
var frozenText string

// F665184 is the network of the level strong-f665184, whose file is never written again. It panics if the file, which is
// part of the program, is faulty.
var F665184 = sync.OnceValue(func() *Frozen {
	n, err := readFrozen(frozenText)
	if err != nil {
		panic(fmt.Sprintf("network/f665184.txt: %v", err))
	}
	return n
})

func readFrozen(text string) (*Frozen, error) {
	w := &frozenWeights{}
	if err := decode(text, w); err != nil {
		return nil, err
	}
	return newFrozen(w)
}

// rankInputs numbers the ranks without gaps.
var rankInputs = func() (n [tables.RankCodes]int) {
	for i, rank := range luzhanqi.Ranks {
		n[rank] = i
	}
	return n
}()

// inputOf returns the row of a piece; sq is in the frame of the side that judges.
func inputOf(own bool, rank luzhanqi.Rank, sq game.Square) int {
	n := rankInputs[rank&15]*tables.SquareCount + int(sq)
	if !own {
		n += frozenInputs / 2
	}
	return n
}

// FrozenSums are what the pieces of a position add to the hidden units, seen from one side: what Judge begins with where few
// pieces have moved since.
type FrozenSums struct {
	packed [frozenHidden / 4]uint64
	pieces int32
	turn   game.Square // the number of the last square where the judging side numbers them from the other end; else 0
	side   game.Side
}

// Side is the side that judges.
func (s *FrozenSums) Side() game.Side { return s.side }

// Sum adds up the pieces on of, by owner, whose ranks are by square.
func (n *Frozen) Sum(of *[2]luzhanqi.Squares, ranks *[64]luzhanqi.Rank, side game.Side) FrozenSums {
	s := FrozenSums{side: side}
	if side == game.Second {
		s.turn = tables.SquareCount - 1
	}
	for owner := range game.Side(2) {
		for sq := range of[owner].All() {
			row := n.row(&s, owner, ranks[sq], sq)
			for i := range s.packed {
				s.packed[i] += row[i]
			}
			s.pieces++
		}
	}
	return s
}

func (n *Frozen) row(s *FrozenSums, owner game.Side, rank luzhanqi.Rank, sq game.Square) *[frozenHidden / 4]uint64 {
	if s.turn > 0 {
		sq = s.turn - sq
	}
	return &n.packed[inputOf(owner == s.side, rank, sq)]
}

// Moved changes sums to those of another position, which differs on no other than the given squares. Whole numbers are
// added and taken away, so that the result is that of Sum.
func (n *Frozen) Moved(s *FrozenSums, squares luzhanqi.Squares, from, to *[2]luzhanqi.Squares, fromRanks, toRanks *[64]luzhanqi.Rank) {
	for owner := range game.Side(2) {
		for gone := squares & from[owner]; gone != 0; gone &= gone - 1 {
			sq := gone.First()
			row := n.row(s, owner, fromRanks[sq&63], sq)
			for i := range s.packed {
				s.packed[i] -= row[i]
			}
			s.pieces--
		}
		for come := squares & to[owner]; come != 0; come &= come - 1 {
			sq := come.First()
			row := n.row(s, owner, toRanks[sq&63], sq)
			for i := range s.packed {
				s.packed[i] += row[i]
			}
			s.pieces++
		}
	}
}

// Judge returns half the logit of winning: the value is its hyperbolic tangent.
func (n *Frozen) Judge(s *FrozenSums, terms *[Terms]float32) float32 {
	x := n.Offset
	for i, term := range terms {
		x += n.Terms[i] * term
	}
	for i, own := range n.Bias {
		v := int32(s.packed[i/4]>>(16*(i%4))&0xffff) - frozenBias*s.pieces + int32(own)
		x += n.Out[i] * float32(min(max(v, 0), frozenCap*frozenScale)) * (1.0 / frozenScale)
	}
	return x
}

// newFrozen checks weights and lays them out for Judge.
func newFrozen(w *frozenWeights) (*Frozen, error) {
	n := &Frozen{frozenWeights: *w}
	for _, x := range slices.Concat(n.Out[:], n.Terms[:], []float32{n.Offset}) {
		if !(math.Abs(float64(x)) < 1000) {
			return nil, fmt.Errorf("a weight is %v, allowed are numbers between -1000 and 1000", x)
		}
	}
	for row := range n.Hidden {
		for i, w := range n.Hidden[row] {
			if w < -frozenBias || w > frozenBias {
				return nil, fmt.Errorf("a hidden weight is %d, allowed are %d to %d", w, -frozenBias, frozenBias)
			}
			n.packed[row][i/4] |= uint64(w+frozenBias) << (16 * (i % 4))
		}
	}
	return n, nil
}

// Package network judges positions of Luzhanqi where playouts end. [Default] is the network that was learned; the command
// player/luzhanqi/train/network makes another. [F665184] is an older and smaller one, which levels that keep their moves ask.
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

// The network judges a position from one side's point of view: an input for each rank of each army on each square, by what
// its enemy has seen of the piece; one hidden layer; and besides it the few handmade terms of the evaluation, whose weights are
// learned together with it. It is asked once or twice for every playout, so all but the terms are whole numbers, which
// change with the pieces that have moved (Sums), and which a processor adds up sixteen at a time (add_amd64.s); without that the
// same comes out, later.
const (
	Inputs   = 2 * len(luzhanqi.Ranks) * Seen * tables.SquareCount
	Hidden   = 128
	Terms    = 4
	Scale    = 100  // of a hidden weight that is 1
	Cap      = 1    // the most that a hidden unit says
	OutScale = 4096 // of an output weight that is 1
)

// What the enemy of a piece has seen of it.
const (
	Unmoved  = iota // neither has it moved nor beaten anybody
	Moved           // or beaten somebody who is weaker by more than two ranks
	Betrayed        // it has beaten somebody who is weaker by two ranks at most; or it does not move, and has beaten anybody
	Seen
)

// Network is what is learned and kept. The fields are exported for package binary.
type Network struct {
	Hidden [Inputs][Hidden]int8 // scaled by Scale
	Bias   [Hidden]int16        // scaled by Scale
	Out    [Hidden]int16        // scaled by OutScale
	Terms  [Terms]float32
	Offset float32
}

// text is the newest network; its first lines say what made it.
//
//go:embed newest.txt
var text string

// Default is the newest network that was learned. It panics if the file, which is part of the program, is faulty.
var Default = sync.OnceValue(func() *Network {
	n, err := Read(text)
	if err != nil {
		panic(fmt.Sprintf("network/newest.txt: %v", err))
	}
	return n
})

// Read reads what Text writes.
func Read(text string) (*Network, error) {
	n := &Network{}
	if err := decode(text, n); err != nil {
		return nil, err
	}
	for _, x := range slices.Concat(n.Terms[:], []float32{n.Offset}) {
		if !(math.Abs(float64(x)) < 1000) {
			return nil, fmt.Errorf("a weight is %v, allowed are numbers between -1000 and 1000", x)
		}
	}
	for _, b := range n.Bias {
		if b < -MaxBias || b > MaxBias {
			return nil, fmt.Errorf("a bias is %d, allowed are %d to %d", b, -MaxBias, MaxBias)
		}
	}
	return n, nil
}

// MaxBias keeps sums within 16 bits, to which each of fifty pieces adds 128 at most.
const MaxBias = 10_000

// Text is the form in which a network is kept, below the lines of the header.
func (n *Network) Text(header string) string { return encode(header, n) }

// Row is the input of a piece: whether it belongs to the side that judges, what its enemy has seen of it, and its square, numbered
// from that side's end of the board.
func Row(own bool, rank luzhanqi.Rank, seen int, sq game.Square) uint16 {
	n := (rankInputs[rank&15]*Seen+seen)*tables.SquareCount + int(sq)
	if !own {
		n += Inputs / 2
	}
	return uint16(n)
}

// Sums are what pieces add to the hidden units.
type Sums [Hidden]int16

// Sum adds up the pieces of a position.
func (n *Network) Sum(rows []uint16) (s Sums) {
	s = n.Bias
	add(&s, &n.Hidden, rows, nil)
	return s
}

// Judge returns half the logit of winning (the value is its hyperbolic tangent) of a position in which other pieces stand than
// where the sums were made: some have come, and some are gone.
func (n *Network) Judge(s *Sums, come, gone []uint16, terms *[Terms]float32) float32 {
	x := n.Offset
	for i, term := range terms {
		x += n.Terms[i] * term
	}
	now := *s
	add(&now, &n.Hidden, come, gone)
	return x + float32(dot(&now, &n.Out))*(1.0/(Scale*OutScale))
}

// addScalar is add without the help of the processor.
func addScalar(s *Sums, weights *[Inputs][Hidden]int8, come, gone []uint16) {
	for _, row := range come {
		for i, w := range &weights[row] {
			s[i] += int16(w)
		}
	}
	for _, row := range gone {
		for i, w := range &weights[row] {
			s[i] -= int16(w)
		}
	}
}

// dotScalar is dot without the help of the processor.
func dotScalar(s *Sums, out *[Hidden]int16) (sum int32) {
	for i, x := range s {
		sum += int32(min(max(x, 0), Cap*Scale)) * int32(out[i])
	}
	return sum
}

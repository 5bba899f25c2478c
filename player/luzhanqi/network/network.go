// Package network judges positions of Luzhanqi in which all pieces are visible. [Default] is the network
// that was learned; the command player/luzhanqi/train/network makes another.
package network

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// The network judges a position with all pieces visible, from one side's point of view: an input for
// each rank of each army on each square, one hidden layer, and besides it the few handmade terms of
// the evaluation, whose weights were learned together with it.
//
// It is small because it is asked once for every playout, after twenty plies that each cost a fifth
// of it, and because whatever it does not know about the next few plies the playout has shown.
const (
	Inputs = 2 * 12 * tables.SquareCount
	Hidden = 32
	Terms  = 4
	Scale  = 256 // of a hidden weight that is 1
	Cap    = 1   // the most that a hidden unit says
	bias   = 2 * Scale
)

// Network is the weights, laid out to be asked quickly.
type Network struct {
	Weights
	// packed is Hidden with four weights in a word, each made positive by bias: an army and a half
	// of them add up without a carry from one to the next, four for the price of one.
	packed [Inputs][Hidden / 4]uint64
}

// Weights are what is learned and kept. The fields are exported for package binary.
type Weights struct {
	Hidden [Inputs][Hidden]int16 // scaled by Scale
	Bias   [Hidden]int16
	Out    [Hidden]float32
	Terms  [Terms]float32
	Offset float32
}

// text is the network of commit f665184; its first lines say what made it.
//
//go:embed f665184.txt
var text string

// F665184 is the network of the level strong-f665184, whose file is never written again: a newer network has a
// file of its own. It panics if the file, which is part of the program, is faulty.
var F665184 = sync.OnceValue(func() *Network {
	n, err := Read(text)
	if err != nil {
		panic(fmt.Sprintf("network/f665184.txt: %v", err))
	}
	return n
})

// Default is the newest network that was learned.
func Default() *Network { return F665184() }

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
		n += Inputs / 2
	}
	return n
}

// EachInput calls row for each piece on the board, as side numbers them.
func EachInput(of *[2]luzhanqi.Squares, ranks *[64]luzhanqi.Rank, side game.Side, row func(int)) {
	for owner := range game.Side(2) {
		for sq := range of[owner].All() {
			at := sq
			if side == game.Second {
				at = tables.SquareCount - 1 - sq
			}
			row(inputOf(owner == side, ranks[sq], at))
		}
	}
}

// Sums are what the pieces of a position add to the hidden units, seen from one side: what Judge begins with where few
// pieces have moved since.
type Sums struct {
	packed [Hidden / 4]uint64
	pieces int32
	turn   game.Square // the number of the last square where the judging side numbers them from the other end; else 0
	side   game.Side
}

// Side is the side that judges.
func (s *Sums) Side() game.Side { return s.side }

// Sum adds up the pieces on of, by owner, whose ranks are by square.
func (n *Network) Sum(of *[2]luzhanqi.Squares, ranks *[64]luzhanqi.Rank, side game.Side) Sums {
	s := Sums{side: side}
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

func (n *Network) row(s *Sums, owner game.Side, rank luzhanqi.Rank, sq game.Square) *[Hidden / 4]uint64 {
	if s.turn > 0 {
		sq = s.turn - sq
	}
	return &n.packed[inputOf(owner == s.side, rank, sq)]
}

// Moved changes sums to those of another position, which differs on no other than the given squares. Whole numbers are
// added and taken away, so that the result is that of Sum.
func (n *Network) Moved(s *Sums, squares luzhanqi.Squares, from, to *[2]luzhanqi.Squares, fromRanks, toRanks *[64]luzhanqi.Rank) {
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
func (n *Network) Judge(s *Sums, terms *[Terms]float32) float32 {
	x := n.Offset
	for i, term := range terms {
		x += n.Terms[i] * term
	}
	for i, own := range n.Bias {
		v := int32(s.packed[i/4]>>(16*(i%4))&0xffff) - bias*s.pieces + int32(own)
		x += n.Out[i] * float32(min(max(v, 0), Cap*Scale)) * (1.0 / Scale)
	}
	return x
}

// New checks weights and lays them out for Judge.
func New(w *Weights) (*Network, error) {
	n := &Network{Weights: *w}
	for _, x := range slices.Concat(n.Out[:], n.Terms[:], []float32{n.Offset}) {
		if !(math.Abs(float64(x)) < 1000) {
			return nil, fmt.Errorf("a weight is %v, allowed are numbers between -1000 and 1000", x)
		}
	}
	for row := range n.Hidden {
		for i, w := range n.Hidden[row] {
			if w < -bias || w > bias {
				return nil, fmt.Errorf("a hidden weight is %d, allowed are %d to %d", w, -bias, bias)
			}
			n.packed[row][i/4] |= uint64(w+bias) << (16 * (i % 4))
		}
	}
	return n, nil
}

// Text is the form in which a network is kept, below the lines of the header.
func (n *Network) Text(header string) string {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	binary.Write(z, binary.LittleEndian, &n.Weights)
	z.Close()
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	code := base64.StdEncoding.AppendEncode(nil, packed.Bytes())
	for line := range slices.Chunk(code, 120) {
		b.Write(append(line, '\n'))
	}
	return b.String()
}

// Read reads what Text writes.
func Read(text string) (*Network, error) {
	var code strings.Builder
	for line := range strings.Lines(text) {
		if line[0] != '#' {
			code.WriteString(strings.TrimSpace(line))
		}
	}
	packed, err := base64.StdEncoding.DecodeString(code.String())
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	w := &Weights{}
	size := binary.Size(w)
	raw, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	if err != nil {
		return nil, err
	}
	if len(raw) != size {
		return nil, fmt.Errorf("%d bytes of weights, must be %d", len(raw), size)
	}
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, w); err != nil {
		return nil, err
	}
	return New(w)
}

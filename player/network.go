package player

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

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// The network judges a position with all pieces visible, from one side's point of view: an input for
// each rank of each army on each square, one hidden layer, and besides it the few handmade terms of
// the evaluation, whose weights were learned together with it.
//
// It is small because it is asked once for every playout, after twenty plies that each cost a fifth
// of it, and because whatever it does not know about the next few plies the playout has shown.
const (
	netInputs = 2 * 12 * squareCount
	netHidden = 32
	netTerms  = 4
	netScale  = 256 // of a hidden weight that is 1
	netCap    = 1   // the most that a hidden unit says
	netBias   = 2 * netScale
)

type network struct {
	netWeights
	// packed is Hidden with four weights in a word, each made positive by netBias: an army and a half
	// of them add up without a carry from one to the next, four for the price of one.
	packed [netInputs][netHidden / 4]uint64
}

type netWeights struct {
	Hidden [netInputs][netHidden]int16 // scaled by netScale
	Bias   [netHidden]int16
	Out    [netHidden]float32
	Terms  [netTerms]float32
	Offset float32
}

// networkText is the network; its first lines say what made it.
//
//go:embed network.txt
var networkText string

var leaves = mustReadNetwork(networkText)

// rankInputs numbers the ranks without gaps.
var rankInputs = func() (n [rankCodes]int) {
	for i, rank := range luzhanqi.Ranks {
		n[rank] = i
	}
	return n
}()

// inputOf returns the row of a piece; sq is in the frame of the side that judges.
func inputOf(own bool, rank luzhanqi.Rank, sq game.Square) int {
	n := rankInputs[rank&15]*squareCount + int(sq)
	if !own {
		n += netInputs / 2
	}
	return n
}

// inputs calls row for each piece on the board, as side numbers them.
func (s *state) inputs(side game.Side, row func(int)) {
	for owner := range game.Side(2) {
		for sq := range s.of[owner].All() {
			at := sq
			if side == game.Second {
				at = squareCount - 1 - sq
			}
			row(inputOf(owner == side, s.rank[sq], at))
		}
	}
}

// judge returns half the logit of winning: the value is its hyperbolic tangent.
func (n *network) judge(s *state, side game.Side, terms *[netTerms]float32) float32 {
	var sums [netHidden / 4]uint64
	turn := game.Square(0)
	if side == game.Second {
		turn = squareCount - 1
	}
	pieces := int32(0)
	for owner := range game.Side(2) {
		for sq := range s.of[owner].All() {
			at := sq
			if turn > 0 {
				at = turn - sq
			}
			row := &n.packed[inputOf(owner == side, s.rank[sq], at)]
			for i := range sums {
				sums[i] += row[i]
			}
			pieces++
		}
	}
	x := n.Offset
	for i, term := range terms {
		x += n.Terms[i] * term
	}
	for i, bias := range n.Bias {
		v := int32(sums[i/4]>>(16*(i%4))&0xffff) - netBias*pieces + int32(bias)
		x += n.Out[i] * float32(min(max(v, 0), netCap*netScale)) * (1.0 / netScale)
	}
	return x
}

// pack checks the weights and lays them out for judge.
func (n *network) pack() error {
	for _, x := range slices.Concat(n.Out[:], n.Terms[:], []float32{n.Offset}) {
		if !(math.Abs(float64(x)) < 1000) {
			return fmt.Errorf("a weight is %v, allowed are numbers between -1000 and 1000", x)
		}
	}
	for row := range n.Hidden {
		for i, w := range n.Hidden[row] {
			if w < -netBias || w > netBias {
				return fmt.Errorf("a hidden weight is %d, allowed are %d to %d", w, -netBias, netBias)
			}
			n.packed[row][i/4] |= uint64(w+netBias) << (16 * (i % 4))
		}
	}
	return nil
}

// text is the form in which a network is kept, below the lines of the header.
func (n *network) text(header string) string {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	binary.Write(z, binary.LittleEndian, &n.netWeights)
	z.Close()
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	code := base64.StdEncoding.EncodeToString(packed.Bytes())
	for len(code) > 0 {
		cut := min(len(code), 120)
		b.WriteString(code[:cut] + "\n")
		code = code[cut:]
	}
	return b.String()
}

func readNetwork(text string) (*network, error) {
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
	n := &network{} // fields are exported for package binary
	size := binary.Size(&n.netWeights)
	raw, err := io.ReadAll(io.LimitReader(z, int64(size)+1))
	if err != nil {
		return nil, err
	}
	if len(raw) != size {
		return nil, fmt.Errorf("%d bytes of weights, must be %d", len(raw), size)
	}
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, &n.netWeights); err != nil {
		return nil, err
	}
	return n, n.pack()
}

// mustReadNetwork panics on a faulty network: it is part of the program.
func mustReadNetwork(text string) *network {
	n, err := readNetwork(text)
	if err != nil {
		panic(fmt.Sprintf("player: network.txt: %v", err))
	}
	return n
}

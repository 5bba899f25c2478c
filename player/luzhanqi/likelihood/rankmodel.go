package likelihood

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

	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// The inputs of a [RankModel]: what was counted of a piece, where it was set up, how far the game is, and what the enemy's
// moves are like.
const (
	inputFold  = measures * eventCount
	inputPhase = inputFold + Folds // always 1, plies, pieces of the enemy, own pieces
	inputMoves = inputPhase + 4
	Inputs     = inputMoves + featureCount + 2
)

// Outputs are the columns of luzhanqi.Ranks.
const Outputs = len(luzhanqi.Ranks)

// RankModel says what pieces do by their ranks. It is a perceptron with one hidden layer and a direct part beside it, which
// gives the logarithm of a factor for each rank; a [Table] is its direct part without the phase and the manner of moving, so
// that everybody is expected to move alike. By the manner of moving it knows whom it watches: who attacks most of what he
// can attack has other reasons to attack than who seldom does.
type RankModel struct {
	units  int
	hidden []float32 // by input and unit
	out    []float32 // by unit and rank
	direct []float32 // by input and rank
}

// ranksText is what was learned; its first lines say how.
//
//go:embed ranks.txt
var ranksText string

// Default is the newest model that was learned. It panics if the file, which is part of the program, is faulty.
var Default = sync.OnceValue(func() *RankModel {
	m, err := ReadRankModel(ranksText)
	if err != nil {
		panic("likelihood/ranks.txt: " + err.Error())
	}
	return m
})

// Leak is the share of itself that a hidden unit is where it is below zero.
const Leak = 0.05

// surest bounds the logarithms, so that nothing is called impossible.
const surest = 8

// Tied is the column whose factor a column shares: that of the higher rank. 7 and 6, 5 and 4, 3 and 2 have the same: telling
// them apart gained nothing, and ranks of equal weights make exact counting three to seven times faster.
func Tied(column int) int {
	switch luzhanqi.Ranks[column] {
	case luzhanqi.BrigadierGeneral, luzhanqi.Major, luzhanqi.Lieutenant:
		return column - 1
	}
	return column
}

// InputsOf calls each with what is known of one enemy piece.
func (b *BehaviourModel) InputsOf(p hiddeninfo.Piece, each func(input int, value float32)) {
	for event, count := range b.counts[p] {
		if count == 0 {
			continue
		}
		for m, value := range measured[count] {
			each(measures*event+m, float32(value))
		}
	}
	each(inputFold+foldOf[hiddeninfo.Homes[p]], 1)
}

// InputsOfAll calls each with what is the same for all enemy pieces.
func (b *BehaviourModel) InputsOfAll(each func(input int, value float32)) {
	each(inputPhase, 1)
	each(inputPhase+1, float32(b.ply)/100)
	each(inputPhase+2, float32(b.public.of[b.side.Other()].Len())/luzhanqi.ArmySize)
	each(inputPhase+3, float32(b.public.of[b.side].Len())/luzhanqi.ArmySize)
	moves, movers := 0, 0
	var of [featureCount]int
	for p := range b.counts {
		own := 0
		for f := featTo; f < featFrom; f++ { // each move has one of them
			own += int(b.counts[p][f])
		}
		moves += own
		if own > 0 {
			movers++
		}
		for f := range of {
			of[f] += int(b.counts[p][f])
		}
	}
	const doubt = 3 // moves: the first ones tell little
	for f, n := range of {
		if n > 0 {
			each(inputMoves+f, float32(n)/float32(moves+doubt))
		}
	}
	each(inputMoves+featureCount, float32(movers)/float32(moves+doubt))
	each(inputMoves+featureCount+1, float32(movers)/20)
}

// sums are those of the hidden units and of the outputs, before what the hidden units add to them.
type sums struct {
	hidden []float32
	out    [Outputs]float32
}

func (m *RankModel) add(s *sums, input int, value float32) {
	for i, w := range m.hidden[input*m.units:][:m.units] {
		s.hidden[i] += w * value
	}
	for i, w := range m.direct[input*Outputs:][:Outputs] {
		s.out[i] += w * value
	}
}

func (m *RankModel) likelihoods(b *BehaviourModel, exponent float64) *hiddeninfo.Weights {
	w := hiddeninfo.Uniform()
	if b.broken {
		return w
	}
	shared := sums{hidden: make([]float32, m.units)}
	b.InputsOfAll(func(input int, value float32) { m.add(&shared, input, value) })
	s := sums{hidden: make([]float32, m.units)}
	for p := range w {
		copy(s.hidden, shared.hidden)
		s.out = shared.out
		b.InputsOf(hiddeninfo.Piece(p), func(input int, value float32) { m.add(&s, input, value) })
		for u, x := range s.hidden {
			if x < 0 {
				x *= Leak
			}
			for i, weight := range m.out[u*Outputs:][:Outputs] {
				s.out[i] += weight * x
			}
		}
		for i, rank := range luzhanqi.Ranks {
			w[p][rank] = math.Exp(exponent * float64(min(max(s.out[Tied(i)], -surest), surest)))
		}
	}
	return w
}

// unit is the part of 1 in which weights are kept, in 16 bits.
const unit = 1.0 / 2048

// NewRankModel takes weights by input and hidden unit, by hidden unit and rank, and by input and rank, and rounds them as they
// are kept.
func NewRankModel(hidden, out, direct []float32) (*RankModel, error) {
	units := len(out) / Outputs
	m := &RankModel{units: units, hidden: slices.Clone(hidden), out: slices.Clone(out), direct: slices.Clone(direct)}
	if units == 0 || len(hidden) != Inputs*units || len(out) != Outputs*units || len(direct) != Inputs*Outputs {
		return nil, fmt.Errorf("%d, %d and %d weights: must be %d for each hidden unit, %d for each, and %d", len(hidden), len(out), len(direct), Inputs, Outputs, Inputs*Outputs)
	}
	for _, weights := range m.weights() {
		for i, w := range weights {
			n := math.Round(float64(w) / unit)
			if !(math.Abs(n) <= math.MaxInt16) {
				return nil, fmt.Errorf("a weight is %v, allowed are numbers from -16 to 16", w)
			}
			weights[i] = float32(n * unit)
		}
	}
	return m, nil
}

func (m *RankModel) weights() [3][]float32 { return [3][]float32{m.hidden, m.out, m.direct} }

// Text is the form in which a model is kept, below the lines of the header, before each of which it puts a #.
func (m *RankModel) Text(header string) string {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	binary.Write(z, binary.LittleEndian, uint16(m.units))
	for _, weights := range m.weights() {
		whole := make([]int16, len(weights))
		for i, w := range weights {
			whole[i] = int16(math.Round(float64(w) / unit))
		}
		binary.Write(z, binary.LittleEndian, whole)
	}
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

// ReadRankModel reads what Text writes.
func ReadRankModel(text string) (*RankModel, error) {
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
	const most = 256 // hidden units
	raw, err := io.ReadAll(io.LimitReader(z, 4*int64(1+most*(Inputs+Outputs)+Inputs*Outputs)))
	if err != nil {
		return nil, err
	}
	if len(raw) < 2 {
		return nil, fmt.Errorf("%d bytes of weights, must begin with the number of hidden units", len(raw))
	}
	units := int(binary.LittleEndian.Uint16(raw))
	counts := []int{Inputs * units, units * Outputs, Inputs * Outputs}
	if want := 2 * (1 + counts[0] + counts[1] + counts[2]); units > most || len(raw) != want {
		return nil, fmt.Errorf("%d bytes of weights for %d hidden units, must be %d for at most %d units", len(raw), units, want, most)
	}
	rest := raw[2:]
	var all [3][]float32
	for i, n := range counts {
		for range n {
			all[i] = append(all[i], float32(int16(binary.LittleEndian.Uint16(rest)))*unit)
			rest = rest[2:]
		}
	}
	return NewRankModel(all[0], all[1], all[2])
}

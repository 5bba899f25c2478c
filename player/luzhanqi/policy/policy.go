// Package policy is what the moves of Luzhanqi's playouts are drawn by: a softmax over what a move takes, risks, threatens
// and comes near to. [Default] was learned by playing playouts with itself (command player/luzhanqi/train/policy).
package policy

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/player/luzhanqi/tables"
)

// Sizes of tables.
const (
	Buckets = 8 // of what can be lost or won, see [Bucket]
	Near    = 8 // of steps from a square, 7 being 7 and more
	Phases  = 2 // of a game, see [Phase]
	ranks   = tables.RankCodes
	squares = 64
)

// The inputs are tables, from most of which a move takes one number. By rank is by that of the piece that moves.
const (
	Fight     = 0                          // by rank and code of the other, weighed by its odds
	Gain      = Fight + ranks*ranks        // of a fight, see [Gains]
	To        = Gain + gains               // by phase, rank and the square that is entered, as [Oriented] numbers it
	Off       = To + Phases*ranks*squares  // the same of the square that is left
	WayTo     = Off + Phases*ranks*squares // by phase, rank and steps from the flag that the side makes for
	WayOff    = WayTo + Phases*ranks*Near  //
	RiskTo    = WayOff + Phases*ranks*Near // by rank, whether a friend can avenge it, and bucket of what can be lost
	RiskOff   = RiskTo + ranks*2*Buckets   // by rank, whether it is what moved last that attacks, and bucket
	ThreatTo  = RiskOff + ranks*2*Buckets  // by bucket of what can be won next
	ThreatOff = ThreatTo + Buckets         // by bucket of what could be won from where it stands
	LastTo    = ThreatOff + Buckets        // by steps from where the enemy's last move went
	LastOff   = LastTo + Near              //
	First     = LastOff + Near             // by rank: the piece has not moved yet
	Again     = First + ranks              // the piece that moved last moves again
	Back      = Again + 1                  // and to where it came from
	Answer    = Back + 1                   // takes what moved last
	Idle      = Answer + 1                 // enters a headquarters that is empty
	Unguard   = Idle + 1                   // leaves a gate of the own flag when an enemy is near
	Break     = Unguard + 1                // fights for a gate of the flag that the side makes for
	Home      = Break + 1                  // by rank: goes near the own flag when an enemy is
	HomeOff   = Home + ranks               // by rank: begins near the own flag when an enemy is
	Gate      = HomeOff + ranks            // by rank: enters an open gate of the flag that the side makes for
	Shut      = Gate + ranks               // by rank: enters an own gate when an enemy is near
	Save      = Shut + ranks               // by rank: fights what stands at the own flag
	Clear     = Save + ranks               // by rank: fights what is near the own flag
	Inputs    = Clear + ranks
)

// Input is one of a move's that is not zero.
type Input struct {
	N int32
	X float32
}

const gains = 6

// Gains are what a fight adds besides its odds: that it is one, what it is expected to gain, in hundredths of the unit of greedy, up,
// down, and bent twice, and how likely the attacker stays.
func Gains(gain, stays float64) [gains]float32 {
	gain /= 100
	return [gains]float32{
		1, float32(min(max(gain, 0), 8)), float32(min(max(-gain, 0), 8)),
		float32(math.Tanh(gain)), float32(math.Tanh(gain / 4)), float32(stays),
	}
}

// Bucket is that of what can be lost or won, in hundredths of the unit of greedy.
func Bucket(worth int16) uint8 {
	for b, below := range [Buckets - 1]int16{1, 40, 90, 160, 260, 420, 700} {
		if worth < below {
			return uint8(b)
		}
	}
	return Buckets - 1
}

// Risk is the index of a bucket in the tables that tell two cases apart.
func Risk(bucket uint8, second bool) int {
	n := int(bucket)
	if second {
		n += Buckets
	}
	return n & (2*Buckets - 1)
}

// Phase is 1 once fewer than 26 pieces can move, by the pieces of both sides that could.
func Phase(movers int) int {
	if movers < 26 {
		return 1
	}
	return 0
}

// Mirrored is 1 if a side's flag stands on the right, as that side sits.
func Mirrored(flag game.Square, side game.Side) int {
	column := int(flag) % tables.Columns
	if side == game.Second {
		column = tables.Columns - 1 - column
	}
	if column > tables.Columns/2 {
		return 1
	}
	return 0
}

// Oriented numbers the squares from the left of a side, or from its right if it is mirrored.
func Oriented(sq game.Square, side game.Side, mirrored int) int {
	n := int(sq)
	if side == game.Second {
		n = tables.SquareCount - 1 - n
	}
	if mirrored != 0 {
		n += tables.Columns - 1 - 2*(n%tables.Columns)
	}
	return n
}

// Steps is how far it is from a square, as the tables count it.
func Steps(distance int8) int { return int(min(distance, Near-1)) }

// Weights are in nats, by input.
type Weights [Inputs]float32

// Sum is the logit of a move.
func (w *Weights) Sum(inputs []Input) (logit float64) {
	for _, i := range inputs {
		logit += float64(w[i.N]) * float64(i.X)
	}
	return logit
}

// Unit is a nat in tables: whole numbers, of which sums are the same on every machine.
const Unit = 256

// Squares are a table by rank and square.
type Squares [ranks][squares]int16

// Policy is the weights, laid out to be asked quickly.
type Policy struct {
	Weights   *Weights
	To, Off   [Phases][2][2][2]Squares // and ways, by phase, side, whether mirrored, and the column of the headquarters that is aimed at
	RiskTo    [ranks][2 * Buckets]int16
	RiskOff   [ranks][2 * Buckets]int16
	ThreatTo  [Buckets]int16
	ThreatOff [Buckets]int16
	NearTo    [squares][squares]int16 // by where the enemy's last move went and the square that is entered
	NearOff   [squares][squares]int16
	// By rank.
	First, Home, HomeOff, Gate, Shut, Save, Clear [ranks]int16
	Again, Back, Answer, Idle, Unguard, Break     int16
	Most                                          [ranks]Most
}

// Most are upper bounds of what risk and threat add, on the square that is left and on the one that is entered; on one without contact to
// the enemy, too.
type Most struct{ Off, To, Risk, OffAlone, ToAlone int32 }

// Column is the index of a headquarters in tables.
func Column(hq game.Square) int { return int(hq) % tables.Columns >> 1 & 1 }

// New lays out weights.
func New(w *Weights) *Policy {
	p := &Policy{
		Weights: w, Again: whole(w[Again]), Back: whole(w[Back]), Answer: whole(w[Answer]), Idle: whole(w[Idle]),
		Unguard: whole(w[Unguard]), Break: whole(w[Break]),
	}
	for _, table := range []struct {
		to    []int16
		first int
	}{
		{p.ThreatTo[:], ThreatTo},
		{p.ThreatOff[:], ThreatOff},
		{p.First[:], First},
		{p.Home[:], Home},
		{p.HomeOff[:], HomeOff},
		{p.Gate[:], Gate},
		{p.Shut[:], Shut},
		{p.Save[:], Save},
		{p.Clear[:], Clear},
	} {
		fill(table.to, w, table.first)
	}
	for rank := range ranks {
		fill(p.RiskTo[rank][:], w, RiskTo+rank*2*Buckets)
		fill(p.RiskOff[rank][:], w, RiskOff+rank*2*Buckets)
		risk, threat := p.RiskTo[rank][:], p.ThreatTo[:]
		p.Most[rank] = Most{
			Off:      int32(slices.Max(p.RiskOff[rank][:])) + int32(slices.Max(p.ThreatOff[:])),
			OffAlone: int32(p.RiskOff[rank][0]) + int32(p.ThreatOff[0]),
			Risk:     int32(slices.Max(risk)),
			// Of a fight it counts in part.
			To:      max(0, int32(slices.Max(risk))+int32(slices.Max(threat))),
			ToAlone: int32(max(risk[0], risk[Buckets])) + int32(threat[0]),
		}
	}
	for last := range tables.SquareCount {
		for sq := range tables.SquareCount {
			steps := Steps(tables.Distances[last][sq])
			p.NearTo[last][sq], p.NearOff[last][sq] = whole(w[LastTo+steps]), whole(w[LastOff+steps])
		}
	}
	for phase := range Phases {
		for hq := range luzhanqi.Headquarters.All() {
			side := game.First // who makes for it
			if hq < tables.SquareCount/2 {
				side = game.Second
			}
			for mirrored := range 2 {
				to, off := &p.To[phase][side][mirrored][Column(hq)], &p.Off[phase][side][mirrored][Column(hq)]
				for rank := range ranks {
					by := phase*ranks + rank
					for sq := range game.Square(tables.SquareCount) {
						n, steps := Oriented(sq, side, mirrored), Steps(tables.Distances[hq][sq])
						to[rank][sq] = whole(w[To+by*squares+n] + w[WayTo+by*Near+steps])
						off[rank][sq] = whole(w[Off+by*squares+n] + w[WayOff+by*Near+steps])
					}
				}
			}
		}
	}
	return p
}

func fill(table []int16, w *Weights, first int) {
	for i := range table {
		table[i] = whole(w[first+i])
	}
}

// whole is a number of nats in the unit of tables.
func whole(nats float32) int16 { return int16(math.Round(float64(nats) * Unit)) }

// Fight is what a fight of a rank is worth, by the odds of the other, what it is expected to gain and how likely the attacker stays.
func (p *Policy) Fight(rank luzhanqi.Rank, of *[ranks]float64, gain, stays float64) int16 {
	sum := 0.0
	for code, chance := range of {
		sum += float64(chance * float64(p.Weights[Fight+int(rank&15)*ranks+code])) // not fused with the sum: the same on every processor
	}
	for i, x := range Gains(gain, stays) {
		sum += float64(float64(x) * float64(p.Weights[Gain+i]))
	}
	return int16(math.Round(min(max(sum, -largest), largest) * Unit))
}

// largest is the most that a fight counts.
const largest = 100

// noise is what a draw adds to each logit so that the highest one is drawn by the softmax (the Gumbel trick), in an order drawn by chance. It goes from −2.2 to 9 nats: what is
// some ten nats less likely than another move is drawn too seldom.
var noise = func() (table [1 << noiseBits]int16) {
	for i := range table {
		table[i] = whole(float32(-math.Log(-math.Log((float64(i) + 0.5) / float64(len(table))))))
	}
	random := uint64(1)
	for i := len(table) - 1; i > 0; i-- {
		random = random*6364136223846793005 + 1442695040888963407 // Knuth's generator
		j := random >> 33 % uint64(i+1)
		table[i], table[j] = table[j], table[i]
	}
	return table
}()

const noiseBits = 12

// Noises are what is added to the logits of one draw: the table in steps of an odd number, so that it takes each number once.
type Noises struct{ at, step uint32 }

// NewNoises begin somewhere, by random bits.
func NewNoises(random uint64) Noises {
	return Noises{at: uint32(random), step: uint32(random>>32) | 1}
}

// Next is another one.
func (n *Noises) Next() int32 {
	n.at += n.step
	return int32(noise[n.at&(1<<noiseBits-1)])
}

//go:embed playouts.txt
var text string

// Default is the newest policy. It panics if the file, which is part of the program, is faulty.
var Default = sync.OnceValue(func() *Policy {
	w, err := Read(text)
	if err != nil {
		panic(fmt.Sprintf("policy/playouts.txt: %v", err))
	}
	return New(w)
})

// most is the largest weight: four of them and a fight fit into the tables' unit.
const most = 30

// Read reads what Text writes.
func Read(text string) (*Weights, error) {
	w, n := &Weights{}, 0
	for number, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, field := range strings.Fields(line) {
			// x12 is twelve zeros.
			if zeros, ok := strings.CutPrefix(field, "x"); ok {
				count, err := strconv.Atoi(zeros)
				if err != nil || count < 1 || count > Inputs-n {
					return nil, fmt.Errorf("line %d: %q: must be x and how many zeros, of %d weights that are left", number+1, field, Inputs-n)
				}
				n += count
				continue
			}
			x, err := strconv.ParseFloat(field, 32)
			if err != nil || math.IsNaN(x) || math.Abs(x) > most {
				return nil, fmt.Errorf("line %d: weight %q: must be a number from -%d to %d", number+1, field, most, most)
			}
			if n == Inputs {
				return nil, fmt.Errorf("line %d: more than %d weights", number+1, Inputs)
			}
			w[n] = float32(x)
			n++
		}
	}
	if n != Inputs {
		return nil, fmt.Errorf("%d weights: must be %d", n, Inputs)
	}
	return w, nil
}

// Text is a file of weights under a header of lines.
func (w *Weights) Text(header string) string {
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	zeros, written := 0, 0
	write := func(field string) {
		if written++; written%16 == 0 {
			field += "\n"
		} else {
			field += " "
		}
		b.WriteString(field)
	}
	for _, x := range w {
		rounded := strconv.FormatFloat(float64(min(max(x, -most), most)), 'f', 3, 32)
		if strings.Trim(rounded, "-0.") == "" {
			zeros++
			continue
		}
		if zeros > 0 {
			write("x" + strconv.Itoa(zeros))
			zeros = 0
		}
		write(rounded)
	}
	if zeros > 0 {
		write("x" + strconv.Itoa(zeros))
	}
	return strings.TrimRight(b.String(), " \n") + "\n"
}

package jungle

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player/alphabeta"
)

// Learned are the weights of an evaluation that was learned from how games ended: Scale is a factor e of the odds. [Default] is the
// one that was; the command player/jungle/tune makes others. A piece is free if no enemy that is left can take it off traps.
type Learned struct {
	Worth   [jungle.Kinds]int16               // of a piece
	Against [jungle.Kinds][jungle.Kinds]int16 // more, for each kind that the enemy has left
	Free    [jungle.Kinds]int16               // more, if it is free
	Places  [2][2][jungle.Kinds][Places]int16 // more, by whether it is free, while all pieces are there and when none were, and by place
	Mover   [1]int16                          // of the side to move
}

// Places are the squares as a side sees them, without left and right.
const Places = 9 * 4

// Scale is what a factor e of the odds is in the unit of the evaluation.
const Scale = 300

// place is which of Places a square is to a side.
func place(side game.Side, sq game.Square) int {
	x, y := jungle.XY(sq)
	if side == game.Second {
		y = 8 - y
	}
	return y*4 + min(x, 6-x)
}

//go:embed learned.txt
var learned string

// Default is the evaluation of strong. It panics if its file, which is part of the program, is faulty.
var Default = sync.OnceValue(func() *Learned {
	l, err := Read(learned)
	if err != nil {
		panic(fmt.Sprintf("player/jungle/learned.txt: %v", err))
	}
	return l
})

// row is a line of the file.
type row struct {
	name    string
	numbers []int16
}

// rows are the lines in which the weights are kept, in their order.
func (l *Learned) rows() []row {
	all := []row{{"worth", l.Worth[:]}}
	for k := range l.Against {
		all = append(all, row{fmt.Sprintf("%v against", jungle.Kind(k)), l.Against[k][:]})
	}
	all = append(all, row{"free", l.Free[:]})
	for free, what := range []string{"hunted", "free"} {
		for late, when := range []string{"all", "none"} {
			for k := range l.Places[free][late] {
				all = append(all, row{fmt.Sprintf("%v %s %s", jungle.Kind(k), what, when), l.Places[free][late][k][:]})
			}
		}
	}
	return append(all, row{"mover", l.Mover[:]})
}

// Numbers are all weights, in the order of inputs.
func (l *Learned) Numbers() (all []*int16) {
	for _, r := range l.rows() {
		for i := range r.numbers {
			all = append(all, &r.numbers[i])
		}
	}
	return all
}

// Text is the form in which weights are kept, below the lines of the header.
func (l *Learned) Text(header string) string {
	var b strings.Builder
	for line := range strings.Lines(header) {
		b.WriteString("# " + line)
	}
	for _, r := range l.rows() {
		b.WriteString(r.name + ":")
		for _, n := range r.numbers {
			fmt.Fprintf(&b, " %d", n)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Read reads what Text writes.
func Read(text string) (*Learned, error) {
	l := &Learned{}
	rows := l.rows()
	n := 0
	for line := range strings.Lines(text) {
		if n++; strings.HasPrefix(line, "#") {
			continue
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("line %d: %q is one too many", n, line)
		}
		r := rows[0]
		rows = rows[1:]
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if name != r.name || len(fields) != len(r.numbers) {
			return nil, fmt.Errorf("line %d: %q with %d numbers; must be %q with %d", n, name, len(fields), r.name, len(r.numbers))
		}
		for i, f := range fields {
			x, err := strconv.ParseInt(f, 10, 16)
			if err != nil || x < -maxLearned || x > maxLearned {
				return nil, fmt.Errorf("line %d: %q; allowed are whole numbers from %d to %d", n, f, -maxLearned, maxLearned)
			}
			r.numbers[i] = int16(x)
		}
	}
	if len(rows) > 0 {
		return nil, fmt.Errorf("the line %q is missing", rows[0].name)
	}
	if most := l.most(); most > maxValue {
		return nil, fmt.Errorf("a position can be worth %d; allowed are %d", most, maxValue)
	}
	return l, nil
}

// maxValue is what no position may be worth more than: beyond are the search's proofs.
const maxValue = 29_000

// most is more than any position is worth.
func (l *Learned) most() int32 {
	army := int32(0)
	for k := range jungle.Kinds {
		place := int16(0)
		for _, late := range [...]int{0, 1} {
			for free := range l.Places {
				for _, x := range l.Places[free][late][k] {
					place = max(place, x, -x)
				}
			}
		}
		value := int32(place) + max(int32(l.Worth[k]), -int32(l.Worth[k])) + max(int32(l.Free[k]), -int32(l.Free[k]))
		for _, x := range l.Against[k] {
			value += max(int32(x), -int32(x))
		}
		army += value
	}
	return 2*army + max(int32(l.Mover[0]), -int32(l.Mover[0]))
}

// maxLearned bounds a weight, so that two sums are kept in one number (see placed).
const maxLearned = 1500

// Input is what a weight is multiplied by.
type Input struct {
	Weight int32 // as Numbers orders them
	Value  float32
}

// Numbers of the first weights of each kind.
const (
	firstAgainst = jungle.Kinds
	firstFree    = firstAgainst + jungle.Kinds*jungle.Kinds
	firstPlace   = firstFree + jungle.Kinds
	mover        = firstPlace + 2*2*jungle.Kinds*Places
	Inputs       = mover + 1
)

// InputsOf are the inputs of a board, seen from red.
func InputsOf(b *jungle.Board, turn game.Side) (all []Input) {
	left := [2]int{kinds(b, game.First), kinds(b, game.Second)}
	late := 1 - float32(bits.OnesCount(uint(left[0]))+bits.OnesCount(uint(left[1])))/men
	for side := range game.Side(2) {
		sign := float32(1 - 2*int(side))
		add := func(weight int, value float32) { all = append(all, Input{int32(weight), sign * value}) }
		enemy := left[side.Other()]
		free := freeOf(left[side], enemy)
		for k := range jungle.Kind(jungle.Kinds) {
			sq := b.Square(side, k)
			if sq == jungle.Gone {
				continue
			}
			add(int(k), 1)
			for e := range jungle.Kinds {
				if enemy>>e&1 != 0 {
					add(firstAgainst+int(k)*jungle.Kinds+e, 1)
				}
			}
			at := firstPlace + int(k)*Places + place(side, sq)
			if free>>k&1 != 0 {
				add(firstFree+int(k), 1)
				at += 2 * jungle.Kinds * Places
			}
			add(at, 1-late)
			add(at+jungle.Kinds*Places, late)
		}
		if side == turn {
			add(mover, 1)
		}
	}
	return all
}

// kinds are those that a side has left.
func kinds(b *jungle.Board, side game.Side) (left int) {
	for k := range jungle.Kind(jungle.Kinds) {
		if b.Square(side, k) != jungle.Gone {
			left |= 1 << k
		}
	}
	return left
}

// NewTree is how a tree is made whose positions are judged by the weights.
func (l *Learned) NewTree() func(v game.View, cap int) alphabeta.Tree { return l.terms().trees() }

func (l *Learned) terms() *terms {
	t := &terms{mover: int32(l.Mover[0])}
	for free := range t.places {
		for side := range game.Side(2) {
			for k := range jungle.Kinds {
				for sq := range game.Square(63) {
					at := place(side, sq)
					t.places[free][side][k][sq] = placed(int32(l.Places[free][0][k][at]), int32(l.Places[free][1][k][at]))
				}
			}
		}
	}
	t.weigh(l.worth)
	return t
}

// worth is what a piece is worth against the kinds in enemy, wherever it stands.
func (l *Learned) worth(k jungle.Kind, enemy int) int32 {
	value := int32(l.Worth[k])
	for e := range jungle.Kinds {
		if enemy>>e&1 != 0 {
			value += int32(l.Against[k][e])
		}
	}
	if enemy&hunters[k] == 0 {
		value += int32(l.Free[k])
	}
	return value
}

package luzhanqi

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game/luzhanqi"
)

// The texts of books; their first lines say what made them. That of commit f665184 is never written again.
//
//go:embed setups-f665184.txt
var setUpsF665184 string

//go:embed setups.txt
var setUpsText string

// Book is set-ups with weights, in proportion to which each is drawn.
type Book struct {
	setUps  []luzhanqi.SetUp
	weights []float64
}

// setUpBook is the newest book. Books panic if they are faulty: they are part of the program.
var setUpBook = sync.OnceValue(func() *Book { return mustRead("setups.txt", setUpsText) })

// bookF665184 is the book of the level strong-f665184.
var bookF665184 = sync.OnceValue(func() *Book { return mustRead("setups-f665184.txt", setUpsF665184) })

func mustRead(name, text string) *Book {
	b, err := ReadBook(text)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	return b
}

// SetUps are those of the book, as they are written there.
func (b *Book) SetUps() []luzhanqi.SetUp { return slices.Clone(b.setUps) }

// Draw draws a set-up, varied a little. What stands in a headquarters never moves again, so what the book has put there stays.
func (b *Book) Draw(r *rand.Rand) luzhanqi.SetUp { return varied(b.draw(r), luzhanqi.Headquarters, r) }

// BookText is the text of a book below its header: a line for each set-up, the likeliest first.
func BookText(setUps []luzhanqi.SetUp, weights []float64) string {
	order := make([]int, len(setUps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weights[j], weights[i]) })
	var text strings.Builder
	for _, i := range order {
		fmt.Fprintf(&text, "%.5f ", max(weights[i], 0.00001))
		for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
			text.WriteByte(setUps[i].At(sq).Letter())
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// ReadBook reads a line for each set-up, of which there must be at least one: its weight, a finite number above zero, and the
// ranks of A1, B1 and so on to E6, without the camps. Empty lines and those that begin with # are left out.
func ReadBook(text string) (*Book, error) {
	b := &Book{}
	for number, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		weight, letters, _ := strings.Cut(line, " ")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil || !(w > 0) || math.IsInf(w, 1) {
			return nil, fmt.Errorf("line %d: weight %q, must be a finite number above zero", number+1, weight)
		}
		if len(letters) != luzhanqi.ArmySize {
			return nil, fmt.Errorf("line %d: %q, %d pieces: must be %d", number+1, letters, len(letters), luzhanqi.ArmySize)
		}
		var ranks [30]luzhanqi.Rank
		n := 0
		for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
			if ranks[sq], err = luzhanqi.ParseRank(letters[n]); err != nil {
				return nil, fmt.Errorf("line %d: %w", number+1, err)
			}
			n++
		}
		s, err := luzhanqi.NewSetUp(ranks)
		if err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", number+1, letters, err)
		}
		b.setUps, b.weights = append(b.setUps, s), append(b.weights, w)
	}
	if len(b.setUps) == 0 {
		return nil, errors.New("found no set-up, must be one at least")
	}
	return b, nil
}

// draw draws a set-up, as it is or with left and right exchanged.
func (b *Book) draw(r *rand.Rand) luzhanqi.SetUp {
	s := b.setUps[weighted(b.weights, r)]
	if r.IntN(2) == 0 {
		return mirrored(s)
	}
	return s
}

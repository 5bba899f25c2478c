package luzhanqi

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game/luzhanqi"
)

// setUpsText is the book of commit f665184; its first lines say what made it.
//
//go:embed setups-f665184.txt
var setUpsText string

// book is set-ups with the probability with which each is drawn.
type book struct {
	setUps  []luzhanqi.SetUp
	weights []float64
}

// setUpBook is the newest book.
func setUpBook() *book { return bookF665184() }

// bookF665184 is the book of the level strong-f665184, whose file is never written again: a newer book has a file of
// its own. It panics on a faulty book: it is part of the program.
var bookF665184 = sync.OnceValue(func() *book {
	b, err := readBook(setUpsText)
	if err != nil || len(b.setUps) == 0 {
		panic(fmt.Sprintf("setups-f665184.txt: %d set-ups, %v", len(b.setUps), err))
	}
	return b
})

// CheckSetUpBook says what is wrong with the text of a book.
func CheckSetUpBook(text string) error {
	_, err := readBook(text)
	return err
}

// readBook reads a line for each set-up: its weight and the ranks of A1, B1 and so on to E6,
// without the camps.
func readBook(text string) (*book, error) {
	b := &book{}
	for number, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		weight, letters, _ := strings.Cut(line, " ")
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil || !(w > 0) {
			return b, fmt.Errorf("line %d: weight %q, must be a number above zero", number+1, weight)
		}
		var ranks [30]luzhanqi.Rank
		n := 0
		for sq := range (luzhanqi.OwnHalf &^ luzhanqi.Camps).All() {
			if n < len(letters) {
				if ranks[sq], err = luzhanqi.ParseRank(letters[n]); err != nil {
					return b, fmt.Errorf("line %d: %w", number+1, err)
				}
			}
			n++
		}
		s, err := luzhanqi.NewSetUp(ranks)
		if err != nil || n != len(letters) {
			return b, fmt.Errorf("line %d: %q, %d pieces: %w", number+1, letters, len(letters), err)
		}
		b.setUps, b.weights = append(b.setUps, s), append(b.weights, w)
	}
	return b, nil
}

// draw draws a set-up, as it is or with left and right exchanged.
func (b *book) draw(r *rand.Rand) luzhanqi.SetUp {
	s := b.setUps[weighted(b.weights, r)]
	if r.IntN(2) == 0 {
		return mirrored(s)
	}
	return s
}

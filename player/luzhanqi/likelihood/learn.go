package likelihood

import (
	"fmt"
	"math"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// EventRows are the rows of the table that are for events; those for squares of set-ups come before.
const EventRows = measures * eventCount

// Measure is what was counted of one piece, as a row of the table weighs it.
type Measure struct {
	Row   int // of those for events
	Value float64
}

// Measures are what learning a table needs: all that was counted of an enemy piece.
func (b *BehaviourModel) Measures(p hiddeninfo.Piece) (all []Measure) {
	for event, count := range b.counts[p] {
		if count == 0 {
			continue
		}
		for m, value := range measured[count] {
			all = append(all, Measure{measures*event + m, value})
		}
	}
	return all
}

// Fold numbers the squares of a set-up, in the frame of its side, left and right being one.
func Fold(home game.Square) int { return foldOf[home] }

// Text is the form in which a table is kept, below the lines of the header, which begin with #: the weights
// by fold and rank code, and those by row of events and column of luzhanqi.Ranks. An error says which cannot
// be read back.
func Text(header string, setUp *[Folds][tables.RankCodes]float64, events *[EventRows][len(luzhanqi.Ranks)]float64) (string, error) {
	var text strings.Builder
	text.WriteString(header)
	write := func(weight func(column int) float64) {
		for i := range luzhanqi.Ranks {
			if i > 0 {
				text.WriteByte(' ')
			}
			fmt.Fprintf(&text, "%d", int(math.Round(100*weight(i))))
		}
		text.WriteByte('\n')
	}
	for _, row := range setUp {
		write(func(i int) float64 { return row[luzhanqi.Ranks[i]] })
	}
	for _, row := range events {
		write(func(i int) float64 { return row[i] })
	}
	_, err := readTable(text.String())
	return text.String(), err
}

package player

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// habitsText is what was learned; its first lines say how.
//
//go:embed likelihood.txt
var habitsText string

var habits = mustReadHabits(habitsText)

// habitTable is log-linear: the logarithm of P(what a piece did | rank) is, but for a term that is
// the same for all ranks, the sum of its events' weights, each times two measures of its count.
//
// 7 and 6, 5 and 4, 3 and 2 have the same weights: telling them apart gained nothing on games of
// strangers, and ranks of equal weights make exact counting three to seven times faster.
type habitTable struct {
	setUp  [folds][rankCodes]float64 // logarithms, by square, left and right being one
	events [habitEvents][habitMeasures][rankCodes]float64
}

// folds are the squares of a set-up when left and right are one.
const folds = 15

// foldOf numbers them: by own square, A1 and E1 being 0, B1 and D1 being 1, and so on to C6.
var foldOf = makeFolds()

func makeFolds() (table [30]int) {
	n := 0
	for _, home := range setUpSquares {
		if home%columns <= columns/2 {
			table[home], table[mirrorSquare(home)] = n, n
			n++
		}
	}
	return table
}

func mirrorSquare(sq game.Square) game.Square { return sq - sq%columns + (columns - 1 - sq%columns) }

// measures of a count: one that is soon full, since who does a thing once does it again, and one that
// goes on growing slowly.
const habitMeasures = 2

// mostCounted is where counting ends.
const mostCounted = 1000

var habitMeasured = makeHabitMeasured()

func makeHabitMeasured() (table [mostCounted + 1][habitMeasures]float64) {
	for n := range table {
		table[n] = [habitMeasures]float64{float64(n) / float64(n+1), math.Log1p(float64(n)) / 3}
	}
	return table
}

// readHabits reads lines of whole hundredths, a column for each rank from the highest to the flag:
// one for each fold, then one for each measure of each event.
func readHabits(text string) (*habitTable, error) {
	t := &habitTable{}
	rows := make([]*[rankCodes]float64, 0, folds+habitMeasures*habitEvents)
	for f := range t.setUp {
		rows = append(rows, &t.setUp[f])
	}
	for e := range t.events {
		for m := range t.events[e] {
			rows = append(rows, &t.events[e][m])
		}
	}
	n := 0
	for number, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Fields(line)
		if n >= len(rows) || len(fields) != len(luzhanqi.Ranks) {
			return nil, fmt.Errorf("line %d: row %d of %d numbers: must be %d rows of %d", number+1, n+1, len(fields), len(rows), len(luzhanqi.Ranks))
		}
		for i, field := range fields {
			const greatest = 1000 // e^10, so that sums stay far from overflow
			w, err := strconv.Atoi(field)
			if err != nil || w < -greatest || w > greatest {
				return nil, fmt.Errorf("line %d: %q: must be a whole number from -%d to %d", number+1, field, greatest, greatest)
			}
			rows[n][luzhanqi.Ranks[i]] = float64(w) / 100
		}
		n++
	}
	if n != len(rows) {
		return nil, fmt.Errorf("%d rows: must be %d", n, len(rows))
	}
	return t, nil
}

// mustReadHabits panics on a faulty table: it is part of the program.
func mustReadHabits(text string) *habitTable {
	t, err := readHabits(text)
	if err != nil {
		panic("player: likelihood.txt: " + err.Error())
	}
	return t
}

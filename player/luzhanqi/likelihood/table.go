package likelihood

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// tableText is what was learned by commit f665184; its first lines say how.
//
//go:embed f665184.txt
var tableText string

// F665184 is the table of the level strong-f665184, whose file is never written again. Newer than a table is a [RankModel].
// It panics if the file, which is part of the program, is faulty.
var F665184 = sync.OnceValue(func() *Table {
	t, err := readTable(tableText)
	if err != nil {
		panic("likelihood/f665184.txt: " + err.Error())
	}
	return t
})

// Table is what was learned of how pieces of each rank are set up and move. It is log-linear: the logarithm of P(what a piece did | rank) is, but for a term that is
// the same for all ranks, the sum of its events' weights, each times two measures of its count.
//
// The ranks that [Tied] names have the same weights.
type Table struct {
	setUp  [Folds][tables.RankCodes]float64 // logarithms, by square, left and right being one
	events [eventCount][measures][tables.RankCodes]float64
}

// Folds are the squares of a set-up when left and right are one.
const Folds = 15

// foldOf numbers them: by own square, A1 and E1 being 0, B1 and D1 being 1, and so on to C6.
var foldOf = func() (numbers [30]int) {
	n := 0
	for _, home := range hiddeninfo.Homes {
		if home%tables.Columns <= tables.Columns/2 {
			numbers[home], numbers[Mirror(home)] = n, n
			n++
		}
	}
	return numbers
}()

// Mirror is the square that a square becomes when left and right are exchanged.
func Mirror(sq game.Square) game.Square {
	return sq - sq%tables.Columns + (tables.Columns - 1 - sq%tables.Columns)
}

// measures of a count: one that is soon full, since who does a thing once does it again, and one that
// goes on growing slowly.
const measures = 2

// maxCounted is where counting ends.
const maxCounted = 1000

var measured = func() (values [maxCounted + 1][measures]float64) {
	for n := range values {
		values[n] = [measures]float64{float64(n) / float64(n+1), math.Log1p(float64(n)) / 3}
	}
	return values
}()

// greatest is the most that a weight can be, in hundredths: e^10, so that sums stay far from overflow.
const greatest = 1000

// readTable reads lines of whole hundredths, a column for each rank from the highest to the flag:
// one for each fold, then one for each measure of each event.
func readTable(text string) (*Table, error) {
	t := &Table{}
	rows := make([]*[tables.RankCodes]float64, 0, Folds+measures*eventCount)
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

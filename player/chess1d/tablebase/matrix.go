package tablebase

import (
	"context"
	"fmt"
	"os"
	"sync"

	"luzhanqi/game/chess1d"
)

// Matrix is the value of every pair of set-ups.
type Matrix struct {
	draws  bool
	blocks [armies][armies]*block // the second army not below the first
}

// At returns the value for the side to move when it has one set-up and the opponent the other. Both
// are numbers of SetUpNumber.
func (x *Matrix) At(mover, other int) Value {
	a, row := mover/perArmy, mover%perArmy
	b, column := other/perArmy, other%perArmy
	side := 0
	if a > b {
		a, b, row, column, side = b, a, column, row, 1
	}
	switch x.blocks[a][b][side][row*perArmy+column] {
	case '+':
		return Win
	case '-':
		return Loss
	}
	return Draw
}

// Counts says how many ordered pairs of set-ups are won, drawn and lost for the side to move.
type Counts struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

// Counts counts the pairs of set-ups by their value.
func (x *Matrix) Counts() (c Counts) {
	for mover := range setUps() {
		for other := range setUps() {
			switch x.At(mover, other) {
			case Win:
				c.Won++
			case Draw:
				c.Drawn++
			default:
				c.Lost++
			}
		}
	}
	return c
}

// SetUpNumber returns the number of a set-up, from 0 to 5,759: those of one army come together.
func SetUpNumber(s chess1d.SetUp) int { return setUpNumbers()[s] }

// NumberedSetUp returns the set-up of a number.
func NumberedSetUp(n int) chess1d.SetUp { return setUps()[n] }

var setUpNumbers = sync.OnceValue(func() map[chess1d.SetUp]int {
	numbers := map[chess1d.SetUp]int{}
	for n, s := range setUps() {
		numbers[s] = n
	}
	return numbers
})

// Progress is told how far a stage of a solve is: SolveMatrix counts the placements of pawns and royals,
// HardMoves the enemy's armies. It may be nil.
type Progress func(stage string, done, total int)

func (p Progress) tell(stage string, draws bool, done, total int) {
	if p != nil {
		p("nomoves="+nomoves(draws)+": "+stage, done, total)
	}
}

// SolveMatrix values every pair of set-ups by solving the tables of all 136 pairs of armies, one after
// the other. It takes 0.6 GiB of memory and about eight minutes of one core. Every pair is kept as a
// file in dir, which is made if needed; what is there already is not solved again, so a solve that was
// stopped by ctx or otherwise can be resumed. Draws is the reading of the rules in which having no
// legal move draws.
func SolveMatrix(ctx context.Context, dir string, draws bool, progress Progress) (*Matrix, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	total, done := 0, 0
	matchups := allMatchups()
	for _, m := range matchups {
		total += layersOf(m)
	}
	report := func(layers int) {
		done += layers
		progress.tell("values", draws, done, total)
	}
	x := &Matrix{draws: draws}
	for _, m := range matchups {
		b, err := readBlock(dir, m, draws)
		if err != nil {
			return nil, fmt.Errorf("resuming: %w", err)
		}
		if b != nil {
			report(layersOf(m))
		} else {
			if b, err = solveBlock(ctx, m, draws, func() { report(1) }); err != nil {
				return nil, err
			}
			if err = writeBlock(dir, m, draws, b); err != nil {
				return nil, err
			}
		}
		x.blocks[m[0]][m[1]] = b
	}
	return x, nil
}

// layersOf is how many placements of pawns and royals a matchup has.
func layersOf(m matchup) int { return len(newTable(m, starting(m), false).placements()) }

// allMatchups are the pairs of armies; the other pairs are these seen from the other end.
func allMatchups() (all []matchup) {
	for a := range army(armies) {
		for b := a; b < armies; b++ {
			all = append(all, matchup{a, b})
		}
	}
	return all
}

package tablebase

import (
	"context"
	"fmt"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

// perArmy is the number of set-ups with the same letters.
const perArmy = chess1d.SetUpCount / armies

// setUps are all set-ups by army, in an order that never changes: set-up n of army a has the number
// perArmy·a + n.
var setUps = sync.OnceValue(func() []chess1d.SetUp {
	all := make([]chess1d.SetUp, chess1d.SetUpCount)
	var counts [armies]int
	for _, s := range chess1d.SetUps() {
		m, _, err := place(chess1d.Deploy(s, s))
		if err != nil {
			panic(err) // a set-up of which the board is none
		}
		all[int(m[0])*perArmy+counts[m[0]]] = s
		counts[m[0]]++
	}
	return all
})

// placements are the squares of the four pieces, by set-up number, in their owner's frame.
var placements = sync.OnceValue(func() [][places]uint8 {
	all := make([][places]uint8, len(setUps()))
	for n, s := range setUps() {
		_, at, _ := place(chess1d.Deploy(s, s))
		all[n] = [places]uint8(at[:places])
	}
	return all
})

// block is the values of all pairs of set-ups of two armies: for each mover perArmy × perArmy values,
// rows being the first army's set-ups. A value is the mover's, as one of the bytes + = -.
type block [2][perArmy * perArmy]byte

const valueBytes = "-=+"

// solveBlock solves a matchup.
func solveBlock(ctx context.Context, m matchup, draws bool, progress func()) (*block, error) {
	t := newTable(m, starting(m), draws)
	defer t.free()
	if err := t.solve(ctx, progress); err != nil {
		return nil, fmt.Errorf("solving %v: %w", m, err)
	}
	b := new(block)
	for row := range perArmy {
		for column := range perArmy {
			p := pack(deployed(int(m[0])*perArmy+row, int(m[1])*perArmy+column))
			for _, mover := range []game.Side{game.First, game.Second} {
				b[mover][row*perArmy+column] = valueBytes[t.value(p, mover)+1]
			}
		}
	}
	return b, nil
}

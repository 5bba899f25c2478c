// Command bruno plays Jungle: it goes where the enemy's den is nearest, with the animal that is nearest.
package main

import (
	"bufio"
	"fmt"
	"os"
)

type move struct{ x1, y1, x2, y2 int }

func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var color string
	if _, err := fmt.Fscan(in, &color); err != nil {
		return
	}
	den := 0
	if color != "red" {
		den = 8
	}
	for turn := 0; ; turn++ {
		var last move
		var count int
		if _, err := fmt.Fscan(in, &last.x1, &last.y1, &last.x2, &last.y2, &count); err != nil || count == 0 {
			return
		}
		moves := make([]move, count)
		for i := range moves {
			m := &moves[i]
			if _, err := fmt.Fscan(in, &m.x1, &m.y1, &m.x2, &m.y2); err != nil {
				return
			}
		}
		m := choose(moves, den, turn)
		fmt.Fprintln(out, m.x1, m.y1, m.x2, m.y2)
		out.Flush()
	}
}

// choose takes the step after which an animal is nearest to the den; now and then any other, since two
// programs that only push would block each other for ever.
func choose(moves []move, den, turn int) move {
	if turn%9 == 8 {
		return moves[turn%len(moves)]
	}
	best, least := moves[0], 100
	for _, m := range moves {
		before, after := distance(m.x1, m.y1, den), distance(m.x2, m.y2, den)
		if after < before && after < least {
			best, least = m, after
		}
	}
	return best
}

func distance(x, y, den int) int { return abs(x-3) + abs(y-den) }

func abs(n int) int { return max(n, -n) }

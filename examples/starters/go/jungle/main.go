// A complete Jungle program to start from: it walks towards the enemy's den. Replace choose by something better.
//
//	go build -o bot .
//	luzhanqi match --game jungle ./bot builtin:greedy
//
// The referee sends all legal moves, so a program need not know the rules (game/jungle/README.md). A square is x y;
// 0 0 is top left for both sides. It chooses by chance; with the seed that it writes to standard error it does so
// again: ./bot 7.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"time"
)

type square struct{ x, y int }

type move struct{ from, to square }

var redDen, blueDen = square{3, 8}, square{3, 0}

func distance(a, b square) int { return abs(a.x-b.x) + abs(a.y-b.y) }

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// choose is where your idea goes. This one prefers the move that comes nearest to the enemy's den.
func choose(moves []move, target square, random *rand.Rand) move {
	random.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
	for _, m := range moves {
		if m.to == target {
			return m // this wins
		}
	}
	best := moves[0]
	if random.Intn(5) == 0 {
		return best // else two walkers could block each other for ever
	}
	gain := func(m move) int { return distance(m.from, target) - distance(m.to, target) }
	for _, m := range moves {
		if gain(m) > gain(best) {
			best = m
		}
	}
	return best
}

func main() {
	seed := time.Now().UnixNano()
	if len(os.Args) > 1 {
		seed, _ = strconv.ParseInt(os.Args[1], 10, 64)
	}
	fmt.Fprintln(os.Stderr, "seed", seed) // standard error is yours
	random := rand.New(rand.NewSource(seed))

	in := bufio.NewReader(os.Stdin)
	var color string // red begins, blue is second
	fmt.Fscan(in, &color)
	for color == "opening" || color == "position" { // with which a match begins that has openings
		in.ReadString('\n')
		fmt.Fscan(in, &color)
	}
	target := redDen
	if color == "red" {
		target = blueDen
	}
	for {
		// A turn: the opponent's last move (-1 -1 -1 -1: none yet), how many moves I have, and these.
		last, err := readMove(in)
		if err != nil {
			return // the game ends with the input
		}
		fmt.Fprintln(os.Stderr, "they played", last)
		var count int
		fmt.Fscan(in, &count)
		moves := make([]move, count)
		for i := range moves {
			moves[i], _ = readMove(in)
		}
		if count == 0 {
			return // who cannot move has lost
		}
		m := choose(moves, target, random)
		// One blank and a comment may follow the move. Println writes at once; a bufio.Writer needs a Flush after every answer.
		fmt.Println(m.from.x, m.from.y, m.to.x, m.to.y)
	}
}

func readMove(in *bufio.Reader) (m move, err error) {
	_, err = fmt.Fscan(in, &m.from.x, &m.from.y, &m.to.x, &m.to.y)
	return m, err
}

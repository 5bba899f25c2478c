// A complete Luzhanqi program to start from: it plays any legal move. Replace choose by something better.
//
//	go build -o bot .
//	luzhanqi match ./bot builtin:greedy
//
// Squares are A1 to E12, and a program always sees its own side as rows 1 to 6. What it says and hears is in
// docs/protocol.md. It chooses by chance; with the seed that it writes to standard error it does so again: ./bot 7.
package main

import (
	"bufio"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	camps        = strings.Fields("B3 D3 C4 B5 D5 B8 D8 C9 B10 D10")
	headquarters = strings.Fields("B1 D1 B12 D12")

	// Rows 1 to 6 from column A to E; a dot is a camp. The flag F in a headquarters, landmines L in rows 1 and 2, no bomb B in row 6.
	setUp = []string{"L2LF3", "425LB", "7.1.B", "61.38", "2.9.5", "14736"}
	mine  = map[string]byte{} // square to piece
	enemy = map[string]bool{} // squares; their pieces are hidden
)

func square(column, row int) string { return string(rune('A'+column)) + strconv.Itoa(row) }

// neighbours are the squares one step away, by road or railway.
func neighbours(from string) (all []string) {
	column := int(from[0] - 'A')
	row, _ := strconv.Atoi(from[1:])
	for dc := -1; dc <= 1; dc++ {
		for dr := -1; dr <= 1; dr++ {
			c, r := column+dc, row+dr
			to := square(c, r)
			switch {
			case dc == 0 && dr == 0, c < 0, c > 4, r < 1, r > 12:
			case dc != 0 && dr != 0 && !slices.Contains(camps, from) && !slices.Contains(camps, to): // diagonals only at camps
			case dr != 0 && row+r == 13 && (c == 1 || c == 3): // the mountains between rows 6 and 7
			default:
				all = append(all, to)
			}
		}
	}
	return all
}

func place() {
	for i, row := range setUp {
		for column := range row {
			if row[column] != '.' {
				mine[square(column, i+1)] = row[column]
				enemy[square(4-column, 12-i)] = true // the other side sees the board turned
			}
		}
	}
}

// moves are mine, such as A6 A7: not all of the railway, but all of them legal.
func moves() (all []string) {
	for _, from := range slices.Sorted(maps.Keys(mine)) { // a map has no order: unsorted, the same seed would play other games
		if piece := mine[from]; piece == 'F' || piece == 'L' || slices.Contains(headquarters, from) {
			continue // these never move
		}
		for _, to := range neighbours(from) {
			safe := slices.Contains(camps, to) && enemy[to] // who stands in a camp cannot be attacked
			if mine[to] == 0 && !safe {
				all = append(all, from+" "+to)
			}
		}
	}
	return all
}

// choose is where your idea goes. This one captures when it can, else walks anywhere.
func choose(random *rand.Rand) string {
	all := moves()
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, m := range all {
		if enemy[strings.Fields(m)[1]] {
			return m
		}
	}
	return all[0]
}

// outcome: someone moved. The sign is the mover's: > the piece it met fell, < its own, = both, none: it met nobody.
func outcome(myTurn bool, sign, from, to string) {
	piece := mine[from]
	delete(mine, from)
	delete(enemy, from)
	if sign == ">" || sign == "=" {
		delete(mine, to)
		delete(enemy, to)
	}
	if arrives := sign == "" || sign == ">"; arrives && myTurn {
		mine[to] = piece
	} else if arrives {
		enemy[to] = true
	}
}

func main() {
	seed := time.Now().UnixNano()
	if len(os.Args) > 1 {
		seed, _ = strconv.ParseInt(os.Args[1], 10, 64)
	}
	fmt.Fprintln(os.Stderr, "seed", seed) // standard error is yours
	random := rand.New(rand.NewSource(seed))
	place()
	me, myTurn := "", false
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.FieldsFunc(in.Text(), func(r rune) bool { return strings.ContainsRune("() ", r) })
		if len(words) == 0 {
			continue
		}
		switch words[0] { // fmt.Println writes at once; a bufio.Writer needs a Flush after every answer
		case "setup": // the set-up to give, in a match with openings (see docs/openings.md)
			clear(mine)
			for i := 1; i+1 < len(words); i += 2 {
				mine[words[i]] = words[i+1][0]
			}
		case "init": // (init 1 time/move 1.0): I am player 1
			me = words[1]
			var pieces []string
			for _, square := range slices.Sorted(maps.Keys(mine)) {
				pieces = append(pieces, fmt.Sprintf("(%s %c)", square, mine[square]))
			}
			fmt.Println("(" + strings.Join(pieces, " ") + ")")
		case "go", "opening": // (go 2): it is the turn of player 2; an opening's move is not asked for
			if myTurn = words[1] == me; myTurn && words[0] == "go" { // who has no move is not asked
				fmt.Println("(" + choose(random) + ")")
			}
		case "outcome": // (outcome > (A6 A7)), or without a sign
			n := len(words)
			outcome(myTurn, strings.Join(words[1:n-2], ""), words[n-2], words[n-1])
		case "illegal":
			fmt.Fprintln(os.Stderr, "the referee called my move illegal:", in.Text())
		case "end": // (end 1): player 1 has won
			return
		} // (flag 2 D12): the flag of player 2 stands on D12. This program does not use it.
	}
}

package game_test

import (
	"fmt"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// A game is found by its name. A position is a value: Play returns the next one.
func Example() {
	g, err := games.Find("jungle")
	if err != nil {
		panic(err)
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		panic(err)
	}
	pos, err := g.New(rules, [2]game.SetUp{})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(pos.Moves(nil)), "legal moves")

	m, err := g.ParseMove("0 6 0 3")
	if err != nil {
		panic(err)
	}
	fmt.Println(pos.Check(m))

	m, _ = g.ParseMove("0 6 0 5")
	next := pos.Play(m)
	_, over := next.Outcome()
	fmt.Printf("player %v is to move at ply %d, over: %v\n", next.Mover(), next.Ply(), over)
	// Output:
	// 24 legal moves
	// 0 6 0 3: an elephant goes one step left, right, up or down
	// player 2 is to move at ply 1, over: false
}

// A game goes on until it has an outcome. Here the piece on the first square that can move moves.
func ExamplePosition() {
	g, _ := games.Find("gastank")
	pos, err := g.New(nil, [2]game.SetUp{})
	if err != nil {
		panic(err)
	}
	for {
		outcome, over := pos.Outcome()
		if over {
			fmt.Printf("player %v has won after %d moves: %s\n", outcome.Winner, pos.Ply(), outcome.Reason)
			break
		}
		moves := pos.Moves(nil)
		slices.SortFunc(moves, func(a, b game.Move) int { return int(a.From) - int(b.From) })
		pos = pos.Play(moves[0])
	}
	fmt.Print(pos.Draw(game.DrawStyle{}))
	// Output:
	// player 2 has won after 6 moves: king captured
	// 7  -- -- B3 Q3 K3 B3 -- --  player 2
	// 6  -- -- -- -- -- N3 -- --
	// 5  -- -- -- -- -- -- -- --
	// 4  -- -- -- -- -- -- -- --
	// 3  -- -- -- -- -- -- -- --
	// 2  -- -- -- n3 -- n3 -- --
	// 1  -- -- -- N3 -- b3 -- --  player 1
	//    -----------------------
	//    A  B  C  D  E  F  G  H
}

// Perft counts the move sequences of a length, which tells a new generator of moves from a correct one.
func ExamplePerft() {
	g, _ := games.Find("quagmire")
	pos, err := g.New(nil, [2]game.SetUp{})
	if err != nil {
		panic(err)
	}
	for depth := range 4 {
		fmt.Println(depth, game.Perft(pos, depth))
	}
	// Output:
	// 0 1
	// 1 77
	// 2 5507
	// 3 366243
}

// What a side cannot know is not in its view: Luzhanqi's enemy pieces show their backs.
func ExampleView() {
	g, _ := games.Find("luzhanqi")
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		panic(err)
	}
	army := "A1:3 A2:7 A3:5 A4:6 A5:2 A6:5 B1:2 B2:L B4:3 B6:4 C1:3 C2:B C3:4 C5:7 C6:1 D1:F D2:L D4:1 D6:8 E1:L E2:2 E3:9 E4:B E5:1 E6:6"
	setUp, err := g.ParseSetUp(army)
	if err != nil {
		panic(err)
	}
	pos, err := g.New(rules, [2]game.SetUp{setUp, setUp})
	if err != nil {
		panic(err)
	}
	m, _ := g.ParseMove("A6 A7")
	picture := strings.Split(pos.Play(m).View(game.Second).Draw(game.DrawStyle{Last: &m}), "\n")
	for _, row := range picture[5:8] {
		fmt.Println(strings.TrimSpace(row))
	}
	// Output:
	// 7  ？？?▼ ══ ？？?▼ ══ ？？?▼ ══ ？？?▼ ══»──╬╬──«
	// ║        山         ║        山         ║
	// 6  團長5▲ ══ 營長4▲ ══ 工兵1▲ ══ 軍長8▲ ══»旅長6▲«
}

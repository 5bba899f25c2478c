package hiddeninfo_test

import (
	"fmt"
	"math/rand/v2"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// A colonel attacks and falls, so the piece that it met is a stronger one. How likely each rank is follows from
// all that the rest of the army can still be.
func Example() {
	first, err := luzhanqi.ParseSetUp("A1:3 A2:7 A3:5 A4:6 A5:2 A6:5 B1:2 B2:L B4:3 B6:4 C1:3 C2:B C3:4 C5:7 C6:1 D1:F D2:L D4:1 D6:8 E1:L E2:2 E3:9 E4:B E5:1 E6:6")
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := luzhanqi.ParseSetUp("A1:L A2:5 A3:2 A4:B A5:2 A6:1 B1:L B2:3 B4:9 B6:1 C1:L C2:4 C3:3 C5:7 C6:1 D1:F D2:4 D4:B D6:3 E1:5 E2:2 E3:6 E4:6 E5:7 E6:8")
	if err != nil {
		fmt.Println(err)
		return
	}
	from, _ := luzhanqi.ParseSquare("A6")
	to, _ := luzhanqi.ParseSquare("A7")
	before := luzhanqi.NewPosition(first, second, false)
	belief := hiddeninfo.New(before.View(game.First).(*luzhanqi.View))
	after := before.Play(game.Move{From: from, To: to})
	belief.Update(after.View(game.First).(*luzhanqi.View))

	met, _ := belief.PieceAt(to)
	fmt.Println("it can be", belief.Mask(met))
	for _, rank := range luzhanqi.Ranks {
		if p := belief.Marginals()[met][rank]; p > 0 {
			fmt.Printf("%c: %.3f\n", rank.Letter(), p)
		}
	}
	var world hiddeninfo.World
	belief.Sample(rand.New(rand.NewPCG(1, 2)), &world)
	fmt.Printf("in one of %.1e worlds it is a %v\n", belief.Worlds(), world[met])
	// Output:
	// it can be 9876
	// 9: 0.167
	// 8: 0.167
	// 7: 0.333
	// 6: 0.333
	// in one of 2.2e+17 worlds it is a general
}

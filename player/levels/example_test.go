package levels_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/jungle"
	"luzhanqi/player"
	"luzhanqi/player/levels"
)

// A level chooses a move for a position, from nothing but a view of it, a deadline and a source of
// randomness, and says why.
func Example() {
	g := jungle.Game{}
	level, err := levels.Find(g, "medium")
	if err != nil {
		fmt.Println(err)
		return
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		fmt.Println(err)
		return
	}
	position, err := g.New(rules, [2]game.SetUp{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := level.New(g, player.Options{Rules: rules})
	view := position.View(position.Mover())
	move := p.Choose(view, time.Now().Add(time.Second), rand.New(rand.NewPCG(1, 1)))
	fmt.Println("legal:", position.Check(move) == nil)
	if why, ok := p.(player.Explainer).Explain(); ok {
		fmt.Println("positions:", why.Nodes, "depth:", why.Depth > 3)
	}
	// Output:
	// legal: true
	// positions: 10000 depth: true
}
